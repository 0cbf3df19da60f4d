"""Which published groups may stand for which people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanopy.attacks.reading import Groups, People
from kanopy.release.pattern_column import PatternColumn

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

ROOM = 1 << 22
"""Pairs of a combination and a group that are looked at at the same time."""

_WORD = 64


class Counts(NamedTuple):
    """How many candidates there are.

    ``n_groups`` and ``n_rows`` are the groups that cover each combination and the published rows in them,
    ``n_people`` the people whom each group covers.
    """

    n_groups: Ints
    n_rows: Ints
    n_people: Ints


@dataclass(frozen=True, eq=False)
class Candidates:
    """The groups of a release whose cells cover the values of a person.

    Everything is asked for the different combinations of quasi-identifiers that people have; their person is
    found with ``people.kind``.

    Parameters
    ----------
    people : People
    groups : Groups
    room : int
        Pairs that are held at the same time.
    """

    people: People
    groups: Groups
    room: int = ROOM

    def pairs(self, top: int = 0, bottom: int | None = None) -> Iterator[tuple[Ints, Ints]]:
        """Every combination with every group that covers it, in blocks, sorted by combination in each.

        The groups of a combination come from the most to the least specific.

        With ``top`` and ``bottom`` only the combinations from the one to before the other.

        A bit says whether the cell of a group covers a value; the bits of a combination's values are
        combined. O(combinations * groups * columns / 64) and the pairs; memory is bounded by the room.
        """
        n_groups, rows, order = self.groups.n_groups, self.people.combinations, self._order
        columns = self._columns
        n_codes = max(column.domain.n_codes for column in columns)
        width = max(self.room // n_codes // _WORD, 1) * _WORD
        height = max(self.room // min(width, n_groups), 1)
        end = len(rows[0]) if bottom is None else bottom
        for start in range(0, n_groups, width):
            chosen = slice(start, start + width)
            masks = [column.masks(*_places(column), chosen) for column in columns]
            for above in range(top, end, height):
                some = slice(above, min(above + height, end))
                common = masks[0][rows[0][some]]
                for mask, codes in zip(masks[1:], rows[1:], strict=True):
                    common &= mask[codes[some]]
                row, group = _set_bits(common)
                yield row + above, order[group + start]

    def pairs_of(self, is_wanted: NDArray[np.bool_]) -> tuple[Ints, Ints]:
        """The pairs of some of the groups, all at once; as many as these groups cover combinations."""
        found = [(row[is_wanted[group]], group[is_wanted[group]]) for row, group in self.pairs()]
        return np.concatenate([row for row, _ in found]), np.concatenate([group for _, group in found])

    @cached_property
    def _order(self) -> Ints:
        return self.groups.patterns.preferred_first()

    @cached_property
    def _columns(self) -> list[PatternColumn]:
        return [PatternColumn(column, self._order) for column in self.groups.patterns.columns]

    @property
    def n_combinations(self) -> int:
        return len(self.people.combinations[0])

    @cached_property
    def counts(self) -> Counts:
        """Count candidates and people in one go over all pairs."""
        weight = np.bincount(self.people.kind)
        n_groups = np.zeros(self.n_combinations, dtype=np.int64)
        n_rows, n_people = np.zeros(self.n_combinations), np.zeros(self.groups.n_groups)
        for row, group in self.pairs():
            n_groups += np.bincount(row, minlength=len(n_groups))
            n_rows += np.bincount(row, weights=self.groups.sizes[group], minlength=len(n_rows))
            n_people += np.bincount(group, weights=weight[row], minlength=len(n_people))
        return Counts(n_groups, n_rows.astype(np.int64), n_people.astype(np.int64))

    @cached_property
    def best(self) -> Ints:
        """The most specific group that covers each combination, the nearest one where none does."""
        return self.groups.index.find(self.people.placed)

    def most_specific(self, longest: int) -> tuple[Ints, Ints]:
        """The most specific groups that cover each combination, at most so many of them.

        Returns
        -------
        first, groups
            Combination ``c`` has ``groups[first[c]:first[c + 1]]``, the most specific one first.
        """
        n_found = np.zeros(self.n_combinations, dtype=np.int64)
        rows, groups = [], []
        for row, group in self.pairs():
            begins = np.flatnonzero(np.diff(row, prepend=-1))
            number = np.arange(len(row)) - np.repeat(begins, np.diff(np.append(begins, len(row))))
            is_wanted = n_found[row] + number < longest
            rows.append(row[is_wanted])
            groups.append(group[is_wanted])
            n_found += np.bincount(rows[-1], minlength=self.n_combinations)
        every = np.concatenate(rows)
        first = np.zeros(self.n_combinations + 1, dtype=np.int64)
        np.cumsum(n_found, out=first[1:])
        # Stable: what was found first is more specific.
        return first, np.concatenate(groups)[np.argsort(every, kind="stable")]

    def possible(self, values: Ints, n_values: int) -> Words:
        """For each combination (down), a bit for each value (across) that its candidates hold.

        O(pairs * values / 64).

        Parameters
        ----------
        values : array of int
            The value of each published row.
        n_values : int
        """
        n_words = -(-n_values // _WORD)
        held = np.zeros((self.groups.n_groups, n_words), dtype=np.uint64)
        bit = np.left_shift(np.uint64(1), (values % _WORD).astype(np.uint64))
        np.bitwise_or.at(held, (self.groups.group, values // _WORD), bit)
        found = np.zeros((self.n_combinations, n_words), dtype=np.uint64)
        for row, group in self.pairs():
            if len(row):
                starts = np.flatnonzero(np.diff(row, prepend=-1))
                found[row[starts]] |= np.bitwise_or.reduceat(held[group], starts, axis=0)
        return found


def _places(column: PatternColumn) -> tuple[Ints, Ints]:
    places = 2 * np.arange(column.domain.n_codes)
    return places, places


def _set_bits(words: Words) -> tuple[Ints, Ints]:
    """Row and place of every bit that is set, sorted by row; O(words + 64 * words that are not 0)."""
    row, word = np.nonzero(words)
    bytes_ = words[row, word].astype("<u8").view(np.uint8).reshape(-1, 8)
    number, bit = np.nonzero(np.unpackbits(bytes_, axis=1, bitorder="little"))
    return row[number], _WORD * word[number] + bit
