"""What is timed together: every section times its own floor beside what is compared with it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any

from benchmarks import bars
from benchmarks.adult import N_COMPLETE_ROWS
from benchmarks.bars import Bar, Section, kilobytes_per_row, short
from benchmarks.measure import Measurement, Say, Task, inside, measure, whole
from benchmarks.workloads import N_STANDARD_ROWS, K, Workload, policy_flags, wide_policy_flags
from kanopy.methods import methods

FLOOR, BARE, RELEASE, AUDIT = "floor", "python -c pass", "kanopy anonymize", "kanopy audit"
KACTUS, SKLEARN_TREE = "kactus", "scikit-learn's tree"

VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {"mondrian": ({"cut": "median"},)}
"""Options, other than the defaults, with which a method is timed as well."""

N_INTERPRETERS = 10


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
    rounds: int = 5
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
        return whole(RELEASE, workload.n_rows, *command)

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
    plan.say(f"timing imports in {N_INTERPRETERS} fresh interpreters each")
    section = Section("imports", BARE, plan.measure(tasks, rounds=N_INTERPRETERS))
    bare = section.find(BARE).wall
    over = {found.task.name: max(found.wall - bare, 0.0) for found in section.measurements if not found.fault}
    figure = None
    if over.get("import numpy") and "import kanopy" in over:
        figure = over["import kanopy"] / over["import numpy"]
    help_ = section.find("kanopy --help")
    section.bars.append(Bar("import kanopy", figure, bars.IMPORT_BAR, "x import numpy"))
    section.bars.append(Bar("kanopy --help", None if help_.fault else help_.wall, bars.HELP_BAR, "s"))
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
        if name in bars.METHOD_BARS:
            found, bar = section.find(name, plan.n_rows), bars.METHOD_BARS[name]
            section.bars.append(_against_floor(f"{name} on codes", section, found, bar))
    return section


def time_trees(plan: Plan) -> Section:
    """kACTUS on fourteen quasi-identifiers beside scikit-learn's tree, and on fewer and more rows."""
    workload = Workload(plan.n_rows, plan.k, is_wide=True)
    sizes = [plan.n_rows // 4, plan.n_rows // 2, plan.n_rows, 2 * plan.n_rows]
    source = workload.ready(plan.tables, plan.say)
    flags = wide_policy_flags(source, plan.k)
    output = str(plan.scratch / "release-wide.csv")
    command = kanopy("anonymize", str(source), "-o", output, "--force", "--method", KACTUS, *flags)
    tasks = [
        _on_tree(SKLEARN_TREE, plan, plan.n_rows, "sklearn"),
        *(_on_tree(KACTUS, plan, size, "kactus") for size in sizes),
        whole(RELEASE, plan.n_rows, *command),
    ]
    section = Section("trees", SKLEARN_TREE, plan.measure(tasks))
    found = section.find(KACTUS, plan.n_rows)
    name = f"{KACTUS}, {short(plan.n_rows)}"
    by_clock = section.wall_ratio(found)
    section.bars.append(Bar(name, section.ratio(found), bars.TREE_BAR, "x scikit-learn's tree", by_clock))
    after = None if found.fault else found.parts["anonymization"] / found.parts["tree"]
    section.bars.append(Bar(f"{name}, after the tree", after, bars.AFTER_TREE_BAR, "x the tree"))
    section.bars.extend(_doublings(KACTUS, [section.find(KACTUS, size) for size in sizes]))
    peak = kilobytes_per_row(section.find(RELEASE, plan.n_rows))
    section.bars.append(Bar(f"{name}, peak memory of a release", peak, bars.MEMORY_BAR, "kB per row"))
    return section


def _on_tree(name: str, plan: Plan, n_rows: int, what: str) -> Task:
    source = Workload(n_rows, plan.k, is_wide=True).ready(plan.tables, plan.say)
    return inside(name, n_rows, "benchmarks.tree_on_codes", str(source), str(plan.k), what)


def time_release(plan: Plan) -> Section:
    """From CSV to verified CSV: Adult itself, and the standard table."""
    standard = Workload(plan.n_rows, plan.k)
    adult = Workload(N_COMPLETE_ROWS, max(2, plan.k // 30))
    workloads = [adult, standard] if adult.n_rows < plan.n_rows else [standard]
    tasks = [task for workload in workloads for task in (plan.floor(workload), plan.release(workload))]
    section = Section("release", FLOOR, plan.measure(tasks))
    found = section.find(RELEASE, plan.n_rows)
    section.bars.append(_against_floor("release", section, found, bars.RELEASE_BAR))
    peak = kilobytes_per_row(found)
    section.bars.append(Bar(f"peak memory, {short(plan.n_rows)}", peak, bars.MEMORY_BAR, "kB per row"))
    return section


def time_audit(plan: Plan) -> Section:
    """``kanopy audit`` of a release, against reading and grouping the table it was made from.

    The release is the longer file with the fewer groups; the floor on it is shown beside.
    """
    workload = Workload(plan.n_audited, plan.k)
    name, unit = f"audit, {short(workload.n_rows)}", "x reading and grouping"
    making = measure([plan.release(workload)], rounds=1, limit=plan.limit, say=plan.say)[0]
    if making.fault:
        return Section("audit", FLOOR, [making], [Bar(name, None, bars.AUDIT_BAR, unit)])
    released = plan.released(workload)
    command = kanopy("audit", str(released), *policy_flags(released, workload.k))
    audit = whole(AUDIT, workload.n_rows, *command)
    copy = str(plan.scratch / "copy.csv")
    beside = inside("floor on the release", workload.n_rows, "benchmarks.floor", str(released), copy)
    section = Section("audit", FLOOR, plan.measure([plan.floor(workload), beside, audit]))
    parts = section.find(FLOOR, workload.n_rows).parts
    figure = section.find(AUDIT, workload.n_rows).ratio_to(parts.get("read", 0.0) + parts.get("group", 0.0))
    section.bars.append(Bar(name, figure, bars.AUDIT_BAR, unit))
    return section


def time_growth(plan: Plan) -> Section:
    """Releases of more and more rows, with the same k."""
    sizes = sorted(plan.growth)
    section = Section("growth", "", plan.measure([plan.release(Workload(size, plan.k)) for size in sizes]))
    section.bars.extend(_doublings("growth", section.measurements))
    return section


def _doublings(what: str, measurements: Sequence[Measurement]) -> list[Bar]:
    """Every measurement against the one with fewer rows."""
    found = []
    for fewer, more in pairwise(measurements):
        n_fewer, n_more = fewer.task.n_rows, more.task.n_rows
        # Sizes that are no doublings are held to the same law.
        bar = bars.DOUBLING_BAR ** log2(n_more / n_fewer)
        name = f"{what}, {short(n_fewer)} to {short(n_more)}"
        by_clock = more.wall_ratio_to(fewer.wall)
        found.append(Bar(name, more.ratio_to(fewer.cpu), bar, "x the time", by_clock))
    return found


def time_large(plan: Plan) -> Section:
    """A release of very many rows, which must finish at all."""
    workload = Workload(plan.n_large, plan.k)
    section = Section("large", FLOOR, plan.measure([plan.floor(workload), plan.release(workload)]))
    found = section.find(RELEASE, workload.n_rows)
    section.bars.append(_against_floor("release", section, found, None))
    return section


def _against_floor(what: str, section: Section, found: Measurement, bar: float | None) -> Bar:
    name = f"{what}, {short(found.task.n_rows)}"
    return Bar(name, section.ratio(found), bar, "x floor", section.wall_ratio(found))


SECTIONS: dict[str, Callable[[Plan], Section]] = {
    "imports": time_imports,
    "codes": time_methods,
    "trees": time_trees,
    "release": time_release,
    "audit": time_audit,
    "growth": time_growth,
    "large": time_large,
}
