"""Sets of split values: what each of them costs, and whether it keeps the promise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kanopy.algorithms.fulldomain.split_losses import SplitLoss, SplitOutlook
from kanopy.algorithms.fulldomain.suppression import SuppressedRows, Suppression
from kanopy.algorithms.method import Progress, silent
from kanopy.data.arrays import Bools, Int32s, Ints
from kanopy.data.keys import counted

_WORK = 200_000_000
"""Tuples times columns that greedy steps and exchanges may look at."""
_FEWEST_STEPS = 100


class Solution(NamedTuple):
    """A set of splits that keeps the promise, with the group of every tuple."""

    splits: Bools
    group: Int32s
    suppressed: SuppressedRows
    cost: int


@dataclass(slots=True, eq=False)
class Branch:
    """The sets that have all splits of the head, and any of the tail."""

    splits: Bools  # the head
    group: Int32s
    n_groups: int
    tail: Ints  # values, in the order in which they are tried
    bound: int = 0  # what every set costs at least


@dataclass(slots=True, eq=False)
class StepsLeft:
    """How many steps of a greedy start are left. Steps are counted and not seconds, so that the same table
    gives the same bytes, unless ``progress`` says to stop."""

    n_left: int
    progress: Progress = silent

    @classmethod
    def of(cls, loss: SplitLoss, progress: Progress) -> StepsLeft:
        """Fewer for larger tables."""
        n_cells = max(len(loss.table.weight) * len(loss.table.codes), 1)
        return cls(max(_WORK // n_cells, _FEWEST_STEPS), progress)

    def take(self) -> bool:
        """Take one, if there is one."""
        if self.n_left > 0 and self.progress(0, self.n_left):
            self.n_left = 0
        self.n_left -= 1
        return self.n_left >= 0


@dataclass(frozen=True, eq=False)
class SplitSpace:
    """All sets of splits of a table; every question costs O(tuples * columns)."""

    loss: SplitLoss
    suppression: Suppression
    steps: StepsLeft

    def root(self) -> Branch:
        """All sets: no splits, and any of all values."""
        nothing = self.loss.table.nothing
        return Branch(nothing, *self.loss.table.grouped(nothing), np.flatnonzero(~nothing))

    def child(self, branch: Branch, value: int) -> Branch:
        """The sets of a branch that have a value of its tail, which is the first one there, or no tail."""
        splits = branch.splits.copy()
        splits[value] = True
        return Branch(splits, *self.loss.table.divided(branch.group, branch.n_groups, value), branch.tail)

    def without(self, branch: Branch, value: int) -> Branch:
        """The head without one of its splits."""
        splits = branch.splits.copy()
        splits[value] = False
        return Branch(splits, *self.loss.table.grouped(splits), branch.tail)

    def solution(self, branch: Branch) -> Solution | None:
        """What the head costs; None where too many rows would be suppressed."""
        if self.hopeless(branch) > self.suppression.limit:
            return None
        row_groups = branch.group.take(self.loss.table.tuple_of_row)
        suppressed = self.suppression.of(row_groups, branch.n_groups)
        if suppressed is None:
            return None
        sizes, majority = self.loss.majority(branch.group, branch.n_groups)
        kept, lost = self.loss.kept(sizes, majority), self.loss.suppressed(sizes)
        cost = int(np.where(suppressed.is_out, lost, kept).sum())
        return Solution(branch.splits, branch.group, suppressed, cost)

    def cost(self, branch: Branch) -> int:
        """What the head costs at least: where groups of k rows keep the promise, it is that."""
        return int(self.loss.costs(*self.loss.majority(branch.group, branch.n_groups)).sum())

    def hopeless(self, branch: Branch) -> int:
        """The rows of groups that have fewer than k, and so have their parts."""
        sizes = self._sizes(branch)
        return int(sizes[sizes < self.loss.k].sum())

    def least(self, branch: Branch) -> Ints:
        """What each tuple costs at least: by the groups when all splits of the tail are made."""
        finest = branch.splits.copy()
        finest[branch.tail] = True
        return self.loss.least(*self.loss.table.grouped(finest))

    def bound(self, branch: Branch, least: Ints) -> int:
        """What every set of the branch costs at least: groups below k are suppressed in all of them."""
        sizes = self._sizes(branch)
        of_groups = counted(branch.group, branch.n_groups, least)
        return int(np.where(sizes < self.loss.k, self.loss.suppressed(sizes), of_groups).sum())

    def outlook(self, branch: Branch, least: Ints | None = None) -> SplitOutlook:
        """What one more split would change, and bound, where ``least`` is given."""
        nothing = np.zeros(len(branch.group), dtype=np.int64)
        return self.loss.outlook(branch.group, branch.n_groups, nothing if least is None else least)

    def _sizes(self, branch: Branch) -> Ints:
        sizes: Ints = counted(branch.group, branch.n_groups, self.loss.table.weight)
        return sizes
