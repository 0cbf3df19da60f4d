"""How the nodes of a tree divide their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kanopy.data import Domain
from kanopy.data.arrays import Bools, Codes, Ints

OWN_BRANCH = 2  # the branch of missing at a threshold where it has one for itself
_OF_NODES = ("column", "threshold", "missing_branch", "grouping")


@dataclass(frozen=True, eq=False)
class Splits:
    """One test of one column per node, or none.

    There are three ways to test. *Multiway*: one branch per code of the column, values
    without rows and missing included. *Threshold*: codes up to it to branch 0, higher ones to branch 1,
    missing to the branch that the node names. *Grouping*: a branch for every code.
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
        fields = [field.astype(np.int64) for field in alike]
        return cls(tuple(domains), fields[0], fields[1], fields[2], fields[3], groupings)

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

    def bounds_below(
        self, low: NDArray[Any], high: NDArray[Any], parent: Ints, branch: Ints
    ) -> tuple[NDArray[Any], NDArray[Any]]:
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

    def branches(self, nodes: Codes, columns: Sequence[Codes], rows: Ints) -> Ints:
        """The branch that each of the rows takes at its node, which must be split; O(rows)."""
        return self.branches_and_missing(nodes, columns, rows)[0]

    def branches_and_missing(self, nodes: Codes, columns: Sequence[Codes], rows: Ints) -> tuple[Ints, Bools]:
        """The branch of each row, and whether its value is missing."""
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
