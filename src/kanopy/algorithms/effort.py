"""How much a method that can stop at any moment does for a table, so that a small one never takes minutes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanopy.algorithms.cut_columns import CutColumn
from kanopy.data import EncodedTable

_MOST = 25_000_000_000
"""Nanoseconds, as they are estimated here, for a table of up to ``_CELLS`` cells."""

_CELLS = 500_000
"""Larger tables may take more: with the square of their cells, so that their steps are hardly ever cut."""

_PER_COLUMN, _PER_CODE, _PER_CELL = 100_000, 10, 40


@dataclass(slots=True, eq=False)
class Effort:
    """Steps are counted by what they look at, and not by the clock: the same table gives the same bytes.

    Parameters
    ----------
    per_step : int
        Of looking for the best candidate of every column.
    per_row : int
        Of looking at a row that a step divides.
    left : int
    """

    per_step: int
    per_row: int
    left: int

    @classmethod
    def of(cls, table: EncodedTable, cuts: Sequence[CutColumn | None]) -> Effort:
        """What a step costs in a table, and how much there is to spend on it."""
        cut = [column for column in cuts if column is not None]
        per_step = sum(_PER_COLUMN + _PER_CODE * column.domain.n_codes for column in cut)
        n_cells = table.total_weight * max(len(cut), 1)
        most = _MOST if n_cells <= _CELLS else _MOST * n_cells**2 // _CELLS**2
        return cls(per_step, _PER_CELL * len(cut), most)

    def spend(self, n_rows: int) -> None:
        """A step that divided so many rows was taken."""
        self.left -= self.per_step + self.per_row * n_rows

    @property
    def is_spent(self) -> bool:
        return self.left <= 0
