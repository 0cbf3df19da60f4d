"""The clustering methods on codes: beside one pass over all pairs, with blocks, and on a large table."""

from __future__ import annotations

import json
from typing import Any

from benchmarks import bars
from benchmarks.adult import N_COMPLETE_ROWS
from benchmarks.bars import Bar, Section, doublings, kilobytes_per_row, short
from benchmarks.clusters_on_codes import LOSS
from benchmarks.measure import Measurement, Task, inside
from benchmarks.plan import Plan
from benchmarks.workloads import Workload
from kanopy.algorithms import Method, find_method, methods

ALL_PAIRS, ONE_ITERATION, SAMPLED = "all pairs", "kmeans, one iteration", "loukides, samples"
K = 10
UNBLOCKED = 50_000
"""More than the complete rows of Adult: nothing is cut into blocks."""


def clustering_methods(plan: Plan) -> list[Method]:
    """Those that can work in blocks; of these the ones that were asked for."""
    found = [method for method in methods() if "block_size" in method.options]
    asked = [method for method in found if method.name in plan.methods]
    return asked or found


def time_clusters(plan: Plan) -> Section:
    """Every clustering method without blocks and with them, and on the standard table."""
    n_rows = min(plan.n_rows, N_COMPLETE_ROWS)
    names = [method.name for method in clustering_methods(plan)]
    adult = Workload(n_rows, K)
    source = str(adult.ready(plan.tables, plan.say))
    timed = [name for name in names if name in bars.CLUSTER_BARS]
    tasks = [inside(ALL_PAIRS, n_rows, "benchmarks.all_pairs", source, str(K))]
    tasks += [_on_codes(plan, adult, name, block_size=UNBLOCKED) for name in timed]
    if "kmeans" in names and "max_iter" in find_method("kmeans").options:
        options: dict[str, Any] = {"variant": "1", "max_iter": 1, "block_size": UNBLOCKED}
        tasks.append(_on_codes(plan, adult, "kmeans", ONE_ITERATION, **options))
    once = [_on_codes(plan, adult, name, block_size=UNBLOCKED) for name in names if name not in timed]
    once += [_on_codes(plan, adult, name, _with_blocks(name)) for name in names]
    sizes = _sizes_of_samples(plan, names) if plan.n_rows > n_rows else []
    if plan.n_rows > n_rows:
        large = Workload(plan.n_rows, K)
        once += [_on_codes(plan, large, name) for name in names]
        once += [_on_codes(plan, large, "loukides", SAMPLED, sample=size) for size in sizes]
    section = Section("clusters", ALL_PAIRS, [*plan.measure(tasks), *plan.measure(once, rounds=1)])
    section.bars.extend(_against_all_pairs(section, n_rows))
    section.bars.extend(_losses_of_blocks(section, names, n_rows))
    if {"kmeans", "kmember"} <= set(names):
        section.bars.append(_beside_kmember(section, n_rows))
    section.bars.extend(doublings(SAMPLED, [section.find(SAMPLED, size) for size in sizes]))
    if plan.n_rows > n_rows:
        for name in names:
            section.bars.extend(_finishes(section.find(name, plan.n_rows)))
    return section


def _with_blocks(name: str) -> str:
    return f"{name}, default blocks"


def _sizes_of_samples(plan: Plan, names: list[str]) -> list[int]:
    """Of the standard table: about 50,000, 100,000 and 200,000 rows. Samples and not tables of their own: a
    smaller table is mostly Adult itself, where a larger one is mostly redrawn, and has many more clusters."""
    return [plan.n_rows // 28 * times for times in (1, 2, 4)] if "loukides" in names else []


def _on_codes(
    plan: Plan, workload: Workload, method: str, name: str = "", *, sample: int = 0, **options: Any
) -> Task:
    source = str(workload.ready(plan.tables, plan.say))
    arguments = [source, str(workload.k), method, json.dumps(options), *([str(sample)] if sample else [])]
    return inside(name or method, sample or workload.n_rows, "benchmarks.clusters_on_codes", *arguments)


def _beside_kmember(section: Section, n_rows: int) -> Bar:
    found, beside = (section.find(_with_blocks(name), n_rows) for name in ("kmeans", "kmember"))
    by_clock = found.wall_ratio_to(beside.wall)
    name = f"kmeans, default blocks, {short(n_rows)}"
    return Bar(name, found.ratio_to(beside.cpu), bars.KMEANS_BAR, "x kmember", by_clock)


def _against_all_pairs(section: Section, n_rows: int) -> list[Bar]:
    """Those that have a bar, against one pass over all pairs."""
    limits = {**bars.CLUSTER_BARS, ONE_ITERATION: bars.ITERATION_BAR}
    return [
        Bar(
            f"{found.task.name}, {short(n_rows)}",
            section.ratio(found),
            limits[found.task.name],
            "x all pairs",
            section.wall_ratio(found),
        )
        for found in section.measurements
        if found.task.name in limits and found.task.n_rows == n_rows
    ]


def _losses_of_blocks(section: Section, names: list[str], n_rows: int) -> list[Bar]:
    """What blocks lose, as a multiple of what the same method loses without them."""
    found = []
    for name in names:
        whole, blocks = section.find(name, n_rows), section.find(_with_blocks(name), n_rows)
        ratio = None if whole.fault or blocks.fault else _ratio(blocks.facts[LOSS], whole.facts[LOSS])
        title = f"{name}, blocks, {short(n_rows)}"
        found.append(Bar(title, ratio, bars.BLOCK_LOSS_BAR, "x the information loss"))
    return found


def _ratio(more: float, less: float) -> float:
    return more / less if less else 1.0 if not more else float("inf")


def _finishes(found: Measurement) -> list[Bar]:
    """A large table must be managed at all, in little memory."""
    name = f"{found.task.name}, {short(found.task.n_rows)}"
    minutes = None if found.fault else found.cpu / 60
    return [
        Bar(name, minutes, None, "minutes", None if found.fault else found.wall / 60),
        Bar(f"{name}, peak memory", kilobytes_per_row(found), bars.CLUSTER_MEMORY_BAR, "kB per row"),
    ]
