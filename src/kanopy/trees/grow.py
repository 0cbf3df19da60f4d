"""Growing a tree level by level, whatever chooses the splits and however rows are counted and divided."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kanopy.data import EncodedTable
from kanopy.data.arrays import Ints
from kanopy.trees.class_counts import joined
from kanopy.trees.code_level import CodeLevel
from kanopy.trees.criterion import Level
from kanopy.trees.splits import Splits
from kanopy.trees.tree import Tree, TreeBuilder

_MOST_PASSES, _CELLS_AT_LEAST = 200, 20_000_000
"""Cells that are counted at most, in passes over the table and in all: a tree that peels a few rows off a
node again and again takes a pass for each of them."""


AnyLevel = TypeVar("AnyLevel", bound=Level)


def grow(
    table: EncodedTable,
    choose: Callable[[CodeLevel], Splits],
    *,
    weights: NDArray[np.float64] | None = None,
    share_missing: bool = False,
    groupings: tuple[Ints, ...] = (),
) -> Tree:
    """Grow a tree over the quasi-identifiers of a table until nothing is split any more, or it is too deep.

    ``groupings`` are those that the splits may refer to; for the rest see ``c45``. O(rows * columns) for
    each level that ``choose`` counts, O(rows) for dividing them. Levels are grown until the cells they
    count are as many as in 200 passes over the table, or 20 million if that is more; nodes that are open then
    stay leaves. Only trees that peel off a few rows at a time get there.
    """
    level = CodeLevel.of_table(table, weights, share_missing=share_missing)
    most_cells = max(_MOST_PASSES * table.n_rows * len(table.quasi), _CELLS_AT_LEAST)
    return grow_from(level, choose, groupings=groupings, most_cells=most_cells)


def grow_from(
    level: AnyLevel,
    choose: Callable[[AnyLevel], Splits],
    *,
    groupings: tuple[Ints, ...] = (),
    most_cells: float = np.inf,
) -> Tree:
    """Grow a tree from its root until nothing is split any more, or so many cells were counted."""
    builder = TreeBuilder(level.domains, groupings)
    counts = [level.class_counts()]
    tree_node = np.zeros(level.n_nodes, dtype=np.int64)
    while True:
        may_split = level.may_split
        level, tree_node = level.of_nodes(may_split), tree_node[may_split]
        if not (level.n_places and level.domains and most_cells > 0):
            break
        most_cells -= level.n_places * len(level.domains)
        splits = choose(level)
        is_split = ~splits.is_none
        if not is_split.any():
            break
        level, splits, tree_node = level.of_nodes(is_split), splits.of_nodes(is_split), tree_node[is_split]
        n_before = builder.n_nodes
        first_child = builder.split_many(tree_node, splits) - n_before
        level, child, in_children = level.divided(splits, first_child, builder.n_nodes - n_before)
        counts.append(in_children)
        tree_node = n_before + child
    return builder.tree(joined(counts))
