"""Signals that ask a run to stop, and steps that must not be interrupted in the middle."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator, Mapping
from typing import Any

# Ctrl-C, kill, and a terminal that is closed. SIGQUIT is not among them: it ends a run that does not react.
STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextlib.contextmanager
def signals_after() -> Iterator[None]:
    """Delay signals until this is done: an import that is interrupted may raise ImportError, as in NumPy."""
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
    """Handle some signals; afterwards all in STOPPING do again what they did before."""
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
    """Ignore that only the main thread can handle signals."""
    return contextlib.suppress(ValueError)
