"""Mondrian: cut the table in two, again and again, as long as both parts keep the promise.

LeFevre, DeWitt, Ramakrishnan, "Mondrian Multidimensional k-Anonymity" (ICDE 2006) and "Workload-Aware
Anonymization" (KDD 2006); set generalization after Shao and Beckford, "Learning Decision Trees from
Anonymized Data".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kanopy.algorithms.cuts import GainCuts, LevelCuts
from kanopy.algorithms.median_cuts import MedianCuts
from kanopy.algorithms.method import WIDEN, Method, Option, Progress, silent
from kanopy.algorithms.requirements import check_satisfiable, least_members
from kanopy.data import STYLES, EncodedTable, Partition, Recoding
from kanopy.data.arrays import Amounts, Bools, Ints
from kanopy.data.keys import numbered_by_rows, rank
from kanopy.privacy import PrivacyModel
from kanopy.trees.frontier import Frontier
from kanopy.trees.slots import Slots

if TYPE_CHECKING:
    from kanopy.algorithms.division.groups import DividedRelease

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
    widen: bool = False,
) -> Recoding:
    """Anonymize by Mondrian; see the options of ``MONDRIAN``. Nothing here is random.

    O(rows * columns) per level, and O(log(rows / k)) levels.
    """
    del rng
    options = {"cut": cut, "strict": strict, "try_lower_cut": try_lower_cut, "width": width}
    rules = CutRules.of(promise, table.total_weight, {**options, "max_chance": max_chance})
    assert strict or table.weight is None, "relaxed cuts divide equal rows: expand the table"
    check_satisfiable(table, promise)
    nothing_told = [np.zeros(len(table.quasi), dtype=bool)]
    partition, _ = cut_all(Frontier.of_table(table), rules, 0, nothing_told, progress)
    return partition.publish(table, publish, widen=widen)


@dataclass(frozen=True, slots=True)
class CutRules:
    """How nodes are cut, whichever they are."""

    promise: PrivacyModel
    k: int
    n_gain_levels: int  # how many levels may be cut for gain
    max_chance: float
    of_medians: Mapping[str, Any]  # what ``MedianCuts`` takes

    @classmethod
    def of(cls, promise: PrivacyModel, n_rows: int, options: Mapping[str, Any]) -> CutRules:
        """By the options of ``MONDRIAN``, for a table of so many rows, each as often as it weighs."""
        k = least_members(promise)
        n_gain_levels = _gain_levels(n_rows / k) if options["cut"] == "gain" else 0
        of_medians = {name: options[name] for name in ("strict", "try_lower_cut", "width")}
        return cls(promise, k, n_gain_levels, options["max_chance"], of_medians)

    @property
    def least(self) -> int:
        """How many rows a node needs to be cut: no group has fewer rows than k, and two come of it."""
        return 2 * self.k

    def ways(self, level: int, tells: Bools) -> list[Way]:
        """The ways to cut nodes of a level, the first one first; columns that ``tells`` count as wider."""
        by_median = partial(MedianCuts, promise=self.promise, first=tells, **self.of_medians)
        if level >= self.n_gain_levels:
            return [by_median]
        return [partial(GainCuts, promise=self.promise, k=self.k, max_chance=self.max_chance), by_median]

    def told(self, cuts: LevelCuts, n_columns: int) -> Bools:
        """The columns that count as wider on later levels: nodes were cut by them for their gain, where that
        says more than chance."""
        return np.isin(np.arange(n_columns), cuts.told_by) & (self.max_chance < 1)


class LevelTold(NamedTuple):
    """What other nodes have to do with the cuts of a level."""

    told: Bools  # of each column, whether a node of this level tells later ones that it counts as wider
    by_median: bool  # whether a node was cut at a median, so that it mattered which columns count as wider


def cut_all(
    frontier: Frontier, rules: CutRules, level: int, tells: Sequence[Bools], progress: Progress = silent
) -> tuple[Partition, list[LevelTold]]:
    """Cut nodes, which are on the given level, until none can be cut any more; O(rows * columns) per level.

    Of each level, ``tells`` are the columns that count as wider because of other nodes; the last entry is
    that of all later levels. To these come the columns that these nodes themselves tell.
    """
    n_rows, found, own = frontier.n_rows, list[LevelTold](), np.zeros(len(frontier.quasi), dtype=bool)
    number = np.zeros(frontier.table.n_rows, dtype=np.int64)
    blocks = [frontier] if frontier.total_weight >= rules.least else []
    while blocks:
        ways = rules.ways(level + len(found), tells[min(len(found), len(tells) - 1)] | own)
        blocks, of_level = _level_below(blocks, rules, ways, number)
        found.append(of_level)
        own = own | of_level.told
        progress(n_rows - sum(block.n_rows for block in blocks), n_rows)
    # In which order nodes were cut leaves no trace.
    groups = numbered_by_rows(*rank(number, int(number.max(initial=0)) + 1))
    return Partition(*groups), found


def _level_below(
    blocks: Sequence[Frontier], rules: CutRules, ways: Sequence[Way], number: Ints
) -> tuple[list[Frontier], LevelTold]:
    """Cut the nodes that can be cut: the nodes below them, and what that tells.

    Nodes that stay whole and those of too few rows are groups: their rows get their number.
    A block of nodes is divided as soon as it is cut, while the processor's cache holds it.
    """
    below, n_numbers = [], blocks[0].n_numbers
    told, by_median = np.zeros(len(blocks[0].quasi), dtype=bool), False
    for block in blocks:
        for part in block.chunks(_rows_at_a_time(block)):
            cuts, counts = _cuts_of(part, ways)
            told |= rules.told(cuts, len(told))
            by_median |= cuts.any_by_median
            opened, closed, of_closed = replace(part, n_numbers=n_numbers).split(
                cuts.is_cut, cuts.sides[0], rules.least, counts
            )
            number[closed] = of_closed
            n_numbers = opened.n_numbers
            below.append(opened)
    opened_blocks = [replace(block, n_numbers=n_numbers) for block in below if block.n_nodes]
    return opened_blocks, LevelTold(told, by_median)


def _cuts_of(frontier: Frontier, ways: Sequence[Way]) -> tuple[LevelCuts, list[Amounts | None]]:
    """Cut each node in the first way that can. Columns are counted once for all ways, and for the nodes
    below: what goes to one side need not be counted where it is known what goes to the other."""
    cuts, counts = LevelCuts.none(frontier), list[Amounts | None]()

    def counted() -> Iterator[Slots]:
        for column in range(len(frontier.quasi)):
            slots = Slots(frontier, column)
            counts.append(slots.counts)
            yield slots

    cut_by(cuts, frontier, counted(), ways)
    return cuts, counts


def cut_by(cuts: LevelCuts, frontier: Frontier, columns: Iterable[Slots], ways: Sequence[Way]) -> None:
    """Cut each node of a frontier in the first way that can, once its columns are counted."""
    found = [way(frontier) for way in ways]
    for column, slots in enumerate(columns):
        for way in found:
            way.offer(column, slots)
    for way in found:
        way.add_to(cuts)


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


def _divide(*given: Any, **options: Any) -> DividedRelease:
    """Loaded when it is used: most tables fit into one process."""
    from kanopy.algorithms.division.mondrian import mondrian_divided

    return mondrian_divided(*given, **options)


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
        "widen": WIDEN,
    },
    # The papers say nothing about the other side of the median, nor about gain by chance.
    presets={"paper": {"try_lower_cut": False, "max_chance": 1.0}},
    divide=_divide,
)
