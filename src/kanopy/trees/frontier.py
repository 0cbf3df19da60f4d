"""The rows that a top-down method still works on, kept in runs, one run per open node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import Domain, EncodedTable, GroupCounts
from kanopy.data.arrays import Bools, Ints
from kanopy.data.keys import counted, narrowest_unsigned, number_runs, rank


@dataclass(frozen=True, slots=True, eq=False)
class Frontier:
    """All open nodes of one level of a top-down method, and their rows.

    Rows of one node are contiguous and in the order of the table (of the persons, where there are any).
    Splitting all nodes of a level is a handful of passes over arrays, however many nodes there are.
    """

    table: EncodedTable  # the whole table: domains, and what groups are compared with
    rows: NDArray[np.integer[Any]]  # table row of each place
    node: NDArray[np.int32]  # node of each place, non-decreasing from 0
    n_nodes: int
    quasi: tuple[NDArray[np.unsignedinteger[Any]], ...]  # codes, one per place
    target: NDArray[np.unsignedinteger[Any]]  # class codes; all zero where the table has no class
    n_classes: int
    confidential: dict[str, NDArray[np.unsignedinteger[Any]]]
    persons: NDArray[np.int32] | None
    weight: NDArray[Any] | None = None  # of each place, where a row counts for more or less than 1

    @classmethod
    def of_table(cls, table: EncodedTable, weight: NDArray[Any] | None = None) -> Frontier:
        """One node that holds every row; ``weight`` stands for that of the table."""
        n = table.n_rows
        target = np.zeros(n, dtype=np.uint8) if table.target is None else table.target.codes
        whole = cls(
            table,
            np.arange(n, dtype=np.int32 if n < 2**31 else np.int64),
            np.zeros(n, dtype=np.int32),
            1,
            tuple(column.codes for column in table.quasi),
            target,
            int(target.max(initial=0)) + 1,
            {name: column.codes for name, column in table.confidential.items()},
            table.persons,
            table.weight if weight is None else weight,
        )
        return whole if table.persons is None else whole.at(np.argsort(table.persons, kind="stable"))

    @property
    def n_rows(self) -> int:
        return len(self.rows)

    @property
    def total_weight(self) -> Any:
        return self.n_rows if self.weight is None else self.weight.sum()

    @property
    def counts_rows_only(self) -> bool:
        """Whether a promise on this table can look at nothing but the number of rows."""
        return self.persons is None and not self.confidential

    def domain(self, column: int) -> Domain:
        return self.table.quasi[column].domain

    def starts(self) -> Ints:
        """First place of every node, and the end of the last."""
        return np.searchsorted(self.node, np.arange(self.n_nodes + 1))

    def sizes(self) -> Ints:
        """Rows of each node, each as often as it weighs."""
        if self.weight is None:
            return np.diff(self.starts())
        return counted(self.node, self.n_nodes, self.weight)

    def chunks(self, n_places: int) -> Iterator[Frontier]:
        """Cut the frontier between nodes into pieces of about ``n_places``, so that memory stays bounded."""
        starts = self.starts()
        first = 0
        while first < self.n_nodes:
            last = int(np.searchsorted(starts, starts[first] + n_places, side="right")) - 1
            last = min(max(last, first + 1), self.n_nodes)
            if first == 0 and last == self.n_nodes:
                yield self
            else:
                piece = self.at(np.arange(starts[first], starts[last]))
                yield replace(piece, node=piece.node - np.int32(first), n_nodes=last - first)
            first = last

    def of_nodes(self, is_chosen: Bools) -> tuple[Frontier, Ints]:
        """Some of the nodes as a frontier of their own, and the places they have here."""
        if is_chosen.all():
            return self, np.arange(self.n_rows)
        places = np.flatnonzero(is_chosen[self.node])
        return self.at(places).renumbered(int(is_chosen.sum())), places

    def counts(self, child: NDArray[np.integer[Any]], n_children: int, places: Any = ...) -> GroupCounts:
        """What a promise wants to know about a grouping of (some of) the places; O(places)."""
        codes = {name: codes[places] for name, codes in self.confidential.items()}
        persons = None if self.persons is None else self.persons[places]
        weight = None if self.weight is None else self.weight[places]
        return GroupCounts.of_members(self.table, codes, persons, weight, child, n_children)

    def split(self, is_split: Bools, side: NDArray[np.int32]) -> tuple[Frontier, Frontier]:
        """The children that rows of split nodes go to by ``side``, none without rows; and the other nodes."""
        closed, _ = self.of_nodes(~is_split)
        places = np.arange(self.n_rows) if is_split.all() else np.flatnonzero(is_split[self.node])
        order = places.take(_stable_order(self.node.take(places), side.take(places)))
        opened = self.at(order)
        child, n_children = number_runs([opened.node, side.take(order)], len(order))
        return replace(opened, node=child, n_nodes=n_children), closed

    def at(self, places: Ints) -> Frontier:
        """The given places, which must be in the order of their nodes (or about to be split)."""
        return Frontier(
            self.table,
            self.rows.take(places),
            self.node.take(places),
            self.n_nodes,
            tuple(codes.take(places) for codes in self.quasi),
            self.target.take(places),
            self.n_classes,
            {name: codes.take(places) for name, codes in self.confidential.items()},
            None if self.persons is None else self.persons.take(places),
            None if self.weight is None else self.weight.take(places),
        )

    def of_column(self, column: int, places: Ints) -> Frontier:
        """The given places with one quasi-identifier: to copy all of them for each would be quadratic."""
        table = replace(self.table, quasi=(self.table.quasi[column],))
        return replace(self, table=table, quasi=(self.quasi[column],)).at(places)

    def renumbered(self, n_nodes: int) -> Frontier:
        """The same places, their nodes numbered without gaps, of which there are so many."""
        is_next = np.diff(self.node, prepend=self.node[:1]) != 0
        return replace(self, node=np.cumsum(is_next, dtype=np.int32), n_nodes=n_nodes)


def _stable_order(node: NDArray[np.int32], side: NDArray[np.int32]) -> Ints:
    """The order of places by node, then side; O(places), or a sort where there are very many children."""
    n_sides = int(side.max(initial=0)) + 1
    if n_sides > 2:
        keys = np.multiply(node, n_sides, dtype=np.int64)
        keys += side
        child, n_children = rank(keys, int(keys.max()) + 1)
        # Small integers are sorted by counting.
        return np.argsort(child.astype(narrowest_unsigned(n_children)), kind="stable")
    goes_right = side.astype(bool)
    begins = np.flatnonzero(np.diff(node, prepend=-1))
    n_rows = np.diff(begins, append=len(node))
    n_right = np.diff(np.searchsorted(np.flatnonzero(goes_right), np.append(begins, len(node))))
    n_left = n_rows - n_right
    right_before, left_until = np.cumsum(n_right) - n_right, np.cumsum(n_left)
    order = np.empty(len(node), dtype=np.int64)
    for places, others, n_places in (
        (np.flatnonzero(~goes_right), right_before, n_left),
        (np.flatnonzero(goes_right), left_until, n_right),
    ):
        order[np.arange(len(places)) + np.repeat(others, n_places)] = places
    return order
