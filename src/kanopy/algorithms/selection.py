"""Choosing rows by class, so that both leaves end up as pure as possible (kACTUS-2, section 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanopy.data.arrays import Codes, Ints


@dataclass(slots=True, eq=False)
class ClassRows:
    """The rows of a leaf, sorted within each class; taking some removes them."""

    by_class: list[Ints]
    n_taken: Ints
    """How many rows of each class are gone; the first ones go first."""

    @classmethod
    def of(cls, rows: Ints, target: Codes, n_classes: int) -> ClassRows:
        """Sort rows by class, then by number; O(rows log rows + classes)."""
        classes = target[rows]
        order = np.lexsort((rows, classes))
        ends = np.cumsum(np.bincount(classes, minlength=n_classes))
        by_class = np.split(rows[order], ends[:-1])
        return cls(by_class, np.zeros(len(by_class), dtype=np.int64))

    @property
    def counts(self) -> Ints:
        return np.array([len(rows) for rows in self.by_class], dtype=np.int64) - self.n_taken

    @property
    def n_rows(self) -> int:
        return int(self.counts.sum())

    def rows(self) -> Ints:
        """The rows that are still there."""
        return np.concatenate([rows[n:] for rows, n in zip(self.by_class, self.n_taken, strict=True)])

    def divided(self, n_of_class: Ints) -> tuple[Ints, Ints]:
        """The first rows of every class, so many of each, and those that would stay."""
        parts = list(zip(self.by_class, self.n_taken, self.n_taken + n_of_class, strict=True))
        first = np.concatenate([rows[begin:end] for rows, begin, end in parts])
        return first, np.concatenate([rows[end:] for rows, _, end in parts])

    def take(self, n_of_class: Ints) -> Ints:
        """Remove the first rows of every class, so many of each."""
        taken, _ = self.divided(n_of_class)
        self.n_taken = self.n_taken + n_of_class
        return taken


def select(donor: Ints, small: Ints, required: int, *, match: bool = True) -> Ints:
    """How many rows of each class to move from a donor to a small leaf, given the class counts of both.

    One row at a time, the paper moves the class that makes the small leaf purest, which is its most frequent
    one (of several, the one that the donor has fewest of); where the donor has none of these, the class whose
    loss leaves the donor purest, its rarest. Either way the next row is of the same class until the donor has
    no more of it: the class is still the small leaf's most frequent one, or still the donor's rarest. So
    whole classes are moved at once: O(classes ** 2). Ties: the first class. Without ``match`` only the donor
    counts.
    """
    donor, small = donor.copy(), small.copy()
    moved = np.zeros_like(donor)
    while required:
        candidates = donor > 0
        if match:
            wanted = candidates & (small == small.max())
            candidates = wanted if wanted.any() else candidates
        chosen = int(np.where(candidates, donor, donor.max() + 1).argmin())
        n_moved = min(required, int(donor[chosen]))
        donor[chosen] -= n_moved
        small[chosen] += n_moved
        moved[chosen] += n_moved
        required -= n_moved
    return moved


def entropy(counts: Ints) -> float:
    """Of the classes, in bits; rounded, so that equal ones tie."""
    shares = counts[counts > 0] / max(int(counts.sum()), 1)
    return round(float(-(shares * np.log2(shares)).sum()), 12)
