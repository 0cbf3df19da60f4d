"""Growing a tree level by level, whatever chooses the splits and however rows are counted and divided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from kanopy.data import Domain, EncodedTable
from kanopy.data.arrays import Amounts, Bools, Codes, Floats, Ints
from kanopy.data.keys import paired
from kanopy.trees.class_counts import Counts, count_classes, joined, summed_entropy
from kanopy.trees.criterion import ColumnCounts, Level
from kanopy.trees.frontier import Frontier
from kanopy.trees.slots import NodeSlots, Slots
from kanopy.trees.splits import BranchShares, Parts, Splits
from kanopy.trees.tree import Tree, TreeBuilder

MOST_PASSES, _CELLS_AT_LEAST = 200, 20_000_000
"""Cells that are counted at most, in passes over the table and in all."""

AnyLevel = TypeVar("AnyLevel", bound=Level)


def grow(
    table: EncodedTable,
    choose: Callable[[CodeLevel], Splits],
    *,
    weights: Floats | None = None,
    share_missing: bool = False,
    groupings: tuple[Ints, ...] = (),
) -> Tree:
    """Grow a tree over the quasi-identifiers of a table until nothing is split any more, or it is too deep.

    ``groupings`` are those that the splits may refer to; for the rest see ``c45``. O(rows * columns) for
    each level. After 200 passes over the table, and 20 million cells, open nodes stay leaves: only trees that
    peel off a few rows at a time get there.
    """
    level = CodeLevel.of_table(table, weights, share_missing=share_missing)
    most_cells = max(MOST_PASSES * table.n_rows * len(table.quasi), _CELLS_AT_LEAST)
    return grow_from(level, choose, groupings, most_cells)


def grow_from(
    level: AnyLevel,
    choose: Callable[[AnyLevel], Splits],
    groupings: tuple[Ints, ...] = (),
    most_cells: float = np.inf,
) -> Tree:
    """Grow a tree from its root until nothing is split any more, or so many cells were counted."""
    builder, counts = TreeBuilder(level.domains, groupings), [level.class_counts()]
    tree_node = np.zeros(level.n_nodes, dtype=np.int64)
    while True:
        may_split = level.may_split
        level, tree_node = level.of_nodes(may_split), tree_node[may_split]
        if not (level.n_places and level.domains and most_cells > 0):
            break
        most_cells -= level.n_places * len(level.domains)
        splits = choose(level)
        is_split = ~splits.is_none
        if not is_split.any():
            break
        level, splits, tree_node = level.of_nodes(is_split), splits.of_nodes(is_split), tree_node[is_split]
        n_before = builder.n_nodes
        first_child = builder.split_many(tree_node, splits) - n_before
        level, child, in_children = level.divided(splits, first_child, builder.n_nodes - n_before)
        counts.append(in_children)
        tree_node = n_before + child
    return builder.tree(joined(counts))


@dataclass(frozen=True, slots=True, eq=False)
class CodeLevel:
    """The open nodes of one level, where every cell is a value or missing."""

    frontier: Frontier
    is_tested: Bools  # nodes x columns: whether the column was split by its values above the node
    share_missing: bool  # among all branches; otherwise missing has a branch of its own
    cuts: Sequence[Ints] | None = None  # of columns, the codes of the whole table, where this is a part of it
    counts: dict[int, Amounts] = field(default_factory=dict)  # of columns, kept for the level below

    @classmethod
    def of_table(cls, table: EncodedTable, weights: Floats | None, *, share_missing: bool) -> CodeLevel:
        """One node that holds every row that has a weight."""
        weights = np.ones(table.n_rows) if share_missing and weights is None else weights
        frontier = Frontier.of_table(table, weights)
        if frontier.weight is not None:
            frontier = frontier.at(np.flatnonzero(frontier.weight > 0))
        return cls(frontier, np.zeros((1, len(table.quasi)), dtype=bool), share_missing)

    @property
    def domains(self) -> Sequence[Domain]:
        return [column.domain for column in self.frontier.table.quasi]

    @property
    def n_nodes(self) -> int:
        return self.frontier.n_nodes

    @property
    def n_places(self) -> int:
        return self.frontier.n_rows

    @property
    def may_split(self) -> Bools:
        return np.ones(self.n_nodes, dtype=bool)

    def class_counts(self) -> Counts:
        return _class_counts(self.frontier, self.frontier.node, self.n_nodes)

    def of_nodes(self, is_chosen: Bools) -> CodeLevel:
        if is_chosen.all():
            return self
        frontier = self.frontier.of_nodes(is_chosen)
        counts = {column: counts[is_chosen] for column, counts in self.counts.items()}
        return replace(self, frontier=frontier, is_tested=self.is_tested[is_chosen], counts=counts)

    def slots(self, column: int) -> Slots:
        """The values of a column in each node, counted."""
        return Slots(self.frontier, column)

    def counts_of(self, column: int) -> ColumnCounts:
        """Missing has a branch, or its rows stand aside when gain is measured."""
        slots = self.slots(column)
        if slots.counts is not None and self.frontier.weight is None:
            self.counts[column] = slots.counts
        return counts_of_codes(slots, self._cuts(column), share_missing=self.share_missing)

    def _cuts(self, column: int) -> Ints:
        if self.cuts is not None:
            return self.cuts[column]
        return codes_that_occur(self.frontier.table.quasi[column].totals)

    def divided(self, splits: Splits, first_child: Ints, n_children: int) -> tuple[CodeLevel, Ints, Counts]:
        frontier, side = self._with_sides(splits)
        child = np.repeat(first_child, np.diff(frontier.starts))
        child += side
        counts = _class_counts(frontier, child, n_children)
        above = [self.counts.get(column) for column in range(len(frontier.quasi))]
        below, _, _ = frontier.split(np.ones(self.n_nodes, dtype=bool), side, counts=above)
        child_of_node = np.flatnonzero(np.bincount(child, minlength=n_children))
        child_of_node = child_of_node[below.number - frontier.n_numbers]  # numbered in the order of children
        parent = np.repeat(np.arange(self.n_nodes), splits.n_branches)[child_of_node]
        is_tested = splits.tested_below(self.is_tested, parent)
        return CodeLevel(below, is_tested, self.share_missing, self.cuts), child_of_node, counts

    def _with_sides(self, splits: Splits) -> tuple[Frontier, Codes]:
        """The places, some of them now several times, and the branch of each."""
        frontier, places = self.frontier, np.arange(self.n_places)
        if not self.share_missing:
            return frontier, _sides(frontier, splits)
        assert frontier.weight is not None
        places, side, weight = shared_branches(splits, frontier.node, frontier.quasi, places, frontier.weight)
        order = np.argsort(frontier.node[places], kind="stable")
        return replace(frontier.at(places[order]), weight=weight[order]), side[order]


def codes_that_occur(totals: Amounts) -> Ints:
    """The codes of values, not that of missing, which some rows have; ``totals`` is of every code."""
    return np.flatnonzero(totals[:-1])


def counts_of_codes(slots: Slots, cuts: Ints, *, share_missing: bool = False) -> ColumnCounts:
    """What a criterion asks about a column whose cells are values or missing, ``cuts`` the values of the
    whole table; O(slots)."""
    domain, n_nodes = slots.domain, slots.n_nodes
    nothing, is_known = np.zeros(n_nodes), slots.code != domain.missing_code
    before = summed_entropy(slots.class_sums(slots.by_class))
    cuts = cuts if domain.is_numeric else slots.code[:0]
    if is_known.all() or not (share_missing or domain.is_numeric):
        return ColumnCounts(domain, slots, slots.code, slots.code, cuts, nothing, before, nothing)
    known, missing = np.flatnonzero(is_known), np.flatnonzero(~is_known)
    values, code = NodeSlots(slots.node[known], slots.by_class[known], n_nodes), slots.code[known]
    n_missing, in_missing = np.zeros((2, n_nodes))
    n_missing[slots.node[missing]] = slots.size[missing]
    if share_missing:
        before = summed_entropy(values.class_sums(values.by_class))
    else:
        in_missing[slots.node[missing]] = summed_entropy(slots.by_class[missing])
    return ColumnCounts(domain, values, code, code, cuts, n_missing, before, in_missing)


def _sides(frontier: Frontier, splits: Splits) -> Codes:
    """The branch of every place, all of whose nodes are split; O(places)."""
    side = np.empty(frontier.n_rows, dtype=np.int32)
    for column in np.unique(splits.column).tolist():
        nodes = np.flatnonzero(splits.column == column)
        places, n_places = frontier.places_of(nodes), np.diff(frontier.starts)[nodes]
        if splits.n_codes(nodes).sum() > 4 * n_places.sum():
            every = np.arange(frontier.n_rows)[places]
            side[places] = splits.branches(frontier.node[places], frontier.quasi, every)[0]
            continue
        branch, first = splits.branch_of_codes(nodes)
        entry = np.repeat(first, n_places)
        entry += frontier.quasi[column][places]
        side[places] = branch.astype(np.int32).take(entry)
    return side


def shared_branches(
    splits: Splits, node: Codes, columns: Sequence[Codes], rows: Ints, weight: Floats
) -> Parts:
    """Where rows go at their nodes, those of known values first, the others in shares; O(rows)."""
    branch, is_missing = splits.branches(node, columns, rows)
    if not is_missing.any():
        return np.arange(len(rows)), branch, weight
    known, missing = np.flatnonzero(~is_missing), np.flatnonzero(is_missing)
    n_branches = splits.n_branches
    first = np.cumsum(n_branches) - n_branches
    amount = np.bincount(first[node[known]] + branch[known], weight[known], minlength=n_branches.sum())
    # Where nothing is known all values are alike, but not the last branch, which is that of missing itself.
    nothing = np.add.reduceat(amount, first) <= 0
    amount[np.repeat(nothing, n_branches)] = 1
    amount[(first + n_branches - 1)[nothing]] = 0
    sharer, shared, share = BranchShares.of_nodes(n_branches, first, amount).parts(node[missing])
    return (
        np.concatenate([known, missing[sharer]]),
        np.concatenate([branch[known], shared]),
        np.concatenate([weight[known], weight[missing[sharer]] * share]),
    )


def _class_counts(frontier: Frontier, child: Codes, n_children: int) -> Counts:
    keys = paired(child, frontier.target, n_children, frontier.n_classes)
    return count_classes(keys, frontier.weight, n_children, frontier.n_classes)
