"""Which branches rows may take, and how much of a row takes each: all, one drawn, or the likeliest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.arrays import Floats, Ints
from kanopy.data.value_sets import numbers_from

Parts = tuple[Ints, Ints, Floats]
"""Which row, given by its place, goes to which branch with which share or weight."""


@dataclass(frozen=True, slots=True, eq=False)
class BranchShares:
    """For every owner (a node, a cell, or a cell in a node) its branches, and the share of each."""

    first: Ints  # where the branches of every owner begin, and the end of the last
    branch: Ints  # ascending for every owner
    share: Floats  # positive; those of one owner add up to 1

    @classmethod
    def of(cls, owner: Ints, branch: Ints, amount: Floats, n_owners: int) -> BranchShares:
        """In proportion to amounts; equal where all amounts of an owner are 0. O(n log n)."""
        amount = np.where(np.bincount(owner, amount, minlength=n_owners)[owner] > 0, amount, 1.0)
        kept = np.flatnonzero(amount > 0)
        order = kept[np.lexsort((branch[kept], owner[kept]))]
        owner, branch, amount = owner[order], branch[order], amount[order]
        begins = np.ones(len(owner), dtype=bool)
        begins[1:] = (np.diff(owner) != 0) | (np.diff(branch) != 0)
        start = np.flatnonzero(begins)
        if len(start) < len(owner):  # several runs of a cell may lie on one side of a threshold
            amount = np.add.reduceat(amount, start)
            owner, branch = owner[start], branch[start]
        total = np.bincount(owner, amount, minlength=n_owners)
        first = np.searchsorted(owner, np.arange(n_owners + 1))
        return cls(first, branch, amount / total[owner])

    @classmethod
    def of_highest(cls, owner: Ints, branch: Ints, amount: Floats, n_owners: int) -> BranchShares:
        """All to the branch with the highest amount; ties: the lowest branch. O(n log n)."""
        order = np.lexsort((branch, -amount, owner))
        owner, branch = owner[order], branch[order]
        is_best = np.ones(len(owner), dtype=bool)
        is_best[1:] = np.diff(owner) != 0
        first = np.searchsorted(owner[is_best], np.arange(n_owners + 1))
        return cls(first, branch[is_best], np.ones(int(is_best.sum())))

    @classmethod
    def of_nodes(cls, n_branches: Ints, first: Ints, amount: NDArray[Any]) -> BranchShares:
        """In proportion to the amounts of the branches, those of a node from ``first`` on; O(branches)."""
        owner = np.repeat(np.arange(len(n_branches)), n_branches)
        branch = numbers_from(np.zeros_like(n_branches), n_branches)
        amount = amount[first[owner] + branch]
        total = np.bincount(owner, amount, minlength=len(n_branches))
        present = np.flatnonzero(amount > 0)
        begin = np.searchsorted(owner[present], np.arange(len(n_branches) + 1))
        return cls(begin, branch[present], amount[present] / total[owner[present]])

    def parts(self, owners: NDArray[Any]) -> Parts:
        """Of rows with these owners: which row (by its place), to which branch, with which share."""
        n_parts = np.diff(self.first)[owners]
        place = np.repeat(np.arange(len(owners)), n_parts)
        entry = numbers_from(self.first[owners], n_parts)
        return place, self.branch[entry], self.share[entry]

    def drawn(self, owners: NDArray[Any], rng: np.random.Generator) -> Ints:
        """One branch for each row with these owners, all of which have branches; O(n log n)."""
        up_to = np.append(0.0, np.cumsum(self.share))
        begin, end = self.first[owners], self.first[np.add(owners, 1)]
        aim = up_to[begin] + rng.random(len(owners)) * (up_to[end] - up_to[begin])
        entry = np.searchsorted(up_to, aim, side="right") - 1
        return np.asarray(self.branch[np.clip(entry, begin, end - 1)])
