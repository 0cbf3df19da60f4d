"""No output replaces what the run reads, by whatever name, even where it may replace files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import PATIENCE, assert_clean, content, run

import kanopy
from kanopy.errors import PolicyError

POLICY = """
quasi_identifiers = ["age", "zip"]
target = "cls"
[privacy]
k = 4
[method]
name = "tds"
[hierarchies]
zip = "zip.txt"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = "".join(f"{20 + i // 12},{'abc'[i // 4 % 3]},{'YN'[i % 2]}\n" for i in range(48))
    (tmp_path / "data.csv").write_text("age,zip,cls\n" + rows)
    (tmp_path / "policy.toml").write_text(POLICY)
    (tmp_path / "zip.txt").write_text("a;ab;*\nb;ab;*\nc;c_;*\n")
    for name, target in (("p.csv", "policy.toml"), ("h.md", "zip.txt"), ("d.html", "data.csv")):
        os.link(tmp_path / target, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize(
    ("output", "what"),
    [
        (("-o", "data.csv"), "input"),
        (("-o", "p.csv"), "policy file"),
        (("-o", "out.csv", "--report", "h.md"), "hierarchy of column 'zip'"),
        (("-o", "out.csv", "--report", "d.html"), "input"),
        (("-o", "out.csv", "--method", "kadet", "--tree", "zip.txt"), "hierarchy of column 'zip'"),
    ],
)
def test_an_input_is_not_replaced(output: tuple[str, ...], what: str, folder: Path) -> None:
    before = content(folder)
    paths = [str(folder / word) if "." in word else word for word in output]
    outcome = run("anonymize", folder / "data.csv", "--policy", folder / "policy.toml", *paths, "--force")
    assert_clean(outcome)
    assert outcome.code == 2, outcome
    assert f"output and {what} are the same file" in outcome.err
    assert content(folder) == before


def test_the_file_behind_standard_input(folder: Path) -> None:
    before = content(folder)
    launch = "from kanopy.cli.start import run; run()"
    flags = ["--quasi=age,zip", "--target=cls", "--k=4", "--force"]
    with (folder / "data.csv").open("rb") as stream:
        done = subprocess.run(
            [sys.executable, "-c", launch, "anonymize", "-", "-o", str(folder / "data.csv"), *flags],
            stdin=stream,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 2, done
    assert "output and input are the same file" in done.stderr
    assert content(folder) == before


def test_the_report_of_an_evaluation(folder: Path) -> None:
    before = content(folder)
    outcome = run(
        *("evaluate", folder / "data.csv", "--policy", folder / "policy.toml"),
        *("--learners=nb", "--jobs=1", "--report", folder / "h.md", "--force"),
    )
    assert (outcome.code, "are the same file" in outcome.err) == (2, True), outcome
    assert content(folder) == before


def test_in_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the working folder has changed since the table was read."""
    before = content(folder)
    monkeypatch.chdir(folder)
    release = kanopy.anonymize("data.csv", kanopy.Policy.load("policy.toml"))
    monkeypatch.chdir("/")
    for write in (
        lambda: release.write(folder / "data.csv", force=True),
        lambda: kanopy.report(release, folder / "h.md", force=True),
    ):
        with pytest.raises(PolicyError, match="are the same file"):
            write()
    assert content(folder) == before
    release.write(folder / "out.csv")
    release.write(folder / "out.csv", force=True)
