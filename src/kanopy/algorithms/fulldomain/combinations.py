"""Combinations of a few columns: which of them break a promise, and the rows that have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kanopy.algorithms.fulldomain.frequencies import Frequencies
from kanopy.algorithms.fulldomain.levels import ColumnLevels
from kanopy.algorithms.requirements import Requirement
from kanopy.data.arrays import Bools, Ints
from kanopy.data.keys import group_rows
from kanopy.errors import PolicyError
from kanopy.privacy import AllOf, PrivacyModel

_MOST_CHECKS = 10_000


class Unsafe(NamedTuple):
    """The combinations of some columns that break their promise."""

    n_combinations: int
    is_unsafe: Bools  # per entry


def combination_checks(
    requirements: Sequence[Requirement], size: int, *, all_columns: bool
) -> tuple[Requirement, ...]:
    """What must hold for every two and more columns of a requirement, up to ``size`` of them.

    Groups over fewer columns are unions of others: only promises that unions keep are asked of them.
    With ``all_columns`` the requirements themselves come last.
    """
    parts: dict[tuple[int, ...], list[PrivacyModel]] = {}
    for columns, promise in requirements:
        kept = [part for part in promise.parts if part.monotone]
        for some in _subsets(columns, size) if kept else ():
            parts.setdefault(some, []).extend(kept)
            if len(parts) > _MOST_CHECKS:
                raise PolicyError(
                    f"more than {_MOST_CHECKS:,} sets of up to {size} quasi-identifiers cannot be checked",
                    "use fewer quasi-identifiers, or smaller combinations",
                )
    found = tuple(Requirement(columns, AllOf(tuple(kept))) for columns, kept in parts.items())
    return (*found, *requirements) if all_columns else found


def _subsets(columns: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    for n_columns in range(min(2, len(columns)), min(size, len(columns)) + 1):
        yield from combinations(columns, n_columns)


class RecodedEntries:
    """The entries of a table: columns can be generalized, single cells blanked and entries dropped.

    A blank is a value like any other: it is what a reader sees, and what the recount counts.

    Parameters
    ----------
    entries : Frequencies
        At the lowest levels.
    """

    def __init__(self, entries: Frequencies) -> None:
        self.entries, self.node, self.numbers = entries, list(entries.node), list(entries.numbers)
        self.is_blank = np.zeros((entries.n_entries, len(entries.numbers)), dtype=bool)
        self.is_dropped = np.zeros(entries.n_entries, dtype=bool)

    @property
    def is_top(self) -> Bools:
        """Which columns are suppressed as a whole."""
        return np.array([level == each.height for level, each in self._levels], dtype=bool)

    @property
    def _levels(self) -> list[tuple[int, ColumnLevels]]:
        return list(zip(self.node, self.entries.levels, strict=True))

    def generalize(self, column: int) -> None:
        """Take a column to its next level; O(entries)."""
        level, levels = self._levels[column]
        self.numbers[column] = levels.step(level, level + 1).take(self.numbers[column])
        self.node[column] += 1

    def printed(self, column: int) -> tuple[Ints, int]:
        """The number of what each entry prints in a column, a blank being the last; how many there are."""
        level, levels = self._levels[column]
        n_numbers = int(levels.sizes[level])
        return np.where(self.is_blank[:, column], n_numbers, self.numbers[column]), n_numbers + 1

    def unsafe(self, check: Requirement) -> Unsafe:
        """The combinations that break a promise, as they are printed; O(entries * columns)."""
        printed = [self.printed(column) for column in check.columns]
        numbers, sizes = [number for number, _ in printed], [size for _, size in printed]
        group, n_groups = group_rows(numbers, sizes, self.entries.n_entries)
        if self.is_dropped.any():
            group = np.where(self.is_dropped, -1, group).astype(np.int32)
        counts = self.entries.counts_published(group, n_groups)
        is_broken = ~check.promise.holds(counts) & (counts.rows > 0)
        return Unsafe(int(is_broken.sum()), is_broken[group] & ~self.is_dropped)

    def blank_worst(self, checks: Sequence[Requirement]) -> bool:
        """Blank, in every entry that has unsafe combinations, the value that occurs in most of them.

        Entries whose unsafe combinations are blank already are dropped, once there is nothing to blank in any
        other. Whether anything was unsafe. O(entries * columns) for each check.
        """
        n_unsafe = np.zeros(self.is_blank.shape, dtype=np.int64)
        for check in checks:
            n_unsafe[:, list(check.columns)] += self.unsafe(check).is_unsafe[:, None]
        is_unsafe = n_unsafe.any(axis=1)
        n_unsafe[self.is_blank | self.is_top] = 0
        can_blank = np.flatnonzero(n_unsafe.any(axis=1))
        self.is_blank[can_blank, n_unsafe.argmax(axis=1)[can_blank]] = True
        if not len(can_blank):
            self.is_dropped |= is_unsafe
        return bool(is_unsafe.any())
