"""Data sets as codes: rows to learn from, whose cells an experiment replaces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CodedColumn, EncodedTable
from kanopy_studies.settings import halves_of

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Rows to learn from: inputs, all of them quasi-identifiers, and a class."""

    columns: tuple[CodedColumn, ...]
    target: CodedColumn

    @property
    def n_rows(self) -> int:
        return len(self.target.codes)

    @property
    def majority(self) -> float:
        """The share of the most frequent class."""
        return float(self.target.totals.max() / self.n_rows)

    def rows(self, rows: Ints) -> Sample:
        """Some of the rows, with all values that any row has: as an ARFF header would list them."""
        return replace(
            self,
            columns=tuple(column.take(rows) for column in self.columns),
            target=self.target.take(rows),
        )

    def with_columns(self, columns: Iterable[CodedColumn]) -> Sample:
        """The same rows with other inputs, or other cells in them."""
        return replace(self, columns=tuple(columns))

    def encoded(self) -> EncodedTable:
        """What a method gets."""
        return EncodedTable(self.n_rows, self.columns, self.target)


@lru_cache(maxsize=2)
def load(name: str) -> Sample:
    """A setting all of whose inputs are quasi-identifiers, as codes; O(rows * columns)."""
    halves = halves_of(name, 2)
    assert len(halves.quasi) == halves.inputs.num_columns
    return Sample(halves.quasi, halves.coded_target)
