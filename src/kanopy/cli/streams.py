"""Standard streams that are closed, full, or not there at all."""

from __future__ import annotations

import contextlib
import os
import sys


def stand_in_for_closed_streams() -> None:
    """Let standard streams that are closed lead nowhere.

    The next file that is opened would otherwise get the number of a closed one, 0, 1 or 2, and what is
    printed, by us or by a library, would be written into it.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
    for name in ("stdout", "stderr"):  # Python has None where a stream was closed when it started
        stream = getattr(sys, name)
        if stream is None or stream.closed:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123


def give_up_output() -> None:
    """Forget what could not be printed, or Python would try once more on leaving, and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
