"""Columns cut into intervals at split values, and the groups that these make.

The values of a column are in order; missing is the last one. Rows that have equal values in all columns are
one tuple with a weight: groups are counted over tuples, never over rows again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kanopy.data import CodedColumn, EncodedTable
from kanopy.data.arrays import Bools, Codes, Int32s, Ints
from kanopy.data.keys import counted, group_rows, rank


@dataclass(frozen=True, eq=False)
class SplitTable:
    """The different tuples of a table, and the values at which its columns can be split.

    All values of all columns are numbered in one go, those of the first column first. A set of splits is an
    array of bool with an entry for each; the least value of a column always begins an interval.

    Parameters
    ----------
    codes : list of arrays of int
        For each column the place of every tuple's value among those that occur.
    values : list of arrays of int
        For each column the codes that occur, in order.
    weight : array of int
        How many rows each tuple stands for.
    tuple_of_row : array of int
    by_class : array of int, tuples x classes
        The rows of each class; one class where there is none.
    """

    codes: Sequence[Codes]
    values: list[Ints]
    weight: Ints
    tuple_of_row: Int32s
    by_class: Ints

    @classmethod
    def of(cls, table: EncodedTable, target: CodedColumn | None) -> SplitTable:
        """Count the tuples of a table, and the classes of each; O(rows * columns), or sorts."""
        columns, sizes = [column.codes for column in table.quasi], [c.domain.n_codes for c in table.quasi]
        tuples, n_tuples = group_rows(columns, sizes, table.n_rows)
        example = np.zeros(n_tuples, dtype=np.int64)
        example[tuples] = np.arange(table.n_rows)
        values, codes = [], []
        for column in table.quasi:
            present = np.flatnonzero(np.bincount(column.codes, minlength=column.domain.n_codes))
            place = np.zeros(column.domain.n_codes, dtype=np.int32)
            place[present] = np.arange(len(present))
            values.append(present)
            codes.append(place.take(column.codes.take(example)))
        n_classes = 1 if target is None else target.domain.n_codes
        keys = tuples.astype(np.int64) * n_classes + (0 if target is None else target.codes)
        by_class = counted(keys, n_tuples * n_classes, table.weight).reshape(n_tuples, n_classes)
        return cls(codes, values, by_class.sum(axis=1), tuples, by_class)

    @cached_property
    def n_rows(self) -> int:
        """How many rows the tuples stand for."""
        return int(self.weight.sum())

    @cached_property
    def first(self) -> Ints:
        """The number of the least value of each column, and of all values."""
        return np.cumsum([0, *(len(present) for present in self.values)])

    @property
    def nothing(self) -> Bools:
        """No splits: every column is one interval."""
        splits = np.zeros(self.first[-1], dtype=bool)
        splits[self.first[:-1]] = True
        return splits

    def intervals(self, splits: Bools) -> Iterator[Ints]:
        """For each column the interval of each of its values, numbered from 0."""
        for low, high in zip(self.first[:-1], self.first[1:], strict=True):
            yield np.cumsum(splits[low:high]) - 1

    def grouped(self, splits: Bools) -> tuple[Int32s, int]:
        """The group of each tuple; O(tuples * columns)."""
        intervals = list(self.intervals(splits))
        columns = [number.take(codes) for number, codes in zip(intervals, self.codes, strict=True)]
        return group_rows(columns, [int(number[-1]) + 1 for number in intervals], len(self.weight))

    def divided(self, group: Int32s, n_groups: int, value: int) -> tuple[Int32s, int]:
        """The groups when one more value is split at: those that have values on both sides; O(tuples)."""
        column = int(np.searchsorted(self.first, value, side="right")) - 1
        is_above = self.codes[column] >= value - self.first[column]
        return rank(group.astype(np.int64) * 2 + is_above, n_groups * 2)
