"""One timing, one fresh process, never two at once."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import launcher

ROOT = Path(__file__).resolve().parents[1]

MIDDLING, LONG = 10.0, 30.0
"""Seconds above which a task is timed three times at most, or once only."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Task:
    """A program to be timed.

    Parameters
    ----------
    name : str
    n_rows : int
        Of the table it works on; 0 where there is none.
    command : tuple of str
    reports : bool
        Whether the program times the part of it that counts, and prints it (``Stopwatch.report``).
    """

    name: str
    n_rows: int
    command: tuple[str, ...]
    reports: bool = False


def whole(name: str, n_rows: int, *command: str) -> Task:
    """A program timed from start to end."""
    return Task(name, n_rows, command)


def inside(name: str, n_rows: int, module: str, *arguments: str) -> Task:
    """A module of the benchmarks that times what counts by itself."""
    return Task(name, n_rows, (sys.executable, "-m", module, *arguments), reports=True)


@dataclass(frozen=True, slots=True)
class Run:
    """One timing: seconds of the clock and of the processors, peak memory of the whole process."""

    elapsed: float
    wall: float
    cpu: float
    peak_bytes: int
    parts: Mapping[str, float] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""
    process_cpu: float = 0.0
    """Of the whole process, also where the program times a part of it."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """What several timings of a task say: the least seconds, and the highest peak.

    Other programs on the machine only ever add to what a task takes, so the least is nearest to its own.

    Parameters
    ----------
    task : Task
    wall, cpu : float
        Seconds; 0 where the task failed.
    peak_bytes : int
    walls : tuple of float
        Every timing.
    parts : dict
        Processor seconds of each part, where the task tells; of the timing with the least in all.
    facts : dict
        What else the task tells.
    fault : str
        Why there is no timing; empty where there is one.
    process_cpu : float
        Processor seconds of the whole process, imports included, also where the task times a part of it.
    """

    task: Task
    wall: float
    cpu: float
    peak_bytes: int
    walls: tuple[float, ...]
    parts: Mapping[str, float]
    facts: Mapping[str, Any]
    fault: str = ""
    process_cpu: float = 0.0

    @classmethod
    def of(cls, task: Task, runs: Sequence[Run]) -> Measurement:
        fault = next((run.fault for run in runs if run.fault), "")
        if fault:
            return cls(task, 0.0, 0.0, max(run.peak_bytes for run in runs), (), {}, {}, fault)
        best = min(runs, key=lambda run: run.cpu)
        return cls(
            task,
            min(run.wall for run in runs),
            best.cpu,
            max(run.peak_bytes for run in runs),
            tuple(run.wall for run in runs),
            best.parts,
            best.facts,
            process_cpu=min(run.process_cpu for run in runs),
        )

    def ratio_to(self, seconds: float) -> float | None:
        """How many times the processor seconds of something else; None where one of the two was not timed.

        Other programs on the machine disturb processor seconds less than the clock.
        """
        return self.cpu / seconds if seconds > 0 and not self.fault else None

    def wall_ratio_to(self, seconds: float) -> float | None:
        """The same by the clock."""
        return self.wall / seconds if seconds > 0 and not self.fault else None

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.task.name,
            "rows": self.task.n_rows,
            "wall_s": self.wall,
            "cpu_s": self.cpu,
            "process_cpu_s": self.process_cpu,
            "peak_bytes": self.peak_bytes,
            "walls_s": list(self.walls),
            "parts_s": dict(self.parts),
            "facts": dict(self.facts),
            "fault": self.fault,
        }


def measure(
    tasks: Sequence[Task], *, rounds: int, limit: float, say: Say, most_bytes: int = 0
) -> list[Measurement]:
    """Time every task ``rounds`` times, in turns, so that all of them run under the same load.

    A task that takes long is timed less often; one that fails is not tried again.
    """
    runs: list[list[Run]] = [[] for _ in tasks]
    for number in range(rounds):
        for task, past in zip(tasks, runs, strict=True):
            if past and number >= _n_timings(past, rounds):
                continue
            if task.n_rows:
                say(f"timing {task.name}, {task.n_rows:,} rows, round {number + 1}")
            past.append(run_once(task, limit=limit, most_bytes=most_bytes))
    return [Measurement.of(task, past) for task, past in zip(tasks, runs, strict=True)]


def _n_timings(past: Sequence[Run], rounds: int) -> int:
    """How often a task is timed in all; the first timing decides, and any failure.

    What it waits for other programs does not count.
    """
    first = past[0]
    seconds = min(first.elapsed, first.process_cpu or first.elapsed)
    if past[-1].fault or seconds > LONG:
        return 1
    return min(rounds, 3) if seconds > MIDDLING else rounds


def run_once(task: Task, *, limit: float, most_bytes: int = 0) -> Run:
    """Run a task in a fresh process, which is killed after ``limit`` seconds or above so many bytes."""
    with tempfile.TemporaryDirectory(prefix="kanopy-timing-") as made:
        folder = Path(made)
        launch = (sys.executable, "-S", launcher.__file__, made, str(limit), str(most_bytes))
        subprocess.run((*launch, *task.command), check=True, cwd=ROOT)
        usage = json.loads((folder / launcher.USAGE).read_text("utf-8"))
        elapsed, peak_bytes = usage["elapsed_s"], usage["peak_bytes"]
        if usage["too_large"]:
            return Run(elapsed, 0.0, 0.0, peak_bytes, fault=f"stopped at {most_bytes / 1e9:.1f} GB")
        if usage["exit_code"]:
            said = (folder / launcher.ERRORS).read_text("utf-8", "replace")
            fault = _fault(usage["exit_code"], elapsed, limit, said)
            return Run(elapsed, 0.0, 0.0, peak_bytes, fault=fault)
        if not task.reports:
            return Run(elapsed, elapsed, usage["cpu_s"], peak_bytes, process_cpu=usage["cpu_s"])
        told = json.loads((folder / launcher.OUTPUT).read_text("utf-8").splitlines()[-1])
        timed = (told["wall_s"], told["cpu_s"], peak_bytes, told["parts_s"], told["facts"])
        return Run(elapsed, *timed, process_cpu=usage["cpu_s"])


def _fault(exit_code: int, elapsed: float, limit: float, errors: str) -> str:
    if exit_code == -signal.SIGKILL and elapsed >= limit:
        return f"stopped after {limit:g} s"
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    said = next((line for line in lines if line.startswith("error:")), lines[-1] if lines else "")
    return f"exit code {exit_code}" + (f", {said}" if said else "")


class Stopwatch:
    """Inside a timed program: the parts that count."""

    def __init__(self) -> None:
        self._parts: dict[str, float] = {}
        self._aside: dict[str, float] = {}
        self._wall = 0.0

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self._parts[name] = time.process_time() - cpu
        self._wall += time.perf_counter() - wall

    @contextmanager
    def aside(self, name: str) -> Iterator[None]:
        """Time something that is told and does not count."""
        cpu = time.process_time()
        yield
        self._aside[f"{name} (aside)"] = time.process_time() - cpu

    @property
    def cpu(self) -> float:
        """Processor seconds of the parts that count."""
        return sum(self._parts.values())

    def report(self, **facts: Any) -> None:
        """Print what was timed, for the process that asked."""
        told = {
            "wall_s": self._wall,
            "cpu_s": self.cpu,
            "parts_s": self._parts | self._aside,
            "facts": facts,
        }
        print(json.dumps(told))
