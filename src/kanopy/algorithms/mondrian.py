"""Mondrian: cut the table in two, again and again, as long as both parts keep the promise.

LeFevre, DeWitt, Ramakrishnan, "Mondrian Multidimensional k-Anonymity" (ICDE 2006) and "Workload-Aware
Anonymization" (KDD 2006); set generalization after Shao and Beckford, "Learning Decision Trees from
Anonymized Data".
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from kanopy.algorithms.cuts import LevelCuts, add_gain_cuts, add_median_cuts
from kanopy.algorithms.method import Method, Option, Progress, silent
from kanopy.algorithms.requirements import check_satisfiable, least_members
from kanopy.data import STYLES, EncodedTable, Partition, Recoding
from kanopy.privacy import PrivacyModel
from kanopy.trees.frontier import Frontier

_COUNTERS_AT_A_TIME = 16_000_000
"""How many counters a part of a level may need; bounds memory, not results."""


def mondrian(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator,
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
    gain_cuts = partial(add_gain_cuts, promise=promise, k=k, max_chance=max_chance)
    choices: dict[str, Any] = {"strict": strict, "try_lower_cut": try_lower_cut, "width": width}
    n_gain_levels = _gain_levels(table.total_weight / k) if cut == "gain" else 0
    tells = np.zeros(len(table.quasi), dtype=bool)  # columns that earlier levels were cut by for their gain
    group, n_groups, level = np.empty(table.n_rows, dtype=np.int32), 0, 0
    frontier = Frontier.of_table(table)
    while frontier.n_nodes:
        median_cuts = partial(add_median_cuts, promise=promise, first=tells, **choices)
        ways = [gain_cuts, median_cuts] if level < n_gain_levels else [median_cuts]
        parts = [_cuts_of(part, k, ways) for part in frontier.chunks(_rows_at_a_time(frontier))]
        if max_chance < 1:
            tells = tells | np.isin(np.arange(len(tells)), np.concatenate([cuts.told_by for cuts in parts]))
        is_cut = np.concatenate([cuts.is_cut for cuts in parts])
        frontier, closed = frontier.split(is_cut, np.concatenate([cuts.side for cuts in parts]))
        group[closed.rows] = closed.node + n_groups
        n_groups += closed.n_nodes
        level += 1
        progress(table.n_rows - frontier.n_rows, table.n_rows)
    return Partition(group, n_groups).publish(table, publish)


def _cuts_of(frontier: Frontier, k: int, ways: Sequence[Callable[[LevelCuts, Frontier], None]]) -> LevelCuts:
    """Cut each node in the first way that can. No group has fewer rows than k: a node needs twice as many."""
    cuts = LevelCuts.none(frontier)
    can_be_cut = frontier.sizes() >= 2 * k
    for add_cuts in ways:
        is_chosen = can_be_cut & ~cuts.is_cut
        if is_chosen.any():
            part, places = frontier.of_nodes(is_chosen)
            found = LevelCuts.none(part)
            add_cuts(found, part)
            cuts.side[places], cuts.is_cut[is_chosen] = found.side, found.is_cut
            cuts.told_by[is_chosen] = found.told_by
    return cuts


def _gain_levels(n_groups_at_most: float) -> int:
    """How deep cuts by gain may go: gain may peel a few rows off a node time and again, which would make the
    work quadratic. Beyond a few times the levels that halving takes, nodes are halved, as introsort does."""
    return 4 + 4 * math.ceil(math.log2(max(n_groups_at_most, 1)))


def _rows_at_a_time(frontier: Frontier) -> int:
    """How many rows are counted at once: as many as the values of confidential columns leave room for."""
    n_codes = [column.domain.n_codes for column in frontier.table.confidential.values()]
    n_counters = min(max(n_codes, default=1), int(frontier.sizes().max()))
    return max(_COUNTERS_AT_A_TIME // n_counters, 1)


def _is_strict(options: Mapping[str, Any]) -> bool:
    return bool(options["strict"])


MONDRIAN = Method(
    name="mondrian",
    title="cuts the table into boxes of look-alikes, guided by the class or by the median",
    paper="LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional k-Anonymity (ICDE 2006); "
    "Workload-Aware Anonymization (KDD 2006)",
    run=mondrian,
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
