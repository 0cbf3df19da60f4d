"""Counts of people that a report may show: zero, or at least the floor.

A report is a release too. A count from 1 to just below the floor is about a handful of people, and so is a
count whose complement is. Both are shown as a bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kanopy.data.arrays import Bools, Codes, Ints
from kanopy.data.counts import count_distinct
from kanopy.data.keys import distinct_named


@dataclass(frozen=True, slots=True)
class Count:
    """A number (None where it is not shown) and its words, such as ``"1,234"`` or ``"fewer than 10"``."""

    number: int | None
    words: str

    @classmethod
    def of(cls, number: int, floor: int) -> Count:
        # PRIVACY: no count between 0 and the floor is shown (tests/unit/reporting/test_small_counts.py).
        return cls(None, f"fewer than {floor:,}") if 0 < number < floor else cls(number, f"{number:,}")


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rows are of some kind, and which share of all rows that is.

    Both are None where few rows are of the kind, or few are not; ``words`` are then a bound.
    """

    rows: int | None
    share: float | None
    words: str

    @property
    def is_told(self) -> bool:
        return self.rows is not None

    @property
    def percent(self) -> str:
        """The share, or the words where it is not shown."""
        return self.words if self.share is None else percent(self.share)


def tally_of(n_rows: int, n_all: int, floor: int, members: tuple[int, int] | None = None) -> Tally:
    """A tally of ``n_rows`` out of ``n_all``; ``members`` are the persons behind these and all other rows."""
    inside, outside = members or (n_rows, n_all - n_rows)
    # PRIVACY: the complement is a count too (tests/unit/reporting/test_small_counts.py).
    if n_rows and inside < floor:
        return Tally(None, None, f"fewer than {floor:,}" if members is None else "few")
    if n_all - n_rows and outside < floor:
        return Tally(None, None, f"all but fewer than {floor:,}" if members is None else "nearly all")
    return Tally(n_rows, n_rows / n_all if n_all else 0.0, f"{n_rows:,}")


@dataclass(frozen=True, slots=True, eq=False)
class Counting:
    """Counts published rows, and the persons behind them where these are known."""

    n_rows: int
    floor: int
    persons: NDArray[np.int32] | None = None

    def tally(self, is_meant: Bools) -> Tally:
        """The tally of the selected rows; O(rows)."""
        members = None if self.persons is None else (self.members(is_meant), self.members(~is_meant))
        return tally_of(int(is_meant.sum()), self.n_rows, self.floor, members)

    def members(self, is_meant: Bools) -> int:
        """The persons behind the selected rows, or these rows; O(rows)."""
        if self.persons is None:
            return int(is_meant.sum())
        return len(distinct_named(self.persons[is_meant]))

    def are_few(self, is_meant: Bools) -> bool:
        """Whether there are such rows, and fewer persons, or rows, than the floor behind them; O(rows)."""
        return bool(is_meant.any()) and self.members(is_meant) < self.floor

    def members_of(self, groups: Codes, n_groups: int) -> Ints:
        """The persons, or rows, of every group; O(rows), with persons a sort."""
        if self.persons is None:
            return np.bincount(groups, minlength=n_groups)
        return count_distinct(self.persons, groups.astype(np.int32, copy=False), n_groups)


def percent(share: float) -> str:
    """A share with one decimal; a share close to 0 or 1 is not rounded to it."""
    if 0 < share < 0.0005:
        return "under 0.1%"
    return "over 99.9%" if 0.9995 <= share < 1 else f"{share:.1%}"
