"""A child process of the page: does one job within limits, tells how far it is, ends with its parent."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

_AT_MOST_EVERY = 0.15  # seconds between two lines about the same stage


class Teller:
    """Writes lines for the parent: how far the work is, and parts of the result."""

    def __init__(self) -> None:
        self._stage, self._last = "", 0.0

    def __call__(self, stage: str, share: float | None) -> None:
        """The watch of the work."""
        now = time.monotonic()
        if stage != self._stage or now - self._last > _AT_MOST_EVERY:
            self._stage, self._last = stage, now
            self._say({"stage": stage, "share": share})

    def part(self, **found: Any) -> None:
        """Something that the page can show already."""
        self._say({"part": found})

    def failed(self, message: str, hint: str, codes: tuple[str, ...] = ()) -> None:
        """What went wrong; never a cell."""
        self._say({"error": {"message": message, "hint": hint, "codes": list(codes)}})

    def _say(self, what: dict[str, Any]) -> None:
        os.write(1, json.dumps(what).encode() + b"\n")


def main(request_file: str) -> int:
    """Do the job of a request, and return an exit code."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    request = json.loads(Path(request_file).read_text("utf-8"))
    _limit(request["limits"]["memory"])
    tell = Teller()
    warnings.simplefilter("ignore")
    from kanopy.errors import KanopyError

    try:
        from kanopy._arrow_start import start_pyarrow

        start_pyarrow()
        _work_of(request["kind"])(request, tell)
    except KanopyError as error:
        from kanopy.web.wording import in_words_of_the_page

        tell.failed(*in_words_of_the_page(error, request["source"]), getattr(error, "codes", ()))
        return error.exit_code
    except MemoryError:
        tell.failed("not enough memory for this job", "close other programs, or raise --memory-limit")
        return 6
    except OSError as error:
        reason = error.strerror or type(error).__name__
        tell.failed(f"could not read or write: {reason}", "check disk space and permissions")
        return 6
    except Exception as error:  # its text may hold a cell
        tell.failed(f"this should not have happened ({type(error).__name__})", "try another method or table")
        return 70
    return 0


def _work_of(kind: str) -> Callable[[dict[str, Any], Teller], None]:
    """What does such a job; loaded when it is needed."""
    if kind == "read":
        from kanopy.web.reading import read

        return read
    if kind == "compare":
        from kanopy.web.comparing import compare

        return compare
    from kanopy.web.releasing import release

    return release


def _limit(memory: int) -> None:
    """No more memory than this, and no file with what was in it after a crash."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    if hasattr(os, "nice"):
        os.nice(5)  # the page stays quick


def _end_with_parent() -> None:
    """The parent never writes: what can be read is the end of the pipe, and of the parent."""
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.stdout.flush()
    os._exit(main(sys.argv[1]))
