"""One input at a time, under guard: time, memory, and every kind of exception."""

from __future__ import annotations

import json
import resource
import signal
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzz.board import Board
from fuzz.failures import save, signature
from fuzz.target import MEBIBYTE, Target, Violation

HANG = 10.0
"""Seconds that one input may take."""

_NOTED_EVERY = 1.0


class HangError(BaseException):
    """Out of reach of ``except Exception``, so that nothing swallows it."""


@dataclass
class Session:
    """A run of one target in this process.

    Parameters
    ----------
    target : Target
    failures : Path
        Where inputs that failed are kept.
    board : Board or None
        Where the current input is noted down for whoever watches.
    notes : Path or None
        Where counts are noted down, about once a second.
    max_runs, max_seconds : how long to go on; None is for ever
    """

    target: Target
    failures: Path
    board: Board | None = None
    notes: Path | None = None
    max_runs: int | None = None
    max_seconds: float | None = None
    hang: float = HANG
    is_stopped: bool = False
    n_runs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    _began: float = field(default_factory=time.monotonic)
    _noted: float = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    @property
    def is_over(self) -> bool:
        by_runs = self.max_runs is not None and self.n_runs >= self.max_runs
        return (
            self.is_stopped or by_runs or (self.max_seconds is not None and self.seconds >= self.max_seconds)
        )

    def run(self, data: bytes) -> bool:
        """Run an input and note down what came of it; True where that is something new."""
        if self.board is not None:
            self.board.begin(data)
        n_known = len(self.outcomes)
        _forget_peak_memory()
        before = _peak_memory()
        try:
            with _limited(self.hang):
                outcome = self.target.execute(data)
            if _peak_memory() - before > self.target.memory_limit:
                raise Violation(f"more than {self.target.memory_limit // MEBIBYTE} MiB for one input")
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._keep(data, error)
            outcome = getattr(error, "outcome", "failed")
        self.outcomes[outcome] += 1
        self.n_runs += 1
        if self.board is not None:
            self.board.end()
        if time.monotonic() - self._noted > _NOTED_EVERY:
            self.note()
        return len(self.outcomes) > n_known

    def _keep(self, data: bytes, error: BaseException) -> None:
        kind = signature(error)
        self.failed[kind] += 1
        if self.failed[kind] == 1:
            story = "".join(traceback.format_exception(error))
            save(self.failures, self.target.name, kind, self.target.to_replay(data), story)

    def stop(self) -> None:
        """End after the current input, with all counts written down."""
        self.is_stopped = True

    def note(self) -> None:
        """Write the counts down where the watcher finds them."""
        self._noted = time.monotonic()
        if self.notes is not None:
            beside = self.notes.with_suffix(".part")
            beside.write_text(json.dumps(self.counts()), encoding="utf-8")
            beside.replace(self.notes)

    def counts(self) -> dict[str, Any]:
        """What came of the inputs until now."""
        return {
            "runs": self.n_runs,
            "cpu_seconds": time.process_time(),
            "outcomes": dict(self.outcomes),
            "failed": dict(self.failed),
        }


def limit_memory(n_bytes: int) -> None:
    """Limit the address space: what would exhaust the machine fails with a MemoryError instead."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (n_bytes, hard))


def _forget_peak_memory() -> None:
    """Let the peak begin anew, so that it is the input's own and not that of all inputs before (Linux)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak_memory() -> int:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Stop Python code that takes too long; what hangs in C is for the watcher."""

    def stop(_number: int, _frame: Any) -> None:
        raise HangError(f"more than {seconds:g} seconds")

    usual = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
