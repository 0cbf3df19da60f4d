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


def launch(folder: Path, limit: float, command: list[str]) -> None:
    """Run a command, kill it after ``limit`` seconds; everything it says and took goes into files."""
    with (folder / OUTPUT).open("wb") as output, (folder / ERRORS).open("wb") as errors:
        os.sync()  # what the last program wrote must not be paid for by this one
        started = time.perf_counter()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        end = threading.Timer(limit, os.kill, (child.pid, signal.SIGKILL))
        end.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            child.kill()
            child.wait()
            raise
        finally:
            end.cancel()
        elapsed = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)  # Popen has not seen it end
    noted = {
        "exit_code": child.returncode,
        "elapsed_s": elapsed,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_bytes": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }
    (folder / USAGE).write_text(json.dumps(noted), encoding="utf-8")


if __name__ == "__main__":
    launch(Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3:])
