"""Names of files that are no UTF-8: they are names like any other."""

import json
import os
from pathlib import Path

import pytest
from cases import FLAGS, PROMISE, TABLE
from command import Outcome, assert_clean, run, spawn
from effort import IS_DEEP

ODD = os.fsdecode(b"odd\xff")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    try:
        (tmp_path / f"{ODD}.csv").write_text(TABLE)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (tmp_path / f"{ODD}.toml").write_text(PROMISE)
    return tmp_path


def asked(*arguments: str | os.PathLike[str]) -> Outcome:
    outcome = spawn(*arguments)
    assert_clean(outcome)
    return outcome


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_in_and_out(suffix: str, folder: Path):
    out, report = folder / f"out{ODD}{suffix}", folder / f"report{ODD}.html"
    policy = ("--policy", folder / f"{ODD}.toml")
    files = ("-o", out, "--report", report)
    outcome = asked("anonymize", folder / f"{ODD}.csv", *files, *policy, "--json")
    assert outcome.code == 0, outcome
    json.loads(outcome.out)
    assert out.stat().st_size
    assert report.stat().st_size
    assert asked("audit", out, *policy, "--json").code == 0
    again = asked("anonymize", folder / f"{ODD}.csv", *files, *policy, "--json")
    assert (again.code, json.loads(again.out)["exit_code"]) == (2, 2)


def test_other_commands(folder: Path):
    for arguments, code in (
        (("suggest", folder / f"{ODD}.csv"), 0),
        (("suggest", folder / f"{ODD}.csv", "--hierarchies", folder / f"{ODD}.drafts"), 2),
        (("audit", folder / f"no{ODD}.csv", *FLAGS, "--json"), 3),
        (("audit", folder / f"{ODD}.csv", "--policy", folder / f"no{ODD}.toml", "--json"), 2),
        (("anonymize", folder / f"{ODD}.csv", "-o", folder / ODD, *FLAGS, "--json"), 2),
        (("audit", folder / f"{ODD}.csv", "--quasi", ODD, "--k=2"), 2),
        (("audit", folder / f"{ODD}.csv", *FLAGS, "--missing", ODD), 2),
        (("audit", folder / f"{ODD}.csv", *FLAGS, "--encoding", ODD), 2),
        (("audit", folder / f"{ODD}.csv", *FLAGS, "--delimiter", "\udcff"), 2),
    ):
        # The others are spelled by the same code, so that one process is enough of them.
        outcome = asked(*arguments) if IS_DEEP or arguments[0] == "suggest" else run(*arguments)
        assert_clean(outcome)
        assert outcome.code == code, arguments


def test_in_this_process_too(folder: Path):
    out = folder / f"{ODD}.parquet"
    assert run("anonymize", folder / f"{ODD}.csv", "-o", out, *FLAGS).code == 0
