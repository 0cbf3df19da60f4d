"""Which column each open node is split by, where cells are sets of values.

The measures are those of ``kanopy.trees.c45``, in which every cell says one value or nothing: on such tables
both choose alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kanopy.learners.tree_level import Level, Pairs, over_classes
from kanopy.learners.tree_slots import CellSlots
from kanopy.trees.c45 import BestSplit
from kanopy.trees.slots import x_log_x
from kanopy.trees.splits import Splits

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

GAIN, GAIN_RATIO = "gain", "gain_ratio"

_SAME = 1e-6
_SAME_GAIN = 1e-9
_SLACK_OF_AVERAGE = 1e-3
_MOST_ROWS_BESIDE_A_THRESHOLD = 25
_MANY_VALUES = 0.3


@dataclass(frozen=True, slots=True)
class Choice:
    """What makes a split better than another.

    Parameters
    ----------
    criterion : str
        ``gain_ratio``: the highest among the splits with at least average gain. ``gain``: the most, and if it
        is none at all; ID3 goes on until a node has one class or nothing is left to test.
    min_rows : float
        Rows that at least two branches of a split must have; both sides of a threshold.
    members, unknown : str
        How cells count; see ``CellSlots``.
    n_rows : int
        Of the whole table: a category for every few of them makes no average.
    """

    criterion: str
    min_rows: float
    members: str
    unknown: str
    n_rows: int

    def __call__(self, level: Level) -> Splits:
        """Choose for every open node, ties in column order; costs what counting the slots of all costs."""
        domains = [column.domain for column in level.columns]
        found = [self.best_split(level, number) for number in range(len(domains))]
        chosen = np.full(level.n_nodes, -1)
        threshold = np.full(level.n_nodes, -1)
        best = np.zeros(level.n_nodes)
        if self.criterion == GAIN:
            scores, least, slack = [split.gain for split in found], best - 1, _SAME_GAIN
            best -= 1
        else:
            scores, least, slack = [split.gain_ratio() for split in found], self._average(level, found), _SAME
        for number, split in enumerate(found):
            wins = split.is_valid & (split.gain >= least) & (scores[number] > best + slack)
            chosen[wins], threshold[wins], best[wins] = number, split.threshold[wins], scores[number][wins]
        return Splits.of(domains, chosen, threshold)

    def _average(self, level: Level, found: Sequence[BestSplit]) -> Floats:
        """The least gain that is asked for."""
        domains = [column.domain for column in level.columns]
        few = np.array(
            [domain.is_numeric or domain.n_values < _MANY_VALUES * self.n_rows - _SAME for domain in domains]
        )
        few |= not few.any()
        counts = np.stack([split.is_valid for split in found]) & few[:, None]
        gains = np.where(counts, np.stack([split.gain for split in found]), 0)
        return np.asarray(gains.sum(axis=0) / np.maximum(counts.sum(axis=0), 1) - _SLACK_OF_AVERAGE)

    def best_split(self, level: Level, number: int) -> BestSplit:
        """The best split of every open node by one column."""
        is_open = ~level.is_tested[:, number]
        if not is_open.any():
            nothing = np.zeros(level.n_nodes)
            return BestSplit(is_open, nothing, nothing, np.full(level.n_nodes, -1))
        if is_open.all():
            return self._best(level, number)
        # Where a category was tested already there is nothing to count.
        split = self._best(level.of_nodes(is_open), number)
        gain, information = np.zeros((2, level.n_nodes))
        threshold = np.full(level.n_nodes, -1)
        gain[is_open], information[is_open] = split.gain, split.split_information
        threshold[is_open] = split.threshold
        is_open[is_open] = split.is_valid
        return BestSplit(is_open, gain, information, threshold)

    def _best(self, level: Level, number: int) -> BestSplit:
        slots = CellSlots(level, number, Pairs(level, number), members=self.members, unknown=self.unknown)
        aside = slots.unknown.sum(axis=1)
        before = slots.node_sums(slots.by_class)
        in_all = before.sum(axis=1) + aside
        if level.columns[number].domain.is_numeric:
            return self._best_threshold(level, number, slots, before, aside)
        after = slots.node_sums(_bits(slots.by_class))
        n_large = slots.node_sums(slots.size >= self.min_rows - _SAME)
        told = slots.node_sums(x_log_x(slots.size)) + x_log_x(aside)
        gain = (_bits(before) - after) / in_all
        return BestSplit(n_large >= 2, gain, (x_log_x(in_all) - told) / in_all, np.full(len(in_all), -1))

    def _best_threshold(
        self, level: Level, number: int, slots: CellSlots, known: Floats, aside: Floats
    ) -> BestSplit:
        """The threshold with the most gain, less what it costs to say which of so many it is."""
        n_nodes, n_slots = level.n_nodes, len(slots.node)
        n_known = known.sum(axis=1)
        in_all = n_known + aside
        least = np.minimum(0.1 * n_known / level.n_classes, _MOST_ROWS_BESIDE_A_THRESHOLD)
        least = np.maximum(least, self.min_rows)
        left_rows = slots.running(slots.size)
        node = slots.node
        enough = (left_rows >= least[node] - _SAME) & (n_known[node] - left_rows >= least[node] - _SAME)
        enough[slots.first[1:][np.diff(slots.first) > 0] - 1] = False  # nothing lies beyond the last slot
        boundary = np.flatnonzero(enough)
        node, on_left = node[boundary], slots.running(slots.by_class)[boundary]
        on_right = np.maximum(known[node] - on_left, 0)
        entropy = _bits(on_left) + _bits(on_right)
        lowest = np.full(n_nodes, np.inf)
        np.minimum.at(lowest, node, entropy)
        is_lowest = entropy <= lowest[node] + _SAME
        place = np.full(n_nodes, n_slots)
        np.minimum.at(place, node[is_lowest], boundary[is_lowest])
        has_any = place < n_slots
        if not has_any.any():
            nothing = np.zeros(n_nodes)
            return BestSplit(has_any, nothing, nothing, np.full(n_nodes, -1))
        place = np.where(has_any, place, 0)
        n_candidates = np.bincount(node, minlength=n_nodes)
        after = np.where(has_any, lowest, 0)
        gain = (_bits(known) - after - np.log2(np.maximum(n_candidates, 1))) / in_all
        left = np.where(has_any, left_rows[place], 0)
        told = x_log_x(left) + x_log_x(np.maximum(n_known - left, 0)) + x_log_x(aside)
        threshold = np.full(n_nodes, -1)
        cut = place[has_any]
        numbers = level.columns[number].domain.numbers
        assert numbers is not None
        threshold[has_any] = _halfway(numbers, slots.high[cut], slots.low[cut + 1])
        return BestSplit(has_any & (gain > _SAME), gain, (x_log_x(in_all) - told) / in_all, threshold)


def _halfway(numbers: Floats, below: Ints, above: Ints) -> Ints:
    """The highest value of the column that is no farther from the one below than from the one above."""
    low, high = numbers[below], numbers[above]
    halfway = low / 2 + high / 2 + _SAME * (high / 2 - low / 2)
    halfway = np.where(halfway < high, halfway, low)
    return np.asarray(np.searchsorted(numbers, halfway, side="right") - 1, dtype=np.int64)


def _bits(by_class: Floats) -> Floats:
    """Rows times class entropy in bits, for each line of class counts."""
    return x_log_x(over_classes(by_class)) - over_classes(x_log_x(by_class))
