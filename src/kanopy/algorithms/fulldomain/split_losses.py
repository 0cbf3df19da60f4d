"""What groups of a split table cost, and what one more split would cost, bound and suppress."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from kanopy.algorithms.fulldomain.split_groups import SplitTable
from kanopy.data import EncodedTable
from kanopy.data.arrays import Bools, Codes, Int32s, Ints
from kanopy.data.keys import count_keys, counted, rank
from kanopy.errors import PolicyError


class SplitOutlook(NamedTuple):
    """What splitting at each value would change; values that are split at already change nothing."""

    cost: Ints
    bound: Ints
    hopeless: Ints  # rows that come into groups of fewer rows than k
    touched: Ints  # groups of k rows or more that are divided
    useful: Ints  # of these, groups of which a part of k rows or more is left


class SplitLoss(ABC):
    """What groups cost: those of fewer rows than ``k`` are suppressed whatever else is promised."""

    def __init__(self, table: SplitTable, k: int) -> None:
        self.table, self.k = table, k

    @abstractmethod
    def kept(self, sizes: Ints, majority: Ints) -> Ints:
        """What groups that are published cost."""

    @abstractmethod
    def suppressed(self, sizes: Ints) -> Ints:
        """What as many rows cost where they are suppressed: not less than where they are kept."""

    @abstractmethod
    def least(self, finest: Int32s, n_finest: int) -> Ints:
        """What each tuple costs at least in groups that are unions of the finest ones; O(tuples)."""

    def costs(self, sizes: Ints, majority: Ints) -> Ints:
        """What groups cost, of which those of fewer than k rows are suppressed."""
        return np.where(sizes >= self.k, self.kept(sizes, majority), self.suppressed(sizes))

    def majority(self, group: Int32s, n_groups: int) -> tuple[Ints, Ints]:
        """The rows of each group, and those of its most frequent class; O(tuples * classes)."""
        classes = self.table.by_class
        by_class = np.stack([counted(group, n_groups, column) for column in classes.T], axis=1)
        return by_class.sum(axis=1), by_class.max(axis=1)

    def outlook(self, group: Int32s, n_groups: int, least: Ints) -> SplitOutlook:
        """What every single split would do to groups; ``least`` is what each tuple costs at least.

        Between two values of a group that follow each other, all splits divide it in the same way: what they
        change is added where these begin, and taken off where they end. O(tuples * columns * classes), or
        sorts.
        """
        found = []
        for codes, values in zip(self.table.codes, self.table.values, strict=True):
            found.append(self._column_outlook(group, n_groups, codes, len(values), least))
        return SplitOutlook(*(np.concatenate(part) for part in zip(*found, strict=True)))

    def _column_outlook(
        self, group: Int32s, n_groups: int, codes: Codes, n_values: int, least: Ints
    ) -> tuple[Ints, ...]:
        keys = group.astype(np.int64) * n_values + codes
        places, n_places = rank(keys, n_groups * n_values)
        owner, value = np.divmod(count_keys(keys, n_groups * n_values)[0], n_values)
        ends = np.append(owner[1:] != owner[:-1], True)
        first = np.append(0, np.flatnonzero(ends)[:-1] + 1).repeat(np.diff(np.flatnonzero(ends), prepend=-1))
        amounts = np.column_stack([self.table.by_class, least])
        summed = np.stack([counted(places, n_places, each) for each in amounts.T], axis=1)
        running = np.cumsum(summed, axis=0)
        low = running - (running[first] - summed[first])
        inner = np.flatnonzero(~ends)
        whole = low[np.flatnonzero(ends)][owner[inner]]
        parts = low[inner], whole - low[inner]
        changes = self._changes(parts, whole)
        return tuple(_between(value[inner] + 1, value[inner + 1] + 1, each, n_values) for each in changes)

    def _changes(self, parts: tuple[Ints, Ints], whole: Ints) -> tuple[Ints, ...]:
        """Of each division the change of cost, bound and hopeless rows, whether it touches, and is useful."""
        low, high, both = (_Part.of(part, self) for part in (*parts, whole))
        is_open = ~both.is_small
        cost = low.cost + high.cost - both.cost
        more = [
            np.where(part.is_small & is_open, self.suppressed(part.rows) - part.least, 0)
            for part in (low, high)
        ]
        hopeless = [np.where(part.is_small & is_open, part.rows, 0) for part in (low, high)]
        is_useful = is_open & ~(low.is_small & high.is_small)
        return (
            cost,
            more[0] + more[1],
            hopeless[0] + hopeless[1],
            _as_numbers(is_open),
            _as_numbers(is_useful),
        )


class _Part(NamedTuple):
    """Parts of groups: what they cost, at least, their rows, and whether these are fewer than k."""

    cost: Ints
    least: Ints
    rows: Ints
    is_small: Bools

    @classmethod
    def of(cls, amounts: Ints, loss: SplitLoss) -> _Part:
        """From rows by class, and what they cost at least in the last column."""
        rows = amounts[:, :-1].sum(axis=1)
        return cls(loss.costs(rows, amounts[:, :-1].max(axis=1)), amounts[:, -1], rows, rows < loss.k)


def _as_numbers(are_so: Bools) -> Ints:
    return are_so.astype(np.int64)


def _between(begin: Ints, end: Ints, amount: Ints, n_values: int) -> Ints:
    """For each value the summed amounts of the runs it lies in, each from ``begin`` to before ``end``."""
    steps = np.bincount(begin, amount, n_values + 1) - np.bincount(end, amount, n_values + 1)
    return np.rint(np.cumsum(steps)[:n_values]).astype(np.int64)


class DiscernibilityLoss(SplitLoss):
    """A row costs as many as it looks like; a suppressed one looks like all rows."""

    def kept(self, sizes: Ints, majority: Ints) -> Ints:
        return sizes**2

    def suppressed(self, sizes: Ints) -> Ints:
        return sizes * self.table.n_rows

    def least(self, finest: Int32s, n_finest: int) -> Ints:
        sizes = counted(finest, n_finest, self.table.weight)
        return np.maximum(sizes, self.k).take(finest) * self.table.weight


class ClassificationLoss(SplitLoss):
    """A row costs 1 where it is suppressed, or has not the most frequent class of its group."""

    def kept(self, sizes: Ints, majority: Ints) -> Ints:
        return sizes - majority

    def suppressed(self, sizes: Ints) -> Ints:
        return sizes

    def least(self, finest: Int32s, n_finest: int) -> Ints:
        sizes, majority = self.majority(finest, n_finest)
        example = np.zeros(n_finest, dtype=np.int64)
        example[finest] = np.arange(len(finest))
        least = np.zeros(
            len(finest), dtype=np.int64
        )  # on one tuple of each finest group, which no split divides
        least[example] = sizes - majority
        return least


def split_loss(name: str, table: EncodedTable, k: int) -> SplitLoss:
    """The loss of that name on a table, whose tuples are counted; O(rows * columns)."""
    if name == "classification" and table.target is None:
        raise PolicyError(
            "loss 'classification' needs a class", "declare the target, or use loss = 'discernibility'"
        )
    if name == "classification":
        return ClassificationLoss(SplitTable.of(table, table.target), k)
    return DiscernibilityLoss(SplitTable.of(table, None), k)
