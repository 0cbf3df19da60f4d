"""Rows of cells at the open nodes of a tree: counted by what the cells may stand for, and divided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import Domain
from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.data.keys import rank
from kanopy.learners.tree_columns import Members, TreeColumn, Unknown
from kanopy.trees.class_counts import summed_entropy
from kanopy.trees.criterion import ColumnCounts
from kanopy.trees.slots import NodeSlots
from kanopy.trees.splits import Parts, Splits

_SAME = 1e-6
_TIE_BREAK = 1e-9  # the part of a leaf's rows that makes one of two equal classes the first


@dataclass(frozen=True, slots=True, eq=False)
class CellRules:
    """How cells count, and where rows go on; the same on all levels of a tree."""

    members: Members  # how a cell counts for its values
    unknown: Unknown  # how a cell counts that may be anything
    divide: Callable[[CellLevel, Splits], Parts]
    min_rows: float  # nodes with less than twice as many rows stay leaves
    first_seen: bool  # of equally frequent classes, a node predicts the first in the order of the rows


@dataclass(frozen=True, slots=True, eq=False)
class CellLevel:
    """Which row, or which part of it, is in which open node."""

    rules: CellRules
    columns: tuple[TreeColumn, ...]
    target: Ints  # the class of every row
    row: Ints  # of every place: a row that was shared among branches has several
    node: NDArray[np.int32]
    weight: Floats
    in_classes: Floats  # nodes x classes
    low: NDArray[np.int32]  # nodes x columns: the lowest value that thresholds above have left
    high: NDArray[np.int32]  # and the highest
    is_tested: Bools  # nodes x columns: a category that was tested above, so that nothing is left to test

    @classmethod
    def of_rows(
        cls, rules: CellRules, columns: tuple[TreeColumn, ...], target: Ints, n_classes: int, weight: Floats
    ) -> CellLevel:
        """One node that holds every row."""
        node, row, nothing = np.zeros(len(target), np.int32), np.arange(len(target)), (1, len(columns))
        in_classes = _counted(node, target, weight, 1, n_classes)
        low, is_tested = np.zeros(nothing, np.int32), np.zeros(nothing, dtype=bool)
        high = np.array([[column.domain.n_values - 1 for column in columns]], dtype=np.int32)
        return cls(rules, columns, target, row, node, weight, in_classes, low, high, is_tested)

    @property
    def domains(self) -> Sequence[Domain]:
        return [column.domain for column in self.columns]

    @property
    def n_nodes(self) -> int:
        return len(self.in_classes)

    @property
    def n_classes(self) -> int:
        return int(self.in_classes.shape[1])

    @property
    def n_places(self) -> int:
        return len(self.row)

    @property
    def may_split(self) -> Bools:
        """Nodes that have several classes and enough rows for two branches."""
        has_several: Bools = (self.in_classes > 0).sum(axis=1) > 1
        has_enough: Bools = self.in_classes.sum(axis=1) >= 2 * self.rules.min_rows - _SAME
        return has_several & has_enough

    def class_counts(self) -> Floats:
        """The class counts of the nodes, of which the highest is the predicted class."""
        counts = self.in_classes
        if not self.rules.first_seen:
            return counts
        is_most = counts >= counts.max(axis=1, keepdims=True) * (1 - _TIE_BREAK)
        tied = np.flatnonzero(is_most.sum(axis=1) > 1)
        if not len(tied):
            return counts
        first = np.full(counts.shape, len(self.target))
        np.minimum.at(first, (self.node, self.target[self.row]), self.row)
        seen = np.where(is_most, first, len(self.target))[tied].argmin(axis=1)
        changed = counts.copy()
        changed[tied, seen] += _TIE_BREAK * counts[tied].sum(axis=1)
        return changed

    def of_nodes(self, is_chosen: Bools) -> CellLevel:
        """Some of the nodes, numbered without gaps; O(places)."""
        if is_chosen.all():
            return self
        number = np.cumsum(is_chosen, dtype=np.int32) - np.int32(1)
        places = np.flatnonzero(is_chosen.take(self.node))
        return replace(
            self,
            row=self.row.take(places),
            node=number.take(self.node.take(places)),
            weight=self.weight.take(places),
            in_classes=self.in_classes[is_chosen],
            low=self.low[is_chosen],
            high=self.high[is_chosen],
            is_tested=self.is_tested[is_chosen],
        )

    def counts_of(self, column: int) -> ColumnCounts:
        """Where a category was tested above there is nothing to count."""
        domain, is_counted = self.columns[column].domain, ~self.is_tested[:, column]
        found = CellSlots(self.of_nodes(is_counted), column, members=self.rules.members)
        if self.rules.unknown == "members":
            found.fill_with_unknown(self.rules.members)
        node = np.flatnonzero(is_counted)[found.node]
        slots = NodeSlots(node, found.by_class, self.n_nodes, found.size)
        nothing, n_unknown = np.zeros((2, self.n_nodes))
        n_unknown[is_counted] = found.unknown.sum(axis=1)
        before = summed_entropy(slots.class_sums(slots.by_class))
        every = np.arange(domain.n_values)
        return ColumnCounts(domain, slots, found.low, found.high, every, n_unknown, before, nothing)

    def divided(self, splits: Splits, first_child: Ints, n_children: int) -> tuple[CellLevel, Ints, Floats]:
        place, branch, weight = self.rules.divide(self, splits)
        child = first_child[self.node[place]] + branch
        has_rows = np.bincount(child, minlength=n_children) > 0
        number = np.flatnonzero(has_rows)
        parent = np.repeat(np.arange(self.n_nodes), splits.n_branches)[number]
        low, high = splits.bounds_below(self.low, self.high, parent, number - first_child[parent])
        node = (np.cumsum(has_rows, dtype=np.int32) - np.int32(1))[child]
        row = self.row[place]
        below = replace(
            self,
            row=row,
            node=node,
            weight=weight,
            in_classes=_counted(node, self.target.take(row), weight, len(number), self.n_classes),
            low=low,
            high=high,
            is_tested=splits.tested_below(self.is_tested, parent),
        )
        counts = np.zeros((n_children, self.n_classes))
        counts[number] = below.class_counts()
        return below, number, counts


class Pairs:
    """Every cell of a column that occurs in an open node: what it may be is worked out once for all its rows.

    O(places), or a sort where nodes times cells are many. ``of_place`` is the pair of every place.
    """

    def __init__(self, level: CellLevel, number: int) -> None:
        column = level.columns[number]
        keys = np.multiply(level.node, column.n_cells, dtype=np.int64)
        keys += column.ids.take(level.row)
        self.of_place, key = ranked(keys, level.n_nodes * column.n_cells)
        self.node, self.cell = np.divmod(key, max(column.n_cells, 1))
        classes = level.target.take(level.row)
        self.by_class = _counted(self.of_place, classes, level.weight, len(key), level.n_classes)
        self.size = _over_classes(self.by_class)
        self.is_unknown = column.is_unknown[self.cell]

    def __len__(self) -> int:
        return len(self.node)


class CellSlots(NodeSlots):
    """The slots of one column in all open nodes, in the order of their values, and which cells fill them.

    A categorical column has a slot for every value that a cell of the node names. A numeric column has one
    for every stretch of values between two places where some cell begins or ends: no threshold inside of it
    separates the classes better than the best at its ends, and a range costs as much as a value. An *entry*
    is one slot of one pair (categorical), or one run of one pair (numeric: several slots). O(places + pairs *
    values of a cell), of numeric columns runs instead of values.
    """

    low: Ints  # the first value of each slot
    high: Ints  # the last value of each slot
    measure: Floats  # how many values of the table each slot holds
    entry_pair: Ints
    entry_begin: Ints  # the first slot of each entry
    entry_end: Ints  # the slot after its last
    before: Floats  # the frequency of the slots before each slot, and of all: what cells are shared by
    unknown: Floats  # nodes x classes: the rows whose cell may be anything, which are in no slot

    def __init__(self, level: CellLevel, number: int, *, members: Members) -> None:
        column = level.columns[number]
        self.pairs = Pairs(level, number)
        if column.domain.is_numeric and not column.is_plain:
            node, by_class = self._count_runs(level, number, members)
        else:
            node, by_class = self._count_values(level, number, members)
        super().__init__(node, by_class, level.n_nodes, _over_classes(by_class))
        self.unknown = np.zeros((level.n_nodes, level.n_classes))
        rest = np.flatnonzero(self.pairs.is_unknown)
        np.add.at(self.unknown, self.pairs.node[rest], self.pairs.by_class[rest])

    def _count_values(self, level: CellLevel, number: int, members: Members) -> tuple[Ints, Floats]:
        column, pairs = level.columns[number], self.pairs
        n_values = column.domain.n_values
        pair, value = column.members_of(pairs.cell)
        slot, key = ranked(pairs.node[pair] * n_values + value, level.n_nodes * n_values)
        n_slots = len(key)
        node, self.low = np.divmod(key, max(n_values, 1))
        self.high, self.measure = self.low, column.width[self.low]
        share = column.width[value] / column.breadth[pairs.cell][pair]
        frequency = np.bincount(slot, pairs.size[pair] * share, minlength=n_slots)
        if members == "frequency":
            mine = frequency[slot]
            share = mine / np.bincount(pair, mine, minlength=len(pairs))[pair]
        self.entry_pair, self.entry_begin = pair, slot.astype(np.int64)
        self.entry_end = self.entry_begin + 1
        self.before = np.append(0, np.cumsum(frequency))
        by_class = [
            np.bincount(slot, classes[pair] * share, minlength=n_slots) for classes in pairs.by_class.T
        ]
        return node, np.stack(by_class, axis=1).astype(np.float64, copy=False)

    def _count_runs(self, level: CellLevel, number: int, members: Members) -> tuple[Ints, Floats]:
        column, pairs = level.columns[number], self.pairs
        pair, begin, end = column.runs_of(pairs.cell)
        node = pairs.node[pair]
        # A threshold above has left only a part of the cell.
        begin = np.maximum(begin, level.low[node, number])
        end = np.minimum(end, level.high[node, number]) + 1
        inside = np.flatnonzero(begin < end)
        pair, node, begin, end = pair[inside], node[inside], begin[inside], end[inside]
        n_members = np.bincount(pair, end - begin, minlength=len(pairs))
        points = _Points(node, begin, end, level.n_nodes, column.domain.n_values + 1)
        length, is_filled = points.length, points.is_filled
        frequency = points.covering((pairs.size / np.maximum(n_members, 1))[pair]) * length
        base = frequency if members == "frequency" else length.astype(np.float64)
        up_to = np.append(0, np.cumsum(base))
        covered = np.bincount(pair, up_to[points.end] - up_to[points.begin], minlength=len(pairs))
        weight = pairs.by_class / np.where(covered > 0, covered, 1)[:, None]
        by_class = np.stack([points.covering(classes[pair]) * base for classes in weight.T], axis=1)
        # Stretches without cells are no slots.
        kept = np.flatnonzero(is_filled)
        slot_of_point = np.append(0, np.cumsum(is_filled))
        self.low = points.value[kept]
        self.high, self.measure = self.low + length[kept] - 1, length[kept].astype(np.float64)
        self.entry_pair = pair
        self.entry_begin, self.entry_end = slot_of_point[points.begin], slot_of_point[points.end]
        self.before = np.append(0, np.cumsum(frequency[kept]))
        return points.node[kept], np.asarray(by_class[kept], dtype=np.float64)

    def fill_with_unknown(self, members: Members) -> None:
        """Spread the rows that may be anything over the slots of their node, where there are any."""
        measure = self.size if members == "frequency" else self.measure
        share = measure / np.bincount(self.node, measure, minlength=self.n_nodes)[self.node]
        self.by_class = self.by_class + share[:, None] * self.unknown[self.node]
        self.size = _over_classes(self.by_class)
        self.unknown = np.where(np.diff(self.first)[:, None] > 0, 0, self.unknown)


class _Points:
    """The places inside nodes where runs begin or end; the stretch to the next has length 0 if not filled."""

    def __init__(self, node: Ints, begin: Ints, end: Ints, n_nodes: int, width: int) -> None:
        keys = np.concatenate([node * width + begin, node * width + end])
        point, key = ranked(keys, n_nodes * width)
        self._n_points = len(key)
        self.begin, self.end = point[: len(node)].astype(np.int64), point[len(node) :].astype(np.int64)
        self.node, self.value = np.divmod(key, width)
        steps = np.bincount(self.begin, minlength=len(key)) - np.bincount(self.end, minlength=len(key))
        self.is_filled = np.cumsum(steps) > 0
        self.length = np.where(self.is_filled, np.diff(self.value, append=0), 0)

    def covering(self, heights: Floats) -> Floats:
        """The sum, after every point, of the heights of the runs that cover it."""
        steps = np.bincount(self.begin, heights, minlength=self._n_points)
        steps -= np.bincount(self.end, heights, minlength=self._n_points)
        return np.asarray(np.maximum(np.cumsum(steps), 0))


def ranked(keys: Ints, n_keys: int) -> tuple[NDArray[np.int32], Ints]:
    """The place of each key among those that occur, in order, and these."""
    place, n_present = rank(keys, n_keys)
    present = np.empty(n_present, dtype=np.int64)
    present[place] = keys
    return place, present


def _counted(group: NDArray[Any], classes: Ints, weight: Floats, n_groups: int, n_classes: int) -> Floats:
    """Weights by group and class; O(len(group))."""
    keys = np.multiply(group, n_classes, dtype=np.int64)
    keys += classes
    counts = np.bincount(keys, weight, minlength=n_groups * n_classes)
    return counts.reshape(n_groups, n_classes).astype(np.float64, copy=False)


def _over_classes(by_class: Floats) -> Floats:
    """Amounts added up over the classes: several times faster than a sum along so short an axis."""
    return np.asarray(by_class @ np.ones(by_class.shape[1]))
