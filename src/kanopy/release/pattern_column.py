"""Which cells of one published column cover new values, and how far the others are off."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CellKind, RecodedColumn
from kanopy.data.value_sets import ValueSets
from kanopy.frames.new_rows import PlacedColumn
from kanopy.release.patterns import UNIT

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class PatternColumn:
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
        kinds = [cell.kind for cell in cells]
        # Missing and suppressed have the codes -1, at which ``_shares`` finds that they are no number.
        self._codes = np.array([(cell.low, cell.high) for cell in cells], dtype=np.int64).T
        self._is_set = np.array([kind is CellKind.MEMBERS for kind in kinds], dtype=bool)
        # First and last place that each cell covers: a set none between its members, missing none at all.
        is_line = ~self._is_set & (self._codes[0] >= 0)
        self._low, self._high = np.where(is_line, 2 * self._codes, np.array([[0], [-1]]))
        is_suppressed = np.array([kind is CellKind.SUPPRESSED for kind in kinds], dtype=bool)
        self._low[is_suppressed], self._high[is_suppressed] = -1, 2 * self.domain.missing_code
        sets = ValueSets.of_cells(self.domain.n_values, cells)
        self._with_missing = sets.with_missing
        # First and last code of each run of values, in codes that go on counting from cell to cell.
        base = sets.cell_of_run * self.domain.n_codes
        self._begin, self._end = base + sets.begin, base + sets.end

    @property
    def n_cells(self) -> int:
        return len(self._is_set)

    def covered(self, first: Ints, last: Ints, cells: Ints) -> Bools:
        """May a cell (across) stand for a value (down)? O(values * cells), for sets times log(members)."""
        covered: Bools = (self._low[cells] <= last[:, None]) & (first[:, None] <= self._high[cells])
        is_set = self._is_set[cells]
        if is_set.any():
            # The codes that lie on a place, none on an odd one: from ``start`` to before ``stop``.
            start, stop = ((first + 1) // 2)[:, None], (last // 2 + 1)[:, None]
            base = cells[is_set] * self.domain.n_codes
            n_ended = np.searchsorted(self._end, base + start)
            covered[:, is_set] = (np.searchsorted(self._begin, base + stop) > n_ended) & (start < stop)
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
        code = np.searchsorted(padded[:-1], wanted)[:, None]
        above, below = np.searchsorted(self._end, base + code), np.searchsorted(self._begin, base + code) - 1
        sides = []
        for run, wished in ((above, code), (below, code - 1)):
            near = np.clip(run, 0, len(self._end) - 1)
            low, high = self._begin[near] - base, self._end[near] - base
            member = np.clip(wished, low, high)
            # Beyond the outermost member are the values of another cell.
            member[(low < 0) | (high >= self.domain.n_codes)] = -1
            sides.append(np.abs(padded[member] - wanted[:, None]))
        nearest: Floats = np.fmin(*sides)
        return nearest
