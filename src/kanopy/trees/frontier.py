"""The rows that a top-down method still works on, kept in runs, one run per open node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanopy.data import Domain, EncodedTable, GroupCounts
from kanopy.data.arrays import Amounts, Bools, Codes, Floats, Int32s, Ints
from kanopy.data.keys import count_keys, counted, narrowest_unsigned, paired
from kanopy.data.value_sets import numbers_from

_FEW_SIDES = 3
_ALL = slice(None)


class Spared(NamedTuple):
    """Nodes whose rows need not be counted: they hold what their siblings do not. The last of a frontier."""

    above: Sequence[Amounts | None]  # of each column, counts of the nodes above by class and code, if known
    parent: Ints  # of each spared node, the node above
    siblings: Ints  # of each spared node, one after the other
    first: Ints  # of each spared node, the place of its first sibling among these

    @property
    def n_nodes(self) -> int:
        return len(self.parent)

    def counts(self, above: Amounts, of_others: Amounts) -> Amounts:
        """What is left of the counts of the nodes above; exact where counts are whole numbers."""
        if not self.n_nodes:
            return of_others[:0]
        return above[self.parent] - np.add.reduceat(of_others[self.siblings], self.first)


@dataclass(frozen=True, eq=False)
class Frontier:
    """All open nodes of one level of a top-down method, and their rows.

    Rows of one node are contiguous and in the order of the table (of the persons, where there are any).
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
    weight: NDArray[Any] | None  # of each place, where a row counts for more or less than 1
    number: Ints  # of each node, among all nodes that there were
    n_numbers: int
    spared: Spared | None = None  # where nodes above were counted

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
            np.zeros(1, dtype=np.int64),
            1,
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

    @cached_property
    def starts(self) -> Ints:
        """First place of every node, and the end of the last."""
        return np.searchsorted(self.node, np.arange(self.n_nodes + 1))

    @cached_property
    def sizes(self) -> Amounts:
        """Rows of each node, each as often as it weighs."""
        return np.diff(self.starts) if self.weight is None else self.counted(self.node, self.n_nodes)

    @cached_property
    def class_key(self) -> Codes:
        """The pair of a node and a class of each place; every column is counted beside it."""
        return paired(self.node, self.target, self.n_nodes, self.n_classes)

    @cached_property
    def _float_weight(self) -> Floats | None:
        """As NumPy adds up weights; made once and not for every count."""
        return None if self.weight is None else self.weight.astype(np.float64, copy=False)

    def counted(self, keys: Codes, n_keys: int, places: slice = _ALL) -> Amounts:
        """The summed weight of each key below ``n_keys``, given one per place; O(places + keys)."""
        found = counted(keys, n_keys, None if self._float_weight is None else self._float_weight[places])
        return found if self.weight is None else found.astype(self.weight.dtype, copy=False)

    def places_of(self, nodes: Ints) -> Any:
        """The places of some nodes, given in order, one node after the other; O(places)."""
        if len(nodes) == self.n_nodes:
            return slice(None)
        return numbers_from(self.starts[nodes], np.diff(self.starts)[nodes])

    def spread(self, of_nodes: Amounts, nodes: Ints) -> Amounts:
        """One thing for each of some nodes, given in order, as one for each of their places."""
        return np.repeat(of_nodes[nodes], np.diff(self.starts)[nodes])

    def chunks(self, n_places: int) -> Iterator[Frontier]:
        """Cut the frontier between nodes into pieces of about ``n_places``, so that memory stays bounded."""
        starts = self.starts
        first = 0
        while first < self.n_nodes:
            last = int(np.searchsorted(starts, starts[first] + n_places, side="right")) - 1
            last = min(max(last, first + 1), self.n_nodes)
            yield self if last - first == self.n_nodes else self._between(first, last)
            first = last

    def _between(self, first: int, last: int) -> Frontier:
        """Nodes that follow each other; nothing is copied."""
        places = slice(self.starts[first], self.starts[last])
        piece = self._taken(lambda array: array[places])
        return replace(
            piece, node=piece.node - np.int32(first), n_nodes=last - first, number=self.number[first:last]
        )

    def of_nodes(self, is_chosen: Bools) -> Frontier:
        """Some of the nodes as a frontier of their own."""
        if is_chosen.all():
            return self
        nodes = np.flatnonzero(is_chosen)
        some = self.at(self.places_of(nodes))
        return replace(some, number=self.number[nodes]).renumbered(len(nodes))

    def counts(self, child: NDArray[np.integer[Any]], n_children: int, places: Any = ...) -> GroupCounts:
        """What a promise wants to know about a grouping of (some of) the places; O(places)."""
        codes = {name: codes[places] for name, codes in self.confidential.items()}
        persons = None if self.persons is None else self.persons[places]
        weight = None if self.weight is None else self.weight[places]
        return GroupCounts.of_members(self.table, codes, persons, weight, child, n_children)

    def split(
        self,
        is_split: Bools,
        side: Codes,
        least: int = 0,
        counts: Sequence[Amounts | None] = (),
    ) -> tuple[Frontier, Codes, Ints]:
        """The children that rows of split nodes go to by ``side``, none without rows; and of all rows that
        are not among them the number of their node: of nodes that are not split, and of children that have
        fewer rows than ``least``. Where ``counts`` of the columns are known, spared nodes come last.
        O(places), or a sort of many sides."""
        order, of_side, parent, size = _blocks(self.node, self.starts, side)
        by_node = np.lexsort((of_side, parent))
        first, size, parent = (np.cumsum(size) - size)[by_node], size[by_node], parent[by_node]
        is_child = is_split[parent]
        number = np.where(is_child, self.n_numbers + np.cumsum(is_child) - 1, self.number[parent])
        is_open = is_child
        if least:
            n_rows = size
            if self.weight is not None:
                n_rows = np.add.reduceat(self.weight.take(order), np.sort(first))[by_node]
            is_open = is_child & (n_rows >= least)
        children, spared = np.flatnonzero(is_open), None
        if any(known is not None for known in counts):
            children, *families = _largest_last(children, parent, size)
            spared = Spared(counts, *families)
        node = np.repeat(np.arange(len(children), dtype=np.int32), size[children])
        opened = replace(
            self.at(order.take(numbers_from(first[children], size[children])), node),
            n_nodes=len(children),
            number=number[children],
            n_numbers=self.n_numbers + int(is_child.sum()),
            spared=spared,
        )
        closed = order.take(numbers_from(first[~is_open], size[~is_open]))
        return opened, self.rows.take(closed), np.repeat(number[~is_open], size[~is_open])

    def at(self, places: Any, node: Int32s | None = None) -> Frontier:
        """The given places, which must be in the order of their nodes; these may be others than before."""
        if isinstance(places, slice):
            return self._taken(lambda array: array[places], node)
        return self._taken(lambda array: array.take(places), node)

    def _taken(self, take: Callable[[Any], Any], node: Int32s | None = None) -> Frontier:
        """The same nodes with some of the places, in whatever way these are taken from an array."""
        return replace(
            self,
            rows=take(self.rows),
            node=take(self.node) if node is None else node,
            quasi=tuple(take(codes) for codes in self.quasi),
            target=take(self.target),
            confidential={name: take(codes) for name, codes in self.confidential.items()},
            persons=None if self.persons is None else take(self.persons),
            weight=None if self.weight is None else take(self.weight),
            spared=None,
        )

    def of_column(self, column: int, places: Ints) -> Frontier:
        """The given places with one quasi-identifier: to copy all of them for each would be quadratic."""
        table = replace(self.table, quasi=(self.table.quasi[column],))
        return replace(self, table=table, quasi=(self.quasi[column],)).at(places)

    def renumbered(self, n_nodes: int) -> Frontier:
        """The same places, their nodes numbered without gaps, of which there are so many."""
        is_next = np.diff(self.node, prepend=self.node[:1]) != 0
        return replace(self, node=np.cumsum(is_next, dtype=np.int32), n_nodes=n_nodes)


