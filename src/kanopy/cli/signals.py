"""Interrupting a run: until the point of no return it leaves nothing behind, from there on it is finished."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

from kanopy._signals import STOPPING, at_first, handling, in_main_thread

_SIGHUP: Any = getattr(signal, "SIGHUP", None)


class Terminated(BaseException):
    """SIGTERM, as something that runs the clean-up on its way out."""

    exit_code, message = 143, "terminated"


class HungUp(Terminated):
    """SIGHUP: the terminal, or the connection to it, was closed."""

    exit_code, message = 129, "the terminal was closed"


@contextlib.contextmanager
def catching_signals() -> Iterator[None]:
    """Turn signals into exceptions; afterwards they do again what they did before.

    A SIGHUP that is ignored stays ignored: that is what ``nohup`` asks for.
    """
    numbers: dict[int, Any] = {signal.SIGTERM: _stop}
    if _SIGHUP is not None and signal.getsignal(_SIGHUP) is not signal.SIG_IGN:
        numbers[_SIGHUP] = _stop
    if signal.getsignal(signal.SIGINT) is at_first:
        numbers[signal.SIGINT] = signal.default_int_handler
    with handling(numbers):
        yield


def _stop(number: int, _frame: Any) -> None:
    raise Terminated if number == signal.SIGTERM else HungUp


def send_again(lost: Any) -> None:
    """A hook for exceptions that Python cannot raise: silent, but a signal that got lost is sent once more.

    Where Python takes objects down, and imports do so all the time, nobody is there to be interrupted.
    """
    numbers = {KeyboardInterrupt: signal.SIGINT, Terminated: signal.SIGTERM, HungUp: _SIGHUP}
    if lost.exc_type in numbers:
        # Not from here, where it would get lost again.
        timer = threading.Timer(0.01, signal.raise_signal, [numbers[lost.exc_type]])
        timer.daemon = True
        timer.start()


class StopRequest:
    """The first Ctrl-C asks to stop and release what there is; the second one interrupts as usual."""

    def __init__(self) -> None:
        self._is_asked = False

    def __call__(self) -> bool:
        return self._is_asked

    def listen(self, tell: Callable[[str], None]) -> None:
        """From here on; ``tell`` is told what will happen."""

        def ask(_number: int, _frame: Any) -> None:
            self._is_asked = True
            signal.signal(signal.SIGINT, signal.default_int_handler)
            with contextlib.suppress(OSError, RuntimeError):  # nobody reads it, or somebody is just writing
                tell("stopping: what keeps the promise is released; press Ctrl-C again to give up")

        with in_main_thread():
            signal.signal(signal.SIGINT, ask)


def ignore_signals() -> None:
    """From here on the run is finished, whoever wants to stop it."""
    with in_main_thread():
        for number in STOPPING:
            signal.signal(number, signal.SIG_IGN)
