"""``kanopy anonymize --report``: the report beside the table, or neither."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import OLD, PLAIN_LOCALE, RELEASED, Outcome, assert_clean, content, run, spawn

import kanopy.reporting

LINES = [f"{20 + i % 30},{'abc'[i % 3]},{'YN'[(i % 30 > 14) ^ (i % 11 == 0)]}\n" for i in range(120)]
FLAGS = ("--quasi=age,zip", "--target=cls", "--k=5")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text("age,zip,cls\n" + "".join(LINES))
    return tmp_path


def anonymize(folder: Path, *more: str | Path) -> Outcome:
    outcome = run("anonymize", folder / "data.csv", "-o", folder / "out.csv", *FLAGS, *more)
    assert_clean(outcome)
    return outcome


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("r.html", "<!DOCTYPE html>"),
        ("r.md", "# What this release"),
        ("r.json", "{"),
        ("R.HTML", "<!DOCTYPE"),
    ],
)
def test_the_report_is_written(name: str, begin: str, folder: Path) -> None:
    outcome = anonymize(folder, "--report", folder / name)
    assert outcome.code == 0, outcome
    assert (folder / name).read_text("utf-8").startswith(begin)
    assert {path.name for path in folder.iterdir()} == {"data.csv", *RELEASED, name}


def test_table_tree_and_report(folder: Path) -> None:
    outcome = anonymize(folder, "--method=kadet", "--tree", folder / "t.txt", "--report", folder / "r.json")
    assert outcome.code == 0, outcome
    written = {*RELEASED, "t.txt", "r.json"}
    assert {path.name for path in folder.iterdir()} == {"data.csv", *written}
    told = json.loads((folder / "r.json").read_text())
    assert told["rows_out"]["number"] == len((folder / "out.csv").read_text().splitlines()) - 1


def test_the_same_bytes_whatever_the_hash_seed(folder: Path) -> None:
    at = {"SOURCE_DATE_EPOCH": "1700000000", "LC_ALL": PLAIN_LOCALE}
    for number in ("1", "2"):
        (folder / number).mkdir()
        outcome = spawn(
            *("anonymize", folder / "data.csv", "-o", folder / number / "out.csv", *FLAGS),
            *("--report", folder / number / "r.html"),
            env={"PYTHONHASHSEED": number, "TZ": f"UTC+{number}", **at},
        )
        assert outcome.code == 0, outcome
    assert (folder / "1" / "r.html").read_bytes() == (folder / "2" / "r.html").read_bytes()


def test_an_old_report_is_replaced_where_asked(folder: Path) -> None:
    (folder / "r.md").write_bytes(OLD)
    assert anonymize(folder, "--report", folder / "r.md", "--force").code == 0
    assert (folder / "r.md").read_bytes() != OLD


# --- Refused, and nothing written ------------------------------------------------------------------------


def refused(folder: Path, *more: str | Path, code: int = 2) -> str:
    before = content(folder)
    outcome = anonymize(folder, *more)
    assert outcome.code == code, outcome
    assert outcome.out == ""
    assert "hint" in outcome.err
    assert content(folder) == before
    return outcome.err


@pytest.mark.parametrize("name", ["r.png", "r.csv", "r", ".html", "r.html.gz"])
def test_a_format_that_is_not_written(name: str, folder: Path) -> None:
    assert ".md" in refused(folder, "--report", folder / name)


def test_an_existing_report(folder: Path) -> None:
    (folder / "r.html").write_bytes(OLD)
    assert "exists" in refused(folder, "--report", folder / "r.html")


def test_an_existing_table_beside_a_new_report(folder: Path) -> None:
    (folder / "out.csv").write_bytes(OLD)
    assert "exists" in refused(folder, "--report", folder / "r.html")


def test_a_link(folder: Path) -> None:
    (folder / "other.html").write_bytes(OLD)
    (folder / "r.html").symlink_to(folder / "other.html")
    assert "symbolic link" in refused(folder, "--report", folder / "r.html", "--force")


def test_a_date_that_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    assert "SOURCE_DATE_EPOCH" in refused(folder, "--report", folder / "r.html")


def test_a_folder_that_does_not_exist(folder: Path) -> None:
    refused(folder, "--report", folder / "nowhere" / "r.html", code=6)


def test_a_promise_that_cannot_be_kept(folder: Path) -> None:
    refused(folder, "--report", folder / "r.html", "--k=500", code=4)


def test_bad_input(folder: Path) -> None:
    (folder / "data.csv").write_text("age,zip,cls\n1,2\n")
    refused(folder, "--report", folder / "r.html", code=3)


def test_a_report_that_fails_leaves_no_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> str:
        raise MemoryError

    monkeypatch.setattr("kanopy.reporting.render", broken)
    refused(folder, "--report", folder / "r.html", code=6)


def test_a_table_that_fails_leaves_no_report(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kanopy.Release, "write_to", broken)
    refused(folder, "--report", folder / "r.html", code=6)
