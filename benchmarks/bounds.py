"""``python -m benchmarks.bounds``: what a megabyte can cost at most, in memory and processor time.

Every method releases every hard table, and every other command reads it, each in a process of its own. What
takes more than the bar is marked: it must be made cheaper, or refused with a hint.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.bounds_tables import TABLES, HardTable
from benchmarks.plan import kanopy
from kanopy.algorithms import find_method, methods

CPU_BAR, MEMORY_BAR = 60.0, 1000.0
"""Processor seconds, and megabytes of 10^6 bytes, that a megabyte of table may cost."""

CPU_LIMIT, MEMORY_LIMIT = 90, 6 * 10**9
"""Where a run is cut off."""

AUDIT, SUGGEST, REPORT = "audit", "suggest", "report"
REFUSALS = (2, 3, 4, 6)


@dataclass(frozen=True, slots=True)
class Cost:
    """One run: its exit code is negative where a signal ended it."""

    table: str
    what: str
    cpu: float
    megabytes: float
    exit_code: int
    said: str

    @property
    def meets(self) -> bool:
        is_answer = self.exit_code in (0, 1, *REFUSALS) and "Traceback" not in self.said
        return is_answer and self.cpu <= CPU_BAR and self.megabytes <= MEMORY_BAR


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for every run; exit with 1 where one is over the bar."""
    names = [*(method.name for method in methods()), AUDIT, SUGGEST, REPORT]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bounds", description=__doc__)
    parser.add_argument("--table", action="append", choices=list(TABLES), help="may be repeated")
    parser.add_argument("--what", action="append", choices=names, help="methods, audit, suggest, report")
    parser.add_argument("--json", type=Path, help="record here as well")
    parser.add_argument("--limit", type=int, default=CPU_LIMIT, help="processor seconds to cut off at (90)")
    given = parser.parse_args(arguments)
    found = []
    with tempfile.TemporaryDirectory(prefix="kanopy-bounds-") as scratch:
        for table in given.table or TABLES:
            made = TABLES[table](np.random.default_rng(0))
            files = made.write(Path(scratch) / table)
            for what, command in _commands(made, *files, given.what or names):
                found.append(_measured(table, what, command, given.limit))
                _print(found[-1])
                if given.json is not None:
                    given.json.write_text(json.dumps([asdict(cost) for cost in found], indent=1) + "\n")
    over = [cost for cost in found if not cost.meets]
    print(f"{len(found)} runs, {len(over)} over the bar of {CPU_BAR:.0f} s and {MEMORY_BAR:.0f} MB")
    return 1 if over else 0


def _commands(
    made: HardTable, table: Path, policy: Path, wanted: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    output = str(table.with_name("release.csv"))
    releasing = ("anonymize", str(table), "-o", output, "--force", "--policy", str(policy))
    for what in wanted:
        if what == AUDIT:
            yield what, kanopy("audit", str(table), "--policy", str(policy))
        elif what == SUGGEST:
            yield what, kanopy("suggest", str(table))
        elif what == REPORT:
            yield what, kanopy(*releasing, "--report", str(table.with_name("report.html")))
        elif made.target is not None or not find_method(what).needs_target:
            yield what, kanopy(*releasing, "--method", what)


def _measured(table: str, what: str, command: Sequence[str], seconds: int) -> Cost:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))

    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, preexec_fn=limit)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()[-3000:].decode("utf-8", "replace")
    megabytes = used.ru_maxrss * 1024 / 1e6
    return Cost(table, what, used.ru_utime + used.ru_stime, megabytes, process.returncode, text)


def _print(cost: Cost) -> None:
    mark = "" if cost.meets else "  OVER"
    said = next((line for line in cost.said.splitlines() if line.startswith("error")), "")
    told = f"  {said[:90]}" if cost.exit_code else ""
    print(
        f"{cost.table:18} {cost.what:10} {cost.cpu:7.1f} s {cost.megabytes:7.0f} MB "
        f"exit {cost.exit_code:3}{mark}{told}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
