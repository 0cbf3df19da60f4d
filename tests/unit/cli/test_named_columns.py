"""Columns named on the command line, whatever characters are in their names."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from command import run

from kanopy.cli.parser import column_list, column_name

BREAK, COMMA, QUOTE = "age\n(years)", "city, country", 'the "class"'


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", []),
        ("a", ["a"]),
        ("a, b,c ", ["a", "b", "c "]),
        ("a,", ["a", ""]),
        ('"a,b",c', ["a,b", "c"]),
        ('"a ""b""",\'c\'', ['a "b"', "'c'"]),
        ('say "a",b', ['say "a"', "b"]),
        ("a\nb,c", ["a\nb", "c"]),
        ('"a\nb","c\r\nd"', ["a\nb", "c\r\nd"]),
        (r'["a\nb", "c,d"]', ["a\nb", "c,d"]),
        (r"a\nb", [r"a\nb"]),
        ('["a"', ['["a"']),
        ("[1]", ["[1]"]),
        ('["a", 1]', ['["a"', "1]"]),
        ('"[""a""]"', ['["a"]']),
    ],
)
def test_lists_of_names(text: str, names: list[str]) -> None:
    assert column_list(text) == names


@pytest.mark.parametrize(
    ("text", "name"), [("a,b", "a,b"), ('"a"', '"a"'), ("a\nb", "a\nb"), (r'["a\nb"]', "a\nb"), ("[]", "[]")]
)
def test_single_names(text: str, name: str) -> None:
    assert column_name(text) == name


@pytest.mark.parametrize(
    "flags",
    [
        (f"--quasi={BREAK},zip", f'--keep="{COMMA}"', f"--target={QUOTE}"),
        (r'--quasi=["age\n(years)","zip"]', f'--keep=["{COMMA}"]', r'--target=["the \"class\""]'),
        (f'--quasi= "{BREAK}", zip', f' "{COMMA}"'.join(("--keep=", "")), f"--target={QUOTE}"),
    ],
    ids=["real", "JSON", "quoted"],
)
def test_columns_with_line_breaks_are_named(tmp_path: Path, flags: tuple[str, ...]) -> None:
    table = _table(tmp_path)
    outcome = run("anonymize", table, "-o", tmp_path / "out.csv", "--k=5", *flags)
    assert outcome.code == 0, outcome.err
    with (tmp_path / "out.csv").open(newline="") as stream:
        assert next(csv.reader(stream)) == [BREAK, "zip", COMMA, QUOTE]


def test_a_name_as_messages_show_it_is_answered_with_the_form_that_works(tmp_path: Path) -> None:
    table = _table(tmp_path)
    flags = (f'--keep="{COMMA}"', f"--target={QUOTE}")
    wrong = run("audit", table, r"--quasi=age\n(years),zip", *flags, "--k=5")
    assert wrong.code == 2
    assert """as JSON: '["age\\n(years)"]'""" in wrong.err


def _table(folder: Path) -> Path:
    path = folder / "data.csv"
    with path.open("w", newline="") as stream:
        rows = [[20 + number % 4, number % 2, "here", "yes"] for number in range(40)]
        csv.writer(stream).writerows([[BREAK, "zip", COMMA, QUOTE], *rows])
    return path
