"""The spans of a tree that also tests private columns: rows that no public test has told apart.

Friedman, Wolff, Schuster, "Providing k-Anonymity in Data Mining" (VLDB Journal 2008). Whoever knows the
public values of a person can follow public tests alone. Rows of leaves below one public branch that differ in
private tests only are one group of the table, and each such group must keep the promise.
"""

from __future__ import annotations

import numpy as np

from kanopy.data import EncodedTable, GroupCounts
from kanopy.data.arrays import Bools, Ints
from kanopy.data.keys import rank
from kanopy.privacy import PrivacyModel
from kanopy.trees.frontier import Frontier
from kanopy.trees.splits import Splits


class Spans:
    """The span of every row while a tree grows; columns from ``n_public`` on are private."""

    def __init__(self, table: EncodedTable, promise: PrivacyModel, n_public: int) -> None:
        self._table, self._promise, self.n_public = table, promise, n_public
        self._span = np.zeros(table.n_rows, dtype=np.int64)
        self._n_spans = 1

    def checked(self, frontier: Frontier, column: Ints, fallback: Ints) -> Ints:
        """The column of every node, or its fallback, a private one, where a public test must not be done.

        What a public test takes out of a span must leave nothing, or enough. Where it does not, nodes of the
        span stay, the smallest first. O(rows) for every node of a span that has to stay.

        PRIVACY: the parts of a node keep the promise by themselves; what stays behind must do so too
        (tests/unit/algorithms/test_kadet_private.py).
        """
        leaves = (column >= 0) & (column < self.n_public)
        span = self._span[frontier.rows[frontier.starts[:-1]]]
        sizes = frontier.sizes
        while True:
            nodes = np.flatnonzero(leaves & np.isin(span, self._broken(frontier, leaves, span)))
            if not len(nodes):
                is_public = (column >= 0) & (column < self.n_public)
                return np.where(is_public & ~leaves, fallback, column)
            order = nodes[np.lexsort((nodes, sizes[nodes], span[nodes]))]
            leaves[order[np.diff(span[order], prepend=-1) != 0]] = False

    def _broken(self, frontier: Frontier, leaves: Bools, span: Ints) -> Ints:
        """The spans that keep some rows, but not the promise, when these nodes leave; O(rows)."""
        spans = np.unique(span[leaves])
        number = np.full(self._n_spans, -1)
        number[spans] = np.arange(len(spans))
        stays = number[self._span] >= 0
        stays[frontier.rows[leaves[frontier.node]]] = False
        rows = np.flatnonzero(stays)
        counts = GroupCounts.of(self._table, number[self._span[rows]], len(spans), rows)
        return np.asarray(spans[(counts.rows > 0) & ~self._promise.holds(counts)])

    def divide(self, frontier: Frontier, splits: Splits) -> None:
        """Every branch of a public test is a span of its own; O(rows)."""
        is_public = (splits.column >= 0) & (splits.column < self.n_public)
        places = np.flatnonzero(is_public[frontier.node])
        if not len(places):
            return
        node, n_branches = frontier.node[places].astype(np.int64), int(splits.n_branches.max())
        branch, _ = splits.branches(node, frontier.quasi, places)
        number, n_new = rank(node * n_branches + branch, frontier.n_nodes * n_branches)
        self._span[frontier.rows[places]] = self._n_spans + number
        self._n_spans += n_new
