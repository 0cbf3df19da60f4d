"""Counting cells by what they may stand for: a slot is a value, or a run of values, inside an open node.

A categorical column has a slot for every value that a cell of the node names. A numeric column has one for
every stretch of values between two places where some cell begins or ends. Inside of a stretch every cell is
spread alike, so no threshold there tells the classes better than the best at its ends, and a range costs as
much as a value, however many values it covers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.keys import rank
from kanopy.learners.tree_columns import spans
from kanopy.learners.tree_level import Level, Pairs, over_classes

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

UNIFORM, FREQUENCY = "uniform", "frequency"
"""How a cell counts for the values it may stand for: alike, or as often as each occurs in the node."""

KNOWN_SHARE, MEMBERS = "known_share", "members"
"""How a cell that may be anything counts: it stands aside, or for every value that the node's others name."""


class CellSlots:
    """The slots of one column in all open nodes, in the order of their values, and which cells fill them.

    An *entry* is one slot of one pair (categorical), or one run of one pair (numeric: several slots). Costs
    O(places) for the pairs, and O(pairs * values of a cell), of numeric columns O(pairs * runs of a cell).

    Attributes
    ----------
    node, low, high : arrays of int, one entry per slot
        The values of the slot, both ends included.
    by_class, size : arrays of float
    first : array of int
        First slot of every node, and the end of the last.
    entry_pair, entry_begin, entry_end : arrays of int
        The slots ``entry_begin .. entry_end - 1`` of this pair.
    before : array of float
        The frequency of the slots before each slot, and of all: what cells are shared by.
    """

    by_class: Floats
    size: Floats

    def __init__(self, level: Level, number: int, pairs: Pairs, *, members: str, unknown: str) -> None:
        column = level.columns[number]
        self.pairs = pairs
        self.n_nodes = level.n_nodes
        if column.domain.is_numeric and not column.is_plain:
            self._count_runs(level, number, members)
        else:
            self._count_values(level, number, members)
        self.size = over_classes(self.by_class)
        self.first = np.searchsorted(self.node, np.arange(level.n_nodes + 1))
        self.unknown = np.zeros((level.n_nodes, level.n_classes))
        """By node and class, the rows that stand aside."""
        rest = np.flatnonzero(pairs.is_unknown)
        np.add.at(self.unknown, pairs.node[rest], pairs.by_class[rest])
        if unknown == MEMBERS:
            self._fill_with_unknown(members)

    def _count_values(self, level: Level, number: int, members: str) -> None:
        column, pairs = level.columns[number], self.pairs
        n_members = column.n_members[pairs.cell]
        self.entry_pair = np.repeat(np.arange(len(pairs)), n_members)
        value = column.members[spans(column.first[pairs.cell], n_members)]
        keys = pairs.node[self.entry_pair] * column.domain.n_values + value
        slot, n_slots = rank(keys, level.n_nodes * column.domain.n_values)
        key = np.empty(n_slots, dtype=np.int64)
        key[slot] = keys
        self.node, self.low = np.divmod(key, max(column.domain.n_values, 1))
        self.high = self.low
        amount = pairs.size[self.entry_pair] / n_members[self.entry_pair]
        frequency = np.bincount(slot, amount, minlength=n_slots)
        share = 1 / n_members[self.entry_pair]
        if members == FREQUENCY:
            mine = frequency[slot]
            share = mine / np.bincount(self.entry_pair, mine, minlength=len(pairs))[self.entry_pair]
        self.by_class = np.stack(
            [
                np.bincount(slot, classes[self.entry_pair] * share, minlength=n_slots)
                for classes in pairs.by_class.T
            ],
            axis=1,
        ).astype(np.float64, copy=False)
        self.entry_begin, self.entry_end = slot, slot + 1
        self.before = np.append(0, np.cumsum(frequency))

    def _count_runs(self, level: Level, number: int, members: str) -> None:
        column, pairs = level.columns[number], self.pairs
        n_runs = np.diff(column.run_first)[pairs.cell]
        run = spans(column.run_first[pairs.cell], n_runs)
        pair = np.repeat(np.arange(len(pairs)), n_runs)
        node = pairs.node[pair]
        # A threshold above has left only a part of the cell.
        begin = np.maximum(column.run_begin[run], level.low[node, number])
        end = np.minimum(column.run_end[run], level.high[node, number]) + 1
        inside = np.flatnonzero(begin < end)
        pair, node, begin, end = pair[inside], node[inside], begin[inside], end[inside]
        n_members = np.bincount(pair, end - begin, minlength=len(pairs))
        width = column.domain.n_values + 1
        keys = np.concatenate([node * width + begin, node * width + end])
        point, n_points = rank(keys, level.n_nodes * width)
        key = np.empty(n_points, dtype=np.int64)
        key[point] = keys
        begin, end = point[: len(pair)].astype(np.int64), point[len(pair) :].astype(np.int64)
        point_node, point_value = np.divmod(key, width)
        length = np.diff(point_value, append=0)
        is_filled = (
            np.cumsum(np.bincount(begin, minlength=n_points) - np.bincount(end, minlength=n_points)) > 0
        )
        length = np.where(is_filled, length, 0)

        def heaped(heights: Floats) -> Floats:
            """What lies on every point if each run has this height, from its begin to its end."""
            steps = np.bincount(begin, heights, minlength=n_points)
            steps -= np.bincount(end, heights, minlength=n_points)
            return np.asarray(np.maximum(np.cumsum(steps), 0))

        frequency = heaped((pairs.size / np.maximum(n_members, 1))[pair]) * length
        base = frequency if members == FREQUENCY else length.astype(np.float64)
        up_to = np.append(0, np.cumsum(base))
        covered = np.bincount(pair, up_to[end] - up_to[begin], minlength=len(pairs))
        weight = pairs.by_class / np.where(covered > 0, covered, 1)[:, None]
        by_class = np.stack([heaped(classes[pair]) * base for classes in weight.T], axis=1)
        # Stretches without cells are no slots.
        kept = np.flatnonzero(is_filled)
        slot_of_point = np.append(0, np.cumsum(is_filled))
        self.node = point_node[kept]
        self.by_class = np.asarray(by_class[kept], dtype=np.float64)
        self.low = point_value[kept]
        self.high = self.low + length[kept] - 1
        self.entry_pair = pair
        self.entry_begin, self.entry_end = slot_of_point[begin], slot_of_point[end]
        self.before = np.append(0, np.cumsum(frequency[kept]))

    def _fill_with_unknown(self, members: str) -> None:
        """Spread the rows that may be anything over the slots of their node, where there are any."""
        measure = self.size if members == FREQUENCY else (self.high - self.low + 1).astype(np.float64)
        share = measure / np.bincount(self.node, measure, minlength=self.n_nodes)[self.node]
        self.by_class = self.by_class + share[:, None] * self.unknown[self.node]
        self.size = over_classes(self.by_class)
        self.unknown = np.where(np.diff(self.first)[:, None] > 0, 0, self.unknown)

    def node_sums(self, amounts: NDArray[Any]) -> NDArray[Any]:
        """Add up amounts of slots within each node; 0 where a node has none."""
        has_any = np.flatnonzero(np.diff(self.first))
        sums = np.zeros((self.n_nodes, *amounts.shape[1:]), dtype=np.result_type(amounts, np.int64))
        if len(has_any):
            sums[has_any] = np.add.reduceat(amounts, self.first[has_any], axis=0)
        return sums

    def running(self, amounts: NDArray[Any]) -> NDArray[Any]:
        """Amounts of slots added up from the first slot of the node to each slot."""
        total = np.cumsum(amounts, axis=0)
        begin = self.first[self.node]
        return np.asarray(total - total[begin] + amounts[begin])
