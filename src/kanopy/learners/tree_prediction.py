"""What a tree says about rows whose cells are sets of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kanopy.data.keys import group_rows, rank
from kanopy.learners.tree_columns import TreeColumn, spans
from kanopy.learners.tree_shares import Shares
from kanopy.learners.tree_slots import FREQUENCY
from kanopy.trees.grow import BranchShares
from kanopy.trees.tree import Tree

if TYPE_CHECKING:
    from kanopy.learners.cells import CellColumn

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_LEAST_PART = 1e-4
"""A part of a row that weighs less is not followed any further: its node speaks for it."""


@dataclass(frozen=True, slots=True, eq=False)
class NewColumn:
    """A column of rows to be told about.

    Parameters
    ----------
    cells : TreeColumn
        Over the values of the training table; an unknown cell has no members.
    is_unseen : array of bool, per cell
        Whether it names only words that the training table did not.
    own_branch : array of int, per cell
        The branch that it has for itself where a set is one more value; -1 for none.
    frequency : array of float
        How often the training table had each value.
    """

    cells: TreeColumn
    is_unseen: Bools
    own_branch: Ints
    frequency: Floats

    @classmethod
    def of(cls, column: CellColumn, fitted: TreeColumn, own_sets: dict[bytes, int]) -> NewColumn:
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


class CellOracle:
    """A tree that is asked about cells.

    Parameters
    ----------
    tree : Tree
    columns : sequence of NewColumn
    members : str
        Whether the values of a cell are alike, or weigh as much as their branches have rows (at a threshold:
        as often as the training table has them).
    """

    def __init__(self, tree: Tree, columns: list[NewColumn], members: str) -> None:
        self._tree, self._columns, self._members = tree, columns, members
        self._in_node = tree.counts.sum(axis=1).astype(np.float64)
        self._of_children = BranchShares(tree.n_children, tree.first_child, self._in_node)
        self._speaks = _shares_that_speak(tree)
        self._low, self._high = _bounds(tree)

    def class_shares(self, n_rows: int) -> Floats:
        """For every row the shares of the classes, averaged over all that its cells may stand for.

        A branch without rows, and a word that the training table did not name, get what the node says.
        O(different rows * depth), and for rows that say little at most the leaves, or 1 / the least part.
        """
        ids = [column.cells.ids for column in self._columns]
        kind, n_kinds = group_rows(ids, [column.cells.n_cells for column in self._columns], n_rows)
        example = np.zeros(n_kinds, dtype=np.int64)
        example[kind] = np.arange(n_rows)
        shares = np.zeros((n_kinds, self._speaks.shape[1]))
        row, node, weight = np.arange(n_kinds), np.zeros(n_kinds, dtype=np.int64), np.ones(n_kinds)
        while len(row):
            ends = self._tree.is_leaf[node] | (self._in_node[node] <= 0) | (weight < _LEAST_PART)
            self._speak(shares, row[ends], node[ends], weight[ends])
            row, node, weight = row[~ends], node[~ends], weight[~ends]
            column_of_row = self._tree.splits.column[node]
            found = []
            for number in np.unique(column_of_row).tolist():
                here = np.flatnonzero(column_of_row == number)
                part, child, share = self._below(number, node[here], example[row[here]])
                stays = child < 0
                place, share = here[part], weight[here[part]] * share
                self._speak(shares, row[place[stays]], node[place[stays]], share[stays])
                found.append((row[place[~stays]], child[~stays], share[~stays]))
            if not found:
                break
            row, node, weight = (np.concatenate([parts[field] for parts in found]) for field in range(3))
        return shares[kind]

    def _speak(self, shares: Floats, row: Ints, node: Ints, weight: Floats) -> None:
        np.add.at(shares, row, self._speaks[node] * weight[:, None])

    def _below(self, number: int, node: Ints, row: Ints) -> tuple[Ints, Ints, Floats]:
        """Which place goes to which child with which share; child -1 for a word that no branch knows."""
        column = self._columns[number]
        n_cells = column.cells.n_cells
        keys = node * n_cells + column.cells.ids[row]
        of_place, n_pairs = rank(keys, self._tree.n_nodes * n_cells)
        key = np.empty(n_pairs, dtype=np.int64)
        key[of_place] = keys
        pair_node, cell = np.divmod(key, n_cells)
        is_threshold = self._tree.splits.threshold[pair_node] >= 0
        own = column.own_branch[cell]
        has_own = (own >= 0) & ~is_threshold
        has_own[has_own] = self._in_node[self._tree.first_child[pair_node[has_own]] + own[has_own]] > 0
        is_unknown = column.cells.is_unknown[cell] & ~column.is_unseen[cell] & ~has_own
        owner, unseen = np.flatnonzero(has_own), np.flatnonzero(column.is_unseen[cell])
        unknown = np.flatnonzero(is_unknown)
        first_child = self._tree.first_child[pair_node]
        sharer, branch, share = self._of_children.of(pair_node[unknown])
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
        shares = Shares.of(np.concatenate(pair), np.concatenate(child), np.concatenate(amount), n_pairs)
        return shares.parts(of_place)

    def _at_values(self, number: int, node: Ints, cell: Ints) -> tuple[Ints, Ints, Floats]:
        cells = self._columns[number].cells
        n_members = cells.n_members[cell]
        pair = np.repeat(np.arange(len(cell)), n_members)
        value = cells.members[spans(cells.first[cell], n_members)]
        amount = np.ones(len(pair))
        if self._members == FREQUENCY:
            amount = self._in_node[self._tree.first_child[node][pair] + value]
        return pair, value, amount

    def _at_thresholds(self, number: int, node: Ints, cell: Ints) -> tuple[Ints, Ints, Floats]:
        column = self._columns[number]
        cells = column.cells
        n_runs = np.diff(cells.run_first)[cell]
        pair = np.repeat(np.arange(len(cell)), n_runs)
        run = spans(cells.run_first[cell], n_runs)
        begin = np.maximum(cells.run_begin[run], self._low[node[pair], number])
        end = np.minimum(cells.run_end[run], self._high[node[pair], number])
        threshold = self._tree.splits.threshold[node[pair]]
        sides = [(begin, np.minimum(end, threshold)), (np.maximum(begin, threshold + 1), end)]
        values = np.ones(cells.domain.n_values) if self._members != FREQUENCY else column.frequency
        up_to = np.append(0, np.cumsum(values))
        amounts = [up_to[np.maximum(low, high + 1)] - up_to[low] for low, high in sides]
        is_there = np.concatenate([low <= high for low, high in sides])
        both, branch = np.tile(pair, 2)[is_there], np.repeat([0, 1], len(pair))[is_there]
        return both, branch, np.concatenate(amounts)[is_there]


def _shares_that_speak(tree: Tree) -> Floats:
    """The shares of the classes in each node; of its parent where it has no rows."""
    shares = tree.counts.astype(np.float64)
    for nodes in tree.levels[1:]:
        empty = nodes[shares[nodes].sum(axis=1) <= 0]
        shares[empty] = shares[tree.parent[empty]]
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _bounds(tree: Tree) -> tuple[Ints, Ints]:
    """Nodes x columns: the lowest and the highest value that the thresholds above a node leave; O(both)."""
    n_values = np.array([domain.n_values for domain in tree.splits.domains])
    low = np.zeros((tree.n_nodes, len(n_values)), dtype=np.int64)
    high = np.broadcast_to(n_values - 1, low.shape).copy()
    if not np.any((tree.splits.threshold >= 0) & ~tree.is_leaf):
        return low, high
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        low[nodes], high[nodes] = low[above], high[above]
        threshold, column = tree.splits.threshold[above], tree.splits.column[above]
        side = nodes - tree.first_child[above]
        left, right = (np.flatnonzero((threshold >= 0) & (side == number)) for number in (0, 1))
        high[nodes[left], column[left]] = threshold[left]
        low[nodes[right], column[right]] = threshold[right] + 1
    return low, high
