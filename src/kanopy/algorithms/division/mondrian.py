"""Mondrian on a table that no process holds: an engine and its tasks find the cuts of the whole table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from kanopy.algorithms.cuts import LevelCuts
from kanopy.algorithms.division.counting import CodedRows, DividedTask, DividingEngine, NodeCounts
from kanopy.algorithms.division.groups import (
    DecidedGroups,
    DividedRelease,
    published_cells,
    wanted_of_groups,
)
from kanopy.algorithms.division.routing import DividedCodes, Routing
from kanopy.algorithms.division.whole import WholeTable, counted_whole, counters_of, not_divided
from kanopy.algorithms.method import Progress
from kanopy.algorithms.mondrian import CutRules, LevelTold, cut_all, cut_by
from kanopy.data.arrays import Bools, Ints
from kanopy.data.keys import counted, rank
from kanopy.trees.frontier import Frontier
from kanopy.trees.slots import Slots


def mondrian_divided(
    task: DividedTask, *, publish: str, widen: bool = False, **options: Any
) -> DividedRelease:
    """Anonymize by strict Mondrian: exactly as the whole table would be.

    Levels are cut from counters until no node has more rows than the limit, each as often as it weighs; what
    is below is decided in tasks. The engine counts its rows once for each of these levels, O(rows * columns),
    and the counters are at most nodes times codes times classes times confidential values for each column.
    """
    if not options["strict"]:
        raise not_divided("mondrian", "cuts that are not strict divide equal rows, in the order of the table")
    engine, form = task.engine, task.form
    top = _Top.of_table(task, options)
    while len(top.nodes) and top.sizes.max() > task.limit:
        top = top.below(engine)
        task.progress(top.n_closed, top.whole.n_rows)
    parts, n_rounds = _decided(engine, top, task.progress)
    if len(top.closed):
        # A node that stays whole may be large: the engine counts it, and no task has its rows.
        *quasi, lines = engine.count(top.routing.numbered(top.closed), wanted_of_groups(form))
        parts.append(DecidedGroups(len(top.closed), tuple(quasi), lines))
    groups = DecidedGroups.joined(parts)
    columns = published_cells(form, groups, top.whole.quasi_totals, publish, widen=widen)
    return DividedRelease(columns, groups, top.level, len(top.nodes), n_rounds)


@dataclass(frozen=True, eq=False)
class _Top:
    """The top of the tree, whose open nodes are all on one level."""

    whole: WholeTable
    rules: CutRules
    routing: Routing
    nodes: Ints  # the open ones
    sizes: Ints  # rows of each open node
    closed: Ints  # nodes that are groups
    level: int
    tells: Bools  # columns that nodes of earlier levels were cut by for their gain
    counts: Sequence[NodeCounts] | None  # of the open nodes, where they are counted already

    @classmethod
    def of_table(cls, task: DividedTask, options: Mapping[str, Any]) -> _Top:
        """All rows as one node, counted."""
        by_class = options["cut"] == "gain"
        whole, routing, counts = counted_whole(task, "mondrian", by_class=by_class)
        rules = CutRules.of(task.promise, whole.n_rows, options)
        nodes, nothing_told = np.zeros(1, dtype=np.int64), np.zeros(len(task.form.quasi), dtype=bool)
        n_open = int(whole.n_rows >= rules.least)
        sizes = np.array([whole.n_rows])[:n_open]
        return cls(whole, rules, routing, nodes[:n_open], sizes, nodes[n_open:], 0, nothing_told, counts)

    @property
    def n_closed(self) -> int:
        """How many rows are in groups."""
        return self.whole.n_rows - int(self.sizes.sum())

    @property
    def likely_to_tell(self) -> Bools:
        """The columns that may be expected to tell something soon: of many nodes, one is cut by each. What a
        single node tells itself, it need not be told."""
        may_tell = self.rules.max_chance < 1 and self.whole.n_classes > 1 and len(self.nodes) > 1
        return self.tells | (may_tell and self.level < self.rules.n_gain_levels)

    def below(self, engine: DividingEngine) -> _Top:
        """The level below: cut the open nodes as ``mondrian`` does; O(counters)."""
        counts, n_nodes, form = self.counts, len(self.nodes), self.whole.form
        if counts is None:
            counts = engine.count(self.routing.numbered(self.nodes), counters_of(form))
        frontiers = [self.whole.of_column(column, each, n_nodes) for column, each in enumerate(counts)]
        sides = tuple(np.zeros(frontier.n_rows, dtype=np.int32) for frontier in frontiers)
        cuts, ways = LevelCuts.of_sides(n_nodes, sides), self.rules.ways(self.level, self.tells)
        cut_by(cuts, frontiers[0], (Slots(frontier, 0) for frontier in frontiers), ways)
        codes, n_rows = _children(cuts, frontiers)
        is_open = n_rows >= self.rules.least
        cut = np.flatnonzero(cuts.is_cut)
        n_codes = np.array([domain.n_codes for domain in form.quasi])[cuts.column[cut]]
        children = self.routing.n_nodes + np.arange(len(n_rows))
        return replace(
            self,
            routing=self.routing.divided(self.nodes[cut], cuts.column[cut], n_codes, codes),
            nodes=children[is_open],
            sizes=n_rows[is_open],
            closed=np.concatenate([self.closed, self.nodes[~cuts.is_cut], children[~is_open]]),
            level=self.level + 1,
            tells=self.tells | self.rules.told(cuts, len(self.tells)),
            counts=None,
        )


def _children(cuts: LevelCuts, frontiers: Sequence[Frontier]) -> tuple[DividedCodes, Ints]:
    """Where the codes of each cut node go, and the rows of each child; children in the order of their nodes,
    then of their sides. O(counters)."""
    place = np.cumsum(cuts.is_cut) - 1
    found = []
    for column, (frontier, side) in enumerate(zip(frontiers, cuts.sides, strict=True)):
        mine = np.flatnonzero(cuts.column[frontier.node] == column)
        assert frontier.weight is not None
        found.append([place[frontier.node[mine]], frontier.quasi[0][mine], side[mine], frontier.weight[mine]])
    places, codes, sides, weight = (np.concatenate(each) for each in zip(*found, strict=True))
    n_sides = int(sides.max(initial=0)) + 1
    child, n_children = rank(places * n_sides + sides, int(cuts.is_cut.sum()) * n_sides)
    n_rows = counted(child, n_children, weight)[: n_children if len(child) else 0]
    return DividedCodes(places, codes, child), n_rows


class MondrianAnswer(NamedTuple):
    """The groups of one node's rows, and what each of its levels tells others."""

    groups: DecidedGroups
    levels: tuple[LevelTold, ...]


