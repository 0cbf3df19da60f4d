"""Signals that ask a run to stop, and steps that must not be interrupted in the middle."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

at_first: Any = import_module("kanopy")._leave  # not by name: for a type checker that would be a circle
"""How signals are handled before a command begins."""
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
    """Handle some signals; afterwards all in STOPPING do again what they did before.

    Before a command begins, they end the process at once; after it has ended, they do nothing.
    """
    before = {number: signal.getsignal(number) for number in STOPPING}
    before = {number: signal.SIG_IGN if usual is at_first else usual for number, usual in before.items()}
    try:
        with in_main_thread():
            for number, handler in handlers.items():
                signal.signal(number, handler)
        yield
    finally:
        with in_main_thread():
            for number, usual in before.items():
                signal.signal(number, usual)


def in_main_thread() -> contextlib.suppress:
    """Ignore that only the main thread can handle signals."""
    return contextlib.suppress(ValueError)
