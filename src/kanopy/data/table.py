"""A table as methods see it: integers only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.domain import Domain
from kanopy.data.keys import counted, distinct_sorted

_EXACT = 2**53


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """One column as codes into its domain; missing is the domain's last code."""

    domain: Domain
    codes: NDArray[np.unsignedinteger[Any]]

    def take(self, rows: Any) -> CodedColumn:
        """The same column for some of the rows; O(rows taken)."""
        return CodedColumn(self.domain, self.codes[rows])

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """How many rows have each code, whatever they weigh."""
        return np.bincount(self.codes, minlength=self.domain.n_codes)


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """What a method sees of a table.

    Parameters
    ----------
    n_rows : int
    quasi : tuple of CodedColumn
        The quasi-identifiers, in policy order.
    target : CodedColumn or None
        The class.
    confidential : mapping of str to CodedColumn
        Every column that a promise speaks about, by name; the target is among them where one does.
    persons : array of int or None
        The person behind each row; None where a row is a person.
    others : callable
        Gives all published columns that are no quasi-identifiers, encoded when they are asked for.
    weight : array of int or None
        How many equal rows each row stands for; None where it is 1 everywhere. Not together with persons:
        rows of one person may be equal, and so are rows of different persons.
    """

    n_rows: int
    quasi: tuple[CodedColumn, ...]
    target: CodedColumn | None = None
    confidential: Mapping[str, CodedColumn] = field(default_factory=dict)
    persons: NDArray[np.int32] | None = None
    others: Callable[[], tuple[CodedColumn, ...]] = tuple
    weight: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        if self.weight is None:
            return
        assert self.persons is None, "a table with persons has no weights: expand it"
        assert self.weight.dtype == np.int64, "weights are whole numbers"
        assert self.weight.min(initial=1) > 0, "a row stands for one row or more"
        assert self.weight.sum(dtype=np.float64) < _EXACT, "floats count rows exactly only below 2^53"

    @cached_property
    def total_weight(self) -> int:
        """How many rows the rows stand for."""
        return self.n_rows if self.weight is None else int(self.weight.sum())

    @cached_property
    def n_persons(self) -> int:
        return self.total_weight if self.persons is None else len(np.unique(self.persons))

    def weight_of(self, rows: Any = ...) -> NDArray[np.int64] | None:
        return None if self.weight is None else self.weight[rows]

    def expanded(self) -> EncodedTable:
        """The table without weights, which has every row as often as it weighs; O(total weight * columns)."""
        if self.weight is None:
            return self
        rows = np.repeat(np.arange(self.n_rows), self.weight)
        return EncodedTable(
            len(rows),
            tuple(column.take(rows) for column in self.quasi),
            None if self.target is None else self.target.take(rows),
            {name: column.take(rows) for name, column in self.confidential.items()},
            others=lambda: tuple(column.take(rows) for column in self.others()),
        )

    @cached_property
    def totals(self) -> Mapping[str, NDArray[np.int64]]:
        """Of every confidential column, how many rows have each value; persons, where they are known.

        A person who has several values counts once for each.
        """
        return {name: self._totals_of(column) for name, column in self.confidential.items()}

    def _totals_of(self, column: CodedColumn) -> NDArray[np.int64]:
        n_codes = column.domain.n_codes
        if self.weight is not None:
            return counted(column.codes, n_codes, self.weight)
        if self.persons is None:
            return column.totals
        pairs = distinct_sorted(self.persons.astype(np.int64) * n_codes + column.codes)
        return np.bincount(pairs % n_codes, minlength=n_codes)
