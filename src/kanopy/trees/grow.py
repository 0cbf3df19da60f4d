"""Growing a tree level by level: whatever chooses the splits, the rows are divided here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import EncodedTable
from kanopy.trees.class_counts import Counts, count_classes, joined
from kanopy.trees.frontier import Frontier
from kanopy.trees.splits import Splits
from kanopy.trees.tree import Tree, TreeBuilder

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

Choose = Callable[[Frontier, NDArray[np.bool_]], Splits]
"""Says how each node of a level is split, if at all, given the columns tested above it (nodes x columns)."""


_MOST_PASSES, _CELLS_AT_LEAST = 200, 20_000_000
"""Cells that are counted at most, in passes over the table and in all: a tree that peels a few rows off a
node again and again takes a pass for each of them."""


def grow(
    table: EncodedTable,
    choose: Choose,
    *,
    weights: Floats | None = None,
    share_missing: bool = False,
    groupings: tuple[Ints, ...] = (),
) -> Tree:
    """Grow a tree over the quasi-identifiers of a table until nothing is split any more, or it is too deep.

    Parameters
    ----------
    table : EncodedTable
        Its target is the class.
    choose : callable
        From the open nodes of a level, and the columns that were tested above them, to their splits.
    weights : array of float, optional
        What each row counts for; a row of weight 0 is as good as absent.
    share_missing : bool
        Whether a row whose value is missing is shared among all branches, in proportion to their rows, as a
        learner does; otherwise missing has a branch of its own.
    groupings : tuple of arrays
        That the splits may refer to.

    Notes
    -----
    O(rows * columns) per level for the counting that ``choose`` does, O(rows) for dividing them. Levels are
    grown until the cells they count are as many as in 200 passes over the table, or 20 million if that is
    more; nodes that are open then stay leaves. Only trees that peel off a few rows at a time get there.
    """
    if share_missing and weights is None:
        weights = np.ones(table.n_rows)
    frontier = Frontier.of_table(table, weights)
    if frontier.weight is not None:
        frontier = frontier.at(np.flatnonzero(frontier.weight > 0))
    builder = TreeBuilder([column.domain for column in table.quasi], groupings)
    counts = [_class_counts(frontier, frontier.node, 1)]
    tree_node = np.zeros(1, dtype=np.int64)
    is_tested = np.zeros((1, len(table.quasi)), dtype=bool)
    n_cells = max(_MOST_PASSES * table.n_rows * len(table.quasi), _CELLS_AT_LEAST)
    while frontier.n_rows and frontier.quasi and n_cells > 0:
        n_cells -= frontier.n_rows * len(frontier.quasi)
        splits = choose(frontier, is_tested)
        is_split = ~splits.is_none
        if not is_split.any():
            break
        n_before = builder.n_nodes
        first_child = np.zeros(frontier.n_nodes, dtype=np.int64)
        first_child[is_split] = builder.split_many(tree_node[is_split], splits.of_nodes(is_split))
        frontier, _ = frontier.of_nodes(is_split)
        frontier, side = _divided(frontier, splits.of_nodes(is_split), share_missing=share_missing)
        child = first_child[is_split][frontier.node] + side - n_before
        counts.append(_class_counts(frontier, child, builder.n_nodes - n_before))
        frontier, _ = frontier.split(np.ones(frontier.n_nodes, dtype=bool), side.astype(np.int32))
        has_rows = np.bincount(child, minlength=builder.n_nodes - n_before) > 0
        tree_node = n_before + np.flatnonzero(has_rows)
        above = np.repeat(np.flatnonzero(is_split), splits.n_branches[is_split])[has_rows]
        is_tested = is_tested[above]
        is_tested[np.arange(len(above)), splits.column[above]] = True
    return builder.tree(joined(counts))


def _divided(frontier: Frontier, splits: Splits, *, share_missing: bool) -> tuple[Frontier, Ints]:
    """The places, some of them now several times, and the branch of each."""
    places = np.arange(frontier.n_rows)
    if not share_missing:
        return frontier, splits.branches(frontier.node, frontier.quasi, places)
    assert frontier.weight is not None
    places, side, weight = shared_branches(splits, frontier.node, frontier.quasi, places, frontier.weight)
    order = np.argsort(frontier.node[places], kind="stable")
    return frontier.at(places[order]).weighted(weight[order]), side[order]


def shared_branches(
    splits: Splits, node: NDArray[Any], columns: Sequence[NDArray[Any]], rows: Ints, weight: Floats
) -> tuple[Ints, Ints, Floats]:
    """Where rows go at their nodes if those with a missing value are shared among the branches; O(rows).

    Returns
    -------
    place, branch, weight
        Which of the rows, given by its place, goes to which branch with which weight; first the known ones.
    """
    branch = splits.branches(node, columns, rows)
    _, is_missing = splits.codes(node, columns, rows)
    if not is_missing.any():
        return np.arange(len(rows)), branch, weight
    known, missing = np.flatnonzero(~is_missing), np.flatnonzero(is_missing)
    n_branches = splits.n_branches
    first = np.cumsum(n_branches) - n_branches
    amount = np.bincount(first[node[known]] + branch[known], weight[known], minlength=n_branches.sum())
    # Where nothing is known all values are alike, but not the last branch, which is that of missing itself.
    nothing = np.add.reduceat(amount, first) <= 0
    amount[np.repeat(nothing, n_branches)] = 1
    amount[(first + n_branches - 1)[nothing]] = 0
    sharer, shared_branch, share = BranchShares(n_branches, first, amount).of(node[missing])
    return (
        np.concatenate([known, missing[sharer]]),
        np.concatenate([branch[known], shared_branch]),
        np.concatenate([weight[known], weight[missing[sharer]] * share]),
    )


class BranchShares:
    """For every node the branches that have rows, and which part of them.

    Parameters
    ----------
    n_branches, first : arrays of int, per node
        How many branches a node has, and where its first one is in ``amount``.
    amount : array
        Rows, or their weights, of each branch.
    """

    def __init__(self, n_branches: Ints, first: Ints, amount: NDArray[Any]) -> None:
        owner = np.repeat(np.arange(len(n_branches)), n_branches)
        branch = np.arange(len(owner)) - np.repeat(np.cumsum(n_branches) - n_branches, n_branches)
        amount = amount[first[owner] + branch]
        total = np.bincount(owner, amount, minlength=len(n_branches))
        present = np.flatnonzero(amount > 0)
        self._branch = branch[present]
        self._share = amount[present] / total[owner[present]]
        self._begin = np.searchsorted(owner[present], np.arange(len(n_branches) + 1))

    def of(self, nodes: NDArray[Any]) -> tuple[Ints, Ints, Floats]:
        """For rows at the given nodes: which row (by its place), to which branch, with which share."""
        n_parts = np.diff(self._begin)[nodes]
        row = np.repeat(np.arange(len(nodes)), n_parts)
        number = np.arange(len(row)) - np.repeat(np.cumsum(n_parts) - n_parts, n_parts)
        entry = self._begin[nodes][row] + number
        return row, self._branch[entry], self._share[entry]


def _class_counts(frontier: Frontier, child: NDArray[Any], n_children: int) -> Counts:
    keys = np.multiply(child, frontier.n_classes, dtype=np.int64)
    keys += frontier.target
    return count_classes(keys, frontier.weight, n_children, frontier.n_classes)
