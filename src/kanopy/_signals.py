"""Signals that must wait: while something goes on that must not be interrupted in the middle."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator, Mapping
from typing import Any

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that ask a run to stop: Ctrl-C, ``kill``, and a terminal that is closed. SIGQUIT is not among
them: it ends a run that does not react, at once, as SIGKILL does."""


@contextlib.contextmanager
def signals_after() -> Iterator[None]:
    """Let the signals that ask us to stop wait until this is done; only the main thread gets any.

    An import that is interrupted may forget about it, or call it an ImportError, as NumPy's does.
    """
    waiting: list[int] = []
    are_handled = [number for number in STOPPING if callable(signal.getsignal(number))]
    try:
        with handling(dict.fromkeys(are_handled, lambda number, _frame: waiting.append(number))):
            yield
    finally:
        if waiting:
            signal.raise_signal(waiting[0])


@contextlib.contextmanager
def handling(handlers: Mapping[int, Callable[[int, Any], None]]) -> Iterator[None]:
    """Handle some signals; afterwards all that ask us to stop do again what they did before."""
    before = {number: signal.getsignal(number) for number in STOPPING}
    with in_main_thread():
        for number, handler in handlers.items():
            signal.signal(number, handler)
    try:
        yield
    finally:
        with in_main_thread():
            for number, usual in before.items():
                signal.signal(number, usual)


def in_main_thread() -> contextlib.suppress:
    """In another thread nobody sends us signals, and Python refuses to listen for them."""
    return contextlib.suppress(ValueError)
