"""Columns of cells as a tree counts them: which values a cell stands for, one by one and in runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kanopy.data import Domain
from kanopy.data.keys import group_rows

if TYPE_CHECKING:
    from kanopy.learners.cells import CellColumn

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class TreeColumn:
    """One column: the values it can be split by, and for every cell those it may stand for.

    Parameters
    ----------
    domain : Domain
        The values; of thresholds, where it is numeric.
    ids : array of int
        The cell of every row.
    first, members : arrays of int
        Cell ``c`` may stand for ``members[first[c]:first[c + 1]]``, ascending; a missing or suppressed cell
        for none, which means any.
    run_first, run_begin, run_end : arrays of int
        The same as runs of consecutive values, both ends included: a range is one run, however long.
    frequency : array of float
        How often each value occurs, as someone told or with every cell shared equally among its values.
    """

    domain: Domain
    ids: NDArray[np.int32]
    first: Ints
    members: Ints
    run_first: Ints
    run_begin: Ints
    run_end: Ints
    frequency: Floats

    @classmethod
    def of(cls, column: CellColumn, *, as_categories: bool = False) -> TreeColumn:
        """Read a column; O(rows + members)."""
        numbers = None if as_categories else column.numbers
        domain = Domain(column.name, column.values, numbers)
        n_members = np.where(column.is_known, column.sizes, 0)
        members = column.members[spans(column.first[:-1], n_members)]
        return cls.over(domain, column.ids, n_members, members)

    @classmethod
    def over(cls, domain: Domain, ids: NDArray[np.int32], n_members: Ints, members: Ints) -> TreeColumn:
        """Of cells with so many members each, which follow one another."""
        first = np.concatenate([[0], np.cumsum(n_members)])
        cell = np.repeat(np.arange(len(n_members)), n_members)
        begins = np.ones(len(members), dtype=bool)
        begins[1:] = (np.diff(cell) != 0) | (np.diff(members) != 1)
        start = np.flatnonzero(begins)
        ends = np.ones(len(members), dtype=bool)
        ends[:-1] = begins[1:]
        run_begin, run_end = members[start], members[ends]
        run_first = np.searchsorted(cell[start], np.arange(len(n_members) + 1))
        n_rows = np.bincount(ids, minlength=len(n_members))
        share = (n_rows / np.maximum(n_members, 1))[cell]
        # Rounded: what is equally frequent must come out equal, in whatever order it is added up.
        frequency = np.bincount(members, share, minlength=domain.n_values).round(9).astype(np.float64)
        return cls(domain, ids, first, members, run_first, run_begin, run_end, frequency)

    @property
    def n_cells(self) -> int:
        return len(self.first) - 1

    @property
    def n_members(self) -> Ints:
        return np.diff(self.first)

    @property
    def is_unknown(self) -> Bools:
        """Per cell: may it be anything?"""
        return np.asarray(self.n_members == 0)

    @property
    def is_plain(self) -> bool:
        """Whether every cell is a value or unknown."""
        return bool(self.n_members.max(initial=0) <= 1)

    def codes(self) -> Ints:
        """The value of every row of a plain column; the missing code where it is unknown."""
        code = np.full(self.n_cells, self.domain.missing_code)
        exact = self.n_members == 1
        code[exact] = self.members[self.first[:-1][exact]]
        return code[self.ids]

    def at_rows(self, rows: Ints) -> TreeColumn:
        """The same cells and frequencies for some of the rows."""
        return replace(self, ids=self.ids[rows])

    def mapped(self, codes: Ints) -> TreeColumn:
        """Every row with the value of that code instead of its cell; the missing code for unknown."""
        n_members = np.ones(self.domain.n_codes, dtype=np.int64)
        n_members[-1] = 0
        new = TreeColumn.over(self.domain, codes.astype(np.int32), n_members, np.arange(self.domain.n_values))
        return replace(new, frequency=self.frequency)


def distinct_rows(columns: Sequence[TreeColumn], target: Ints, n_classes: int) -> tuple[Ints, Floats]:
    """One row of each kind, the first, in the order of the table; and how many there are of it.

    Released rows come in groups whose cells are equal: only groups have to be counted. O(rows * columns).
    """
    sizes = [*(column.n_cells for column in columns), n_classes]
    group, n_groups = group_rows([*(column.ids for column in columns), target], sizes, len(target))
    example = np.zeros(n_groups, dtype=np.int64)
    example[group[::-1]] = np.arange(len(target))[::-1]
    order = np.argsort(example)
    return example[order], np.bincount(group, minlength=n_groups).astype(np.float64)[order]


def spans(begin: Ints, n_places: Ints) -> Ints:
    """The numbers ``begin .. begin + n_places - 1`` of every cell, one cell after the other."""
    before = np.cumsum(n_places) - n_places
    return np.repeat(begin - before, n_places) + np.arange(n_places.sum())
