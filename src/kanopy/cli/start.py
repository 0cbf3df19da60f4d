"""The console script: starts the command line, and ends the process with its exit code."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from importlib import import_module

ENVIRONMENT = 6
ROOM_TO_START = 288 << 20
"""Bytes of addresses that the libraries take when they are loaded: with less, some of them end the process
themselves, with 1, which is a verdict here."""
NO_ROOM_TO_START = b"error: not enough memory to start\n hint: close other programs or use a larger machine\n"


def run() -> None:
    """Run the command that was typed, and leave."""
    import_module("kanopy")._leave_on_signals()  # as the package has done where it saw that it is the command
    exit_code = _run()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # full, closed, or none at all
            stream.flush()
    # Threads of pyarrow that are still starting make the process crash where it tidies up after itself, now
    # and then, and with less memory more often; the exit code must not depend on that.
    os._exit(exit_code)


def _run() -> int:
    try:
        _check_room()
        # No command multiplies large matrices, and the threads that NumPy's library for that starts wait
        # busily: a third of the processor time of a small release. Whoever wants them says so.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # Huge pages must first be put together: in a virtual machine that took a fifth of the time of a large
        # release, and saved none.
        os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")
        gc.disable()  # what is loaded stays: looking for garbage in it again and again is in vain
        # Python leaves with 1 where an import finds no memory: imported inside.
        from kanopy.cli.main import main
        from kanopy.cli.signals import send_again

        if "--debug" not in sys.argv:
            # A signal may hit an object while it is being built; what Python says when it then cannot be
            # taken down is a traceback too, and nobody should see one.
            sys.unraisablehook = send_again
        return main()
    except MemoryError:
        with contextlib.suppress(OSError):
            os.write(2, NO_ROOM_TO_START)
        return ENVIRONMENT


def _check_room() -> None:
    try:
        import resource
    except ImportError:  # not on Windows, where there is no such limit
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < ROOM_TO_START:
        raise MemoryError
