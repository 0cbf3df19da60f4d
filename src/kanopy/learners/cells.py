"""What a learner sees of a table: for every row a cell, for every cell the values it may stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.value_sets import ValueSets

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Nodes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class CellColumn:
    """One column: for every row a cell, for every cell the values it may stand for.

    Parameters
    ----------
    name : str
    values : tuple of str
        The values that the training column names anywhere, ordered: numbers ascending, texts by text.
    numbers : array of float or None
        The number of each value, strictly ascending; None where the column is categorical.
    ids : array of int32
        The cell of each row.
    sets : ValueSets
        The values of each cell. A missing cell has none; a cell with nothing but words that training did not
        know has none either, and cannot be missing.
    is_suppressed : array of bool, one per cell
        Whether the cell is ``*``: it may stand for all values, and for missing.
    nodes : mapping of str to tuple of int
        The values below each node of the column's hierarchy, where one was given.
    """

    name: str
    values: tuple[str, ...]
    numbers: Floats | None
    ids: NDArray[np.int32]
    sets: ValueSets
    is_suppressed: Bools
    nodes: Nodes = field(default_factory=dict)

    @classmethod
    def of_values(
        cls, name: str, values: tuple[str, ...], numbers: Floats | None, nodes: Nodes
    ) -> CellColumn:
        """A column that knows its values and has neither cells nor rows yet."""
        none, nobody = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
        sets = ValueSets.of_runs(len(values), none, none, none, nobody)
        return cls(name, values, numbers, none.astype(np.int32), sets, nobody, nodes)

    def with_cells(self, ids: NDArray[np.int32], sets: ValueSets, is_suppressed: Bools) -> CellColumn:
        """Other rows and cells over the same values."""
        return replace(self, ids=ids, sets=sets, is_suppressed=is_suppressed)

    @property
    def n_values(self) -> int:
        return len(self.values)

    @property
    def n_cells(self) -> int:
        return self.sets.n_cells

    @property
    def with_missing(self) -> Bools:
        """For every cell: may the original have been missing?"""
        return self.sets.with_missing

    @cached_property
    def sizes(self) -> Ints:
        """How many values each cell may stand for."""
        return self.sets.sizes

    @cached_property
    def first(self) -> Ints:
        """Cell ``c`` may stand for ``members[first[c]:first[c + 1]]``."""
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @cached_property
    def members(self) -> Ints:
        """Places in ``values``, ascending inside a cell."""
        return self.sets.members

    @property
    def is_exact(self) -> Bools:
        """For every cell: does it say one value, and nothing else?"""
        return np.asarray((self.sizes == 1) & ~self.with_missing & ~self.is_suppressed)

    @property
    def is_known(self) -> Bools:
        """For every cell: does it tell anything? Not if it is missing, suppressed or has no known member."""
        return np.asarray((self.sizes > 0) & ~self.is_suppressed)

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
        return CellColumn.of_values(self.name, self.values, self.numbers, self.nodes)


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
