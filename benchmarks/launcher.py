"""Starts one program, waits for it, and notes down what it took; run as a small process of its own.

On Linux the peak memory that a program reports is at least what its parent held when it was started. So the
parent is this: nothing but the standard library, whatever the process that wants to know holds.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

OUTPUT, ERRORS, USAGE = "output", "errors", "usage.json"


EVERY = 0.1
"""Seconds between two looks at the memory."""


class MemoryGuard:
    """Kills a process that holds more than so many bytes, where the system tells (Linux)."""

    def __init__(self, pid: int, most_bytes: int) -> None:
        self.too_large = False
        self._pid, self._most_bytes = pid, most_bytes
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        if most_bytes and Path("/proc/self/statm").exists():
            self._thread.start()

    def end(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        held = Path(f"/proc/{self._pid}/statm")
        page = os.sysconf("SC_PAGE_SIZE")
        while not self._ended.wait(EVERY):
            try:
                n_bytes = int(held.read_text("ascii").split()[1]) * page
            except (OSError, IndexError):  # it has just ended
                return
            if n_bytes > self._most_bytes:
                self.too_large = True
                os.kill(self._pid, signal.SIGKILL)
                return


def launch(folder: Path, limit: float, most_bytes: int, command: list[str]) -> None:
    """Run a command, kill it after ``limit`` seconds or above so many bytes (0: any number).

    Everything it says and took goes into files.
    """
    with (folder / OUTPUT).open("wb") as output, (folder / ERRORS).open("wb") as errors:
        os.sync()  # what the last program wrote must not be paid for by this one
        started = time.perf_counter()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        end = threading.Timer(limit, os.kill, (child.pid, signal.SIGKILL))
        end.start()
        guard = MemoryGuard(child.pid, most_bytes)
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            child.kill()
            child.wait()
            raise
        finally:
            end.cancel()
            guard.end()
        elapsed = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)  # Popen has not seen it end
    noted = {
        "exit_code": child.returncode,
        "too_large": guard.too_large,
        "elapsed_s": elapsed,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_bytes": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }
    (folder / USAGE).write_text(json.dumps(noted), encoding="utf-8")


if __name__ == "__main__":
    launch(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
