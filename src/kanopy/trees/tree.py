"""A decision tree as plain arrays, built from splits, and what it predicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kanopy.data import Domain
from kanopy.data.arrays import Bools, Codes, Floats, Ints
from kanopy.data.keys import rows_of_each
from kanopy.data.value_sets import numbers_from
from kanopy.trees.class_counts import Counts, SparseCounts, added, as_array, only_lines, sums_of_groups
from kanopy.trees.splits import OWN_BRANCH, BranchShares, Parts, Splits

Descend = Callable[[Ints, Ints], Parts]
"""From inner nodes and the rows at them to which row goes on to which child (-1: none) with which share."""


@dataclass(frozen=True, eq=False)
class Tree:
    """A univariate tree: every inner node tests one column.

    Parameters
    ----------
    splits : Splits
        How each node divides its rows. Node 0 is the root; children come after their parent.
    first_child : array of int
        The branches of a node are consecutive nodes.
    counts : array, nodes x classes, or SparseCounts where that would be large
        Rows (or their weights) of each class that reached the node when the tree was grown.
    """

    splits: Splits
    first_child: Ints
    counts: Counts

    @property
    def n_nodes(self) -> int:
        """Leaves and inner nodes together."""
        return len(self.first_child)

    @property
    def is_leaf(self) -> Bools:
        """Per node: it is not split."""
        return self.splits.is_none

    @property
    def n_children(self) -> Ints:
        """Of each node; 0 for leaves."""
        return self.splits.n_branches

    @cached_property
    def rows_of_node(self) -> Floats:
        """Rows, or their weights, that reached each node."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64)

    @cached_property
    def parent(self) -> Ints:
        """The parent of each node; -1 for the root."""
        inner = np.flatnonzero(~self.is_leaf)
        parent = np.full(self.n_nodes, -1)
        parent[self.children(inner)] = np.repeat(inner, self.n_children[inner])
        return parent

    def children(self, nodes: Ints) -> Ints:
        """The children of all the nodes, one node after the other."""
        return numbers_from(self.first_child[nodes], self.n_children[nodes])

    @cached_property
    def levels(self) -> tuple[Ints, ...]:
        """The nodes of each depth, from the root down."""
        levels = [np.zeros(1, dtype=np.int64)]
        while len(inner := levels[-1][~self.is_leaf[levels[-1]]]):
            levels.append(self.children(inner))
        return tuple(levels)

    @cached_property
    def depth(self) -> Ints:
        depth = np.zeros(self.n_nodes, dtype=np.int64)
        for number, nodes in enumerate(self.levels):
            depth[nodes] = number
        return depth

    @cached_property
    def is_tested(self) -> Bools:
        """Nodes x columns: whether the column is tested on the way from the root to the node."""
        tested = np.zeros((self.n_nodes, len(self.splits.domains)), dtype=bool)
        for nodes in self.levels[1:]:
            above = self.parent[nodes]
            tested[nodes] = tested[above]
            tested[nodes, self.splits.column[above]] = True
        return tested

    def route(self, columns: Sequence[Codes], n_rows: int) -> NDArray[np.int32]:
        """The leaf of every row; O(rows * depth), one pass per level over the rows that go on."""
        leaf = np.zeros(n_rows, dtype=np.int32)
        rows, node = np.arange(n_rows), np.zeros(n_rows, dtype=np.int64)
        for nodes in self.levels[:-1]:
            node = self._child(nodes[~self.is_leaf[nodes]], node, columns, rows)
            leaf[rows] = node
            goes_on = np.flatnonzero(~self.is_leaf.take(node))
            rows, node = rows.take(goes_on), node.take(goes_on)
        return leaf

    def _child(self, inner: Ints, node: Ints, columns: Sequence[Codes], rows: Ints) -> Ints:
        """The child that each row, which is at one of these inner nodes, goes on to; O(rows)."""
        if self.splits.n_codes(inner).sum() > 4 * len(rows):
            return np.asarray(self.first_child[node] + self.splits.branches(node, columns, rows)[0])
        branch, first = self.splits.branch_of_codes(inner)
        child = branch + np.repeat(self.first_child[inner], np.diff(first, append=len(branch)))
        first_of_node, column_of_node = np.zeros((2, self.n_nodes), dtype=np.int64)
        first_of_node[inner], column_of_node[inner] = first, self.splits.column[inner]
        used = np.unique(column_of_node[inner])
        entry = first_of_node.take(node)
        if len(used) == 1:
            entry += columns[used[0]].take(rows)
        else:
            column = np.searchsorted(used, column_of_node).astype(np.uint16).take(node)
            for number, places in enumerate(rows_of_each(column, len(used))):
                entry[places] += columns[used[number]].take(rows.take(places))
        return child.take(entry)

    def pruned(self, becomes_leaf: Bools) -> Tree:
        """The tree without everything below the given nodes, renumbered level by level; O(nodes)."""
        cut = replace(self, splits=self.splits.without(becomes_leaf))
        kept = np.concatenate(cut.levels)
        number = np.full(self.n_nodes, 0)
        number[kept] = np.arange(len(kept))
        first_child = np.where(cut.is_leaf[kept], 0, number[self.first_child[kept]])
        return Tree(cut.splits.of_nodes(kept), first_child, self.counts[kept])

    def with_merged_branches(self, joined: Mapping[int, Ints]) -> Tree:
        """The tree with some branches merged, renumbered level by level; O(nodes + codes of these nodes).

        Of each given node, none above another, ``joined`` has for every branch the one that it joins: the
        codes of the first go where those of the second go. A node that is left with one branch is replaced
        by what is below that.
        """
        splits, first_child = self.splits.copied(), self.first_child.copy()
        n_children = self.n_children.copy()
        groupings, is_gone = list(splits.groupings), np.zeros(self.n_nodes, dtype=bool)
        for node, target in joined.items():
            left = np.unique(target)
            child = int(first_child[node] + left[0])
            if len(left) == 1:
                splits.put(np.array([node]), self.splits.of_nodes([child]))
                first_child[node], n_children[node] = self.first_child[child], self.n_children[child]
            else:
                is_gone[first_child[node] + np.flatnonzero(target != np.arange(len(target)))] = True
                splits.threshold[node], splits.grouping[node] = -1, len(groupings)
                groupings.append(
                    np.searchsorted(left, target[self.splits.branch_of_codes(np.array([node]))[0]])
                )
        levels = [np.zeros(1, dtype=np.int64)]
        while len(levels[-1]):
            below = numbers_from(first_child[levels[-1]], n_children[levels[-1]])
            levels.append(below[~is_gone[below]])
        kept = np.concatenate(levels)
        splits = replace(splits, groupings=tuple(groupings)).of_nodes(kept)
        # Level by level and parent by parent: the children of a node follow those of the nodes before it.
        first = np.where(splits.is_none, 0, 1 + np.cumsum(splits.n_branches) - splits.n_branches)
        return Tree(splits, first, self.counts[kept])

    def summed_up(self, counts: Counts) -> Counts:
        """Counts of leaves, with inner nodes given the sums of what is below them."""
        if isinstance(counts, SparseCounts):
            return self._summed_up_sparse(counts)
        counts = np.where(self.is_leaf[:, None], counts, 0)
        for nodes in reversed(self.levels[1:]):
            np.add.at(counts, self.parent[nodes], counts[nodes])
        return counts

    def _summed_up_sparse(self, counts: SparseCounts) -> SparseCounts:
        of_leaves = only_lines(counts, self.is_leaf)
        risen = only_lines(of_leaves, ~self.is_leaf)
        found = [of_leaves]
        for level in range(len(self.levels) - 1, 0, -1):
            here = only_lines(of_leaves, self.depth == level)
            risen = sums_of_groups(added(here, risen), self.parent, self.n_nodes)
            found.append(risen)
        return added(*found)

    def walk(self) -> Iterator[tuple[int, int]]:
        """All nodes with their depth, each followed by what is below it."""
        waiting = [0]
        while waiting:
            node = waiting.pop()
            yield node, int(self.depth[node])
            first = int(self.first_child[node])
            waiting.extend(range(first + int(self.n_children[node]) - 1, first - 1, -1))


