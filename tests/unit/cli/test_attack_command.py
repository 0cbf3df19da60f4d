"""``kanopy attack``: sentences for people, JSON for machines, and never a cell."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from command import SECRET, assert_clean, content, run

POLICY = """\
quasi_identifiers = ["age", "sex"]
target = "ill"
identifiers = ["name"]
[privacy]
k = 2
"""
SOURCE = f"""\
name,age,sex,ill
A,20,f,flu
B,22,f,flu
C,30,{SECRET},cold
D,34,{SECRET},flu
E,40,{SECRET},cold
F,44,f,cold
"""
RELEASE = f"""\
age,sex,ill
"[20, 22]",f,flu
"[20, 22]",f,flu
"[30, 34]",{SECRET},cold
"[30, 34]",{SECRET},flu
"[40, 44]",*,cold
"[40, 44]",*,cold
"""
OTHER = f"""\
age,sex,ill
"[20, 30]",*,flu
"[20, 30]",*,cold
"[22, 44]",f,flu
"[22, 44]",f,cold
"[34, 40]",{SECRET},flu
"[34, 40]",{SECRET},cold
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (
        ("policy.toml", POLICY),
        ("source.csv", SOURCE),
        ("release.csv", RELEASE),
        ("other.csv", OTHER),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


GIVEN = ("attack", "release.csv", "--source", "source.csv", "--policy", "policy.toml")


def test_every_figure_is_a_sentence(folder: Path) -> None:
    before = content(folder)
    outcome = run(*GIVEN, "--with", "other.csv", "--strangers", "source.csv")
    assert (outcome.code, outcome.err) == (0, "")
    assert_clean(outcome)
    lines = outcome.out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "rows", "link", "link", "infer", "infer", "infer", "sizes", "cells", "both", "both", "both", "both",
        "note", "note",
    ]  # fmt: skip
    for sentence in (
        "6 published rows in 3 groups; 6 people in the source",
        "finds at least 2 published rows that could be that person's. Picking one of them is right in 50.0%",
        "100.0% of the people fit one group only.",
        "Column 'ill' is guessed right for 83.3% of the people",
        "Column 'ill' is certain for 66.7% of the people",
        "for 83.3% of those who are not in the release (6 people): 0.0 points more",
        "3 of 3 groups have exactly k = 2 rows; 100.0% of the rows are in them.",
        "In 3 of 3 groups, a cell together with the size of the group tells the values",
        "Of 3 that can be checked on the source, 3 are true.",
        "With the other release, 83.3% of the 6 people whom both cover are alone",
        "If only people count who probably are in both groups, 100.0% of them are alone, and 100.0% among",
        "Column 'ill' is certain for 66.7% of them from this release, 0.0% from the other, 66.7% from both.",
    ):
        assert sentence in outcome.out
    assert content(folder) == before


