"""Pruning that may also raise a branch into the place of its parent, as C4.5 does by default."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kanopy.data import EncodedTable
from kanopy.data.arrays import Floats, Ints
from kanopy.trees.grow import shared_branches
from kanopy.trees.inducers import PRUNE_SLACK, estimated_errors
from kanopy.trees.tree import Tree


def raised(
    tree: Tree,
    table: EncodedTable,
    *,
    confidence: float = 0.25,
    weights: Floats | None = None,
    share_missing: bool = False,
) -> Tree:
    """Prune bottom-up: every split stays, becomes a leaf, or gives way to its largest branch, as in J48.

    The tree was grown on this table, with these weights and this treatment of missing, by ``c45`` without
    pruning. The errors of a branch
    are estimated with all rows of the node sent through it. Where it takes the place of the node, its rows
    are counted anew, and everything in it is pruned again. A loop over nodes, each with O(rows of the node *
    depth below it); memory for O(rows * depth).
    """
    raising = _Raising(tree, table, confidence, share_missing=share_missing)
    rows = np.arange(table.n_rows) if weights is None else np.flatnonzero(weights > 0)
    raising.count(0, rows, np.ones(len(rows)) if weights is None else weights[rows])
    raising.prune(0)
    return raising.tree()


class _Raising:
    """A tree in which nodes may have taken over the split, and so the children, of a node below them."""

    def __init__(self, tree: Tree, table: EncodedTable, confidence: float, *, share_missing: bool) -> None:
        self._tree, self._confidence, self._share_missing = tree, confidence, share_missing
        self._columns = [column.codes for column in table.quasi]
        self._class = np.zeros(table.n_rows, np.int64) if table.target is None else table.target.codes
        self.holder = np.arange(tree.n_nodes)  # whose split and children each node has
        self.is_leaf = tree.is_leaf.copy()
        self.counts = np.zeros(tree.counts.shape)
        # Of each node its rows and what they count for.
        self.rows: list[tuple[Ints, Floats]] = [(np.empty(0, np.int64), np.empty(0))] * tree.n_nodes
        self.estimate = np.zeros(tree.n_nodes)  # errors of what is below each node, as far as it was pruned

    def prune(self, top: int) -> None:
        """Decide on all nodes from the lowest up to the given one; again, where a branch was raised."""
        for node in self._below(top)[::-1].tolist():
            while self._gives_way(node):
                for child in self._children(node).tolist():
                    self.prune(child)

    def _gives_way(self, node: int) -> bool:
        """Keep the split of a node, undo it, or put its largest branch in its place and say so."""
        as_leaf = float(estimated_errors(self.counts[[node]], self._confidence)[0])
        self.estimate[node] = as_leaf
        if self.is_leaf[node]:
            return False
        children = self._children(node)
        largest = int(children[::-1][self.counts[children].sum(axis=1)[::-1].argmax()])
        as_tree = float(self.estimate[children].sum())
        as_branch = self._errors_of_branch(largest, *self.rows[node])
        if as_leaf <= min(as_tree, as_branch) + PRUNE_SLACK:
            self.is_leaf[node] = True
            return False
        self.estimate[node] = as_tree
        if as_branch > as_tree + PRUNE_SLACK:
            return False
        self.holder[node], self.is_leaf[node] = self.holder[largest], self.is_leaf[largest]
        self.count(node, *self.rows[node])
        return True

    def count(self, top: int, rows: Ints, weight: Floats) -> None:
        """Send rows through a node, and note how many come to each node below it."""
        below = self._below(top)
        self.counts[below] = 0
        for node in below.tolist():
            self.rows[node] = (rows[:0], weight[:0])
        for at, arrived, share in self._passed(top, rows, weight):
            order = np.argsort(at, kind="stable")
            nodes, first = np.unique(at[order], return_index=True)
            np.add.at(self.counts, (at, self._class[arrived]), share)
            parts = zip(np.split(arrived[order], first[1:]), np.split(share[order], first[1:]), strict=True)
            for node, part in zip(nodes.tolist(), parts, strict=True):
                self.rows[node] = part

    def _errors_of_branch(self, top: int, rows: Ints, weight: Floats) -> float:
        total = 0.0
        for at, arrived, share in self._passed(top, rows, weight):
            ends = np.flatnonzero(self.is_leaf[at])
            leaves, place = np.unique(at[ends], return_inverse=True)
            counts = np.zeros((len(leaves), self._tree.counts.shape[1]))
            np.add.at(counts, (place, self._class[arrived[ends]]), share[ends])
            total += float(estimated_errors(counts, self._confidence).sum())
        return total

    def _passed(self, top: int, rows: Ints, weight: Floats) -> Iterator[tuple[Ints, Ints, Floats]]:
        """Level by level, at which nodes which rows arrive, with which weight."""
        at = np.full(len(rows), top)
        while len(rows):
            yield at, rows, weight
            goes_on = np.flatnonzero(~self.is_leaf[at])
            at, rows, weight = self._divided(self.holder[at[goes_on]], rows[goes_on], weight[goes_on])

    def _divided(self, held: Ints, rows: Ints, weight: Floats) -> tuple[Ints, Ints, Floats]:
        """The children that rows go on to; a row whose value is missing may go on to several."""
        splits, first_child = self._tree.splits, self._tree.first_child[held]
        if not self._share_missing:
            return first_child + splits.branches(held, self._columns, rows), rows, weight
        nodes, node = np.unique(held, return_inverse=True)
        some = splits.of_nodes(nodes)
        place, branch, weight = shared_branches(some, node, self._columns, rows, weight)
        return first_child[place] + branch, rows[place], weight

    def _children(self, node: int) -> Ints:
        return self._tree.children(self.holder[[node]])

    def _below(self, top: int) -> Ints:
        """The node and all nodes below it, level by level."""
        levels = [np.array([top])]
        while len(levels[-1]):
            inner = levels[-1][~self.is_leaf[levels[-1]]]
            levels.append(self._tree.children(self.holder[inner]))
        return np.concatenate(levels)

    def tree(self) -> Tree:
        """What has become of the tree, renumbered level by level."""
        kept = self._below(0)
        number = np.zeros(self._tree.n_nodes, dtype=np.int64)
        number[kept] = np.arange(len(kept))
        is_leaf, held = self.is_leaf[kept], self.holder[kept]
        first_child = np.where(is_leaf, 0, number[self._tree.first_child[held]])
        return Tree(self._tree.splits.of_nodes(held).without(is_leaf), first_child, self.counts[kept])
