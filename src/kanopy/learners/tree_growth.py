"""Growing a tree on cells, level by level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kanopy.learners.tree_choice import Choice
from kanopy.learners.tree_division import Division
from kanopy.learners.tree_level import Level
from kanopy.trees.splits import Splits
from kanopy.trees.tree import Tree, TreeBuilder

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_SAME = 1e-6
_HAIR = 1e-9
"""The part of a leaf's rows that makes one of two equal classes the first."""


def grow_on_cells(
    level: Level, choice: Choice, division: Division, rng: np.random.Generator, *, first_seen: bool
) -> Tree:
    """Grow a tree until nothing is split any more.

    Parameters
    ----------
    level : Level
        The root.
    choice : Choice
        How nodes are split.
    division : Division
        Where the rows go.
    rng : Generator
        Used only by divisions that draw.
    first_seen : bool
        Whether, of the classes a node has most of, the first in the order of the rows is the one it tells;
        otherwise it is the first in the order of the classes.

    Notes
    -----
    Per level O(parts of rows * columns) for counting, plus O(cells in nodes * values of a cell). Of a row
    there may be several parts; ``Division`` says how many at most. A split by a category makes a node for
    every value of the column.
    """
    builder = TreeBuilder([column.domain for column in level.columns])
    counts = [_told(level, level.class_counts(), first_seen=first_seen)]
    in_classes = level.class_counts()
    tree_node = np.zeros(1, dtype=np.int64)
    while True:
        is_open = (in_classes > 0).sum(axis=1) > 1
        is_open &= in_classes.sum(axis=1) >= 2 * choice.min_rows - _SAME
        level, tree_node = level.of_nodes(is_open), tree_node[is_open]
        if not level.n_nodes or not level.columns:
            break
        splits = choice(level)
        is_split = ~splits.is_none
        if not is_split.any():
            break
        level, splits = level.of_nodes(is_split), splits.of_nodes(is_split)
        n_before = builder.n_nodes
        first_child = builder.split_many(tree_node[is_split], splits) - n_before
        place, branch, weight = division(level, splits, rng)
        child = first_child[level.node[place]] + branch
        level, number = _below(level, splits, place, child, weight)
        in_classes = level.class_counts()
        told = np.zeros((builder.n_nodes - n_before, level.n_classes))
        told[number] = _told(level, in_classes, first_seen=first_seen)
        counts.append(told)
        tree_node = n_before + number
    return builder.tree(np.concatenate(counts))


def _below(level: Level, splits: Splits, place: Ints, child: Ints, weight: Floats) -> tuple[Level, Ints]:
    """The next level, and the number of each of its nodes among all children; those without rows are none."""
    n_branches = splits.n_branches
    parent = np.repeat(np.arange(level.n_nodes), n_branches)
    branch = np.arange(len(parent)) - np.repeat(np.cumsum(n_branches) - n_branches, n_branches)
    has_rows = np.bincount(child, minlength=len(parent)) > 0
    number = np.flatnonzero(has_rows)
    parent, branch = parent[number], branch[number]
    low, high, is_tested = level.low[parent], level.high[parent], level.is_tested[parent]
    column, threshold = splits.column[parent], splits.threshold[parent]
    node = np.arange(len(number))
    left, right = (node[(threshold >= 0) & (branch == side)] for side in (0, 1))
    high[left, column[left]] = threshold[left]
    low[right, column[right]] = threshold[right] + 1
    is_tested[node, column] |= threshold < 0
    below = replace(
        level,
        row=level.row[place],
        node=(np.cumsum(has_rows, dtype=np.int32) - np.int32(1))[child],
        weight=weight,
        n_nodes=len(number),
        low=low,
        high=high,
        is_tested=is_tested,
    )
    return below, number


def _told(level: Level, counts: Floats, *, first_seen: bool) -> Floats:
    """The class counts of the nodes, of which the highest is the class that is told."""
    if not first_seen:
        return counts
    most = counts.max(axis=1, keepdims=True)
    is_most = counts >= most * (1 - _HAIR)
    tied = np.flatnonzero(is_most.sum(axis=1) > 1)
    if not len(tied):
        return counts
    first = np.full(counts.shape, len(level.target))
    np.minimum.at(first, (level.node, level.target[level.row]), level.row)
    seen = np.where(is_most, first, len(level.target))[tied].argmin(axis=1)
    told = counts.copy()
    told[tied, seen] += _HAIR * counts[tied].sum(axis=1)
    return told
