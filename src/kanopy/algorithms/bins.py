"""Numbers as bins while a method works, and as ranges when it publishes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kanopy.data import Cell, CodedColumn, EncodedTable, RecodedColumn, Recoding, cell
from kanopy.data.arrays import Ints
from kanopy.trees import Discretizer


@dataclass(frozen=True, eq=False)
class BinnedTable:
    """A table whose numeric quasi-identifiers are discretized for the class (Fayyad and Irani)."""

    original: EncodedTable
    binned: EncodedTable

    @classmethod
    def of(cls, table: EncodedTable) -> BinnedTable:
        """Cut the bins for the class, which the table must have; O(rows * columns)."""
        if not any(column.domain.is_numeric for column in table.quasi):
            return cls(table, table)
        assert table.target is not None
        quasi = Discretizer.fit(table.quasi, table.target).apply(table.quasi)
        return cls(table, replace(table, quasi=quasi))

    def in_numbers(self, recoding: Recoding) -> Recoding:
        """A recoding of the binned table as one of the original: a bin becomes the range of its numbers."""
        columns = list(recoding.columns)
        for place, (original, binned) in enumerate(zip(self.original.quasi, self.binned.quasi, strict=True)):
            if original is not binned:
                bounds = _bounds(original, binned)
                cells = tuple(_in_numbers(made, bounds) for made in columns[place].cells)
                columns[place] = RecodedColumn(original.domain, cells, columns[place].ids)
        return replace(recoding, columns=tuple(columns))


def _bounds(original: CodedColumn, binned: CodedColumn) -> tuple[Ints, Ints]:
    n_bins = binned.domain.n_codes
    low, high = np.full(n_bins, original.domain.n_codes), np.full(n_bins, -1)
    np.minimum.at(low, binned.codes, original.codes)
    np.maximum.at(high, binned.codes, original.codes)
    return low, high


def _in_numbers(made: Cell, bounds: tuple[Ints, Ints]) -> Cell:
    """The outermost numbers of the bins that the cell stands for."""
    if made.low < 0:  # suppressed or missing
        return made
    low, high = bounds
    return cell.span(int(low[made.low]), int(high[made.high]), with_missing=made.with_missing)
