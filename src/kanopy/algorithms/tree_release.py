"""Publishing the rows of a tree's nodes: what the path to the node tests is shown, all else suppressed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kanopy.data import STYLES, EncodedTable, Partition, Recoding
from kanopy.data.keys import rank
from kanopy.data.partition import Dictionary, GroupSummary
from kanopy.trees import Tree

MERGES = ("suppress", "members")
NUMBERS = ("mean", "range", "bins")


@dataclass(frozen=True, slots=True, eq=False)
class GroupedNodes:
    """Rows in groups, each of which is released at a node of a tree.

    Parameters
    ----------
    group : array of int
        Of every row, numbered from 0 without gaps; -1 for rows that are dropped.
    node : array of int
        Of every group; several groups may be released at one node.
    """

    group: NDArray[np.int32]
    node: NDArray[np.int64]

    @classmethod
    def of(cls, group: NDArray[np.int32], node: NDArray[np.int64]) -> GroupedNodes:
        """Number the groups that have rows; ``node`` is of every number that ``group`` uses. O(rows)."""
        numbers, _ = rank(group.astype(np.int64) + 1, len(node) + 1)
        is_used = np.bincount(group[group >= 0], minlength=len(node)) > 0
        if (group >= 0).all():
            return cls(numbers, node[is_used])
        return cls(numbers - np.int32(1), node[is_used])

    @classmethod
    def of_nodes(cls, node: NDArray[np.int32], n_nodes: int) -> GroupedNodes:
        """One group for every node that releases rows."""
        return cls.of(node, np.arange(n_nodes))


def publish_groups(
    table: EncodedTable, tree: Tree, groups: GroupedNodes, *, numbers: str, merge: str
) -> Recoding:
    """Print every row by the node that releases its group; O(rows * columns).

    A column that the path to the node tests is shown: numbers in their own style, everything else where
    all rows of the group agree.

    PRIVACY: a test need not pin the value (a threshold, a group of values, rows that a sibling gave up), so
    what is shown is what the *rows* agree on (tests/unit/algorithms/test_tree_release.py).

    Parameters
    ----------
    numbers : str
        One of ``NUMBERS``.
    merge : str
        ``"members"`` also shows the column that divided an inner node, and columns of which only groups of
        values were tested, as the set of the group's values.
    """
    is_shown = tree.is_tested[groups.node]
    if merge == "members":
        inner = np.flatnonzero(~tree.is_leaf[groups.node])
        is_shown[inner, tree.splits.column[groups.node[inner]]] = True

    def style(summary: GroupSummary) -> Dictionary:
        if summary.domain.is_numeric:
            return STYLES[numbers](summary)
        return STYLES["range" if merge == "members" else "suppress"](summary)

    return Partition(groups.group, len(groups.node)).publish(table, style, is_shown)
