"""Which column each open node is split by: the most gain, or the highest gain ratio.

Quinlan, "C4.5: Programs for Machine Learning" (1993), in the details of Weka's J48. A ``Level`` counts the
rows and divides them: one kind where every cell is a code, one where a cell is a set of values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from kanopy.data import Domain
from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.data.counts import x_log_x
from kanopy.trees.class_counts import Counts, summed_entropy
from kanopy.trees.slots import NodeSlots
from kanopy.trees.splits import Splits

_SAME = 1e-6
_SAME_GAIN = 1e-9
_SLACK_OF_AVERAGE = 1e-3
_MOST_ROWS_BESIDE_A_THRESHOLD = 25
_MANY_VALUES = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class ColumnCounts:
    """What a criterion needs to know about one column in all open nodes."""

    domain: Domain
    slots: NodeSlots  # the values that occur in each node; the value of a row in no slot is unknown
    low: Ints  # first code of each slot
    high: Ints  # last code of each slot
    cuts: Ints  # the codes that may be thresholds, ascending
    n_unknown: Floats  # rows of each node whose value is unknown
    before: Floats  # summed class entropy of each node before a split
    in_unknown: Floats  # how much of it such rows keep; 0 where gain is measured without them


class Level(Protocol):
    """The open nodes of one level of a tree, and the rows that have reached them: counted and divided."""

    @property
    def domains(self) -> Sequence[Domain]: ...

    @property
    def n_nodes(self) -> int: ...

    @property
    def n_places(self) -> int: ...  # rows, and parts of rows

    @property
    def may_split(self) -> Bools: ...  # the nodes that are worth counting

    def class_counts(self) -> Counts: ...

    def counts_of(self, column: int) -> ColumnCounts: ...

    def of_nodes(self, is_chosen: Bools) -> Any:
        """The level of some of the nodes, numbered without gaps."""

    def divided(self, splits: Splits, first_child: Ints, n_children: int) -> tuple[Any, Ints, Counts]:
        """The level below, which child each of its nodes is, and the class counts of all children."""


@dataclass(frozen=True, slots=True, eq=False)
class BestSplit:
    """The best split of every open node by one column."""

    is_valid: Bools
    gain: Floats  # bits of information about the class, per row
    split_information: Floats  # bits of information in the branch itself, per row
    threshold: Ints  # -1 for multiway splits

    def gain_ratio(self) -> Floats:
        has_parts = self.split_information > _SAME
        return np.divide(self.gain, self.split_information, out=np.zeros_like(self.gain), where=has_parts)


@dataclass(frozen=True, slots=True)
class Criterion:
    """What makes a split better than another; ties go to the column that comes first."""

    by_ratio: bool  # the highest gain ratio of splits with at least average gain (C4.5), or most gain (ID3)
    min_rows: float  # that at least two branches of a split must have; both sides of a threshold
    n_rows: float  # of the whole table
    above: float = 0.0  # gain or gain ratio that a split must exceed

    def __call__(self, level: Level) -> Splits:
        """Choose for every open node; costs what counting all columns costs."""
        domains = level.domains
        found = [best_split(level.counts_of(column), self.min_rows) for column in range(len(domains))]
        least, slack = np.full(level.n_nodes, -np.inf), _SAME_GAIN
        if self.by_ratio:
            least, slack = _average_gain(found, domains, self.n_rows) - _SLACK_OF_AVERAGE, _SAME
        chosen, threshold = np.full((2, level.n_nodes), -1)
        best = np.full(level.n_nodes, self.above)
        for column, split in enumerate(found):
            score = split.gain_ratio() if self.by_ratio else split.gain
            wins = split.is_valid & (split.gain >= least) & (score > best + slack)
            chosen[wins], threshold[wins], best[wins] = column, split.threshold[wins], score[wins]
        return Splits.of(domains, chosen, threshold)


def _average_gain(found: Sequence[BestSplit], domains: Sequence[Domain], n_rows: float) -> Floats:
    """Without columns that have a category for every few rows, whose gain is always high; unless all have."""
    many = _MANY_VALUES * n_rows - _SAME
    few = np.array([domain.is_numeric or domain.n_values < many for domain in domains])
    few |= not few.any()
    counts = np.stack([split.is_valid for split in found]) & few[:, None]
    gains = np.where(counts, np.stack([split.gain for split in found]), 0)
    return np.asarray(gains.sum(axis=0) / np.maximum(counts.sum(axis=0), 1))


def best_split(counts: ColumnCounts, min_rows: float) -> BestSplit:
    """Multiway for categories, the best threshold for numbers."""
    if counts.domain.is_numeric:
        return _best_threshold(counts, min_rows)
    slots = counts.slots
    after = slots.node_sums(summed_entropy(slots.by_class)) + counts.in_unknown
    n_large = slots.node_sums(slots.size >= min_rows - _SAME)
    in_all = slots.node_sums(slots.size) + counts.n_unknown
    parts = slots.node_sums(x_log_x(slots.size)) + x_log_x(counts.n_unknown)
    gain, information = _per_row(counts.before - after, in_all), _per_row(x_log_x(in_all) - parts, in_all)
    return BestSplit(n_large >= 2, gain, information, np.full(len(in_all), -1))


def _best_threshold(counts: ColumnCounts, min_rows: float) -> BestSplit:
    """The threshold with the most gain, less the bits that say which of so many candidates it is."""
    slots = counts.slots
    n_known = slots.node_sums(slots.size)
    n_nodes = len(n_known)
    left_rows = slots.running(slots.size)
    boundary = _boundaries(counts, left_rows, n_known, min_rows)
    if not len(boundary):
        nothing = np.zeros(n_nodes)
        return BestSplit(np.zeros(n_nodes, dtype=bool), nothing, nothing, np.full(n_nodes, -1))
    node = slots.node[boundary]
    entropy = slots.entropies_beside(slots.by_class, boundary)
    lowest = np.full(n_nodes, np.inf)
    np.minimum.at(lowest, node, entropy)
    is_lowest = entropy <= lowest[node] + _SAME
    place = np.full(n_nodes, len(slots.node))
    np.minimum.at(place, node[is_lowest], boundary[is_lowest])
    has_any = place < len(slots.node)
    place = np.where(has_any, place, 0)
    n_candidates = np.bincount(node, minlength=n_nodes)
    after = np.where(has_any, lowest, 0) + counts.in_unknown
    in_all = n_known + counts.n_unknown
    gain = _per_row(counts.before - after - np.log2(np.maximum(n_candidates, 1)), in_all)
    left = np.where(has_any, left_rows[place], 0)
    parts = x_log_x(left) + x_log_x(n_known - left) + x_log_x(counts.n_unknown)
    threshold = np.full(n_nodes, -1)
    threshold[has_any] = _halfway(counts, place[has_any])
    return BestSplit(has_any & (gain > _SAME), gain, _per_row(x_log_x(in_all) - parts, in_all), threshold)


def _boundaries(counts: ColumnCounts, left_rows: Floats, n_known: Floats, min_rows: float) -> Ints:
    """The slots after which a node may be cut: both sides have enough rows."""
    slots, numbers = counts.slots, counts.domain.numbers
    assert numbers is not None
    least = np.minimum(0.1 * n_known / slots.by_class.shape[1], _MOST_ROWS_BESIDE_A_THRESHOLD)
    least = (np.maximum(least, min_rows) - _SAME)[slots.node]
    enough = (left_rows >= least) & (n_known[slots.node] - left_rows >= least)
    enough[slots.first[1:][np.diff(slots.first) > 0] - 1] = False  # nothing lies beyond the last slot
    boundary = np.flatnonzero(enough)
    # Some numbers are written in several ways.
    return boundary[numbers[counts.high[boundary]] < numbers[counts.low[boundary + 1]]]


def _halfway(counts: ColumnCounts, places: Ints) -> Ints:
    """The highest code of the whole table that is no farther from the number below than from that above."""
    numbers = counts.domain.numbers
    assert numbers is not None
    below, above = numbers[counts.high[places]], numbers[counts.low[places + 1]]
    halfway = below / 2 + above / 2 + _SAME * (above / 2 - below / 2)  # exactly, but for rounding
    halfway = np.where(halfway < above, halfway, below)
    return counts.cuts[np.searchsorted(numbers[counts.cuts], halfway, side="right") - 1]


def _per_row(amounts: Floats, n_rows: Floats) -> Floats:
    """0 where there are no rows."""
    return np.divide(amounts, n_rows, out=np.zeros(len(amounts)), where=n_rows > 0)
