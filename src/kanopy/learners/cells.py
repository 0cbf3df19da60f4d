"""What a learner sees of a table: for every row a cell, for every cell the values it may stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class CellColumn:
    """One column: for every row a cell, for every cell the values it may stand for.

    A value, a range, a set, a hierarchy node, a suppressed and a missing cell are all the same: a set of
    values, in the last case an empty one.

    Parameters
    ----------
    name : str
    values : tuple of str
        The values that the training column names anywhere, ordered: numbers ascending, texts by text.
    numbers : array of float or None
        The number of each value, strictly ascending; None where the column is categorical.
    ids : array of int32
        The cell of each row.
    first : array of int, one entry more than cells
        Cell ``c`` may stand for ``members[first[c]:first[c + 1]]``.
    members : array of int
        Places in ``values``, ascending inside a cell.
    with_missing : array of bool, one per cell
        Whether the original may have been missing. A missing cell has no members and True here; a cell with
        nothing but words that training did not know has no members and False.
    is_suppressed : array of bool, one per cell
        Whether the cell is ``*``: its members are all values, and it may have been missing.
    nodes : mapping of str to tuple of int
        The values below each node of the column's hierarchy, where one was given.
    """

    name: str
    values: tuple[str, ...]
    numbers: Floats | None
    ids: NDArray[np.int32]
    first: Ints
    members: Ints
    with_missing: Bools
    is_suppressed: Bools
    nodes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def n_values(self) -> int:
        return len(self.values)

    @property
    def n_cells(self) -> int:
        return len(self.with_missing)

    @property
    def is_numeric(self) -> bool:
        return self.numbers is not None

    @property
    def sizes(self) -> Ints:
        """How many values each cell may stand for."""
        return np.diff(self.first)

    @property
    def is_exact(self) -> Bools:
        """For every cell: does it say one value, and nothing else?"""
        exact: Bools = (self.sizes == 1) & ~self.with_missing & ~self.is_suppressed
        return exact

    @property
    def is_known(self) -> Bools:
        """For every cell: does it tell anything? Not if it is missing, suppressed or has no known member."""
        known: Bools = (self.sizes > 0) & ~self.is_suppressed
        return known

    @property
    def cell_of_member(self) -> Ints:
        """The cell of each entry of ``members``; O(members)."""
        return np.repeat(np.arange(self.n_cells), self.sizes)

    @property
    def rows_of_cell(self) -> Ints:
        """How many rows each cell has; O(rows)."""
        return np.bincount(self.ids, minlength=self.n_cells)

    def take(self, rows: NDArray[Any]) -> CellColumn:
        """The same column for some of the rows, or for some several times; O(rows taken)."""
        return replace(self, ids=self.ids[rows])

    def without_rows(self) -> CellColumn:
        """What must be remembered to read new rows: the values, no cells."""
        nobody, none = np.zeros(0, dtype=bool), np.zeros(0, dtype=np.int64)
        ids, first = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64)
        return CellColumn(self.name, self.values, self.numbers, ids, first, none, nobody, nobody, self.nodes)


@dataclass(frozen=True, slots=True, eq=False)
class CellTable:
    """The columns that a learner reads, all of the same rows."""

    columns: tuple[CellColumn, ...]
    n_rows: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def is_open(self) -> Bools:
        """For every row: is there a cell that may stand for more than one thing? O(rows * columns)."""
        found = np.zeros(self.n_rows, dtype=bool)
        for column in self.columns:
            found |= (column.sizes + column.with_missing > 1)[column.ids]
        return found

    def take(self, rows: NDArray[Any]) -> CellTable:
        """The table of some of the rows, or of some several times; O(rows taken * columns)."""
        n_rows = len(np.arange(self.n_rows)[rows])
        return CellTable(tuple(column.take(rows) for column in self.columns), n_rows)

    def without_rows(self) -> CellTable:
        """What a fitted learner keeps, so that it reads new rows over the same values."""
        return CellTable(tuple(column.without_rows() for column in self.columns), 0)
