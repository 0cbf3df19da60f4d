"""Mondrian: cut the table in two, again and again, as long as both parts keep the promise.

LeFevre, DeWitt, Ramakrishnan, "Mondrian Multidimensional k-Anonymity" (ICDE 2006) and "Workload-Aware
Anonymization" (KDD 2006); set generalization after Shao and Beckford, "Learning Decision Trees from
Anonymized Data".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from kanopy.algorithms.cuts import GainCuts, LevelCuts
from kanopy.algorithms.median_cuts import MedianCuts
from kanopy.algorithms.method import Method, Option, Progress, silent
from kanopy.algorithms.requirements import check_satisfiable, least_members
from kanopy.data import STYLES, EncodedTable, Partition, Recoding
from kanopy.data.arrays import Amounts, Ints
from kanopy.data.keys import numbered_by_rows, rank
from kanopy.privacy import PrivacyModel
from kanopy.trees.frontier import Frontier
from kanopy.trees.slots import Slots

Way = Callable[[Frontier], GainCuts | MedianCuts]
"""What finds the cuts of open nodes: columns are offered to it, then it cuts the nodes that it can."""
_COUNTERS_AT_A_TIME = 16_000_000
"""How many counters a part of a level may need; bounds memory, not results."""
_ROWS_AT_A_TIME = 2_000_000
"""How many rows are cut and divided together; larger blocks leave the processor's cache."""


def mondrian(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    cut: str = "gain",
    strict: bool = True,
    try_lower_cut: bool = True,
    width: str = "range",
    max_chance: float = 0.05,
    publish: str = "range",
) -> Recoding:
    """Anonymize by Mondrian; see the options of ``MONDRIAN``. Nothing here is random.

    O(rows * columns) per level, and O(log(rows / k)) levels.
    """
    del rng
    assert strict or table.weight is None, "relaxed cuts divide equal rows: expand the table"
    check_satisfiable(table, promise)
    k = least_members(promise)
    by_gain = partial(GainCuts, promise=promise, k=k, max_chance=max_chance)
    choices: dict[str, Any] = {"strict": strict, "try_lower_cut": try_lower_cut, "width": width}
    n_gain_levels = _gain_levels(table.total_weight / k) if cut == "gain" else 0
    tells = np.zeros(len(table.quasi), dtype=bool)  # columns that earlier levels were cut by for their gain
    number, level = np.zeros(table.n_rows, dtype=np.int64), 0
    # No group has fewer rows than k: a node needs twice as many.
    blocks = [Frontier.of_table(table)] if table.total_weight >= 2 * k else []
    while blocks:
        by_median = partial(MedianCuts, promise=promise, first=tells, **choices)
        ways: list[Way] = [by_gain, by_median] if level < n_gain_levels else [by_median]
        blocks, told_by = _level_below(blocks, ways, number, least=2 * k)
        if max_chance < 1:
            tells = tells | np.isin(np.arange(len(tells)), told_by)
        level += 1
        progress(table.n_rows - sum(block.n_rows for block in blocks), table.n_rows)
    # In which order nodes were cut leaves no trace.
    groups = numbered_by_rows(*rank(number, int(number.max(initial=0)) + 1))
    return Partition(*groups).publish(table, publish)


def _level_below(
    blocks: Sequence[Frontier], ways: Sequence[Way], number: Ints, *, least: int
) -> tuple[list[Frontier], Ints]:
    """Cut the nodes that can be cut: the nodes below them, and the columns that they were cut by for gain.

    Nodes that stay whole and those of fewer rows than ``least`` are groups: their rows get their number.
    A block of nodes is divided as soon as it is cut, while the processor's cache holds it.
    """
    below, told_by, n_numbers = [], [], blocks[0].n_numbers
    for block in blocks:
        for part in block.chunks(_rows_at_a_time(block)):
            cuts, counts = _cuts_of(part, ways)
            told_by.append(cuts.told_by)
            opened, closed, of_closed = replace(part, n_numbers=n_numbers).split(
                cuts.is_cut, cuts.side, least, counts
            )
            number[closed] = of_closed
            n_numbers = opened.n_numbers
            below.append(opened)
    opened_blocks = [replace(block, n_numbers=n_numbers) for block in below if block.n_nodes]
    return opened_blocks, np.concatenate(told_by)


def _cuts_of(frontier: Frontier, ways: Sequence[Way]) -> tuple[LevelCuts, list[Amounts | None]]:
    """Cut each node in the first way that can. Columns are counted once for all ways, and for the nodes
    below: what goes to one side need not be counted where it is known what goes to the other."""
    cuts, found, counts = LevelCuts.none(frontier), [way(frontier) for way in ways], []
    for column in range(len(frontier.quasi)):
        slots = Slots(frontier, column)
        counts.append(slots.counts)
        for way in found:
            way.offer(column, slots)
    for way in found:
        way.add_to(cuts)
    return cuts, counts


def _gain_levels(n_groups_at_most: float) -> int:
    """How deep cuts by gain may go: gain may peel a few rows off a node time and again, which would make the
    work quadratic. Beyond a few times the levels that halving takes, nodes are halved, as introsort does."""
    return 4 + 4 * math.ceil(math.log2(max(n_groups_at_most, 1)))


def _rows_at_a_time(frontier: Frontier) -> int:
    """How many rows are cut at once: not more than the values of confidential columns leave room for."""
    n_codes = [column.domain.n_codes for column in frontier.table.confidential.values()]
    n_counters = min(max(n_codes, default=1), int(frontier.sizes.max()))
    return min(max(_COUNTERS_AT_A_TIME // n_counters, 1), _ROWS_AT_A_TIME)


def _is_strict(options: Mapping[str, Any]) -> bool:
    return bool(options["strict"])


MONDRIAN = Method(
    name="mondrian",
    title="cuts the table into boxes of look-alikes, guided by the class or by the median",
    paper="LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional k-Anonymity (ICDE 2006); "
    "Workload-Aware Anonymization (KDD 2006)",
    run=mondrian,
    draws=False,
    takes_weights=_is_strict,
    options={
        "cut": Option(
            "gain",
            "gain: where the class is told apart best, then as median; median: the widest column's median",
            ("gain", "median"),
        ),
        "strict": Option(True, "whether median cuts keep equal values together (false: relaxed Mondrian)"),
        "try_lower_cut": Option(True, "whether strict cuts may also go below the median value"),
        "width": Option(
            "range",
            "which column median cuts take as the widest: range: of the widest range, as a share of the "
            "column's; distinct: of most different values",
            ("range", "distinct"),
        ),
        "max_chance": Option(
            0.05,
            "how likely shuffled classes may give as much gain as a cut by gain; other groups are cut at a "
            "median, columns that told about the class first; 1: any gain will do, as in the paper",
            at_least=0,
            at_most=1,
        ),
        "publish": Option(
            "range",
            "range: ranges, hierarchy nodes and sets; members: sets; mean: rounded means; "
            "suppress: only what a whole group shares",
            tuple(STYLES),
        ),
    },
    # The papers say nothing about the other side of the median, nor about gain by chance.
    presets={"paper": {"try_lower_cut": False, "max_chance": 1.0}},
)
