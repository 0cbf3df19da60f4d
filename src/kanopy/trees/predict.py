"""What a tree says about rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.trees.grow import BranchShares
from kanopy.trees.tree import Tree

Codes = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]


def predict(tree: Tree, columns: Sequence[Codes], n_rows: int) -> NDArray[np.int64]:
    """The most likely class of every row; ties go to the class that comes first."""
    return np.asarray(np.round(class_shares(tree, columns, n_rows), 12).argmax(axis=1), dtype=np.int64)


def class_shares(tree: Tree, columns: Sequence[Codes], n_rows: int) -> Floats:
    """The share of each class among the rows like it, for every row.

    A row whose value is missing where a node asks for it takes all branches that have rows, in proportion to
    them, unless missing has rows of its own there. A branch without rows says what its parent says. O(rows *
    depth), and at worst the number of leaves for rows in which everything is missing.
    """
    known = _counts_that_speak(tree)
    shares = np.zeros((n_rows, known.shape[1]))
    rows, node = np.arange(n_rows), np.zeros(n_rows, dtype=np.int64)
    weight = np.ones(n_rows)
    in_node = tree.counts.sum(axis=1).astype(np.float64)
    of_children = BranchShares(tree.n_children, tree.first_child, in_node)
    while len(rows):
        ends = tree.is_leaf[node] | (in_node[node] <= 0)
        np.add.at(shares, rows[ends], known[node[ends]] * weight[ends, None])
        rows, node, weight = rows[~ends], node[~ends], weight[~ends]
        child = tree.first_child[node] + tree.splits.branches(node, columns, rows)
        _, is_missing = tree.splits.codes(node, columns, rows)
        shared = np.flatnonzero(is_missing & (in_node[child] <= 0))
        alone = np.flatnonzero(~(is_missing & (in_node[child] <= 0)))
        sharer, branch, share = of_children.of(node[shared])
        rows = np.concatenate([rows[alone], rows[shared][sharer]])
        weight = np.concatenate([weight[alone], weight[shared][sharer] * share])
        node = np.concatenate([child[alone], tree.first_child[node[shared]][sharer] + branch])
    return shares


def _counts_that_speak(tree: Tree) -> Floats:
    """The shares of the classes in each node; of its parent where it has no rows."""
    shares = tree.counts.astype(np.float64)
    for nodes in tree.levels[1:]:
        empty = nodes[shares[nodes].sum(axis=1) <= 0]
        shares[empty] = shares[tree.parent[empty]]
    total = shares.sum(axis=1, keepdims=True)
    uniform = np.full_like(shares, 1 / shares.shape[1])
    return np.asarray(np.divide(shares, total, out=uniform, where=total > 0))
