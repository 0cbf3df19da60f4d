"""Signals that hit where nobody can be interrupted are not lost."""

from __future__ import annotations

import signal
import sys
import time
import weakref

import pytest
from command import PATIENCE

from kanopy._signals import signals_after
from kanopy.cli.signals import HungUp, Terminated, catching_signals, send_again


class _Thing:
    pass


@pytest.mark.parametrize(
    ("number", "kind"),
    [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated), (signal.SIGHUP, HungUp)],
)
def test_a_signal_that_python_cannot_raise_comes_again(
    number: int, kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "unraisablehook", send_again)
    things = [_Thing()]
    hit = weakref.ref(things[0], lambda _: signal.raise_signal(number))
    reached = []

    def work() -> None:
        with catching_signals():
            things.clear()  # the callback is interrupted, and Python goes on as if nothing had happened
            reached.append(hit())
            for _ in range(int(PATIENCE / 0.01)):  # one sleep would not be interrupted from another thread
                time.sleep(0.01)

    with pytest.raises(kind):
        work()
    assert reached == [None]


@pytest.mark.parametrize(
    ("number", "kind"),
    [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated), (signal.SIGHUP, HungUp)],
)
def test_an_import_is_finished_first(number: int, kind: type[BaseException]) -> None:
    reached = []

    def work() -> None:
        with catching_signals(), signals_after():
            signal.raise_signal(number)
            reached.append("the end")

    with pytest.raises(kind):
        work()
    assert reached
