"""What went wrong is said in the words of the page: names of files and controls, no paths, no Python."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from openpyxl import Workbook
from web_client import Client
from web_steps import brought

from kanopy.auditing import Finding
from kanopy.datasets import patients
from kanopy.drafting import Bound, DraftDecisions, SeenTable
from kanopy.engines.local import anonymize
from kanopy.errors import Hint, InputError, KanopyError
from kanopy.web.views import _choice_sentence
from kanopy.web.wording import finding_on_the_page, in_words_of_the_page, reason_on_the_page

TABLE = patients(600)
SEEN = SeenTable.of(TABLE)
TOML = re.compile(
    r"quasi_identifiers|\[\[|\[privacy|\[columns|at_most|accept =|identifiers|\bdeclare|\w = [\[\"]"
)
"""Words of policy files, which the people who use the page have never seen."""


def refused(decisions: DraftDecisions) -> tuple[str, str]:
    """What the page says where such a release cannot be made."""
    with pytest.raises(KanopyError) as caught:
        anonymize(TABLE, SEEN.draft(decisions).policy)
    return in_words_of_the_page(caught.value)


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        (Hint("give {delimiter}; see there", delimiter=...), "give “Between fields”; see there"),
        (Hint("try {delimiter}", delimiter="\t"), "try “Between fields”: tab"),
        (Hint("try {delimiter}", delimiter=";"), "try “Between fields”: semicolon"),
        (Hint("say which one: {sheet}", sheet="Daten 1"), "say which one: “Sheet of a workbook”: Daten 1"),
        (Hint("use {encoding}", encoding="utf-16"), "use “Encoding”: utf-16"),
        (Hint("{allow_empty} does it", allow_empty=True), "--allow-empty on the command line does it"),
        ("remove the line", "remove the line"),
        ("leave them out", "choose “found out” for both"),
    ],
)
def test_hints_name_the_controls_of_the_page(hint: str, said: str) -> None:
    assert in_words_of_the_page(InputError("x", hint), "/tmp/x.csv") == ("x", said)


def test_a_file_is_called_by_its_name_alone() -> None:
    error = InputError("/tmp/private/source/a.csv: file is empty", "look into /tmp/private/source/a.csv")
    assert in_words_of_the_page(error, "/tmp/private/source/a.csv") == (
        "a.csv: file is empty",
        "look into a.csv",
    )


def two_sheets() -> bytes:
    book, file = Workbook(), io.BytesIO()
    for sheet in (book.active, book.create_sheet("Daten")):
        sheet.append(["age", "sex"])
        sheet.append([1, "f"])
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "empty.csv: file is empty"),
        ("two.xlsx", two_sheets(), "say which one: “Sheet of a workbook”: Sheet"),
        ("x.db", b"SQLite format 3", "x.db: databases are not read save the table as CSV: sqlite3 -header"),
        ("x.foo", b"x", "the ending of the file does not say how it is written"),
    ],
)
def test_a_table_that_cannot_be_read_is_told_as_the_page_speaks(
    client: Client, name: str, content: bytes, said: str
) -> None:
    answer = brought(client, name, content)
    assert said in answer.seen()
    assert "kanopy-serve" not in answer.text
    assert "/source/" not in answer.text


def test_columns_that_stop_a_release_are_dropped_or_ticked() -> None:
    _, hint = refused(DraftDecisions({"name": "keep"}))
    assert hint == (
        "choose “drop it” for it in step 2; "
        "or tick the box below, if a reviewer agrees to publish it all the same"
    )
    _, hint = refused(DraftDecisions({"name": "keep", "patient_id": "keep"}))
    assert "for them in step 2; or tick the boxes below" in hint


def test_a_share_is_a_percentage_as_the_field_asks() -> None:
    settings = {"given": ["age"], "column": "diagnosis", "value": "cancer", "at_most": 0.03}
    message, hint = refused(DraftDecisions(bounds=(Bound("template", settings),)))
    assert "It is 9 % in the whole table" in message
    assert "the smallest bound that can be kept is 9 %; relax the bound in step 3, or add rows" in hint
    odd = InputError(
        "It is 307/3000 in the whole table.", 'is at_most = "307/3000"; relax the bound or add rows'
    )
    message, hint = in_words_of_the_page(odd)
    assert message == "It is 10.23 % in the whole table."
    assert hint.startswith("is 10.24 %;")


def test_who_drops_every_column_is_told_where_to_choose() -> None:
    _, hint = refused(DraftDecisions(dict.fromkeys(SEEN.columns, "identifiers")))
    assert hint == "choose “others may know it” in step 2 for what an attacker may know about somebody"
    _, hint = refused(DraftDecisions({"name": "target"}))
    assert hint.endswith("or choose another role for it in step 2")
    assert not TOML.search(hint)


def test_findings_say_what_to_click() -> None:
    roles = {"name": "keep", "bmi": "keep", "admission_type": "sensitive", "patient_id": "sensitive"}
    decided = DraftDecisions(
        roles, bounds=(), accept=("identifier:name",), unbounded=("diagnosis", "admission_type")
    )
    policy = replace(SEEN.draft(decided).policy.accepting_all(), k=2)
    found = [finding_on_the_page(each) for each in anonymize(TABLE, policy).audit.findings]
    assert {each.code.partition(":")[0] for each in found} >= {"identifier", "unbounded", "unique", "certain"}
    for each in found:
        assert not TOML.search(each.advice), each


@pytest.mark.parametrize(
    ("code", "advice", "said"),
    [
        ("certain:x", "add [[privacy.diversity]] with column = 'x'", "set a bound for 'x' in step 3"),
        ("guessable:x", "limit it by [[privacy.alpha]]", "set a bound for 'x' in step 3"),
        ("unbounded:x", "set one in [privacy]", "set a bound for 'x' in step 3"),
        ("persons:x", "declare it as person", "choose “tells persons apart” for 'x' in step 2"),
        ("date:x", 'levels = ["year"] in [columns.x]', "choose “others may know it” for 'x' in step 2"),
        ("nearly unique:x", "declare it", "choose “drop it” for 'x' in step 2"),
        ("free text:x", "declare it", "choose “drop it” for 'x' in step 2"),
        ("nothing", "kanopy evaluate compares them", "another method in step 4"),
        ("idle:x", "check the spelling of the value", "check the spelling of the value"),
    ],
)
def test_each_kind_of_finding_has_its_place_on_the_page(code: str, advice: str, said: str) -> None:
    column = code.partition(":")[2] or None
    told = finding_on_the_page(Finding("warning", "m", column, code, advice))
    assert said in told.advice
    assert (told.message, told.code) == ("m", code)


def test_roles_are_called_as_on_the_page() -> None:
    (column,) = (each for each in SEEN.draft(DraftDecisions({"zip": "keep"})).columns if each.name == "zip")
    assert "the draft was quasi_identifiers: " in column.reason
    assert reason_on_the_page(column.reason).startswith("decided; the draft was “others may know it”: ")
    assert reason_on_the_page("a word") == "a word"


def test_a_refusal_ends_with_one_full_stop() -> None:
    assert _choice_sentence({"refused": "It cannot be kept."}, "rows") == "No release: It cannot be kept."
    assert _choice_sentence({"refused": "it cannot be kept"}, "rows") == "No release: it cannot be kept."
