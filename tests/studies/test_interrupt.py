"""Ctrl-C ends a reproduction at once: every process, exit code 130, and no file half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command import PATIENCE, until

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups here")

LAUNCH = [sys.executable, "-c", "from kanopy.cli.start import run; run()", "reproduce"]

CELLS = """
import time
from kanopy_studies import Request

if __name__ == "__main__":
    request = Request(jobs=2, watch=lambda stage, share: print(stage, share, flush=True))
    request.each(time.sleep, [0.01, 6000, 6000, 6000], "sleeping")
"""


def interrupted(command: list[str], has_begun: Callable[[subprocess.Popen[bytes]], bool]) -> tuple[int, str]:
    """Start a command, press Ctrl-C once it has begun; its exit code and messages."""
    child = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # Under nohup SIGINT is ignored, also by the processes that are started.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        until(lambda: child.poll() is not None or has_begun(child))
        os.killpg(child.pid, signal.SIGINT)  # a terminal sends it to the whole group
        _, told = child.communicate(timeout=PATIENCE)
        assert is_gone(child.pid)
    finally:
        child.kill()
    return child.returncode, told.decode()


def is_gone(group: int) -> bool:
    """Whether no process of the group is left, after a moment in which Python's resource tracker ends."""
    return bool(until(lambda: not is_left(group)))


def is_left(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    if not Path("/proc/self/stat").exists():
        return True
    return any(works_in(group, path) for path in Path("/proc").glob("[0-9]*/stat"))


def works_in(group: int, path: Path) -> bool:
    """Not what has ended and waits for somebody to ask: in a container that may be nobody."""
    try:
        state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return False
    return int(its_group) == group and state != "Z"


def test_ctrl_c_ends_an_evaluation_and_writes_nothing(tmp_path: Path) -> None:
    journals, made = tmp_path / "journals", tmp_path / "made"
    pytest.importorskip("matplotlib")
    given = ["kactus2-table1", "--data", "tic_tac_toe", "--jobs", "2"]

    def has_begun(_: subprocess.Popen[bytes]) -> bool:
        return any(len(path.read_text("utf-8").splitlines()) > 2 for path in journals.glob("*.jsonl"))

    code, told = interrupted([*LAUNCH, *given, "--journal", str(journals), "-o", str(made)], has_begun)
    assert code == 130
    assert told.splitlines()[0] == "error: interrupted"
    assert "Traceback" not in told
    assert list(made.iterdir()) == []


def test_ctrl_c_ends_cells_that_take_minutes(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(CELLS, encoding="utf-8")

    def has_begun(child: subprocess.Popen[bytes]) -> bool:
        assert child.stdout is not None
        return child.stdout.readline() == b"sleeping 0.25\n"

    code, told = interrupted([sys.executable, str(script)], has_begun)
    assert code == -signal.SIGINT
    assert told.count("Traceback") == 1  # of the script itself: it does not catch the interrupt
    assert told.splitlines()[-1] == "KeyboardInterrupt"


def test_files_are_written_all_or_none(tmp_path: Path) -> None:
    from kanopy.cli.reproduce import _write

    _write(tmp_path, {"a.md": b"old"})
    (tmp_path / "b.json").mkdir()  # cannot be replaced
    with pytest.raises(IsADirectoryError):
        _write(tmp_path, {"b.json": b"new", "a.md": b"new"})
    assert {path.name for path in tmp_path.iterdir()} == {"a.md", "b.json"}
    assert (tmp_path / "a.md").read_bytes() == b"old"
