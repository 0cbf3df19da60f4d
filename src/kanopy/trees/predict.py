"""What a tree predicts for rows, whether these are codes or cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kanopy.data.arrays import Codes, Floats, Ints
from kanopy.trees.class_counts import as_array
from kanopy.trees.shares import BranchShares, Parts
from kanopy.trees.tree import Tree

Descend = Callable[[Ints, Ints], Parts]
"""From inner nodes and the rows at them to which of these go on to which child with which share.

Child -1: the row stays at its node.
"""


def predict(tree: Tree, columns: Sequence[Codes], n_rows: int) -> Ints:
    """The most likely class of every row; ties go to the class that comes first."""
    return np.asarray(np.round(class_shares(tree, columns, n_rows), 12).argmax(axis=1), dtype=np.int64)


def class_shares(tree: Tree, columns: Sequence[Codes], n_rows: int) -> Floats:
    """The share of each class among the rows like it, for every row.

    A row whose value is missing where a node tests it takes all branches that have rows, in proportion to
    them, unless missing has rows of its own there. A branch without rows predicts like its parent. O(rows *
    depth), and at worst the number of leaves for rows in which everything is missing.
    """
    of_children = shares_of_children(tree)

    def descend(node: Ints, rows: Ints) -> Parts:
        branch, is_missing = tree.splits.branches_and_missing(node, columns, rows)
        child = tree.first_child[node] + branch
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
    """For every row the shares of the classes, averaged over all nodes that parts of it come to.

    A part that weighs less than ``least_part`` stays at its node.
    """
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


def shares_of_children(tree: Tree) -> BranchShares:
    """For every node the branches that have rows, and how many of its rows each has."""
    return BranchShares.of_nodes(tree.n_children, tree.first_child, tree.rows_of_node)


def _shares_of_nodes(tree: Tree) -> Floats:
    """The shares of the classes in each node; of its parent where it has no rows."""
    shares = as_array(tree.counts).astype(np.float64)
    for nodes in tree.levels[1:]:
        empty = nodes[shares[nodes].sum(axis=1) <= 0]
        shares[empty] = shares[tree.parent[empty]]
    total = shares.sum(axis=1, keepdims=True)
    uniform = np.full_like(shares, 1 / shares.shape[1])
    return np.asarray(np.divide(shares, total, out=uniform, where=total > 0))
