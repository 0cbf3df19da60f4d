"""Which node at the top of a tree a row belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kanopy.data.arrays import Codes, Int32s, Ints
from kanopy.data.keys import rows_of_each


@dataclass(frozen=True, eq=False)
class Routing:
    """The top of a tree as plain arrays, so that any task can follow it.

    Parameters
    ----------
    columns : tuple of str
        The quasi-identifiers, by whose codes rows are divided.
    column : array of int
        Of each node the column, by its place, that divides its rows; -1 for nodes that are not divided.
    first : array of int
        Of each divided node, where its codes begin among ``below``.
    below : array of int
        Of every code of the column the node that it leads to; -1 for codes that the node does not have.
    number : array of int
        Of each node that is not divided, the number of its rows; -1 where nothing is asked about them.
    """

    columns: tuple[str, ...]
    column: Ints
    first: Ints
    below: Int32s
    number: Int32s

    @classmethod
    def root(cls, columns: Sequence[str]) -> Routing:
        """All rows are in one node."""
        nothing = np.zeros(1, dtype=np.int64)
        return cls(tuple(columns), nothing - 1, nothing, np.empty(0, np.int32), np.zeros(1, np.int32))

    @property
    def n_nodes(self) -> int:
        """Divided nodes and others together."""
        return len(self.column)

    @property
    def n_numbers(self) -> int:
        """How many nodes something is asked about."""
        return int(self.number.max(initial=-1)) + 1

    def route(self, codes: Sequence[Codes]) -> Int32s:
        """The number of each row, given its codes in the columns; O(rows * depth)."""
        node = np.zeros(len(codes[0]), dtype=np.int32)
        rows = np.flatnonzero(self.column[node] >= 0)
        while len(rows):
            at = node.take(rows)
            column, entry = self.column.take(at), self.first.take(at)
            for number, places in enumerate(rows_of_each(column, len(codes))):
                entry[places] += codes[number].take(rows.take(places))
            node[rows] = self.below.take(entry)
            rows = rows[self.column.take(node.take(rows)) >= 0]
        return self.number.take(node)

    def numbered(self, nodes: Ints) -> Routing:
        """The same tree, where something is asked about the given nodes, numbered in this order."""
        return self.numbered_as(nodes, np.arange(len(nodes)))

    def numbered_as(self, nodes: Ints, number: Ints) -> Routing:
        """The same tree, where given nodes have given numbers; several may have the same."""
        numbers = np.full(self.n_nodes, -1, dtype=np.int32)
        numbers[nodes] = number
        return replace(self, number=numbers)

    def with_columns(self, names: Sequence[str]) -> Routing:
        """The same tree, which may be divided by more columns."""
        return replace(self, columns=(*self.columns, *names))

    def divided(self, nodes: Ints, column: Ints, n_codes: Ints, codes: DividedCodes) -> Routing:
        """The tree with some nodes divided; their children come last. O(nodes + codes of the columns)."""
        first = len(self.below) + np.cumsum(n_codes) - n_codes
        added = np.full(int(n_codes.sum()), -1, dtype=np.int32)
        added[first[codes.place] - len(self.below) + codes.code] = self.n_nodes + codes.child
        n_children = int(codes.child.max(initial=-1)) + 1
        of_children = np.full(n_children, -1)
        of_column, of_first = np.append(self.column, of_children), np.append(self.first, of_children)
        of_column[nodes], of_first[nodes] = column, first
        below, number = np.append(self.below, added), np.append(self.number, of_children)
        return Routing(self.columns, of_column, of_first, below, number.astype(np.int32))

    def divided_by(self, column: int, n_codes: int, node: Ints, code: Codes) -> tuple[Routing, Ints]:
        """The tree with nodes divided by every code of a column, given pairs of a node and a code that it
        has; and where each of these pairs is now. Sorts of the pairs."""
        nodes, place = np.unique(node, return_inverse=True)
        pairs, child = np.unique(place * n_codes + code, return_inverse=True)
        leads = DividedCodes(pairs // n_codes, pairs % n_codes, np.arange(len(pairs)))
        sizes = np.full(len(nodes), n_codes)
        return self.divided(nodes, np.full(len(nodes), column), sizes, leads), self.n_nodes + child


@dataclass(frozen=True, slots=True, eq=False)
class DividedCodes:
    """Where codes of divided nodes lead to."""

    place: Ints  # which of the nodes
    code: Codes
    child: Codes  # children of all the nodes, numbered from 0