def _largest_last(children: Ints, parent: Ints, size: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """The open children, those that are spared last: of each node all of whose children are open, where it
    has several, the largest. Also the other parts of ``Spared``."""
    n_open = np.bincount(parent[children], minlength=int(parent.max(initial=0)) + 1)
    is_whole = (n_open == np.bincount(parent, minlength=len(n_open))) & (n_open > 1)
    members = np.flatnonzero(is_whole[parent[children]])
    family = parent[children[members]]
    first = np.flatnonzero(np.diff(family, prepend=-1))
    by_size = members[np.lexsort((size[children[members]], family))]
    largest = by_size[np.append(first[1:], len(members))[: len(first)] - 1]
    is_last = np.zeros(len(children), dtype=bool)
    is_last[largest] = True
    siblings = (np.cumsum(~is_last) - 1)[members[~is_last[members]]]
    in_order = children[np.concatenate([np.flatnonzero(~is_last), largest])]
    return in_order, parent[children[largest]], siblings, first - np.arange(len(first))


def _blocks(node: NDArray[np.int32], starts: Ints, side: Codes) -> tuple[Ints, Ints, Ints, Ints]:
    """The places by side, then node, in their order; and the side, the node and the length of each block of
    places that have both in common. O(places), or a sort where sides are many."""
    n_sides, n_nodes = int(side.max(initial=0)) + 1, len(starts) - 1
    if n_sides > _FEW_SIDES:
        order = np.argsort(side.astype(narrowest_unsigned(n_sides)), kind="stable")  # by counting
        present, size = count_keys(paired(side, node, n_sides, n_nodes), n_sides * n_nodes)
    else:
        places = [np.flatnonzero(side == number) for number in range(n_sides)]
        order = np.concatenate(places)
        sizes = np.concatenate([np.diff(np.searchsorted(some, starts)) for some in places])
        present = np.flatnonzero(sizes)
        size = sizes[present]
    return order, present // n_nodes, present % n_nodes, size
