"""Releases with Spark beside what Spark takes to copy, read and group the table: processors, and memory."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks import bars
from benchmarks.bars import Bar, Section, short
from benchmarks.measure import ROOT, Measurement, Task, inside
from benchmarks.plan import Plan
from benchmarks.spark_run import KEPT, PARTITIONS
from benchmarks.workloads import NINE, REALISTIC, Workload

REDRAWN = "redrawn"
FLOORS, RELEASES = "Spark's floor, {}", "release with Spark, {}"
_MEGABYTE = 1_000_000
N_COMPARED = 200_000
"""Rows of the table whose releases are compared row by row."""


def time_spark(plan: Plan) -> Section:
    """Three kinds of tables, the redrawn one divided too; where Spark does not run, the reason is told."""
    section = Section("spark", "", [])
    if why := _why_not():
        section.bars.append(Bar(f"Spark does not run here: {why}", 0.0, None, ""))
        return section
    files = {kind: _ready(plan, kind) for kind in (REALISTIC, REDRAWN, KEPT)}
    tasks = [_task(plan, what, kind, file) for kind, file in files.items() for what in ("floor", "release")]
    tasks.append(_task(plan, "divided", REDRAWN, files[REDRAWN]))
    short_table = Workload(N_COMPARED, plan.k, kind=REALISTIC).ready(plan.tables, plan.say)
    tasks.append(replace(_task(plan, "equal", REALISTIC, short_table), n_rows=N_COMPARED))
    section.measurements.extend(plan.measure(tasks, rounds=1))
    found = {each.task.name: each for each in section.measurements}
    for kind, bar in bars.SPARK_BARS.items():
        floor, release = found[FLOORS.format(kind)], found[RELEASES.format(kind)]
        ratio = None if floor.fault else release.ratio_to(floor.cpu)
        name = f"{kind}, {short(plan.n_realistic)}"
        section.bars.append(Bar(name, ratio, bar, "x Spark's floor", release.wall_ratio_to(floor.wall)))
        if kind != KEPT:
            base, per_tuple = bars.SPARK_DRIVER_BYTES
            most = (base + per_tuple * floor.facts.get("tuples", 0)) / _MEGABYTE
            section.bars.append(Bar(f"{name}, driver", _driver(release), most, "MB"))
    divided, most = found[f"divided, {REDRAWN}"], bars.SPARK_DIVIDED_BYTES / _MEGABYTE
    section.bars.append(Bar(f"divided, {short(plan.n_realistic)}, driver", _driver(divided), most, "MB"))
    equal = found[f"equal, {REALISTIC}"]
    name = f"{short(N_COMPARED)} in {', '.join(map(str, PARTITIONS))} partitions"
    differs = None if equal.fault else float(equal.facts["different"])
    section.bars.append(Bar(name, differs, 0.0, "releases that differ from the local one"))
    return section


def _driver(found: Measurement) -> float | None:
    return None if found.fault else found.facts["driver_bytes"] / _MEGABYTE


def _why_not() -> str:
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return "pyspark is not installed"
    return "" if shutil.which("java") else "there is no Java"


def _task(plan: Plan, what: str, kind: str, file: Path) -> Task:
    name = {"floor": FLOORS.format(kind), "release": RELEASES.format(kind)}.get(what, f"{what}, {kind}")
    arguments = (what, kind, str(file), str(plan.scratch / "spark-release"), str(plan.k))
    return inside(name, plan.n_realistic, "benchmarks.spark_run", *arguments)


def _ready(plan: Plan, kind: str) -> Path:
    """The table as a Parquet file; two kinds are made from others, by a process of their own."""
    made_from = NINE if kind == REDRAWN else REALISTIC
    source = Workload(plan.n_realistic, plan.k, kind=made_from).ready(plan.tables, plan.say)
    if kind == REALISTIC:
        return source
    file = source.with_name(f"{source.stem}-{kind}.parquet")
    if not file.exists():
        command = (sys.executable, "-m", "benchmarks.spark_tables", kind, str(source), str(file))
        subprocess.run(command, check=True, cwd=ROOT)
    return file