def test_json(folder: Path) -> None:
    outcome = run(*GIVEN, "--with", "other.csv", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    assert_clean(outcome)
    figures = json.loads(outcome.out)
    assert set(figures) == {
        "rows", "people", "groups", "k", "linking", "inference", "sizes", "downcoding", "composition",
        "notes", "known_method",
    }  # fmt: skip
    assert figures["known_method"] is None
    assert figures["composition"]["alone"] == pytest.approx(5 / 6)


def test_method_known(folder: Path) -> None:
    made = run("anonymize", "source.csv", "-o", "made.csv", "--policy", "policy.toml", "--method", "mdav")
    assert made.code == 0
    given = ("attack", "made.csv", *GIVEN[2:], "--method-known", "--simulations", "4")
    outcome = run(*given)
    assert (outcome.code, outcome.err) == (0, "")
    assert_clean(outcome)
    said = [line for line in outcome.out.splitlines() if line.startswith("known")]
    assert len(said) == 3  # the method is that of the certificate, which gives the release
    assert "of 4 swaps, which exchange a value between two rows of a group (95% interval: " in said[0]
    assert "values whose cell allows others are pinned: none of those that were tried" in said[1]
    assert "Measured on 6 rows, released in 3 groups, then again with one change at a time" in said[2]
    other = run(*given, "--method", "mdav", "--option", "publish=mean", "--json")
    assert (other.code, other.err) == (0, "")
    known = json.loads(other.out)["known_method"]
    assert (known["is_release"], known["swaps"], known["seeds"]) == (False, 4, 1)


@pytest.mark.usefixtures("folder")
def test_the_method_is_run_again_on_dates_that_the_type_of_a_column_tells() -> None:
    """The policy has no line about them, and the release was made as if it had."""
    days = [date(2020, 1, 1) + timedelta(days=row * 7 % 30) for row in range(60)]
    source = pa.table({"day": days, "cls": ["YN"[row % 2] for row in range(60)]})
    pa.parquet.write_table(source, "typed.parquet")
    flags = ("--quasi=day", "--target=cls", "--k=5", "--method=mdav")
    assert run("anonymize", "typed.parquet", "-o", "typed.csv", *flags).code == 0
    known = ("--method-known", "--simulations=2", "--json")
    outcome = run("attack", "typed.csv", "--source=typed.parquet", *flags[:3], *known)
    assert json.loads(outcome.out)["known_method"]["is_release"] is True


@pytest.mark.usefixtures("folder")
def test_a_method_that_cannot_be_run_again() -> None:
    known = (*GIVEN, "--method-known")
    for flags, message in (
        (("--method", "nothing"), "nothing"),
        (("--option", "widen=perhaps"), "takes true or false"),
        (("--simulations", "0"), "a number above 0"),
        (("--source", "-"), "reads the source twice"),
    ):
        outcome = run(*known, *flags)
        assert outcome.code == 2, message
        assert message in outcome.err


@pytest.mark.usefixtures("folder")
def test_flags_instead_of_a_policy() -> None:
    flags = ("--quasi", "age,sex", "--target", "ill", "--identifiers", "name", "--k", "3")
    outcome = run("attack", "release.csv", "--source", "source.csv", *flags)
    assert outcome.code == 0  # a measurement, not a verdict
    assert "Fewer than k = 3 rows could be theirs: 6 people." in outcome.out


def test_people_whom_no_group_covers(folder: Path) -> None:
    (folder / "source.csv").write_text(SOURCE + "G,80,f,flu\n", encoding="utf-8")
    outcome = run(*GIVEN)
    for sentence in (
        "Whoever looks for a person whom a group covers finds at least 2 published rows",
        "Covered by no group: 1 person.",
        "is guessed right for 0.0% of those who are not in the release (1 person): 83.3 points more",
        "The source has 1 row more than the release.",
    ):
        assert sentence in outcome.out


def test_rows_are_not_called_people_where_a_person_may_have_several(folder: Path) -> None:
    text = (folder / "policy.toml").read_text(encoding="utf-8")
    (folder / "policy.toml").write_text(
        text.replace('identifiers = ["name"]', 'person = "name"'), encoding="utf-8"
    )
    outcome = run(*GIVEN, "--with", "other.csv", "--strangers", "source.csv")
    assert outcome.code == 0
    assert "people" not in outcome.out
    assert "; 6 rows of the source" in outcome.out
    assert "100.0% of the rows of the source fit one group only." in outcome.out


def test_delimiter_and_encoding_are_those_of_the_source(folder: Path) -> None:
    (folder / "source.csv").write_bytes(SOURCE.replace(",", ";").replace("flu", "Grippe ß").encode("latin-1"))
    (folder / "release.csv").write_text(RELEASE.replace("flu", "Grippe ß"), encoding="utf-8")
    outcome = run(*GIVEN, "--delimiter", ";", "--encoding", "latin-1")
    assert "Column 'ill' is certain for 66.7% of the people" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--source", "source.csv"), 2, "kanopy suggest source.csv -o policy.toml"),
        (("--policy", "policy.toml"), 2, "--source"),
        (("--source", "source.csv", "--policy", "nosuch.toml"), 2, "nosuch.toml"),
        (("--source", "nosuch.csv", "--policy", "policy.toml"), 3, "nosuch.csv: no such file"),
        (("--source", "other.csv", "--policy", "policy.toml"), 3, "name nothing that the source has"),
        (("--source", "release.csv", "--policy", "policy.toml", "--with", "empty.csv"), 3, "empty.csv"),
        (("--source", "source.csv", "--policy", "policy.toml", "--quasi", "age"), 2, "'sex'"),
    ],
)
def test_refused(folder: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    (folder / "empty.csv").write_bytes(b"")
    (folder / "other.csv").write_text("age,sex,ill\n20,f,flu\n22,f,flu\n", encoding="utf-8")
    outcome = run("attack", "release.csv", *arguments)
    assert outcome.code == code
    assert said in outcome.err
    assert_clean(outcome)


def test_a_missing_end_is_refused_without_showing_it(folder: Path) -> None:
    (folder / "release.csv").write_text(RELEASE.replace("[20, 22]", f"[20, {SECRET}"), encoding="utf-8")
    outcome = run(*GIVEN, "--json")
    assert outcome.code == 3
    assert "2 cells of column 'age' name nothing" in json.loads(outcome.out)["error"]
    assert_clean(outcome)


def test_help_says_what_it_is() -> None:
    outcome = run("attack", "--help")
    assert outcome.code == 0
    for words in ("--source DATA", "--with RELEASE", "--strangers DATA", "never a cell", "not a verdict"):
        assert words in outcome.out
    assert "promise kept" not in outcome.out
