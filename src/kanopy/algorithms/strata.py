"""Rows of a tree's leaves that a promise cannot tell apart: it is enough to decide how many go where.

Which of them go there is then left to their tickets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kanopy.algorithms.tickets import Draw, DrawnTickets
from kanopy.data import CodedColumn, Domain, EncodedTable, Split
from kanopy.data.arrays import Codes, Groups, Ints
from kanopy.data.keys import begins_run, counted, group_rows, narrowest_unsigned, order_of, paired


class Strata(NamedTuple):
    """The rows of each leaf that agree in all confidential columns, counted; in the order of these."""

    leaf: Groups
    codes: tuple[Codes, ...]  # of each confidential column
    weight: Ints  # rows, each as often as it weighs

    @classmethod
    def of_rows(cls, table: EncodedTable, leaf: Groups, n_leaves: int) -> tuple[Strata, Groups]:
        """The strata of a table, and the one of each row; O(rows * confidential columns), or sorts."""
        columns = [leaf, *(column.codes for column in table.confidential.values())]
        sizes = [n_leaves, *(column.domain.n_codes for column in table.confidential.values())]
        stratum, n_strata = group_rows(columns, sizes, table.n_rows)
        example = np.zeros(n_strata, dtype=np.int64)
        example[stratum] = np.arange(table.n_rows)
        codes = (each[example] for each in columns[1:])
        weight = np.ones(table.n_rows, dtype=np.int64) if table.weight is None else table.weight
        return cls(leaf[example], tuple(codes), counted(stratum, n_strata, weight)), stratum

    def table(self, confidential: Sequence[Domain]) -> EncodedTable:
        """The strata as rows of a table, of which nothing but the confidential columns is known."""
        columns = {
            domain.name: CodedColumn(domain, codes.astype(narrowest_unsigned(domain.n_codes), copy=False))
            for domain, codes in zip(confidential, self.codes, strict=True)
        }
        return EncodedTable(len(self.weight), (), confidential=columns, weight=self.weight)


@dataclass(frozen=True, eq=False)
class SharedOut:
    """How many rows of each stratum are released at which node: most of them at one, some elsewhere.

    Parameters
    ----------
    main : array of int
        The node at which most rows of each stratum are released; -1 where they are dropped.
    stratum, node, n : arrays of int
        The others: so many rows of a stratum, at another node; in the order of the strata.
    """

    main: Groups
    stratum: Ints
    node: Groups
    n: Ints

    @classmethod
    def of(cls, node: Groups, split: Split | None) -> SharedOut:
        """From the nodes of strata, or of their parts in order, to who is drawn; O(parts), and sorts."""
        if split is None:
            nothing = np.empty(0, dtype=np.int64)
            return cls(node, nothing, node[:0], nothing)
        largest_first = np.lexsort((-split.weight, split.origin))
        is_main = begins_run([split.origin[largest_first]], len(node))
        others = np.sort(largest_first[~is_main])
        main = node[largest_first[is_main]]
        return cls(main, split.origin[others], node[others], split.weight[others])

    @property
    def n_drawn(self) -> Ints:
        """Rows of each stratum that are not released where most are."""
        n_drawn: Ints = counted(self.stratum, len(self.main), self.n)
        return n_drawn

    def drawn(self, stratum: Ints, tickets: DrawnTickets) -> tuple[Ints, Groups]:
        """The rows that are released elsewhere, and where, given the lowest tickets of the strata and maybe
        some more; a sort of the tickets."""
        order = np.lexsort((tickets.ticket, stratum))
        in_order = stratum[order]
        place = np.arange(len(order)) - np.searchsorted(in_order, in_order)
        chosen = order[place < self.n_drawn[in_order]]
        part = np.searchsorted(np.cumsum(self.n), np.arange(len(chosen)), side="right")
        return tickets.row[chosen], self.node[part]


def lowest_tickets(
    shared: SharedOut,
    n_rows: Ints,
    salt: int,
    ask: Callable[[Draw], tuple[Ints, DrawnTickets]],
) -> tuple[Ints, DrawnTickets]:
    """As many tickets of each stratum as are drawn, and a few more; who is asked gives strata and tickets
    below limits. It is asked again, for more, in the unlikely case that there are too few."""
    slack = 8.0
    while True:
        stratum, tickets = ask(Draw.of_lowest(salt, shared.n_drawn, n_rows, slack))
        if (np.bincount(stratum, minlength=len(n_rows)) >= shared.n_drawn).all():
            return stratum, tickets
        slack *= 2


def shared_among_rows(
    table: EncodedTable, strata: Strata, stratum: Groups, shared: SharedOut, salt: int
) -> tuple[Groups, Split | None]:
    """The node of each row of a table, or of each part of it where equal rows are released apart.

    O(rows * columns), plus the total weight of rows of which some are drawn.
    """
    if not len(shared.n):
        return shared.main[stratum], None
    assert table.weight is not None
    weight = table.weight
    some = np.flatnonzero((shared.n_drawn > 0)[stratum])
    codes = {column.domain.name: column.codes[some] for column in table.published()}

    def ask(draw: Draw) -> tuple[Ints, DrawnTickets]:
        found = draw.tickets(codes, weight[some], stratum[some])
        row = some[found.row]
        return stratum[row].astype(np.int64), DrawnTickets(row, found.ticket)

    row, node = shared.drawn(*lowest_tickets(shared, strata.weight, salt, ask))
    # One part for each node at which rows like this are released, the one of most rows first.
    n_nodes = int(max(shared.main.max(), node.max(initial=-1))) + 2
    keys = paired(row, node + 1, table.n_rows, n_nodes).astype(np.int64, copy=False)
    order = order_of(keys, table.n_rows * n_nodes)
    begins = np.flatnonzero(begins_run([keys[order]], len(order)))
    n_of_part = np.diff(begins, append=len(order))
    left = weight - np.bincount(row, minlength=table.n_rows)
    stays = np.flatnonzero(left)
    origin = np.concatenate([stays, row[order[begins]]])
    in_order = np.argsort(origin, kind="stable")
    nodes = np.concatenate([shared.main[stratum[stays]], node[order[begins]]])[in_order]
    split = Split(origin[in_order], np.concatenate([left[stays], n_of_part])[in_order])
    return nodes, split
