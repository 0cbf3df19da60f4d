"""Finding the published pattern of new rows: the most specific one that covers them, else the nearest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanopy.data.keys import group_rows
from kanopy.frames.new_rows import PlacedColumn
from kanopy.release.pattern_column import PatternColumn
from kanopy.release.patterns import Patterns

Ints = NDArray[np.int64]
Codes = NDArray[np.integer[Any]]

ROOM = 1 << 24
"""Bytes that one matrix may take; a handful of them live at the same time."""

_WORD = 64


class PatternIndex:
    """The patterns of a release, the preferred ones first, ready to be searched.

    Parameters
    ----------
    patterns : Patterns
        At least one.
    room : int
        Bytes that one matrix may take.
    """

    def __init__(self, patterns: Patterns, *, room: int = ROOM) -> None:
        self._order = patterns.preferred_first()
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