class TreeBuilder:
    """Grows the arrays of a tree; splits may come in any order, many at a time or one by one.

    Examples
    --------
    >>> age, sex = Domain("age", ("20", "30"), np.array([20.0, 30.0])), Domain("sex", ("f", "m"))
    >>> builder = TreeBuilder((age, sex))
    >>> young, old, missing = builder.split(0, column=0, threshold=0)
    >>> _ = builder.split(old, column=1)
    >>> builder.tree().n_nodes
    7
    """

    def __init__(self, domains: Sequence[Domain], groupings: Sequence[ArrayLike] = ()) -> None:
        self._domains = tuple(domains)
        self._groupings = [np.asarray(branch_of_code, dtype=np.int64) for branch_of_code in groupings]
        self._splits: list[tuple[Ints, Splits, Ints]] = []
        self.n_nodes = 1

    def split(
        self,
        node: int,
        *,
        column: int,
        threshold: int | None = None,
        missing_branch: int | None = None,
        branch_of_code: ArrayLike | None = None,
    ) -> range:
        """Split one node: into one branch per code, at a threshold, or by a branch for every code.

        Returns
        -------
        range
            The children. At a threshold missing gets a third branch, unless ``missing_branch`` is 0 or 1.
        """
        grouping = -1
        if branch_of_code is not None:
            grouping = len(self._groupings)
            self._groupings.append(np.asarray(branch_of_code, dtype=np.int64))
        cut = -1 if threshold is None else threshold
        of_missing = OWN_BRANCH if missing_branch is None else missing_branch
        groupings = tuple(self._groupings)
        split = Splits.of(self._domains, [column], cut, of_missing, grouping, groupings)
        first = self.split_many(np.array([node]), split)
        return range(int(first[0]), self.n_nodes)

    def split_many(self, nodes: Ints, splits: Splits) -> Ints:
        """Split nodes, each in its way, and give back the first child of each."""
        n_branches = splits.n_branches
        first = self.n_nodes + np.cumsum(n_branches) - n_branches
        self.n_nodes += int(n_branches.sum())
        self._splits.append((nodes, splits, first))
        return first

    def tree(self, counts: Counts | None = None) -> Tree:
        """The tree; ``counts`` has one line of class counts per node."""
        splits = Splits.none(self._domains, self.n_nodes, tuple(self._groupings))
        first_child = np.zeros(self.n_nodes, dtype=np.int64)
        for nodes, split, first in self._splits:
            splits.put(nodes, split)
            first_child[nodes] = first
        nothing = np.zeros((self.n_nodes, 1), dtype=np.int64)
        return Tree(splits, first_child, nothing if counts is None else counts)


