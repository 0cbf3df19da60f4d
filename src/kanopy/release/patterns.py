"""What a release remembers of its recoding: the combinations of cells it published, and no row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanopy.data import Cell, CellKind, CodedColumn, EncodedTable, RecodedColumn, Recoding
from kanopy.data.arrays import Ints
from kanopy.data.keys import counted, distinct_sorted, group_rows
from kanopy.utility.cells import certainty_penalties

UNIT = 10**12
"""Widths and distances are whole numbers of so many parts: sums are exact, and what is equal ties."""


class Patterns(NamedTuple):
    """The different combinations of published quasi-identifier cells.

    Two cells may print alike and yet stand for different values (groups with the same mean). Combinations
    are told apart by their cells; those that print alike count their rows together.

    Parameters
    ----------
    columns : tuple of RecodedColumn
        The cells; here an id belongs to a pattern, not to a row.
    present : tuple of CodedColumn
        Every code that the table had, once; no order, no count.
    n_rows : array of int
        How many published rows print like each pattern.
    """

    columns: tuple[RecodedColumn, ...]
    present: tuple[CodedColumn, ...]
    n_rows: Ints

    @classmethod
    def of(cls, table: EncodedTable, recoding: Recoding) -> Patterns:
        """Collect the patterns of a recoding, in the order of their texts; O(rows * columns).

        PRIVACY: one example row gives each pattern its cells; which row that was is forgotten
        (tests/unit/release/test_patterns.py).
        """
        kept = np.flatnonzero(recoding.is_kept)
        groups, n_groups = recoding.groups
        ambiguous = [column for column in recoding.columns if len(column.words[0]) < len(column.cells)]
        pattern, n_patterns = groups, n_groups
        if ambiguous:
            ids = [column.ids.take(kept) for column in ambiguous]
            sizes = [len(column.cells) for column in ambiguous]
            pattern, n_patterns = group_rows([groups, *ids], [n_groups, *sizes], len(kept))
        example = np.zeros(n_patterns, dtype=np.int64)
        example[pattern] = np.arange(len(kept))
        n_rows = counted(groups, n_groups, table.weight_of(kept))[groups[example]]
        return cls(
            tuple(
                RecodedColumn(column.domain, column.cells, column.ids[kept[example]])
                for column in recoding.columns
            ),
            tuple(
                CodedColumn(column.domain, np.flatnonzero(column.totals).astype(column.codes.dtype))
                for column in table.quasi
            ),
            n_rows,
        )

    def of_columns(self) -> list[Patterns]:
        """The cells of each column by themselves, as a global recoding uses them; O(patterns * columns).

        In the order of their values, then missing; suppressed is last, for what no other cell stands for.
        """

        def place(cell: Cell) -> tuple[bool, bool, int]:
            return cell.kind is CellKind.SUPPRESSED, cell.kind is CellKind.MISSING, cell.low

        found = []
        for original, column in zip(self.present, self.columns, strict=True):
            used = distinct_sorted(column.ids).tolist()
            ids = np.array(sorted(used, key=lambda number: place(column.cells[number])), dtype=np.int32)
            cells = RecodedColumn(column.domain, column.cells, ids)
            found.append(Patterns((cells,), (original,), np.ones(len(ids), dtype=np.int64)))
        return found

    @property
    def n_patterns(self) -> int:
        """How many different combinations there are."""
        return len(self.n_rows)

    def preferred_first(self) -> Ints:
        """The patterns from the most to the least specific; O(patterns * columns) plus a sort.

        Specific is what has the least certainty penalty, summed over its columns. Ties: the pattern with
        more rows first, then in the order of the texts.
        """
        width = np.zeros(self.n_patterns, dtype=np.int64)
        for original, column in zip(self.present, self.columns, strict=True):
            width += np.rint(certainty_penalties(original, column) * UNIT).astype(np.int64)[column.ids]
        return np.lexsort((-self.n_rows, width))
