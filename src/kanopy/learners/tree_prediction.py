"""What a tree predicts for rows whose cells are sets of values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.data.keys import group_rows
from kanopy.learners.cells import CellColumn
from kanopy.learners.tree_columns import Members, OwnSets, TreeColumn
from kanopy.learners.tree_division import beside
from kanopy.learners.tree_level import ranked
from kanopy.trees.splits import BranchShares, Parts
from kanopy.trees.tree import Tree, shares_at_leaves, shares_of_children

_LEAST_PART = 1e-4  # a part of a row that weighs less stays at its node


@dataclass(frozen=True, slots=True, eq=False)
class NewColumn:
    """A column of rows to predict."""

    cells: TreeColumn  # over the values of the training table; an unknown cell has no members
    is_unseen: Bools  # per cell: it names only values that the training table did not
    own_branch: Ints  # per cell: the branch it has for itself where a set is one more value; -1 for none
    frequency: Floats  # how often the training table had each value

    @classmethod
    def of(cls, column: CellColumn, fitted: TreeColumn, own_sets: OwnSets) -> NewColumn:
        """Read a column; O(rows + members)."""
        cells = TreeColumn.of(column, as_categories=not fitted.domain.is_numeric)
        own_branch = np.full(cells.n_cells, -1)
        if own_sets:
            for cell in np.flatnonzero(cells.n_members != 1).tolist():
                members = cells.members[cells.first[cell] : cells.first[cell + 1]]
                own_branch[cell] = own_sets.get(members.tobytes(), -1)
        is_unseen = (column.sizes == 0) & ~column.with_missing & ~column.is_suppressed
        own_branch[is_unseen] = -1
        return cls(cells, is_unseen, own_branch, fitted.frequency)

    @property
    def is_plain(self) -> bool:
        return self.cells.is_plain and not self.is_unseen.any()


class CellPredictor:
    """What a tree predicts for cells.

    The values of a cell are alike, or weigh as much as their branches have rows (at a threshold: as often as
    the training table has them), as ``members`` says.
    """

    def __init__(self, tree: Tree, columns: list[NewColumn], members: Members) -> None:
        self._tree, self._columns, self._members = tree, columns, members
        self._of_children = shares_of_children(tree)
        self._low, self._high = _bounds(tree)

    def class_shares(self, n_rows: int) -> Floats:
        """For every row the shares of the classes, averaged over all that its cells may stand for.

        A branch without rows, and a value that the training table did not name, get the shares of the node.
        O(different rows * depth), for rows with many open cells at most the leaves, or 1 / the least part.
        """
        ids = [column.cells.ids for column in self._columns]
        kind, n_kinds = group_rows(ids, [column.cells.n_cells for column in self._columns], n_rows)
        example = np.zeros(n_kinds, dtype=np.int64)
        example[kind] = np.arange(n_rows)

        def descend(node: Ints, row: Ints) -> Parts:
            column_of_row = self._tree.splits.column[node]
            found = [(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))]
            for number in np.unique(column_of_row).tolist():
                here = np.flatnonzero(column_of_row == number)
                place, child, share = self._below(number, node[here], example[row[here]])
                found.append((here[place], child, share))
            place, child, share = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
            return place, child, share

        return shares_at_leaves(self._tree, descend, n_kinds, _LEAST_PART)[kind]

    def _below(self, number: int, node: Ints, row: Ints) -> Parts:
        """Which place goes to which child with which share; child -1 for a value that no branch has."""
        column, tree = self._columns[number], self._tree
        n_cells = column.cells.n_cells
        of_place, key = ranked(node * n_cells + column.cells.ids[row], self._tree.n_nodes * n_cells)
        pair_node, cell = np.divmod(key, n_cells)
        is_threshold = self._tree.splits.threshold[pair_node] >= 0
        own = column.own_branch[cell]
        has_own = (own >= 0) & ~is_threshold
        has_own[has_own] = tree.rows_of_node[tree.first_child[pair_node[has_own]] + own[has_own]] > 0
        is_unknown = column.cells.is_unknown[cell] & ~column.is_unseen[cell] & ~has_own
        owner, unseen = np.flatnonzero(has_own), np.flatnonzero(column.is_unseen[cell])
        unknown = np.flatnonzero(is_unknown)
        first_child = self._tree.first_child[pair_node]
        sharer, branch, share = self._of_children.parts(pair_node[unknown])
        pair = [owner, unseen, unknown[sharer]]
        child = [
            first_child[owner] + own[owner],
            np.full(len(unseen), -1),
            first_child[unknown[sharer]] + branch,
        ]
        amount = [np.ones(len(owner)), np.ones(len(unseen)), share]
        known = ~is_unknown & ~column.is_unseen[cell] & ~has_own
        for find, chosen in ((self._at_values, ~is_threshold), (self._at_thresholds, is_threshold)):
            places = np.flatnonzero(known & chosen)
            sharer, branch, share = find(number, pair_node[places], cell[places])
            pair.append(places[sharer])
            child.append(first_child[places[sharer]] + branch)
            amount.append(share)
        pair_of, child_of, amount_of = (np.concatenate(arrays) for arrays in (pair, child, amount))
        return BranchShares.of(pair_of, child_of, amount_of, len(key)).parts(of_place)

    def _at_values(self, number: int, node: Ints, cell: Ints) -> Parts:
        cells = self._columns[number].cells
        pair, value = cells.members_of(cell)
        amount = np.ones(len(pair))
        if self._members == "frequency":
            amount = self._tree.rows_of_node[self._tree.first_child[node][pair] + value]
        return pair, value, amount

    def _at_thresholds(self, number: int, node: Ints, cell: Ints) -> Parts:
        column = self._columns[number]
        pair, begin, last = column.cells.runs_of(cell)
        begin = np.maximum(begin, self._low[node[pair], number])
        end = np.minimum(last, self._high[node[pair], number]) + 1
        cut = self._tree.splits.threshold[node[pair]] + 1
        frequency = column.frequency
        values = frequency if self._members == "frequency" else np.ones(len(frequency))
        up_to = np.append(0, np.cumsum(values))
        return beside(pair, begin, end, cut, lambda low, high: np.asarray(up_to[high] - up_to[low]))


def _bounds(tree: Tree) -> tuple[Ints, Ints]:
    """Nodes x columns: the lowest and the highest value that the thresholds above a node leave; O(both)."""
    n_values = np.array([domain.n_values for domain in tree.splits.domains])
    low = np.zeros((tree.n_nodes, len(n_values)), dtype=np.int64)
    high = np.broadcast_to(n_values - 1, low.shape).copy()
    if not np.any((tree.splits.threshold >= 0) & ~tree.is_leaf):
        return low, high
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        branch = nodes - tree.first_child[above]
        low[nodes], high[nodes] = tree.splits.bounds_below(low, high, above, branch)
    return low, high
