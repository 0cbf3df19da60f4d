"""What is timed together, and the bars that the figures must stay under."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log2
from pathlib import Path
from typing import Any

from benchmarks.floor import PARTS
from benchmarks.measure import Measurement, Say, Task, inside, measure, whole
from benchmarks.workloads import K, N_COMPLETE_ROWS, N_STANDARD_ROWS, Workload, policy_flags
from kanopy.methods import methods

FLOOR, BARE = "floor", "python -c pass"

METHOD_BARS = {"mondrian": 1.5}
"""Times the floor that a method with its default options may take on codes."""
VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {"mondrian": ({"cut": "median"},)}
"""Other options that are timed as well."""
RELEASE_BAR = 3.5
AUDIT_BAR = 2.0
MEMORY_BAR = 1.0
DOUBLING_BAR = 2.3
IMPORT_BAR = 3.0
HELP_BAR = 0.5

N_INTERPRETERS = 10
KILOBYTE = 1000


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure and what it must stay under.

    Parameters
    ----------
    name : str
    figure : float or None
        None where it could not be measured: the bar then fails.
    bar : float or None
        None where finishing is all that is asked.
    unit : str
    """

    name: str
    figure: float | None
    bar: float | None
    unit: str

    @property
    def passed(self) -> bool:
        return self.figure is not None and (self.bar is None or self.figure <= self.bar)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "figure": self.figure,
            "bar": self.bar,
            "unit": self.unit,
            "passed": self.passed,
        }


