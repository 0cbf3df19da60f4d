"""How much is timed, and the tasks that several sections share."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Measurement, Say, Task, inside, measure, whole
from benchmarks.workloads import N_STANDARD_ROWS, QUASI, K, Workload, policy_flags

FLOOR, RELEASE = "floor", "kanopy anonymize"


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is timed.

    Parameters
    ----------
    tables, scratch : Path
        Folders for the tables and for what is made from them.
    say : callable
        Told what is being done.
    n_rows : int
        Of the table for methods and for releases.
    growth : tuple of int
        Rows of the releases that are compared with each other.
    n_audited, n_large : int
        Rows of the release to be audited, and of the table that must be managed at all.
    k, rounds : int
    limit : float
        Seconds after which a task is given up.
    methods : tuple of str
        Empty for all.
    n_disclosed : int
        Rows of the table for Top-Down Disclosure.
    """

    tables: Path
    scratch: Path
    say: Say
    n_rows: int = N_STANDARD_ROWS
    growth: tuple[int, ...] = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
    n_audited: int = 1_000_000
    n_large: int = 10_000_000
    k: int = K
    rounds: int = 5
    limit: float = 1800.0
    methods: tuple[str, ...] = ()
    n_disclosed: int = 1_000_000

    def measure(self, tasks: Sequence[Task], rounds: int | None = None) -> list[Measurement]:
        return measure(tasks, rounds=rounds or self.rounds, limit=self.limit, say=self.say)

    def floor(self, workload: Workload, name: str = FLOOR, quasi: Sequence[str] = QUASI) -> Task:
        source, copy = str(workload.ready(self.tables, self.say)), str(self.scratch / "copy.csv")
        return inside(name, workload.n_rows, "benchmarks.floor", source, copy, ",".join(quasi))

    def release(self, workload: Workload) -> Task:
        source, output = workload.ready(self.tables, self.say), self.released(workload)
        flags = policy_flags(source, workload.k)
        command = kanopy("anonymize", str(source), "-o", str(output), "--force", *flags)
        return whole(RELEASE, workload.n_rows, *command)

    def released(self, workload: Workload) -> Path:
        return self.scratch / f"release-{workload.n_rows}.csv"


def kanopy(*arguments: str) -> tuple[str, ...]:
    """The command line, however kanopy is installed."""
    return (sys.executable, "-c", "from kanopy.cli.start import run; run()", *arguments)
