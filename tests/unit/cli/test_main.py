"""One way out for every failure."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command import PATIENCE, SECRET, UNTIL_A_SIGNAL, Outcome, run, spawn

from kanopy._version import __version__
from kanopy.cli import methods
from kanopy.cli.signals import HungUp, Terminated
from kanopy.errors import (
    InputError,
    KanopyError,
    PolicyError,
    ResourceError,
    UnsatisfiableError,
    VerificationError,
)


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException, *flags: str) -> Outcome:
    def fail(_given: object) -> int:
        raise error

    monkeypatch.setattr(methods, "run", fail)
    return run("methods", *flags)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (KanopyError, 1),
        (PolicyError, 2),
        (InputError, 3),
        (UnsatisfiableError, 4),
        (VerificationError, 5),
        (ResourceError, 6),
    ],
)
def test_every_error_has_its_code(
    kind: type[KanopyError], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = failing(monkeypatch, kind("what", "do this"))
    assert (outcome.code, outcome.out, outcome.err) == (code, "", "error: what\n hint: do this\n")
    assert failing(monkeypatch, kind("what")).err == "error: what\n"


def test_error_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = failing(monkeypatch, InputError("what", "do this"), "--json")
    assert json.loads(outcome.out) == {"error": "what", "hint": "do this", "exit_code": 3}
    assert outcome.err == "error: what\n hint: do this\n"


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (RuntimeError(SECRET), 70, "this should not have happened (RuntimeError)"),
        (KeyError(SECRET), 70, "this should not have happened (KeyError)"),
        (AssertionError(SECRET), 70, "this should not have happened (AssertionError)"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (Terminated(), 143, "terminated"),
        (HungUp(), 129, "the terminal was closed"),
        (MemoryError(SECRET), 6, "not enough memory"),
        (OSError(28, "No space left on device", SECRET), 6, "could not read or write: No space left"),
    ],
)
def test_unexpected(error: BaseException, code: int, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = failing(monkeypatch, error)
    assert outcome.code == code
    assert says in outcome.err
    assert "hint: " in outcome.err
    assert SECRET not in outcome.err + outcome.out
    assert "Traceback" not in outcome.err


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RuntimeError, match="the cause"):
        failing(monkeypatch, RuntimeError("the cause"), "--debug")
    assert failing(monkeypatch, PolicyError("what"), "--debug").code == 2, "a refusal is no defect"


def test_control_characters_of_messages_are_blanked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert failing(monkeypatch, InputError("a\x1b[31mb", "c\rd")).err == "error: a [31mb\n hint: c d\n"


def test_usage() -> None:
    for arguments in (["nosuch"], ["anonymize"], ["audit", "x", "--nosuch"], ["audit", "x", "--quasi", '"a']):
        outcome = run(*arguments)
        assert (outcome.code, outcome.out) == (2, "")
        assert "usage: kanopy" in outcome.err
    assert run("--version") == Outcome(0, f"kanopy {__version__}\n", "")


def test_a_defect_in_a_process_of_its_own() -> None:
    prelude = (
        f"import kanopy.cli.methods as m\ndef fail(given): raise ZeroDivisionError('{SECRET}')\nm.run = fail"
    )
    outcome = spawn("methods", prelude=prelude)
    assert (outcome.code, outcome.out) == (70, "")
    assert SECRET not in outcome.err
    assert "Traceback" not in outcome.err
    shown = spawn("methods", "--debug", prelude=prelude)
    assert shown.code == 1
    assert "Traceback" in shown.err
    assert SECRET in shown.err


def test_what_cannot_be_taken_down_is_not_shown_either() -> None:
    prelude = (
        "import kanopy.cli.methods as m\nclass Half:\n"
        f"    def __del__(self): raise AttributeError('{SECRET}')\n"
        "def end(given): Half(); return 0\nm.run = end"
    )
    assert spawn("methods", prelude=prelude) == Outcome(0, "", "")
    assert SECRET in spawn("methods", "--debug", prelude=prelude).err


_STALL = f"""
import kanopy.cli.methods, time
def wait(given):
    print("ready", flush=True)
    {UNTIL_A_SIGNAL}
kanopy.cli.methods.run = wait
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signals(number: int, code: int) -> None:
    launch = f"{_STALL}\nfrom kanopy.cli.start import run; run()"
    with subprocess.Popen(
        [sys.executable, "-c", launch, "methods"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        other.send_signal(number)
        _, err = other.communicate(timeout=PATIENCE)
    assert other.returncode == code
    assert "nothing was published" in err
    assert "Traceback" not in err


def test_broken_pipe(tmp_path: Path) -> None:
    """Nobody reads our output: no complaint; a verdict is told by the exit code all the same."""
    (tmp_path / "t.csv").write_text("q\na\na\n", "utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    launch = "from kanopy.cli.start import run; run()"
    try:
        for code, arguments in (
            (141, ["methods"]),
            (0, ["audit", str(tmp_path / "t.csv"), "--quasi", "q", "--k", "2", "--json"]),
            (1, ["audit", str(tmp_path / "t.csv"), "--quasi", "q", "--k", "3", "--json"]),
        ):
            done = subprocess.run(
                [sys.executable, "-c", launch, *arguments],
                stdout=writer, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE,
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (code, "")
    finally:
        os.close(writer)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_output_that_cannot_be_printed() -> None:
    launch = "from kanopy.cli.start import run; run()"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", launch, "methods"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip
    assert done.returncode == 6
    assert "could not read or write: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_release_that_is_written_is_a_success_even_where_nobody_can_be_told(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("q,t\n1,y\n1,n\n", encoding="utf-8")
    command = ["anonymize", "d.csv", "-o", "r.csv", "--quasi", "q", "--target", "t", "--k", "2", "--json"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", "from kanopy.cli.start import run; run()", *command],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE, cwd=tmp_path,
        )  # fmt: skip
    assert (done.returncode, (tmp_path / "r.csv").exists()) == (0, True)


@pytest.mark.parametrize("name", ["seed", "method", "policy", "table", "watch"])
def test_options_called_like_parameters_are_refused(name: str, tmp_path: Path) -> None:
    flags = ("--quasi", "q", "--k", "2", "--option", f"{name}=1")
    outcome = run("anonymize", tmp_path / "d.csv", "-o", tmp_path / "r.csv", *flags)
    assert outcome.code == 2
    assert f"has no option '{name}'" in outcome.err


@pytest.mark.parametrize("name", ["patients.csv", "policy.toml", "release.csv"])
def test_the_demo_replaces_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")
    outcome = run("demo", "--save", tmp_path, "--rows", "100")
    assert outcome.code == 2
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"


def test_signal_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    assert run("methods").code == 0
    assert signal.getsignal(signal.SIGTERM) is before
