"""Whole releases of nine columns, eight quasi-identifiers and the target: time and memory."""

from __future__ import annotations

import sys

from benchmarks import bars
from benchmarks.bars import Bar, Section, against_floor, doublings, kilobytes_per_row, short
from benchmarks.floor import COPY
from benchmarks.measure import Measurement, whole
from benchmarks.plan import FLOOR, N_HUGE_ROWS, N_REALISTIC_ROWS, Plan
from benchmarks.workloads import NINE, REALISTIC, Workload

IMPORTS = "import numpy, pyarrow.csv"
MONDRIAN = "mondrian, csv to csv"
STREAMED = "mondrian, parquet to parquet"
SKETCH = "sketch, csv to parquet"
SKETCH_FLOOR = "floor, with a copy of the sketch"
N_SMALL = 1000
SMALL_K = 10


def time_nine(plan: Plan) -> Section:
    """Four methods on the standard table without the columns that are kept; hardly a tuple stands twice."""
    workload = Workload(plan.n_rows, plan.k, kind=NINE)
    sizes = [plan.n_rows // 2, plan.n_rows, 2 * plan.n_rows]
    tasks = [
        plan.nine(workload),  # first, as the floor copies its release
        plan.least_floor(workload, plan.scratch / "release.csv"),
        *plan.then(workload, "then.csv"),
        plan.nine(workload, "release.parquet"),
        plan.nine(workload, "kactus.csv", "kactus"),
        plan.nine(workload, "tds.csv", "tds"),
        plan.nine(workload, "sketch.csv", "sketch"),
        plan.least_floor(workload, plan.scratch / "sketch.csv", SKETCH_FLOOR),
        *(plan.nine(Workload(size, plan.k, kind=NINE), "sketch.parquet", "sketch") for size in sizes),
    ]
    section = Section("nine", FLOOR, plan.measure(tasks))
    for name, bar in bars.NINE_BARS.items():
        section.bars.append(against_floor(name, section, section.find(name, plan.n_rows), bar))
    found = section.find(MONDRIAN, plan.n_rows)
    section.bars.insert(1, _with_copy(section, found, FLOOR, bars.COPYING_BAR))
    sketch = section.find("sketch, csv to csv", plan.n_rows)
    section.bars.append(_with_copy(section, sketch, SKETCH_FLOOR, bars.SKETCH_BAR))
    section.bars.extend(doublings(SKETCH, [section.find(SKETCH, size) for size in sizes]))
    name = f"{MONDRIAN}, {short(plan.n_rows)}"
    peak = kilobytes_per_row(found)
    section.bars.append(Bar(f"{name}, peak memory", peak, bars.NINE_MEMORY_BAR, "kB per row"))
    clock = found.wall_ratio_to(found.cpu)
    section.bars.append(Bar(f"{name}, clock", clock, bars.CLOCK_BAR, "s per processor second"))
    section.bars.extend(_than_then(plan, section, found, "hardly a tuple twice", (bars.REDRAWN_BAR,)))
    return section


def _with_copy(section: Section, found: Measurement, beside: str, most: float | None) -> Bar:
    """Times the floor that has copied the bytes of this release."""
    floor = section.find(beside, found.task.n_rows)
    seconds = floor.cpu + floor.parts.get(f"{COPY} (aside)", 0.0)
    name, unit = f"{found.task.name}, {short(found.task.n_rows)}", "x floor and a copy of the release"
    return Bar(name, found.ratio_to(0.0 if floor.fault else seconds), most, unit)


def _than_then(
    plan: Plan, section: Section, found: Measurement, what: str, limits: tuple[float, ...]
) -> list[Bar]:
    """Processor seconds, and memory where it has a limit, against the other commit's."""
    if plan.against is None:
        return []
    then = section.find(f"{found.task.name}, {plan.against.name}", found.task.n_rows)
    name, unit = f"{what}, {short(found.task.n_rows)}", f"x {plan.against.name}"
    memory = None if found.fault or then.fault else found.peak_bytes / then.peak_bytes
    by_clock = found.wall_ratio_to(then.wall)
    return [
        Bar(f"{name}, time", found.ratio_to(then.cpu), limits[0], unit, by_clock),
        *(Bar(f"{name}, memory", memory, limit, unit) for limit in limits[1:]),
    ]


def time_small(plan: Plan) -> Section:
    """A release of 1,000 rows, start-up included, beside a process that imports what reads a CSV file."""
    workload = Workload(N_SMALL, SMALL_K, kind=NINE)
    name = f"{MONDRIAN}, {short(N_SMALL)}"
    tasks = [
        whole(IMPORTS, N_SMALL, sys.executable, "-c", IMPORTS),
        plan.nine(workload),
        *plan.then(workload, "then.csv"),
    ]
    section = Section("small", IMPORTS, plan.measure(tasks, rounds=2 * plan.rounds))
    imports, found = section.find(IMPORTS, N_SMALL), section.find(MONDRIAN, N_SMALL)
    over = None if imports.fault or found.fault else found.cpu - imports.cpu
    section.bars.append(Bar(name, over, bars.SMALL_BAR, f"s over {IMPORTS}"))
    return section


def time_large(plan: Plan) -> Section:
    """The first release of ``time_nine`` with very many rows."""
    workload = Workload(plan.n_large, plan.k, kind=NINE)
    floor = plan.least_floor(workload, plan.scratch / "release.csv")
    section = Section(
        "large", FLOOR, plan.measure([plan.nine(workload), floor, *plan.then(workload, "then.csv")])
    )
    found = section.find(MONDRIAN, workload.n_rows)
    section.bars.append(against_floor(MONDRIAN, section, found, bars.LARGE_BAR))
    section.bars.append(_with_copy(section, found, FLOOR, None))
    return section


def time_realistic(plan: Plan) -> Section:
    """Rows drawn from a model of Adult, Parquet to verified Parquet, beside another commit."""
    workload = Workload(plan.n_realistic, plan.k, kind=REALISTIC)
    tasks = [plan.nine(workload, "release.parquet"), *plan.then(workload, "then.parquet")]
    section = Section("realistic", "", plan.measure(tasks))
    found = section.find(STREAMED, workload.n_rows)
    if plan.against is None:
        return _finished(section, found)
    section.bars.extend(_than_then(plan, section, found, "realistic", bars.REALISTIC_BARS))
    return section


def _finished(section: Section, found: Measurement) -> Section:
    figure = None if found.fault else found.cpu
    section.bars.append(Bar(f"realistic, {short(found.task.n_rows)}", figure, None, "processor seconds"))
    return section


def time_huge(plan: Plan) -> Section:
    """Very many realistic rows, beside as many as ``time_realistic`` takes."""
    fewer = Workload(plan.n_realistic, plan.k, kind=REALISTIC)
    workload = Workload(plan.n_huge, plan.k, kind=REALISTIC)
    tasks = [plan.nine(each, "release.parquet") for each in (fewer, workload)]
    section = Section("huge", "", plan.measure(tasks))
    beside, found = section.measurements
    name = f"realistic, {short(plan.n_huge)}"
    most, times = bars.HUGE_BARS
    section.bars.append(Bar(f"{name}, memory", None if found.fault else found.peak_bytes / 1e9, most, "GB"))
    # Other numbers of rows are compared with the same growth.
    times *= (plan.n_huge / plan.n_realistic) / (N_HUGE_ROWS / N_REALISTIC_ROWS)
    unit = f"x the time for {short(plan.n_realistic)}"
    section.bars.append(Bar(name, found.ratio_to(beside.cpu), times, unit, found.wall_ratio_to(beside.wall)))
    return section
