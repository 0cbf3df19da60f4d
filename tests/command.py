"""Runs the ``kanopy`` command: in this process where that is enough, in another one where it is not."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from effort import IS_DEEP

from kanopy.cli.main import main

SECRET = "SECRET-4711"
"""Planted in cells; must never be seen in a message."""

OLD = b"an older release\n"

PATIENCE = 600.0
"""Seconds after which something hangs, on the busiest machine; nothing that works waits for them to pass."""


UNTIL_A_SIGNAL = f"for _ in range({int(PATIENCE * 50)}): time.sleep(0.02)"
"""A line of Python for another process. One long sleep would not be interrupted by a signal that arrives just
before it begins: Python answers it between two steps of a program, and there would be none."""


def until(what: Callable[[], Any]) -> Any:
    """Wait for something to be true, however long that takes here."""
    end = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
    return found


PLAIN_LOCALE = "C" if sys.prefix.isascii() else "C.UTF-8"
"""Python 3.11 does not even start in the locale C where the path to its libraries has other letters."""

RELEASED = ("out.csv", "out.csv.kanopy.json", "out.codebook.csv", "out.codebook.md")
"""What a release writes that is called out.csv."""

_LAUNCH = "from kanopy.cli.start import run; run()"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run leaves to see."""

    code: int
    out: str
    err: str


def run(*arguments: str | os.PathLike[str]) -> Outcome:
    """Run a command in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([os.fspath(argument) for argument in arguments])
        except SystemExit as left:  # argparse leaves this way
            code = int(left.code or 0)
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return Outcome(code, *texts)


def run_python(program: str, *arguments: object, **how: Any) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh interpreter, which has loaded nothing."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    usual = {"capture_output": True, "text": True, "check": False, "timeout": PATIENCE}
    return subprocess.run(command, **{**usual, **how})


def spawn(
    *arguments: str | os.PathLike[str],
    stdin: bytes | None = None,
    env: dict[str, str] | None = None,
    prelude: str = "",
) -> Outcome:
    """Run a command in a process of its own; ``prelude`` is Python that is run in it first."""
    done = subprocess.run(
        [sys.executable, "-c", f"{prelude}\n{_LAUNCH}", *arguments],
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        env=os.environ | (env or {}),
        timeout=PATIENCE,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def redirected(redirections: str, *arguments: str | os.PathLike[str], prelude: str = "") -> Outcome:
    """Run a command in a process of its own, with streams that a shell has closed or led elsewhere."""
    launch = [sys.executable, "-c", f"{prelude}\n{_LAUNCH}", *arguments]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirections}', "sh", *launch],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def start(*arguments: str | os.PathLike[str], prelude: str = "", **how: Any) -> subprocess.Popen[bytes]:
    """Start a command and do not wait for it."""
    command = [sys.executable, "-c", f"{prelude}\n{_LAUNCH}", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)


def held_after(n_outcomes: int) -> str:
    """A prelude: an evaluation waits once so many outcomes are in its journal, after it has said so."""
    return f"""
import time
from kanopy.evaluation.journal import Journal
from kanopy.evaluation.trial import FOLDS
def add(self, outcome, usual=Journal.add):
    usual(self, outcome)
    if len(self.outcomes) == {n_outcomes}:
        print("held", flush=True)
        {UNTIL_A_SIGNAL}
Journal.add = add
{"" if IS_DEEP else "del FOLDS[2:]"}
"""


def content(folder: Path) -> dict[str, bytes | None]:
    """Every file of a folder with its bytes; None for what is no regular file."""
    return {
        path.name: path.read_bytes() if path.is_file() and not path.is_symlink() else None
        for path in folder.iterdir()
    }


def assert_clean(outcome: Outcome) -> None:
    """No traceback, no cell, no admission of a defect."""
    said = outcome.out + outcome.err
    assert SECRET not in said
    assert "Traceback" not in said
    assert "should not have happened" not in said
