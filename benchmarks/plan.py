"""How much is timed, and the tasks that several sections share."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.adult import N_COMPLETE_ROWS
from benchmarks.commits import INSTALLED, Code
from benchmarks.floor import CODES, TEXTS
from benchmarks.measure import Measurement, Say, Task, inside, measure, whole
from benchmarks.workloads import N_STANDARD_ROWS, QUASI, K, Workload, nine_policy_flags, policy_flags

FLOOR, RELEASE = "floor", "kanopy anonymize"
N_REALISTIC_ROWS, N_HUGE_ROWS = 300 * N_COMPLETE_ROWS, 100_000_000


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
    n_realistic, n_huge : int
        Rows of the realistic tables.
    against : Code or None
        An older commit, to be timed in turns with this one.
    most_bytes : int
        A task that holds more is ended.
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
    n_realistic: int = N_REALISTIC_ROWS
    n_huge: int = N_HUGE_ROWS
    against: Code | None = None
    most_bytes: int = 12_000_000_000

    def measure(self, tasks: Sequence[Task], rounds: int | None = None) -> list[Measurement]:
        rounds = rounds or self.rounds
        return measure(tasks, rounds=rounds, limit=self.limit, say=self.say, most_bytes=self.most_bytes)

    def floor(self, workload: Workload, name: str = FLOOR, quasi: Sequence[str] = QUASI) -> Task:
        """The floor by texts, which the older bars are held against."""
        source, copy = str(workload.ready(self.tables, self.say)), str(self.scratch / "copy.csv")
        return inside(name, workload.n_rows, "benchmarks.floor", source, copy, ",".join(quasi), TEXTS)

    def least_floor(self, workload: Workload, release: Path, name: str = FLOOR) -> Task:
        """The floor by codes; copying the bytes of a release is timed aside."""
        source, copy = str(workload.ready(self.tables, self.say)), str(self.scratch / "copy.csv")
        arguments = (source, copy, ",".join(QUASI), CODES, str(release))
        return inside(name, workload.n_rows, "benchmarks.floor", *arguments)

    def release(self, workload: Workload) -> Task:
        source, output = workload.ready(self.tables, self.say), self.released(workload)
        flags = policy_flags(source, workload.k)
        command = kanopy("anonymize", str(source), "-o", str(output), "--force", *flags)
        return whole(RELEASE, workload.n_rows, *command)

    def released(self, workload: Workload) -> Path:
        return self.scratch / f"release-{workload.n_rows}.csv"

    def nine(
        self,
        workload: Workload,
        output: str = "release.csv",
        method: str = "mondrian",
        code: Code = INSTALLED,
    ) -> Task:
        """A whole release of a table of nine columns: eight quasi-identifiers and the target."""
        source, target = workload.ready(self.tables, self.say), self.scratch / output
        flags = ("--force", "--method", method, *nine_policy_flags(workload.k))
        command = kanopy("anonymize", str(source), "-o", str(target), *flags, code=code)
        ways = [method, f"{source.suffix[1:]} to {target.suffix[1:]}", *([code.name] if code.name else [])]
        return whole(", ".join(ways), workload.n_rows, *command)

    def then(self, workload: Workload, output: str) -> list[Task]:
        """The same with the code that is timed beside this one, where there is one."""
        return [] if self.against is None else [self.nine(workload, output, code=self.against)]


def kanopy(*arguments: str, code: Code = INSTALLED) -> tuple[str, ...]:
    """The command line, however kanopy is installed."""
    return (sys.executable, "-c", code.start("from kanopy.cli.start import run; run()"), *arguments)
