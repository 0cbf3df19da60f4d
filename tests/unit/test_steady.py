"""The suite, repeated: what fails only in some runs is found; what is skipped is listed with its reason."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import outcomes, steady

KINDS = """
import pytest
def test_passes(): pass
@pytest.mark.xfail
def test_is_known(): assert False
@pytest.mark.skip(reason="no tcsh here")
def test_skips(): pass
@pytest.mark.parametrize("n", [1, 2])
def test_skips_too(n): pytest.skip("takes long")
def test_fails(): assert 1 == 2, "they differ"
@pytest.fixture
def broken(): raise ValueError("broken")
def test_has_an_error(broken): pass
"""
IN_ORDER = """
import pytest
seen = []
@pytest.mark.parametrize("n", range(9))
def test_in_order(n):
    assert len(seen) == n, "others come first"
    seen.append(n)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where no configuration of pytest applies."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -q -p no:randomly\n", "utf-8")
    return tmp_path


def test_outcomes_are_read_with_their_reasons(folder: Path) -> None:
    (folder / "test_kinds.py").write_text(KINDS, "utf-8")
    (folder / "test_whole.py").write_text(
        "import pytest\npytest.skip('no R here', allow_module_level=True)", "utf-8"
    )
    command = [sys.executable, "-m", "pytest", "--junitxml=tests.xml"]
    assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 1
    found = outcomes.read_outcomes(folder / "tests.xml")
    assert {outcome.name: outcome.kind for outcome in found if outcome.is_red} == {
        "test_fails": "failure", "test_has_an_error": "error",
    }  # fmt: skip
    assert [outcome.why for outcome in found if outcome.kind == "failure"] == ["AssertionError: they differ"]
    assert list(outcomes.skip_table(found)) == [
        "4 of 8 tests were skipped:",
        "     2  takes long: test_kinds (2)",
        "     1  no R here: test_whole (1)",
        "     1  no tcsh here: test_kinds (1)",
    ]


def test_files_that_take_long_are_named() -> None:
    found = [
        outcomes.Outcome("a", "x", 5.0),
        outcomes.Outcome("b", "x", 7.0),
        outcomes.Outcome("a", "y", 4.0),
    ]
    assert outcomes.slow_files(found) == {"a": 9.0}


def test_a_test_that_needs_the_order_fails_in_another_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pytest_randomly", reason="pytest-randomly (the extra test) is not installed")
    command = f"{shlex.quote(sys.executable)} -m pytest"
    (folder / "README.md").write_text(f"**Test it**:\n\n```sh\n{command}\n```\n", "utf-8")
    (folder / "test_order.py").write_text(IN_ORDER, "utf-8")
    author = ["-c", "user.name=a", "-c", "user.email=a"]
    for command in (["init"], ["add", "."], [*author, "commit", "--no-gpg-sign", "--message=one"]):
        subprocess.run(["git", *command], cwd=folder, capture_output=True, check=True)
    monkeypatch.setattr(steady, "ROOT", folder)
    monkeypatch.setattr(steady, "full_name", lambda commit: commit)
    assert steady.main(["--times", "1", "--only", "quiet"]) == 0
    assert "1 of 1 runs were green" in capsys.readouterr().out
    assert steady.main(["--times", "1", "--only", "shuffled"]) == 1
    said = capsys.readouterr().out
    assert "test_order.py::test_in_order[" in said
    assert "run 1, shuffled: AssertionError: others come first" in said


def test_a_run_that_ends_without_tests_is_no_green_one() -> None:
    run = steady.CleanRun("busy", 3, 2, 1.0, [], "no space left")
    assert "exit code 2" in run.line()
    assert list(steady.summary([run])) == [
        "0 of 1 runs were green",
        "busy: 1 to 1 s, median 1 s",
        "run 3, busy, ended with no test that failed:\nno space left",
    ]
