"""Nobody listens: streams that are closed, full or gone change neither a verdict nor a release."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import PATIENCE, Outcome, assert_clean, content, redirected, run
from effort import IS_DEEP, one_in

from kanopy.cli import anonymize as anonymize_command
from kanopy.cli.terminal import standard_error

FLAGS = ("--quasi=age,zip", "--target=cls", "--k=4")
CLOSED = [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"]
FULL = [">/dev/full", "2>/dev/full", ">/dev/full 2>/dev/full", ">&- 2>/dev/full"]
EACH = CLOSED + FULL if IS_DEEP else [">&-", "2>&-", "<&-", "<&- >&- 2>&-", ">/dev/full 2>/dev/full"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = "".join(f"{20 + i // 12},{'abc'[i // 4 % 3]},{'YN'[i % 2]}\n" for i in range(48))
    (tmp_path / "data.csv").write_text("age,zip,cls\n" + rows)
    return tmp_path


def assert_no_trace(outcome: Outcome) -> None:
    assert_clean(outcome)
    assert "Exception" not in outcome.err


@pytest.mark.parametrize("redirections", EACH)
def test_a_release_is_a_success_and_holds_nothing_that_was_printed(
    redirections: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")  # certificates have a date
    outputs = ("-o", folder / "out.csv", "--report", folder / "report.md", "--json")
    assert run("anonymize", folder / "data.csv", *outputs, *FLAGS).code == 0
    expected = content(folder)
    for name in ("out.csv", "out.csv.kanopy.json", "out.codebook.csv", "out.codebook.md", "report.md"):
        (folder / name).unlink()
    outcome = redirected(redirections, "anonymize", folder / "data.csv", *outputs, *FLAGS)
    assert outcome.code == 0, outcome
    assert_no_trace(outcome)
    assert content(folder) == expected


@pytest.mark.parametrize(
    ("redirections", "verdict"),
    one_in(
        2,
        [">&-", "2>&-", "<&- >&- 2>&-", ">&- 2>/dev/full"],
        [("--k=4", 0, ()), ("--k=5", 1, ("--json",))],
    ),
)
def test_a_verdict_is_told_by_its_code(
    redirections: str, verdict: tuple[str, int, tuple[str, ...]], folder: Path
) -> None:
    k, code, format_ = verdict
    outcome = redirected(redirections, "audit", folder / "data.csv", *FLAGS, k, *format_)
    assert outcome.code == code, outcome
    assert_no_trace(outcome)


OTHERS: list[tuple[str, ...]] = [
    ("suggest", "data.csv"),
    ("suggest", "data.csv", "--json"),
    ("demo", "--rows=100"),
    ("methods",),
    ("methods", "--json"),
    (),
    ("--version",),
]
if IS_DEEP:  # these load scikit-learn, which takes seconds
    OTHERS += [("evaluate", "data.csv", *FLAGS, "--learners=nb", "--jobs=1"), ("reproduce",)]
    OTHERS += [("completion", "bash")]


@pytest.mark.parametrize(("redirections", "command"), one_in(2, [">&-", "<&- >&- 2>&-"], OTHERS))
def test_other_commands(redirections: str, command: tuple[str, ...], folder: Path) -> None:
    arguments = [str(folder / "data.csv") if word == "data.csv" else word for word in command]
    outcome = redirected(redirections, *arguments)
    assert outcome.code == 0, outcome
    assert_no_trace(outcome)


REFUSED = [
    (("anonymize", "no.csv", "-o", "out.csv", *FLAGS, "--json"), 3),
    (("anonymize", "data.csv", "-o", "out.csv", *FLAGS, "--k=1"), 2),
    (("audit", "data.csv"), 2),
    (("nosuch",), 2),
]


@pytest.mark.parametrize(
    ("redirections", "refused"), one_in(3, [">&-", "2>&-", ">/dev/full 2>/dev/full"], REFUSED)
)
def test_a_refusal_keeps_its_code(
    redirections: str, refused: tuple[tuple[str, ...], int], folder: Path
) -> None:
    arguments, code = refused
    outcome = redirected(
        redirections, *(folder / word if word.endswith(".csv") else word for word in arguments)
    )
    assert outcome.code == code, outcome
    assert_no_trace(outcome)
    assert list(content(folder)) == ["data.csv"]


def test_standard_input_that_is_closed(folder: Path) -> None:
    outcome = redirected("<&-", "anonymize", "-", "-o", folder / "out.csv", *FLAGS)
    assert outcome.code == 2
    assert "standard input is closed" in outcome.err
    assert list(content(folder)) == ["data.csv"]


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_python_without_the_stream(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kanopy.cli.main import main

    monkeypatch.setattr(sys, name, None)
    data = str(folder / "data.csv")
    assert main(["audit", data, *FLAGS]) == 0
    assert main(["audit", data, *FLAGS, "--k=5"]) == 1
    assert main(["anonymize", data, "-o", str(folder / "out.csv"), *FLAGS]) == 0
    getattr(sys, name).close()


def test_a_pipe_that_breaks_after_the_release_is_written(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    arguments = ["anonymize", folder / "data.csv", "-o", folder / "out.csv", *FLAGS, "--json"]
    done = subprocess.run(
        [sys.executable, "-c", "from kanopy.cli.start import run; run()", *map(str, arguments)],
        stdout=writer,
        stderr=writer,
        timeout=PATIENCE,
        check=False,
    )
    os.close(writer)
    assert done.returncode == 0
    assert (folder / "out.csv").exists()


def test_whatever_fails_after_the_release_is_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(anonymize_command, "say_release", fail)
    assert run("anonymize", folder / "data.csv", "-o", folder / "out.csv", *FLAGS).code == 0
    assert (folder / "out.csv").exists()


def test_progress_on_a_terminal_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.openpty()
    # What could not be written is tried again when the stream is closed.
    with contextlib.suppress(OSError), os.fdopen(writer, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        terminal = standard_error()
        assert terminal.is_terminal
        os.close(reader)
        try:
            terminal.progress("reading", 0.5)
            terminal.say("done")
        except OSError:
            pytest.fail("a message that nobody reads is no failure")


def test_json_is_printed_where_somebody_listens(folder: Path) -> None:
    outcome = redirected("2>&-", "audit", folder / "data.csv", *FLAGS, "--json")
    assert json.loads(outcome.out)["kept"] is True
