"""How the nodes of a tree divide their rows: by a test, or in shares among several branches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kanopy.data import Domain
from kanopy.data.arrays import Amounts, Bools, Codes, Floats, Ints
from kanopy.data.value_sets import numbers_from

OWN_BRANCH = 2  # the branch of missing at a threshold where it has one for itself
_OF_NODES = ("column", "threshold", "missing_branch", "grouping")

Parts = tuple[Ints, Ints, Floats]
"""Which row, given by its place, goes to which branch with which share or weight."""


@dataclass(frozen=True, eq=False)
class Splits:
    """One test of one column per node, or none.

    *Multiway*: one branch per code of the column, values without rows and missing included. *Threshold*:
    codes up to it to branch 0, higher ones to branch 1, missing to the branch that the node names.
    *Grouping*: a branch for every code.
    """

    domains: tuple[Domain, ...]  # of the columns that may be tested
    column: Ints  # -1 for nodes that are not split
    threshold: Ints  # the last code of branch 0; -1 where there is no threshold
    missing_branch: Ints  # of nodes with a threshold: 0, 1, or 2 for a branch of its own
    grouping: Ints  # which of the groupings divides the node; -1 for none
    groupings: tuple[Ints, ...] = ()  # for every code of a column its branch

    @classmethod
    def none(cls, domains: Sequence[Domain], n_nodes: int, groupings: tuple[Ints, ...] = ()) -> Splits:
        return cls.of(domains, np.full(n_nodes, -1), -1, -1, -1, groupings)

    @classmethod
    def of(
        cls,
        domains: Sequence[Domain],
        column: ArrayLike,
        threshold: ArrayLike,
        missing_branch: ArrayLike = OWN_BRANCH,
        grouping: ArrayLike = -1,
        groupings: tuple[Ints, ...] = (),
    ) -> Splits:
        alike = np.broadcast_arrays(column, threshold, missing_branch, grouping)
        of_column, at, of_missing, of_grouping = (field.astype(np.int64) for field in alike)
        return cls(tuple(domains), of_column, at, of_missing, of_grouping, groupings)

    @cached_property
    def is_none(self) -> Bools:
        return self.column < 0

    @cached_property
    def n_branches(self) -> Ints:
        n_codes = np.array([domain.n_codes for domain in self.domains] + [0])[self.column]
        n_groups = np.array([branches.max() + 1 for branches in self.groupings] + [0])[self.grouping]
        at_threshold = np.maximum(self.missing_branch + 1, 2)
        n_branches = np.where(self.threshold >= 0, at_threshold, n_codes)
        n_branches = np.where(self.grouping >= 0, n_groups, n_branches)
        return np.where(self.is_none, 0, n_branches)

    def column_name(self, node: int) -> str:
        """The name of the column that a node tests."""
        return self.domains[int(self.column[node])].name

    def put(self, nodes: Ints, splits: Splits) -> None:
        """Give the nodes these splits; only while the arrays are being built."""
        for name in _OF_NODES:
            getattr(self, name)[nodes] = getattr(splits, name)

    def copied(self) -> Splits:
        """The same splits, to be changed."""
        return self.of_nodes(np.arange(len(self.column)))

    def of_nodes(self, nodes: Any) -> Splits:
        """The splits of some nodes, in the order given."""
        return replace(self, **{name: getattr(self, name)[nodes] for name in _OF_NODES})

    def without(self, is_removed: Bools) -> Splits:
        """The splits, but for those of some nodes."""
        return replace(self, column=np.where(is_removed, -1, self.column))

    def tested_below(self, is_tested: Bools, parent: Ints) -> Bools:
        """Which columns were split by their values above children of these parents (nodes x columns)."""
        below = is_tested[parent]
        below[np.arange(len(parent)), self.column[parent]] |= self.threshold[parent] < 0
        return below

    def bounds_below(self, low: Any, high: Any, parent: Ints, branch: Ints) -> tuple[Any, Any]:
        """The lowest and the highest value that thresholds leave to these branches (nodes x columns)."""
        low, high = low[parent], high[parent]
        threshold, column = self.threshold[parent], self.column[parent]
        left, right = (np.flatnonzero((threshold >= 0) & (branch == side)) for side in (0, 1))
        high[left, column[left]] = threshold[left]
        low[right, column[right]] = threshold[right] + 1
        return low, high

    def codes(self, nodes: Codes, columns: Sequence[Codes], rows: Ints) -> tuple[Codes, Bools]:
        """For every row its code in the column that its node tests, and whether that is missing; O(rows)."""
        code = np.empty(len(rows), dtype=np.int64)
        missing_code = np.array([domain.missing_code for domain in self.domains])
        column_of_row = self.column.take(nodes)
        for column in np.flatnonzero(np.bincount(column_of_row)).tolist():
            places = np.flatnonzero(column_of_row == column)
            code[places] = columns[column].take(rows.take(places))
        return code, code == missing_code.take(column_of_row)

    def n_codes(self, nodes: Ints) -> Ints:
        """How many codes the column has that each of some nodes tests."""
        return np.array([domain.n_codes for domain in self.domains])[self.column[nodes]]

    def branch_of_codes(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Of nodes that are split, the branch of every code of their column, one node after the other; and
        where each node begins. O(codes of their columns)."""
        n_codes = self.n_codes(nodes)
        code = numbers_from(np.zeros_like(n_codes), n_codes)
        branch, _ = self.branches(np.repeat(nodes, n_codes), [code] * len(self.domains), np.arange(len(code)))
        return branch, np.cumsum(n_codes) - n_codes

    def branches(self, nodes: Codes, columns: Sequence[Codes], rows: Ints) -> tuple[Ints, Bools]:
        """The branch of each row at its node, which is split, and whether its value is missing; O(rows)."""
        code, is_missing = self.codes(nodes, columns, rows)
        threshold = self.threshold.take(nodes)
        branch = np.where(threshold >= 0, code > threshold, code)
        places = np.flatnonzero(is_missing & (threshold >= 0))
        branch[places] = self.missing_branch[nodes[places]]
        if self.groupings:
            grouping = self.grouping.take(nodes)
            for number in np.unique(grouping[grouping >= 0]).tolist():
                places = np.flatnonzero(grouping == number)
                branch[places] = self.groupings[number][code[places]]
        return branch, is_missing


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
        start = np.flatnonzero((np.diff(owner, prepend=-1) != 0) | (np.diff(branch, prepend=-1) != 0))
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
        best = order[np.diff(owner[order], prepend=-1) != 0]
        first = np.searchsorted(owner[best], np.arange(n_owners + 1))
        return cls(first, branch[best], np.ones(len(best)))

    @classmethod
    def of_nodes(cls, n_branches: Ints, first: Ints, amount: Amounts) -> BranchShares:
        """In proportion to the amounts of the branches, those of a node from ``first`` on; O(branches)."""
        owner = np.repeat(np.arange(len(n_branches)), n_branches)
        branch = numbers_from(np.zeros_like(n_branches), n_branches)
        amount = amount[first[owner] + branch]
        total = np.bincount(owner, amount, minlength=len(n_branches))
        present = np.flatnonzero(amount > 0)
        begin = np.searchsorted(owner[present], np.arange(len(n_branches) + 1))
        return cls(begin, branch[present], amount[present] / total[owner[present]])

    def parts(self, owners: Codes) -> Parts:
        """Of rows with these owners: which row (by its place), to which branch, with which share."""
        n_parts = np.diff(self.first)[owners]
        place = np.repeat(np.arange(len(owners)), n_parts)
        entry = numbers_from(self.first[owners], n_parts)
        return place, self.branch[entry], self.share[entry]

    def drawn(self, owners: Codes, rng: np.random.Generator) -> Ints:
        """One branch for each row with these owners, all of which have branches; O(n log n)."""
        up_to = np.append(0.0, np.cumsum(self.share))
        begin, end = self.first[owners], self.first[np.add(owners, 1)]
        aim = up_to[begin] + rng.random(len(owners)) * (up_to[end] - up_to[begin])
        entry = np.searchsorted(up_to, aim, side="right") - 1
        return np.asarray(self.branch[np.clip(entry, begin, end - 1)])
