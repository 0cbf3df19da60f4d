"""What the losses of groups look at, counted once for all of them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CodedColumn, EncodedTable, Histogram, Recoding
from kanopy.data.arrays import Ints
from kanopy.data.keys import counted
from kanopy.utility.cells import cell_counts


class ReleaseCounts:
    """Rows, cells and original values of the groups of a recoding, a row as often as it weighs.

    Each is counted when it is first asked for; O(rows * columns), plus a sort where groups times values
    outgrow the rows.
    """

    def __init__(self, table: EncodedTable, recoding: Recoding) -> None:
        self.table, self.recoding = table, recoding
        self.n_rows = table.total_weight
        self._kept = None if recoding.is_kept.all() else np.flatnonzero(recoding.is_kept)
        self._weight = None if table.weight is None else self._of_kept(table.weight)

    def _of_kept(self, of_rows: NDArray[Any]) -> NDArray[Any]:
        return of_rows if self._kept is None else of_rows.take(self._kept)

    @cached_property
    def n_kept(self) -> int:
        """How many rows are published."""
        return self.recoding.n_kept if self._weight is None else int(self._weight.sum())

    @cached_property
    def sizes(self) -> Ints:
        """Rows of each group."""
        return counted(*self.recoding.groups, self._weight)

    @cached_property
    def of_cells(self) -> list[Ints]:
        """Of each column, how many published rows hold each of its cells."""
        return cell_counts(self.recoding, self.table.weight)

    @cached_property
    def values(self) -> list[Histogram]:
        """The original values of every quasi-identifier in each group."""
        return [self._histogram(column) for column in self.table.quasi]

    @cached_property
    def classes(self) -> Histogram:
        """The classes in each group."""
        assert self.table.target is not None
        return self._histogram(self.table.target)

    def _histogram(self, column: CodedColumn) -> Histogram:
        codes = CodedColumn(column.domain, self._of_kept(column.codes))
        return Histogram.of(codes, *self.recoding.groups, column.totals, self._weight)
