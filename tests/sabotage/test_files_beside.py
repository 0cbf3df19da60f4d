"""What is beside a table is checked against what was counted on its bytes, before anything gets its name."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from command import OLD, Outcome, assert_clean, run

from kanopy import publishing, reporting
from kanopy.release import describing, release
from kanopy.release import record as record_module

HIDDEN = "hermit"
"""A job that one person has, and that is suppressed in every row."""

ROWS = [(20 + i % 6, ("clerk", "nurse")[i % 2], "YN"[i % 2 and i % 8 > 1]) for i in range(48)]
ROWS += [(70, HIDDEN, "Y")] * 2
TABLE = "age,job,cls\n" + "".join(f"{age},{job},{label}\n" for age, job, label in ROWS)
FLAGS = ("--quasi=age,job", "--target=cls", "--k=4", "--method=mondrian", "--option=publish=suppress")

Change = Callable[[Any], Any]


def attempt(folder: Path, *more: str, suffix: str = ".csv") -> Outcome:
    (folder / "data.csv").write_text(TABLE)
    return run("anonymize", folder / "data.csv", "-o", folder / f"out{suffix}", *FLAGS, *more)


def assert_refused(folder: Path, *more: str) -> str:
    """Exit code 5, nothing new on the disk, an old release as it was."""
    (folder / "out.csv").write_bytes(OLD)
    outcome = attempt(folder, "--force", *more)
    assert outcome.code == 5, outcome
    assert "nothing was published" in outcome.err
    assert_clean(outcome)
    assert HIDDEN not in outcome.err
    assert sorted(path.name for path in folder.iterdir()) == ["data.csv", "out.csv"]
    assert (folder / "out.csv").read_bytes() == OLD
    return outcome.err


@pytest.mark.parametrize("style", [(), ("--spreadsheet-safe",), ("--excel-locale=de",)])
def test_without_a_fault_it_is_published(style: tuple[str, ...], tmp_path: Path) -> None:
    report = ("--report", str(tmp_path / "r.html"), "--board", str(tmp_path / "b.md"))
    assert attempt(tmp_path, *report, *style).code == 0
    assert HIDDEN not in (tmp_path / "out.csv").read_text("utf-8-sig")


# --- Codebook --------------------------------------------------------------------------------------------


def with_books(
    monkeypatch: pytest.MonkeyPatch, book: Change = lambda lines: None, page: Change = str
) -> None:
    """The files of the codebook, the lines of the table changed in place, the page as a text."""
    sound = describing.codebook_files

    def wrong(*given: Any) -> tuple[bytes, bytes]:
        table, text = sound(*given)
        lines = list(csv.reader(io.StringIO(table.decode(), "")))
        book(lines)
        stream = io.StringIO("")
        csv.writer(stream, lineterminator="\n").writerows(lines)
        return stream.getvalue().encode(), page(text.decode()).encode()

    monkeypatch.setattr(describing, "codebook_files", wrong)


def line(column: str, entry: str, text: str, meaning: str = "value", role: str = "") -> list[str]:
    roles = {"age": "quasi_identifiers", "job": "quasi_identifiers", "cls": "target"}
    return [column, "1", role or roles.get(column, ""), "texts", entry, text, meaning]


BOOKS = {
    "a suppressed value": line("job", "level", HIDDEN),
    "a value of the domain": line("age", "highest", "70"),
    "a value of another column": line("cls", "level", "clerk"),
    "a value in an order": line("job", "order", HIDDEN, "1"),
    "a value as a kind of cell": line("job", "cell", HIDDEN),
    "a column that is not there": line("name", "column", ""),
    "another role": line("job", "column", "", role="keep"),
    "an entry of its own": line("job", "note", HIDDEN),
    "a value as a correlation": line("job", "correlation", HIDDEN, "0.10"),
    "an exact correlation": line("job", "correlation", "age", "0.1034482"),
    "a value instead of a correlation": line("job", "correlation", "age", HIDDEN),
    "more levels than rows": line("job", "more", "70000"),
    "a line that is too long": [*line("job", "level", "clerk"), HIDDEN],
}


@pytest.mark.parametrize("added", BOOKS.values(), ids=BOOKS)
def test_a_codebook_that_says_more(added: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_books(monkeypatch, book=lambda lines: lines.append(added))
    assert "the codebook" in assert_refused(tmp_path)


def test_a_codebook_of_all_words_of_the_domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        describing, "_used_words", lambda column: pa.array([*column.words.to_pylist(), HIDDEN])
    )
    assert "the codebook" in assert_refused(tmp_path)


def test_another_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_books(monkeypatch, book=lambda lines: lines[0].reverse())
    assert "the codebook" in assert_refused(tmp_path)


PAGES: dict[str, Change] = {
    "a suppressed value": lambda text: text.replace("texts: `clerk`", f"texts: `{HIDDEN}`, `clerk`"),
    "a value as a kind of cell": lambda text: text.replace(
        "\n### `job`\n", f"\n### `job`\n- `{HIDDEN}`: so\n"
    ),
    "another digest": lambda text: re.sub("`[0-9a-f]{64}`", f"`{'0' * 64}`", text),
    "another promise": lambda text: text.replace("at least 4", "at least 40"),
    "no promise": lambda text: text.replace("**Promised:**", "").replace("at least 4 rows", ""),
}


@pytest.mark.parametrize("change", PAGES.values(), ids=PAGES)
def test_a_page_that_says_something_else(
    change: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_books(monkeypatch, page=change)
    assert "the page of the codebook" in assert_refused(tmp_path)


# --- Certificate -----------------------------------------------------------------------------------------


def stronger_words(said: Any) -> None:
    said["promise"]["sentences"] = [text.replace("4", "40") for text in said["promise"]["sentences"]]


def stronger_bounds(said: Any) -> None:
    said["promise"]["bounds"][0]["k"] = 40


def stronger_both(said: Any) -> None:
    stronger_words(said)
    stronger_bounds(said)


def fewer_quasi_identifiers(said: Any) -> None:
    said["quasi_identifiers"].remove("job")
    said["roles"]["job"] = "keep"


def without_findings(said: Any) -> None:
    said["verdict"] |= {"colour": "green", "findings": []}


CERTIFICATES: dict[str, Callable[[Any], Any]] = {
    "the hash of another file": lambda said: said["release"].update(sha256="0" * 64),
    "another size": lambda said: said["release"].update(bytes=1),
    "more rows": lambda said: said["release"].update(rows=51),
    "another name": lambda said: said["release"].update(file="other.csv"),
    "other columns": lambda said: said["release"]["columns"].reverse(),
    "a stronger promise in words": stronger_words,
    "a stronger promise in bounds": stronger_bounds,
    "a stronger promise": stronger_both,
    "persons": lambda said: said["promise"].update(counted="persons"),
    "fewer quasi-identifiers": fewer_quasi_identifiers,
    "no findings": without_findings,
    "another colour": lambda said: said["verdict"].update(colour="red"),
    "the seed": lambda said: said["method"].update(seed=7),
    "the seed as an option": lambda said: said["method"]["options"].update(seed=7),
    "values as an option": lambda said: said["method"]["options"].update(levels=[HIDDEN]),
    "the digest of the source": lambda said: said.update(source={"sha256": "0" * 64}),
    "an entry about a column": lambda said: said["cells"]["job"].update(values=[HIDDEN]),
    "a column that was dropped": lambda said: said["cells"].update({HIDDEN: {"cells": "texts"}}),
    "counts in a finding": lambda said: [each.update(rows=2) for each in said["verdict"]["findings"]],
    "another codebook": lambda said: said["codebook"][0].update(sha256="0" * 64),
    "no codebook": lambda said: said.update(codebook=[]),
}


@pytest.mark.parametrize("change", CERTIFICATES.values(), ids=CERTIFICATES)
def test_a_certificate_that_says_something_else(
    change: Callable[[Any], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(said: dict[str, Any]) -> bytes:
        said = json.loads(json.dumps(said))
        change(said)
        return json.dumps(said).encode()

    monkeypatch.setattr(release, "certificate_bytes", wrong)
    assert "the certificate" in assert_refused(tmp_path)


# --- Manifest and verdict --------------------------------------------------------------------------------

MANIFESTS: dict[str, Callable[[Any], Any]] = {
    "the seed": lambda told: told.update(seed=7),
    "the seed as an option": lambda told: told["options"].update(seed=7),
    "dropped rows": lambda told: told["rows"].update(dropped=2),
    "rows of the source": lambda told: told["rows"].update({"in": 50, "dropped": "1 to 3"}),
    "more rows": lambda told: told["rows"].update(out=51),
    "a larger group": lambda told: told["groups"].update(smallest=40),
    "other groups": lambda told: told["groups"].update(count=1),
    "a stronger promise": lambda told: told.update(promise=["nobody is found"]),
    "a fact of the record": lambda told: told["facts"].update(suppressed_rows=2),
    "statistics of a column that is not there": lambda told: told.update(value_statistics={HIDDEN: {}}),
}


@pytest.mark.parametrize("change", MANIFESTS.values(), ids=MANIFESTS)
def test_a_manifest_that_says_something_else(
    change: Callable[[Any], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = release.tell

    def wrong(*given: Any) -> Any:
        told = sound(*given)
        for name in ("options", "rows", "groups", "facts", "roles"):
            told[name] = dict(told[name])
        change(told)
        return told

    monkeypatch.setattr(release, "tell", wrong)
    assert_refused(tmp_path, "--json")


VERDICTS: dict[str, Change] = {
    "a larger k": lambda audit: replace(audit, k=40),
    "fewer groups": lambda audit: replace(audit, groups=1),
    "other promises": lambda audit: replace(
        audit, promises=tuple(replace(each, level=40.0) for each in audit.promises)
    ),
    "no risks": lambda audit: replace(audit, risks=replace(audit.risks, prosecutor_highest=0.0)),
    "no findings": lambda audit: replace(audit, findings=()),
    "nothing certain": lambda audit: replace(audit, certain={}),
    "persons": lambda audit: replace(audit, unit="persons"),
    "broken": lambda audit: replace(audit, kept=False),
}


@pytest.mark.parametrize("change", VERDICTS.values(), ids=VERDICTS)
def test_a_verdict_that_was_changed_after_the_run(
    change: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = publishing.anonymize

    def wrong(*given: Any, **named: Any) -> Any:
        made = sound(*given, **named)
        made.audit = change(made.audit)
        return made

    monkeypatch.setattr(publishing, "anonymize", wrong)
    assert "the verdict" in assert_refused(tmp_path)


def test_a_record_is_private_and_may_say_everything(tmp_path: Path) -> None:
    assert record_module.PRIVATE
    assert attempt(tmp_path, "--record", str(tmp_path / "record.json")).code == 0
    assert json.loads((tmp_path / "record.json").read_text())["seed"] == 0


# --- Report ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".html", ".md", ".json"])
@pytest.mark.parametrize(("old", "new"), [("4 rows", "40 rows"), ("{sha256}", "0" * 64)])
@pytest.mark.parametrize("edition", ["--report", "--board"])
def test_a_report_that_says_something_else(
    suffix: str, old: str, new: str, edition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = reporting.render

    def wrong(*given: Any, file: Any, **named: Any) -> str:
        return sound(*given, file=file, **named).replace(old.format(sha256=file.sha256), new)

    monkeypatch.setattr(reporting, "render", wrong)
    assert "the report" in assert_refused(tmp_path, edition, str(tmp_path / f"report{suffix}"))
