"""``kanopy profile``: sentences for people, JSON for machines, the next command, and never a cell."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from command import SECRET, assert_clean, run, spawn

import kanopy

DATA = f"""\
age,sex,"a, b",ill,id
20,f,{SECRET},flu,1
20,f,{SECRET},cold,2
30,m,?,{SECRET},3
30,m,,{SECRET},3
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data.csv").write_text(DATA, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_json_is_the_dictionary_of_the_profile() -> None:
    given = ("--quasi", 'age,"a, b"', "--sensitive", "ill", "--person", "id", "--missing", "?")
    outcome = run("profile", "data.csv", *given, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    found = kanopy.profile("data.csv", ["age", "a, b"], ["ill"], "id", ["?"])
    assert json.loads(outcome.out) == json.loads(json.dumps(found.to_dict()))
    assert_clean(outcome)


def test_words_without_a_cell() -> None:
    outcome = run("profile", "data.csv", "--quasi", "age,sex", "--sensitive", "ill")
    assert (outcome.code, outcome.err) == (0, "")
    assert "4 rows in 2 groups; a group is all rows that agree on age, sex" in outcome.out
    assert "2 columns of the table were not named and not looked at" in outcome.out
    assert outcome.out.splitlines()[-1] == "next     kanopy suggest data.csv -o policy.toml"
    assert_clean(outcome)


def test_the_next_command_can_be_typed() -> None:
    given = ("--quasi", 'age,sex,"a, b"', "--sensitive", "ill", "--person", "id", "--missing", "?")
    outcome = run("profile", "data.csv", *given)
    command = shlex.split(outcome.out.splitlines()[-1].removeprefix("next"))
    assert command[:5] == ["kanopy", "anonymize", "data.csv", "-o", "release.csv"]
    done = run(*command[1:])
    assert done.code in (0, 4), done.err  # so few rows cannot be 5-anonymous
    assert_clean(outcome)


def test_standard_input_and_delimiter() -> None:
    outcome = spawn("profile", "-", "--quasi", "age", "--delimiter", ";", stdin=b"age;sex\n1;f\n2;m\n")
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1] == (
        "next     pipe the table in again: kanopy suggest - -o policy.toml --delimiter ';'"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("data.csv",), 2, "--quasi"),
        (("data.csv", "--quasi", "agee"), 2, "did you mean 'age'?"),
        (("data.csv", "--quasi", "age", "--master", "local[2]"), 2, "--master is for Spark"),
        (("nosuch.csv", "--quasi", "age"), 3, "nosuch.csv: no such file"),
        (("empty.csv", "--quasi", "age"), 3, "empty.csv"),
    ],
)
def test_refused(arguments: tuple[str, ...], code: int, said: str) -> None:
    Path("empty.csv").write_bytes(b"")
    outcome = run("profile", *arguments)
    assert outcome.code == code
    assert said in outcome.err
    assert_clean(outcome)