def predict(tree: Tree, columns: Sequence[Codes], n_rows: int) -> Ints:
    """The most likely class of every row; ties go to the class that comes first."""
    return np.asarray(np.round(class_shares(tree, columns, n_rows), 12).argmax(axis=1), dtype=np.int64)


def class_shares(tree: Tree, columns: Sequence[Codes], n_rows: int) -> Floats:
    """The share of each class among the rows like it, for every row.

    A row whose value is missing where a node tests it takes all branches that have rows, in proportion to
    them, unless missing has rows of its own there. A branch without rows predicts like its parent, and a row
    whose code is -1, for a value that is not in the domain, like the node that tests it. O(rows * depth), and
    at worst the number of leaves for rows in which everything is missing.
    """
    of_children = BranchShares.of_nodes(tree.n_children, tree.first_child, tree.rows_of_node)
    has_new = any(codes.min(initial=0) < 0 for codes in columns)

    def descend(node: Ints, rows: Ints) -> Parts:
        branch, is_missing = tree.splits.branches(node, columns, rows)
        child = tree.first_child[node] + branch
        if has_new:
            child[tree.splits.codes(node, columns, rows)[0] < 0] = -1
        is_shared = is_missing & (tree.rows_of_node[child] <= 0)
        alone, shared = np.flatnonzero(~is_shared), np.flatnonzero(is_shared)
        sharer, branch, share = of_children.parts(node[shared])
        return (
            np.concatenate([alone, shared[sharer]]),
            np.concatenate([child[alone], tree.first_child[node[shared]][sharer] + branch]),
            np.concatenate([np.ones(len(alone)), share]),
        )

    return shares_at_leaves(tree, descend, n_rows)


def shares_at_leaves(tree: Tree, descend: Descend, n_rows: int, least_part: float = 0.0) -> Floats:
    """The shares of the classes, averaged over all nodes that parts of a row come to; light parts stop."""
    of_node = _shares_of_nodes(tree)
    shares = np.zeros((n_rows, of_node.shape[1]))
    row, node, weight = np.arange(n_rows), np.zeros(n_rows, dtype=np.int64), np.ones(n_rows)
    while len(row):
        ends = tree.is_leaf[node] | (tree.rows_of_node[node] <= 0) | (weight < least_part)
        np.add.at(shares, row[ends], of_node[node[ends]] * weight[ends, None])
        row, node, weight = row[~ends], node[~ends], weight[~ends]
        place, child, share = descend(node, row)
        weight = weight[place] * share
        stays = np.flatnonzero(child < 0)
        if len(stays):
            np.add.at(shares, row[place[stays]], of_node[node[place[stays]]] * weight[stays, None])
            goes = np.flatnonzero(child >= 0)
            place, child, weight = place[goes], child[goes], weight[goes]
        row, node = row[place], child
    return shares


def _shares_of_nodes(tree: Tree) -> Floats:
    """The shares of the classes in each node; of its parent where it has no rows."""
    shares = as_array(tree.counts).astype(np.float64)
    for nodes in tree.levels[1:]:
        empty = nodes[shares[nodes].sum(axis=1) <= 0]
        shares[empty] = shares[tree.parent[empty]]
    total = shares.sum(axis=1, keepdims=True)
    uniform = np.full_like(shares, 1 / shares.shape[1])
    return np.asarray(np.divide(shares, total, out=uniform, where=total > 0))
