"""Finding the published pattern of new rows: the most specific one that covers them, else the nearest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CellKind, RecodedColumn
from kanopy.data.arrays import Bools, Codes, Floats, Ints
from kanopy.data.keys import group_rows
from kanopy.data.value_sets import ValueSets
from kanopy.frames.new_rows import PlacedColumn
from kanopy.release.patterns import UNIT, Patterns

ROOM = 1 << 24
"""Bytes that one matrix may take; a handful of them live at the same time."""

_WORD = 64


class PatternColumn:
    """Which cells of a column cover new values, and how far off the others are.

    Cells are intervals on the line of ``PlacedColumn``; sets keep their members. ``column`` has one id per
    pattern, ``order`` the order in which the patterns are wanted.
    """

    def __init__(self, column: RecodedColumn, order: Ints) -> None:
        self.domain = column.domain
        used, self.ids = np.unique(column.ids[order], return_inverse=True)
        cells = [column.cells[number] for number in used.tolist()]
        kinds = [cell.kind for cell in cells]
        # Missing and suppressed have the codes -1, at which ``_shares`` finds that they are no number.
        self._codes = np.array([(cell.low, cell.high) for cell in cells], dtype=np.int64).T
        self._is_set = np.array([bool(cell.members) for cell in cells], dtype=bool)
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

    def mismatches(self, values: PlacedColumn, chosen: Codes) -> Ints:
        """How far each cell (across) is from covering each chosen value (down), in parts of ``UNIT``.

        A number is as far off as it lies from the nearest number of the cell, as a share of the column's
        range; beyond the range it counts as its end, so that it is never more than wholly off and still goes
        to the nearer end. Everything else is wholly off. O(values * cells).
        """
        covered = self.covered(values.first[chosen], values.last[chosen], np.arange(len(self._is_set)))
        shares: Ints = np.full(covered.shape, UNIT, dtype=np.int64)
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


class PatternIndex:
    """The patterns of a release, of which there is at least one, the preferred ones first.

    These are the most specific ones, unless an order is given.
    """

    def __init__(self, patterns: Patterns, *, order: Ints | None = None, room: int = ROOM) -> None:
        self._order = patterns.preferred_first() if order is None else order
        self._columns = [PatternColumn(column, self._order) for column in patterns.columns]
        self._room = room

    def find(self, columns: Sequence[PlacedColumn]) -> Ints:
        """The pattern of each new row, as its number in ``Patterns``.

        Equal rows are searched for once. A search costs O(rows * patterns * columns / 64), and rows that no
        pattern covers O(rows * patterns * columns), with small constants; memory is bounded.
        """
        spots = [_spots(column) for column in columns]
        codes = [spot.of_value[column.codes] for spot, column in zip(spots, columns, strict=True)]
        distinct, group = _distinct(codes, [len(spot.first) for spot in spots])
        found = self._cover(spots, distinct)[group]
        lost = np.flatnonzero(found < 0)
        if len(lost):
            values = [column.codes[lost] for column in columns]
            distinct, group = _distinct(values, [len(column.first) for column in columns])
            found[lost] = self._nearest(columns, distinct)[group]
        return self._order[found]

    def _cover(self, spots: Sequence[_Spots], rows: Sequence[Codes]) -> Ints:
        """The first pattern that covers each row, or -1.

        A bit says whether a pattern's cell covers a value; the bits of a row's values are combined, and the
        first bit that is left is the answer.
        """
        found = np.full(len(rows[0]), -1, dtype=np.int64)
        n_spots = max(len(spot.first) for spot in spots)
        width = max(self._room // (8 * n_spots) // _WORD, 1) * _WORD
        height = max(8 * self._room // width, 1)
        for start in range(0, len(self._order), width):
            waiting = np.flatnonzero(found < 0)
            if not len(waiting):
                break
            masks = [
                column.masks(spot.first, spot.last, slice(start, start + width))
                for column, spot in zip(self._columns, spots, strict=True)
            ]
            for top in range(0, len(waiting), height):
                some = waiting[top : top + height]
                place = _first_bit(masks, [codes[some] for codes in rows])
                found[some] = np.where(place < 0, -1, start + place)
        return found

    def _nearest(self, columns: Sequence[PlacedColumn], rows: Sequence[Codes]) -> Ints:
        """The first of the patterns with the least mismatch, summed over the columns."""
        n_rows, n_patterns = len(rows[0]), len(self._order)
        height = max(self._room // (8 * n_patterns), 1)
        nearest = np.empty(n_rows, dtype=np.int64)
        for top in range(0, n_rows, height):
            some = slice(top, min(top + height, n_rows))
            mismatch = np.zeros((some.stop - top, n_patterns), dtype=np.int64)
            for column, values, codes in zip(self._columns, columns, rows, strict=True):
                chosen, place = np.unique(codes[some], return_inverse=True)
                mismatch += column.mismatches(values, chosen).take(column.ids, axis=1)[place]
            nearest[some] = mismatch.argmin(axis=1)
        return nearest


class _Spots(NamedTuple):
    """The different places of a column's values, and which one each value has."""

    first: Ints
    last: Ints
    of_value: Ints


def _spots(column: PlacedColumn) -> _Spots:
    """Cells cannot tell apart values on the same place, of which there are no more than codes and gaps."""
    size = int(column.last.max()) + 2
    keys = (column.first + 1) * size + column.last + 1
    _, example, spot_of_value = np.unique(keys, return_index=True, return_inverse=True)
    return _Spots(column.first[example], column.last[example], spot_of_value)


def _distinct(columns: Sequence[Codes], sizes: Sequence[int]) -> tuple[list[Codes], NDArray[np.int32]]:
    """The different rows, column by column, and which of them each row is."""
    group, n_groups = group_rows(columns, sizes, len(columns[0]))
    example = np.zeros(n_groups, dtype=np.int64)
    example[group] = np.arange(len(group))
    return [codes[example] for codes in columns], group


def _first_bit(masks: Sequence[NDArray[np.uint64]], rows: Sequence[Codes]) -> Ints:
    """The place of the first bit that the values of a row share, or -1; O(rows * words * columns)."""
    common = masks[0][rows[0]]
    for mask, codes in zip(masks[1:], rows[1:], strict=True):
        common &= mask[codes]
    word_number = (common != 0).argmax(axis=1)
    word = common[np.arange(len(common)), word_number]
    # All bits below the lowest that is set: as many as its place.
    bit = np.bitwise_count(~word & (word - np.uint64(1)))
    return np.where(word == 0, -1, _WORD * word_number + bit)
