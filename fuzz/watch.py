"""Starts workers, looks after them, and starts others where one hangs or dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.board import Board
from fuzz.failures import save
from fuzz.scratch import FOLDER, scratch
from fuzz.session import HANG

_PATIENCE = 5.0
_LONGEST_PAUSE = 60.0
"""Seconds that a worker may take to start, to make its next input, or to end."""
_LOOK_EVERY = 0.2
_LAST_INPUT = 2.0
"""Seconds that a worker gets for its current input when it is told to stop."""
_MOST_STARTS = 200
_ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Plan:
    """What one target is to be run with; runs and seconds are for each job."""

    target: str
    engine: str
    failures: Path
    seed: int = 0
    corpus: Path | None = None
    runs: int | None = None
    seconds: float | None = None


@dataclass
class Tally:
    """What all workers of a target counted."""

    runs: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    """Of all processes; on a machine that others use as well this tells more than the clock."""
    outcomes: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    is_interrupted: bool = False
    """By Ctrl-C, before the plan was carried out."""

    def add(self, other: Tally) -> None:
        self.runs += other.runs
        self.seconds = max(self.seconds, other.seconds)
        self.cpu_seconds += other.cpu_seconds
        self.outcomes += other.outcomes
        self.failed += other.failed


class Job:
    """A worker, and after it has died another, until what is to be run has been run."""

    def __init__(self, plan: Plan, number: int) -> None:
        self._plan = plan
        self._number = number
        self._began = time.monotonic()
        self._n_started = 0
        self.tally = Tally()
        self.is_done = False
        self._start()

    def _start(self) -> None:
        plan = self._plan
        self._folder = Path(tempfile.mkdtemp(dir=scratch()))
        self._board = Board(self._folder / "board")
        seed = plan.seed + 1000 * self._number + 1_000_000 * self._n_started
        command = [sys.executable, "-m", "fuzz.worker", "--target", plan.target, "--engine", plan.engine]
        command += ["--seed", str(seed), "--folder", str(self._folder), "--failures", str(plan.failures)]
        if plan.corpus is not None:
            command += ["--corpus", str(plan.corpus)]
        if plan.runs is not None:
            command += ["--runs", str(plan.runs - self.tally.runs)]
        if plan.seconds is not None:
            command += ["--seconds", str(plan.seconds - (time.monotonic() - self._began))]
        self._n_started += 1
        self._n_begun, self._moved_at = 0, time.monotonic()
        self._log = (self._folder / "log").open("w+b")
        # A worker that is killed cannot tidy up, so it works in a folder of ours.
        environment = {**os.environ, FOLDER: str(self._folder)}
        self._process = subprocess.Popen(
            command, cwd=_ROOT, stdout=self._log, stderr=self._log, env=environment
        )

    def look(self) -> None:
        """See how the worker is; end it where it hangs, count what it did where it is over."""
        code, now = self._process.poll(), self._board.glance()
        if now.begun_at or now.n_begun != self._n_begun:
            self._n_begun, self._moved_at = now.n_begun, time.monotonic()
        is_paused = time.monotonic() - self._moved_at > _LONGEST_PAUSE
        if code is None and now.seconds < HANG + _PATIENCE and not is_paused:
            return
        if code is None:
            self._process.kill()
            self._process.wait()
            self._fail("hang between inputs" if is_paused else "hang in foreign code", now.data)
        elif code:
            self._fail(f"the process died with {code}" if now.begun_at else "the worker failed", now.data)
        self._count(now.n_begun)
        over = self._plan.seconds is not None and time.monotonic() - self._began >= self._plan.seconds
        over |= self._plan.runs is not None and self.tally.runs >= self._plan.runs
        if over or code == 0 or not now.begun_at or self._n_started > _MOST_STARTS:
            self.is_done = True
        else:
            self._start()

    def stop(self) -> None:
        """End the worker after its current input, or soon if that takes long; keep what it counted."""
        if not self.is_done:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_LAST_INPUT)
            self._process.kill()
            self._process.wait()
            self._count(self._board.glance().n_begun)
            self.is_done = True

    def _fail(self, kind: str, data: bytes) -> None:
        self._log.seek(0)
        story = self._log.read()[-4000:].decode("utf-8", "replace")
        save(self._plan.failures, self._plan.target.rpartition(":")[2], kind, data, story)
        self.tally.failed[kind] += 1

    def _count(self, n_begun: int) -> None:
        self._log.close()
        self.tally.runs += n_begun
        notes = self._folder / "notes.json"
        if notes.exists():
            counts = json.loads(notes.read_text(encoding="utf-8"))
            self.tally.cpu_seconds += counts["cpu_seconds"]
            self.tally.outcomes += Counter(counts["outcomes"])
            self.tally.failed += Counter(counts["failed"])
        self.tally.seconds = time.monotonic() - self._began


@contextmanager
def _noticing_interrupts() -> Iterator[Callable[[], bool]]:
    """Note Ctrl-C instead of raising it in the middle of counting."""
    noticed: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _frame: noticed.append(number))
    try:
        yield lambda: bool(noticed)
    finally:
        signal.signal(signal.SIGINT, usual)


def watch(plan: Plan, n_jobs: int) -> Tally:
    """Run a target in several processes until all of them are over, or until Ctrl-C."""
    if plan.corpus is not None:
        plan.corpus.mkdir(parents=True, exist_ok=True)
    jobs = [Job(plan, number) for number in range(n_jobs)]
    with _noticing_interrupts() as is_interrupted:
        try:
            while not all(job.is_done for job in jobs) and not is_interrupted():
                time.sleep(_LOOK_EVERY)
                for job in jobs:
                    if not job.is_done and not is_interrupted():
                        job.look()
        finally:
            for job in jobs:
                job.stop()
    whole = Tally(is_interrupted=is_interrupted())
    for job in jobs:
        whole.add(job.tally)
    return whole
