"""Which cells of one published column cover new values, and how far the others are off."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import Cell, CellKind, RecodedColumn
from kanopy.frames.new_rows import PlacedColumn
from kanopy.release.patterns import UNIT

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class CellColumn:
    """The cells of one column as intervals on the line of ``PlacedColumn``; sets keep their members.

    Parameters
    ----------
    column : RecodedColumn
        One id per pattern.
    order : array of int
        The order in which the patterns are wanted.
    """

    def __init__(self, column: RecodedColumn, order: Ints) -> None:
        self.domain = column.domain
        used, self.ids = np.unique(column.ids[order], return_inverse=True)
        cells = [column.cells[number] for number in used.tolist()]
        self._low, self._high = np.array([self._span(cell) for cell in cells], dtype=np.int64).T
        self._with_missing = np.array([cell.with_missing for cell in cells], dtype=bool)
        # Missing and suppressed have the codes -1, at which ``_shares`` finds that they are no number.
        self._codes = np.array([(cell.low, cell.high) for cell in cells], dtype=np.int64).T
        self._is_set = np.array([cell.kind is CellKind.MEMBERS for cell in cells], dtype=bool)
        self._members = np.array(
            [place * self.domain.n_codes + code for place, cell in enumerate(cells) for code in cell.members],
            dtype=np.int64,
        )
        """The members of all sets, sorted by cell, then code."""

    @property
    def n_cells(self) -> int:
        return len(self._is_set)

    def _span(self, cell: Cell) -> tuple[int, int]:
        """First and last place that a cell covers, missing aside."""
        if cell.kind is CellKind.SUPPRESSED:
            return -1, 2 * self.domain.missing_code
        if cell.kind in (CellKind.MISSING, CellKind.MEMBERS):
            return 0, -1
        return 2 * cell.low, 2 * cell.high

    def covered(self, first: Ints, last: Ints, cells: Ints) -> Bools:
        """May a cell (across) stand for a value (down)? O(values * cells), for sets times log(members)."""
        covered: Bools = (self._low[cells] <= last[:, None]) & (first[:, None] <= self._high[cells])
        is_set = self._is_set[cells]
        if is_set.any():
            # The codes that lie on a place, none on an odd one: from the first to before the last.
            start, stop = (first + 1) // 2, last // 2 + 1
            base = cells[is_set] * self.domain.n_codes
            n_before = np.searchsorted(self._members, base + start[:, None])
            covered[:, is_set] = np.searchsorted(self._members, base + stop[:, None]) > n_before
        covered[first == 2 * self.domain.missing_code] |= self._with_missing[cells]
        return covered

    def masks(self, first: Ints, last: Ints, patterns: slice) -> NDArray[np.uint64]:
        """One bit per pattern (across) for every value (down); O(values * patterns).

        Pattern ``64 * i + j`` of the slice has the bit of value ``2 ** j`` in word ``i``.
        """
        cells, cell_of_pattern = np.unique(self.ids[patterns], return_inverse=True)
        bits = self.covered(first, last, cells).take(cell_of_pattern, axis=1)
        packed = np.packbits(bits, axis=1, bitorder="little")
        n_words = -(-bits.shape[1] // 64)
        padded = np.zeros((len(first), 8 * n_words), dtype=np.uint8)
        padded[:, : packed.shape[1]] = packed
        return padded.view("<u8").astype(np.uint64, copy=False)

    def mismatches(self, values: PlacedColumn, chosen: NDArray[np.integer[Any]]) -> Ints:
        """How far each cell (across) is from covering each chosen value (down), in parts of ``UNIT``.

        A number is as far off as it lies from the nearest number of the cell, as a share of the column's
        range; beyond the range it counts as its end, so that it is never more than wholly off and still goes
        to the nearer end. Everything else is wholly off. O(values * cells).
        """
        covered = self.covered(values.first[chosen], values.last[chosen], np.arange(self.n_cells))
        shares: NDArray[np.int64] = np.full(covered.shape, UNIT, dtype=np.int64)
        # A hierarchy orders and prints the column, so its numbers, if any, say nothing about distance.
        if self.domain.numbers is not None and self.domain.hierarchy is None:
            shares = np.rint(self._shares(values.numbers[chosen]) * UNIT).astype(np.int64)
        shares[covered] = 0
        return shares

    def _shares(self, numbers: Floats) -> Floats:
        assert self.domain.numbers is not None
        # Halved before subtracting: the span of two large floats may not fit into a float.
        known = self.domain.numbers / 2
        wanted = np.clip(numbers / 2, known[0], known[-1])
        span = max(float(known[-1] - known[0]), float(np.finfo(np.float64).tiny))
        # What has no number is NaN, the last entry, which fmin takes for the whole range.
        padded = np.append(known, np.nan)
        low, high = padded[self._codes]
        distance = np.maximum(low - wanted[:, None], wanted[:, None] - high)
        np.maximum(distance, 0.0, out=distance)
        if self._is_set.any():
            distance[:, self._is_set] = self._to_nearest_member(padded, wanted)
        shares: Floats = np.fmin(distance / span, 1.0)
        return shares

    def _to_nearest_member(self, padded: Floats, wanted: Floats) -> Floats:
        """How far each number (down) lies from the nearest member of each set (across)."""
        base = np.flatnonzero(self._is_set) * self.domain.n_codes
        above = np.searchsorted(self._members, base + np.searchsorted(padded[:-1], wanted)[:, None])
        sides = []
        for place in (above, above - 1):
            code = self._members[np.clip(place, 0, len(self._members) - 1)] - base
            # Beyond the outermost member is the member of another set.
            code[(code < 0) | (code >= self.domain.n_values)] = -1
            sides.append(np.abs(padded[code] - wanted[:, None]))
        nearest: Floats = np.fmin(*sides)
        return nearest
