"""Tables as learners see them: a cell per row, and the values that each cell may stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.data.grammar import ReadCell
from kanopy.data.normal_rows import DrawnColumn
from kanopy.data.scale import DECLARED, TextScale
from kanopy.data.value_sets import ValueSets
from kanopy.learners.original_counts import is_statistics, original_counts

Weights = str | Mapping[str, Mapping[str, Any]]
"""``uniform``, ``frequency``, or the value statistics of a manifest."""


class Rest(Enum):
    """What ``*`` says about a column whose manifest tells that it stands for all that is not shown."""

    NONE = "any value"
    VALUES = "the values that are not shown"
    VALUES_AND_MISSING = "the values that are not shown, and missing, which is not shown either"


@dataclass(frozen=True, eq=False)
class CellColumn:
    """One column: for every row a cell, for every cell the values it may stand for."""

    name: str
    values: tuple[str, ...]  # all that the training column names: numbers ascending, texts by text; then rest
    numbers: Floats | None  # of the values, strictly ascending; None in a categorical column
    ids: NDArray[np.int32]  # the cell of each row
    sets: ValueSets  # of each cell; a missing cell has none, nor has one of words that training did not know
    is_suppressed: Bools  # per cell: ``*`` may stand for all values, and for missing
    nodes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # hierarchy node to values below it
    rest: Rest = Rest.NONE
    scale: TextScale | None = None  # where texts lie among the numbers
    missing_as: ReadCell | None = None  # the cell that missing is recoded to; None where nobody knows

    @classmethod
    def of_values(
        cls,
        name: str,
        values: tuple[str, ...],
        numbers: Floats | None,
        nodes: Mapping[str, tuple[int, ...]] | None = None,
        rest: Rest = Rest.NONE,
        scale: TextScale | None = DECLARED,
    ) -> CellColumn:
        """A column that knows its values and has neither cells nor rows yet."""
        none, nobody = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
        sets = ValueSets.of_runs(len(values), none, none, none, nobody)
        return cls(name, values, numbers, none.astype(np.int32), sets, nobody, nodes or {}, rest, scale)

    @property
    def n_values(self) -> int:
        return len(self.values)

    @property
    def n_cells(self) -> int:
        return self.sets.n_cells

    @property
    def with_missing(self) -> Bools:
        """Per cell: may the original have been missing?"""
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
        """Codes of values, ascending inside a cell."""
        return self.sets.members

    @property
    def is_exact(self) -> Bools:
        """Per cell: does it say one value, and nothing else?"""
        return np.asarray((self.sizes == 1) & ~self.with_missing & ~self.is_suppressed)

    @property
    def is_open(self) -> Bools:
        """Per cell: may it stand for more than one thing?"""
        return np.asarray(self.sizes + self.with_missing > 1)

    @property
    def is_known(self) -> Bools:
        """Per cell: does it name a known value? Not if it is missing, suppressed or of unknown words."""
        return np.asarray((self.sizes > 0) & ~self.is_suppressed)

    @property
    def cell_of_member(self) -> Ints:
        """The cell of each entry of ``members``; O(members)."""
        return np.repeat(np.arange(self.n_cells), self.sizes)

    @property
    def rows_of_cell(self) -> Ints:
        """How many rows each cell has; O(rows)."""
        return np.bincount(self.ids, minlength=self.n_cells)

    def stretches(self) -> Ints:
        """Where each run of neighbouring values begins that no cell tells apart; O(runs * log(runs))."""
        is_named = ~self.is_suppressed[self.sets.cell_of_run]
        ends = np.concatenate([[0], self.sets.begin[is_named], self.sets.end[is_named] + 1])
        return np.unique(ends[ends < self.n_values])

    def without_rows(self) -> CellColumn:
        """What must be remembered to read new rows: the values, no cells."""
        known = (self.values, self.numbers, self.nodes, self.rest, self.scale)
        return replace(CellColumn.of_values(self.name, *known), missing_as=self.missing_as)


class Drawn(NamedTuple):
    """Where the rows of a table come from that was drawn from sketches: all rows, then all again."""

    n_copies: int
    group: Ints  # of the rows of one copy: those that were published alike
    around: Mapping[str, DrawnColumn]  # for linear models; none where these learn from the drawn rows


@dataclass(frozen=True, slots=True, eq=False)
class CellTable:
    """The columns that a learner reads, all of the same rows."""

    columns: tuple[CellColumn, ...]
    n_rows: int
    drawn: Drawn | None = None  # where its rows were drawn from sketches

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def is_open(self) -> Bools:
        """Per row: may one of its cells stand for more than one thing? O(rows * columns)."""
        found = np.zeros(self.n_rows, dtype=bool)
        for column in self.columns:
            found |= column.is_open[column.ids]
        return found

    def take(self, rows: NDArray[Any]) -> CellTable:
        """The table of some of the rows, or of some several times; O(rows taken * columns)."""
        n_rows = len(np.arange(self.n_rows)[rows])
        taken = tuple(replace(column, ids=column.ids[rows]) for column in self.columns)
        return CellTable(taken, n_rows)

    def without_rows(self) -> CellTable:
        """What a fitted learner keeps, so that it reads new rows over the same values."""
        return CellTable(tuple(column.without_rows() for column in self.columns), 0)


def member_counts(column: CellColumn, weights: Weights, row_weight: Floats | None = None) -> Floats:
    """How much each value, and missing (last), counts in a cell: 1, or its rows of exact cells, or of the
    original by published statistics, where the column has some; O(rows)."""
    if not isinstance(weights, str) and column.name in weights:
        return original_counts(column, weights[column.name])
    if weights != "frequency":
        return np.ones(column.n_values + 1)
    rows, exact = np.bincount(column.ids, row_weight, minlength=column.n_cells), column.is_exact
    values = np.bincount(column.members[column.first[:-1][exact]], rows[exact], column.n_values)
    is_missing = column.with_missing & (column.sizes == 0) & ~column.is_suppressed
    return np.append(values, rows[is_missing].sum()).astype(np.float64)


def member_shares(column: CellColumn, counts: Floats) -> tuple[Floats, Floats]:
    """The probability of each entry of ``column.members``, and per cell of missing; O(members).

    They add up to 1 in each cell that may stand for anything. Where no member of a cell occurs exactly, all
    are equally likely, missing too.
    """
    owners = column.cell_of_member
    amounts = counts[column.members]
    missing = np.where(column.with_missing, counts[-1], 0.0)
    totals = np.bincount(owners, amounts, minlength=column.n_cells)
    alike = totals <= 0
    totals = totals + missing
    amounts[alike[owners]] = 1.0
    missing[alike] = column.with_missing[alike]
    totals[alike] = (column.sizes + column.with_missing)[alike]
    totals[totals == 0] = 1.0  # a cell of words that training did not know
    return amounts / totals[owners], missing / totals


def check_weights(weights: Weights) -> None:
    if isinstance(weights, Mapping) and all(map(is_statistics, weights.values())):
        return
    if weights not in ("uniform", "frequency"):
        given = repr(weights) if isinstance(weights, str) else type(weights).__name__
        others = "or the value_statistics of a manifest"
        raise ValueError(f"weights must be one of 'uniform', 'frequency', not {given}; {others}")
