"""Signals that must wait: while something goes on that must not be interrupted in the middle."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that ask a run to stop: Ctrl-C, ``kill``, and a terminal that is closed. SIGQUIT is not among
them: it ends a run that does not react, at once, as SIGKILL does."""


@contextlib.contextmanager
def signals_after() -> Iterator[None]:
    """Let the signals that ask us to stop wait until this is done; only the main thread gets any.

    An import that is interrupted may forget about it, or call it an ImportError, as NumPy's does.
    """
    waiting: list[int] = []
    before = {number: signal.getsignal(number) for number in STOPPING}
    before = {number: handler for number, handler in before.items() if callable(handler)}
    with in_main_thread():
        for number in before:
            signal.signal(number, lambda number, _frame: waiting.append(number))
    try:
        yield
    finally:
        with in_main_thread():
            for number, handler in before.items():
                signal.signal(number, handler)
        if waiting:
            signal.raise_signal(waiting[0])


def in_main_thread() -> contextlib.suppress:
    """In another thread nobody sends us signals, and Python refuses to listen for them."""
    return contextlib.suppress(ValueError)
