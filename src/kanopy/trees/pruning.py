"""Pruning: splits that do not lower the errors become leaves."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from kanopy.data.arrays import Floats, Ints
from kanopy.trees.class_counts import Counts, sums_between
from kanopy.trees.tree import Tree

_COLLAPSE_SLACK = 1e-3
PRUNE_SLACK = 0.1


def collapsed(tree: Tree) -> Tree:
    """Without splits that make no fewer mistakes on the rows the tree was grown on; O(nodes)."""
    mistakes = _mistakes(tree.counts)
    below = np.where(tree.is_leaf, mistakes, 0.0)
    for nodes in reversed(tree.levels):
        inner = nodes[~tree.is_leaf[nodes]]
        below[inner] = _summed_over_children(tree, inner, below)
    return tree.pruned(~tree.is_leaf & (below >= mistakes - _COLLAPSE_SLACK))


def pruned_by_estimated_errors(tree: Tree, confidence: float) -> Tree:
    """C4.5's error-based pruning: a node whose estimate as a leaf is no worse becomes one; O(nodes)."""
    as_leaf = estimated_errors(tree.counts, confidence)
    estimate = as_leaf.copy()
    becomes_leaf = np.zeros(tree.n_nodes, dtype=bool)
    for nodes in reversed(tree.levels):
        inner = nodes[~tree.is_leaf[nodes]]
        below = _summed_over_children(tree, inner, estimate)
        keeps = below + PRUNE_SLACK < as_leaf[inner]
        estimate[inner] = np.where(keeps, below, as_leaf[inner])
        becomes_leaf[inner] = ~keeps
    return tree.pruned(becomes_leaf)


def estimated_errors(counts: Counts, confidence: float) -> Floats:
    """Mistakes of each line of class counts as a leaf: those seen, and those to expect."""
    mistakes = _mistakes(counts)
    return mistakes + added_errors(counts.sum(axis=1).astype(np.float64), mistakes, confidence)


def added_errors(n_rows: Floats, mistakes: Floats, confidence: float) -> Floats:
    """How many more mistakes than were seen to expect, at the upper confidence limit of the binomial.

    The limit is exact without mistakes, a normal approximation with a continuity correction from one on, and
    interpolated in between; nothing is added to nodes without rows.
    """
    n = np.maximum(n_rows, 1e-12)
    without = n * (1 - confidence ** (1 / n))
    one = _normal_limit(n, np.ones_like(n), confidence)
    few = without + np.minimum(mistakes, 1) * (one - without)
    added = np.where(mistakes < 1, few, _normal_limit(n, mistakes, confidence))
    return np.asarray(np.where(n_rows > 0, added, 0), dtype=np.float64)


def _normal_limit(n: Floats, mistakes: Floats, confidence: float) -> Floats:
    z = NormalDist().inv_cdf(1 - confidence)
    share = (mistakes + 0.5) / n
    spread = np.sqrt(np.maximum(share / n - share * share / n + z * z / (4 * n * n), 0))
    limit = (share + z * z / (2 * n) + z * spread) / (1 + z * z / n)
    added = np.where(mistakes + 0.5 >= n, np.maximum(n - mistakes, 0), limit * n - mistakes)
    return np.asarray(added, dtype=np.float64)


def _mistakes(counts: Counts) -> Floats:
    return np.asarray(counts.sum(axis=1) - counts.max(axis=1), dtype=np.float64)


def _summed_over_children(tree: Tree, nodes: Ints, amounts: Floats) -> Floats:
    ends = np.append(0, np.cumsum(tree.n_children[nodes]))
    return np.asarray(sums_between(amounts[tree.children(nodes)], ends))
