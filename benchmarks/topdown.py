"""The top-down methods on codes: against the floor, with several sets of columns, and as tables grow."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from benchmarks import bars
from benchmarks.bars import Bar, Section, doublings, short
from benchmarks.measure import Measurement, Task, inside
from benchmarks.plan import FLOOR, Plan
from benchmarks.workloads import DISCLOSED, DISCLOSED_QUASI, Workload

TDD, TDS, TDR = "tdd", "tds", "tdr"
DISCLOSED_FLOOR = "floor, seven columns"
SEVERAL_SETS = "tdd, random sets"
SEED = 0
SPLITS = (2, 4)
"""Factors by which the number of distinct values is multiplied."""


def random_sets(seed: int = SEED) -> list[list[str]]:
    """Three to six different sets of two to five columns, in the order of the columns."""
    rng = np.random.default_rng(seed)
    n_sets = int(rng.integers(3, 7))
    found: list[list[str]] = []
    while len(found) < n_sets:
        size = int(rng.integers(2, 6))
        drawn = np.sort(rng.choice(len(DISCLOSED_QUASI), size, replace=False)).tolist()
        columns = [DISCLOSED_QUASI[place] for place in drawn]
        found += [columns] if columns not in found else []
    return found


def time_topdown(plan: Plan) -> Section:
    """Disclosure with one set and several, specialization, refinement, and what more rows or values cost."""
    disclosed, standard = Workload(plan.n_disclosed, kind=DISCLOSED), Workload(plan.n_rows, plan.k)
    row_counts = {TDD: _around(plan.n_disclosed), TDR: _around(plan.n_rows)}
    tasks = [
        plan.floor(disclosed, DISCLOSED_FLOOR, DISCLOSED_QUASI),
        *(_disclosure(plan, n_rows) for n_rows in row_counts[TDD]),
        *(_disclosure(plan, plan.n_disclosed, _split_name(TDD, factor), split=factor) for factor in SPLITS),
        _disclosure(plan, plan.n_disclosed, SEVERAL_SETS, random_sets()),
        plan.floor(standard),
        _anonymity(plan, plan.n_rows, TDS),
        *(_anonymity(plan, n_rows, TDR) for n_rows in row_counts[TDR]),
        *(_anonymity(plan, plan.n_rows, TDR, split=factor) for factor in SPLITS),
    ]
    section = Section("topdown", "", plan.measure(tasks))  # two floors: the bars say which
    section.bars.extend(_against_floors(plan, section))
    for name, at in ((TDD, plan.n_disclosed), (TDR, plan.n_rows)):
        section.bars.extend(doublings(name, [section.find(name, n_rows) for n_rows in row_counts[name]]))
        more = [section.find(_split_name(name, factor), at) for factor in SPLITS]
        section.bars.extend(_value_doublings(name, [section.find(name, at), *more]))
    return section


def _around(n_rows: int) -> tuple[int, ...]:
    return n_rows // 2, n_rows, 2 * n_rows


def _split_name(method: str, factor: int) -> str:
    return f"{method}, {factor}x values"


def _disclosure(
    plan: Plan,
    n_rows: int,
    name: str = TDD,
    sets: Sequence[Sequence[str]] = (DISCLOSED_QUASI,),
    split: int = 1,
) -> Task:
    source = Workload(n_rows, kind=DISCLOSED).ready(plan.tables, plan.say)
    settings = json.dumps({"sets": sets, "split": split})
    return inside(name, n_rows, "benchmarks.topdown_on_codes", str(source), TDD, settings)


def _anonymity(plan: Plan, n_rows: int, method: str, split: int = 1) -> Task:
    source = Workload(n_rows, plan.k).ready(plan.tables, plan.say)
    settings = json.dumps({"k": plan.k, "split": split})
    name = method if split == 1 else _split_name(method, split)
    return inside(name, n_rows, "benchmarks.topdown_on_codes", str(source), method, settings)


def _against_floors(plan: Plan, section: Section) -> list[Bar]:
    n_rows = plan.n_disclosed
    floor, one_set, several = (section.find(name, n_rows) for name in (DISCLOSED_FLOOR, TDD, SEVERAL_SETS))
    standard = section.find(FLOOR, plan.n_rows)
    return [
        _beside(f"tdd on codes, {short(n_rows)}", one_set, floor, bars.DISCLOSURE_BAR, "x floor"),
        _beside(f"{SEVERAL_SETS}, {short(n_rows)}", several, one_set, bars.SEVERAL_SETS_BAR, "x one set"),
        *(
            _beside(
                f"{name} on codes, {short(plan.n_rows)}",
                section.find(name, plan.n_rows),
                standard,
                bars.METHOD_BARS[name],
                "x floor",
            )
            for name in (TDS, TDR)
        ),
    ]


def _value_doublings(what: str, measurements: Sequence[Measurement]) -> list[Bar]:
    """Every measurement against the one with half as many distinct values."""
    return [
        _beside(
            f"{what}, {fewer.facts.get('values', 0):,} to {more.facts.get('values', 0):,} values",
            more,
            fewer,
            bars.DOUBLING_BAR,
            "x the time",
        )
        for fewer, more in pairwise(measurements)
    ]


def _beside(name: str, found: Measurement, other: Measurement, bar: float, unit: str) -> Bar:
    return Bar(name, found.ratio_to(other.cpu), bar, unit, found.wall_ratio_to(other.wall))
