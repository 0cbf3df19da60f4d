"""Which groups of a release may contain which people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanopy.attacks.reading import People, ReleaseGroups
from kanopy.data.arrays import Codes, Ints
from kanopy.release.matching import PatternColumn

Words = NDArray[np.uint64]

_WORD = 64


class CandidateCounts(NamedTuple):
    """The groups that cover each combination, the rows in them, and the people whom each group covers."""

    n_groups: Ints
    n_rows: Ints
    n_people: Ints


@dataclass(frozen=True, eq=False)
class Candidates:
    """The groups of a release whose cells cover a combination of quasi-identifiers that people have."""

    people: People
    groups: ReleaseGroups
    most_pairs: int = 1 << 22  # of a combination and a group, in memory at a time

    def pairs(self, top: int = 0, bottom: int | None = None) -> Iterator[tuple[Ints, Ints]]:
        """The combinations from ``top`` to before ``bottom``, with every group that covers them, in blocks.

        A block is sorted by combination, then from the most to the least specific group.
        O(combinations * groups * columns / 64), plus the pairs; memory is bounded.
        """
        n_groups, rows = self.groups.n_groups, self.people.combinations
        order, columns = self._ordered
        n_codes = max(column.domain.n_codes for column in columns)
        width = max(self.most_pairs // n_codes // _WORD, 1) * _WORD
        height = max(self.most_pairs // min(width, n_groups), 1)
        end = self.n_combinations if bottom is None else bottom
        for start in range(0, n_groups, width):
            masks = [
                column.masks(placed.first, placed.last, slice(start, start + width))
                for column, placed in zip(columns, self.people.placed, strict=True)
            ]
            for above in range(top, end, height):
                some = slice(above, min(above + height, end))
                common = masks[0][rows[0][some]]
                for mask, codes in zip(masks[1:], rows[1:], strict=True):
                    common &= mask[codes[some]]
                row, group = _found_bits(common)
                yield row + above, order[group + start]

    @cached_property
    def _ordered(self) -> tuple[Ints, list[PatternColumn]]:
        """The groups from the most to the least specific, and their cells in this order."""
        order = self.groups.patterns.preferred_first()
        return order, [PatternColumn(column, order) for column in self.groups.patterns.columns]

    @property
    def n_combinations(self) -> int:
        return len(self.people.combinations[0])

    @cached_property
    def counts(self) -> CandidateCounts:
        """Count candidates and people in one pass over all pairs."""
        weight = np.bincount(self.people.kind)
        n_groups = np.zeros(self.n_combinations, dtype=np.int64)
        n_rows, n_people = np.zeros(self.n_combinations), np.zeros(self.groups.n_groups)
        for row, group in self.pairs():
            n_groups += np.bincount(row, minlength=len(n_groups))
            n_rows += np.bincount(row, weights=self.groups.sizes[group], minlength=len(n_rows))
            n_people += np.bincount(group, weights=weight[row], minlength=len(n_people))
        return CandidateCounts(n_groups, n_rows.astype(np.int64), n_people.astype(np.int64))

    @cached_property
    def best(self) -> Ints:
        """The most specific group that covers each combination, the nearest one where none does."""
        return self.groups.index.find(self.people.placed)

    def most_specific(self, longest: int) -> tuple[Ints, Ints]:
        """``first, groups``: combination c has ``groups[first[c]:first[c + 1]]``, the most specific first."""
        n_found = np.zeros(self.n_combinations, dtype=np.int64)
        rows, groups = [], []
        for row, group in self.pairs():
            is_wanted = n_found[row] + place_in_run(row) < longest
            rows.append(row[is_wanted])
            groups.append(group[is_wanted])
            n_found += np.bincount(rows[-1], minlength=self.n_combinations)
        # Stable: groups that were found first are more specific.
        order = np.argsort(np.concatenate(rows), kind="stable")
        return np.append(0, np.cumsum(n_found)), np.concatenate(groups)[order]

    def possible(self, values: Ints, n_values: int) -> Words:
        """A bit for each value (across) that a combination (down) may have; O(pairs * values / 64)."""
        n_words = -(-n_values // _WORD)
        held = np.zeros((self.groups.n_groups, n_words), dtype=np.uint64)
        set_bits(held, self.groups.group, values)
        found = np.zeros((self.n_combinations, n_words), dtype=np.uint64)
        for row, group in self.pairs():
            if len(row):
                starts = np.flatnonzero(np.diff(row, prepend=-1))
                found[row[starts]] |= np.bitwise_or.reduceat(held[group], starts, axis=0)
        return found


def place_in_run(numbers: Ints) -> Ints:
    """The place of each entry in its run of equal numbers, from 0; the numbers are sorted, from 0 on."""
    begins = np.flatnonzero(np.diff(numbers, prepend=-1))
    lengths = np.diff(np.append(begins, len(numbers)))
    return np.arange(len(numbers)) - np.repeat(begins, lengths)


def set_bits(words: Words, row: Codes, place: Ints) -> None:
    """Set the bit at a place of a row, for many of both."""
    bit = np.left_shift(np.uint64(1), (place % _WORD).astype(np.uint64))
    np.bitwise_or.at(words, (row, place // _WORD), bit)


def _found_bits(words: Words) -> tuple[Ints, Ints]:
    """Row and place of every bit that is set, sorted by row; O(words + 64 * words that are not 0)."""
    row, word = np.nonzero(words)
    bytes_ = words[row, word].astype("<u8").view(np.uint8).reshape(-1, 8)
    number, bit = np.nonzero(np.unpackbits(bytes_, axis=1, bitorder="little"))
    return row[number], _WORD * word[number] + bit