@dataclass(frozen=True, eq=False)
class MondrianSubtree:
    """Decides a node's rows to the end, in a task: plain arrays and values, which can be pickled.

    ``tells`` are, for each level from that of the node on, the columns that count as wider because of all
    other nodes; the last entry is that of all later levels. O(rows * columns) per level.
    """

    whole: WholeTable
    rules: CutRules
    level: int
    tells: tuple[Bools, ...]

    def __call__(self, number: int, rows: CodedRows) -> MondrianAnswer:
        del number  # nodes differ in nothing but their rows
        node = np.zeros(len(rows.weight), dtype=np.int32)
        frontier = self.whole.frontier(self.whole.form, rows, node, 1)
        partition, levels = cut_all(frontier, self.rules, self.level, self.tells)
        return MondrianAnswer(DecidedGroups.of_rows(self.whole.form, rows, partition), tuple(levels))


def _decided(engine: DividingEngine, top: _Top, progress: Progress) -> tuple[list[DecidedGroups], int]:
    """The groups of every open node, in order, and how often tasks were asked.

    Which columns count as wider on a level depends on all nodes above it, and tasks do not know each other's.
    They assume something; who assumed wrongly, where that mattered, is asked again. What is assumed of the
    first level is right, and of each further one after at most one more round.
    """
    answers: dict[int, MondrianAnswer] = {}
    assumed: dict[int, tuple[Bools, ...]] = {}
    tells: tuple[Bools, ...] = (top.tells, top.likely_to_tell)
    waiting, n_rounds = list(range(len(top.nodes))), 0
    while waiting:
        routing = top.routing.numbered(top.nodes[waiting])
        subtree = MondrianSubtree(top.whole, top.rules, top.level, tells)
        for number, answer in engine.subtrees(routing, subtree):
            answers[waiting[number]], assumed[waiting[number]] = answer, tells
            n_settled = int(top.sizes[list(answers)].sum())
            progress(top.n_closed + n_settled, top.whole.n_rows)
        tells = _told_before(top.tells, [answer.levels for answer in answers.values()])
        waiting = [node for node in answers if not _agrees(answers[node].levels, assumed[node], tells)]
        n_rounds += 1
    return [answers[node].groups for node in sorted(answers)], n_rounds


def _told_before(tells: Bools, of_nodes: Sequence[Sequence[LevelTold]]) -> tuple[Bools, ...]:
    """The columns that all nodes together tell each level, from the first one on."""
    found = [tells]
    for level in range(max(map(len, of_nodes))):
        told = [levels[level].told for levels in of_nodes if level < len(levels)]
        found.append(np.logical_or.reduce([found[-1], *told]))
    return tuple(found)


def _agrees(levels: Sequence[LevelTold], assumed: Sequence[Bools], tells: Sequence[Bools]) -> bool:
    """Whether a node was cut as it would have been if it had known what all nodes tell."""
    own = np.zeros_like(tells[0])
    for number, level in enumerate(levels):
        known = assumed[min(number, len(assumed) - 1)] | own
        if level.by_median and (known != tells[number]).any():
            return False
        own = own | level.told
    return True
