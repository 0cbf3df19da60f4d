"""A table after the door: integers only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.domain import Domain
from kanopy.data.keys import distinct_sorted


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
        """How often each code occurs."""
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
    """

    n_rows: int
    quasi: tuple[CodedColumn, ...]
    target: CodedColumn | None = None
    confidential: Mapping[str, CodedColumn] = field(default_factory=dict)
    persons: NDArray[np.int32] | None = None
    others: Callable[[], tuple[CodedColumn, ...]] = tuple

    @cached_property
    def n_persons(self) -> int:
        return self.n_rows if self.persons is None else len(np.unique(self.persons))

    @cached_property
    def totals(self) -> Mapping[str, NDArray[np.int64]]:
        """Of every confidential column, how many rows have each value; persons, where these are known.

        A person who has several values counts once for each.
        """
        return {name: self._totals_of(column) for name, column in self.confidential.items()}

    def _totals_of(self, column: CodedColumn) -> NDArray[np.int64]:
        if self.persons is None:
            return column.totals
        n_codes = column.domain.n_codes
        pairs = distinct_sorted(self.persons.astype(np.int64) * n_codes + column.codes)
        return np.bincount(pairs % n_codes, minlength=n_codes)