@dataclass(frozen=True, slots=True)
class Section:
    """Tasks that were timed in turns, and the bars they are held against.

    Parameters
    ----------
    name : str
    baseline : str
        The task that the others are compared with, where both work on as many rows; empty for none.
    """

    name: str
    baseline: str
    measurements: list[Measurement]
    bars: list[Bar] = field(default_factory=list)

    def find(self, name: str, n_rows: int = 0) -> Measurement:
        return next(found for found in self.measurements if (found.task.name, found.task.n_rows) == (name, n_rows))

    def ratio(self, measured: Measurement) -> float | None:
        """How many times as long as the baseline on as many rows."""
        for other in self.measurements:
            if other.task.name == self.baseline and other.task.n_rows == measured.task.n_rows:
                return measured.ratio_to(other.wall)
        return None

    def to_dict(self) -> dict[str, Any]:
        timed = [{**found.to_dict(), "ratio": self.ratio(found)} for found in self.measurements]
        return {
            "name": self.name,
            "baseline": self.baseline,
            "measurements": timed,
            "bars": [bar.to_dict() for bar in self.bars],
        }


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
    """

    tables: Path
    scratch: Path
    say: Say
    n_rows: int = N_STANDARD_ROWS
    growth: tuple[int, ...] = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
    n_audited: int = 1_000_000
    n_large: int = 10_000_000
    k: int = K
    rounds: int = 3
    limit: float = 1800.0
    methods: tuple[str, ...] = ()

    def measure(self, tasks: Sequence[Task], rounds: int | None = None) -> list[Measurement]:
        return measure(tasks, rounds=rounds or self.rounds, limit=self.limit, say=self.say)

    def floor(self, workload: Workload) -> Task:
        source = workload.ready(self.tables, self.say)
        return inside(FLOOR, workload.n_rows, "benchmarks.floor", str(source), str(self.scratch / "copy.csv"))

    def release(self, workload: Workload) -> Task:
        source, output = workload.ready(self.tables, self.say), self.released(workload)
        flags = policy_flags(source, workload.k)
        command = kanopy("anonymize", str(source), "-o", str(output), "--force", *flags)
        return whole("kanopy anonymize", workload.n_rows, *command)

    def released(self, workload: Workload) -> Path:
        return self.scratch / f"release-{workload.n_rows}.csv"


def kanopy(*arguments: str) -> tuple[str, ...]:
    """The command line, however kanopy is installed."""
    return (sys.executable, "-c", "from kanopy.cli.main import run; run()", *arguments)


def time_imports(plan: Plan) -> Section:
    """``import kanopy`` and ``kanopy --help`` beside a bare interpreter and ``import numpy``."""
    everything = "import kanopy; [getattr(kanopy, name) for name in kanopy.__all__]"
    tasks = [
        whole(BARE, 0, sys.executable, "-c", "pass"),
        whole("import numpy", 0, sys.executable, "-c", "import numpy"),
        whole("import kanopy", 0, sys.executable, "-c", "import kanopy"),
        whole("import kanopy, every name", 0, sys.executable, "-c", everything),
        whole("kanopy --help", 0, *kanopy("--help")),
    ]
    section = Section("imports", BARE, plan.measure(tasks, rounds=N_INTERPRETERS))
    bare = section.find(BARE).wall
    over = {found.task.name: max(found.wall - bare, 0.0) for found in section.measurements if not found.fault}
    figure = None
    if over.get("import numpy") and "import kanopy" in over:
        figure = over["import kanopy"] / over["import numpy"]
    help_ = section.find("kanopy --help")
    section.bars += [
        Bar("import kanopy", figure, IMPORT_BAR, "x import numpy"),
        Bar("kanopy --help", None if help_.fault else help_.wall, HELP_BAR, "s"),
    ]
    return section


def time_methods(plan: Plan) -> Section:
    """Every method on the codes of the standard table."""
    workload = Workload(plan.n_rows, plan.k)
    source = str(workload.ready(plan.tables, plan.say))
    tasks = [plan.floor(workload)]
    chosen = [method.name for method in methods() if not plan.methods or method.name in plan.methods]
    for name in chosen:
        for options in ({}, *VARIANTS.get(name, ())):
            shown = " ".join([name, *(f"{option}={value}" for option, value in options.items())])
            arguments = (source, str(plan.k), name, json.dumps(options))
            tasks.append(inside(shown, plan.n_rows, "benchmarks.on_codes", *arguments))
    section = Section("codes", FLOOR, plan.measure(tasks))
    for name in chosen:
        if name in METHOD_BARS:
            figure = section.ratio(section.find(name, plan.n_rows))
            section.bars.append(Bar(f"{name} on codes, {short(plan.n_rows)}", figure, METHOD_BARS[name], "x floor"))
    return section


def time_release(plan: Plan) -> Section:
    """From CSV to verified CSV: Adult itself, and the standard table."""
    standard = Workload(plan.n_rows, plan.k)
    adult = Workload(N_COMPLETE_ROWS, max(2, plan.k // 30))
    workloads = [adult, standard] if adult.n_rows < plan.n_rows else [standard]
    tasks = [task for workload in workloads for task in (plan.floor(workload), plan.release(workload))]
    section = Section("release", FLOOR, plan.measure(tasks))
    found = section.find("kanopy anonymize", plan.n_rows)
    section.bars += [
        Bar(f"release, {short(plan.n_rows)}", section.ratio(found), RELEASE_BAR, "x floor"),
        Bar(f"peak memory, {short(plan.n_rows)}", bytes_per_row(found), MEMORY_BAR, "kB per row"),
    ]
    return section


def time_audit(plan: Plan) -> Section:
    """``kanopy audit`` of a release, against reading and grouping the table it was made from."""
    workload = Workload(plan.n_audited, plan.k)
    making = measure([plan.release(workload)], rounds=1, limit=plan.limit, say=plan.say)[0]
    if making.fault:
        return Section("audit", FLOOR, [making], [Bar("audit", None, AUDIT_BAR, "x floor without write")])
    released = plan.released(workload)
    command = kanopy("audit", str(released), *policy_flags(released, workload.k))
    audit = whole("kanopy audit", workload.n_rows, *command)
    section = Section("audit", FLOOR, plan.measure([plan.floor(workload), audit]))
    parts = section.find(FLOOR, workload.n_rows).parts
    reading = sum(parts.get(part, 0.0) for part in PARTS if part != "write")
    figure = section.find("kanopy audit", workload.n_rows).ratio_to(reading)
    section.bars.append(Bar(f"audit, {short(workload.n_rows)}", figure, AUDIT_BAR, "x floor without write"))
    return section


def time_growth(plan: Plan) -> Section:
    """Releases of more and more rows, with the same k."""
    sizes = sorted(plan.growth)
    section = Section("growth", "", plan.measure([plan.release(Workload(size, plan.k)) for size in sizes]))
    for fewer, more in zip(section.measurements, section.measurements[1:], strict=False):
        n_fewer, n_more = fewer.task.n_rows, more.task.n_rows
        bar = DOUBLING_BAR ** log2(n_more / n_fewer)  # sizes that are no doublings are held to the same law
        name = f"growth, {short(n_fewer)} to {short(n_more)}"
        section.bars.append(Bar(name, more.ratio_to(fewer.wall), bar, "x the time"))
    return section


def time_large(plan: Plan) -> Section:
    """A release of very many rows, which must finish at all."""
    workload = Workload(plan.n_large, plan.k)
    section = Section("large", FLOOR, plan.measure([plan.floor(workload), plan.release(workload)]))
    found = section.find("kanopy anonymize", workload.n_rows)
    section.bars.append(Bar(f"release, {short(workload.n_rows)} finishes", section.ratio(found), None, "x floor"))
    return section


SECTIONS: dict[str, Callable[[Plan], Section]] = {
    "imports": time_imports,
    "codes": time_methods,
    "release": time_release,
    "audit": time_audit,
    "growth": time_growth,
    "large": time_large,
}


def bytes_per_row(found: Measurement) -> float | None:
    """Peak kilobytes per row."""
    return None if found.fault or not found.task.n_rows else found.peak_bytes / KILOBYTE / found.task.n_rows


def short(n_rows: int) -> str:
    """A number of rows as people say it."""
    if n_rows >= 1_000_000:
        return f"{n_rows / 1e6:.2f}".rstrip("0").rstrip(".") + "M rows"
    return f"{n_rows:,} rows"
