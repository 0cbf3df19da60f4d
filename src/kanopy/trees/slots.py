"""Counting for cuts: a slot is one value of one column inside one open node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import GroupCounts, Histogram
from kanopy.data.arrays import Amounts, Codes, Floats, Ints
from kanopy.data.keys import count_keys, counted, number_runs
from kanopy.trees.class_counts import (
    Counts,
    SparseCounts,
    as_array_where_it_fits,
    entropies_beside,
    fits_array,
    of_class,
    over_classes,
    running_sums,
    sums_between,
    sums_of_groups,
)
from kanopy.trees.frontier import Frontier


class NodeSlots:
    """Values of one column, or runs of values, inside each open node: in order, with their rows by class."""

    def __init__(self, node: Ints, by_class: Counts, n_nodes: int, size: Amounts | None = None) -> None:
        self.node, self.by_class, self.n_nodes = node, by_class, n_nodes
        self.size: Amounts = over_classes(by_class) if size is None else size  # rows of each slot
        self.first = np.searchsorted(node, np.arange(n_nodes + 1))  # slot of every node, and end of the last

    def node_sums(self, amounts: Amounts) -> Amounts:
        """Add up amounts of slots within each node; 0 where a node has none."""
        return sums_between(amounts, self.first)

    def class_sums(self, by_class: Counts) -> Counts:
        """Add up class counts of slots within each node."""
        if isinstance(by_class, SparseCounts):
            return sums_of_groups(by_class, self.node, self.n_nodes)
        return sums_between(by_class, self.first)

    def running(self, amounts: Amounts) -> Amounts:
        """Amounts of slots added up from the first slot of the node to each slot."""
        return running_sums(amounts, self.node, self.first)

    def entropies_beside(self, by_class: Counts, boundaries: Ints) -> Floats:
        """The summed class entropies of the two sides of each boundary."""
        return entropies_beside(by_class, self.node, self.first, boundaries)


class Slots(NodeSlots):
    """The values of one column that occur in each node, in an order along which the node can be cut.

    A *boundary* after a slot sends the slots up to it to the left and the others of its node to the right.
    Counting is O(rows) where nodes times values times classes are few compared with the rows, and
    O(rows log rows) otherwise; memory is O(rows), however many classes there are.
    """

    def __init__(self, frontier: Frontier, column: int) -> None:
        self._frontier = frontier
        self._codes = frontier.quasi[column]
        self._n_codes = frontier.domain(column).n_codes
        n_classes = frontier.n_classes
        keys, n_keys = _paired(frontier.node, self._codes, self._n_codes), frontier.n_nodes * self._n_codes
        if n_classes > 1:
            keys *= n_classes
            keys += frontier.target
        self._slot_of_key: Ints | None = None
        if _fits_array(n_keys, len(keys)) and fits_array(n_keys * n_classes, len(keys)):
            by_class = counted(keys, n_keys * n_classes, frontier.weight).reshape(n_keys, n_classes)
            self._keys = np.flatnonzero(by_class.any(axis=1) if n_classes > 1 else by_class[:, 0])
            by_class = by_class[self._keys]
            self._slot_of_key = np.full(n_keys, -1, dtype=np.int64)
            self._slot_of_key[self._keys] = np.arange(len(self._keys))
        else:
            present, amount = count_keys(keys, n_keys * n_classes, frontier.weight)
            key_of_entry, target = np.divmod(present, n_classes)
            begins = np.diff(key_of_entry, prepend=-1) != 0
            self._keys = key_of_entry[begins]
            found = SparseCounts(np.cumsum(begins) - 1, target, amount, (len(self._keys), n_classes))
            by_class = as_array_where_it_fits(found, len(keys))
        node, self.code = np.divmod(self._keys, self._n_codes)
        super().__init__(node, by_class, frontier.n_nodes)
        self._place: Ints | None = None

    def order_by_class_share(self) -> None:
        """Order the slots of every node by their share of the node's most frequent class.

        For two classes the best division of the values into two sets is then a boundary (Breiman et al.).
        """
        majority = self.class_sums(self.by_class).argmax(axis=1)
        share = of_class(self.by_class, majority[self.node]) / self.size
        order = np.lexsort((self.code, share, self.node))
        self.node, self.code, self.size = self.node[order], self.code[order], self.size[order]
        self.by_class = self.by_class[order]
        self._place = np.empty(len(order), dtype=np.int64)
        self._place[order] = np.arange(len(order))

    def of_rows(self, places: Any = ...) -> Ints:
        """The slot of each row (or of the given places)."""
        keys = _paired(self._frontier.node[places], self._codes[places], self._n_codes)
        of_key = self._slot_of_key
        slot: Ints = np.searchsorted(self._keys, keys) if of_key is None else of_key[keys]
        return slot if self._place is None else self._place[slot]

    def lookup(self, side_of_slot: Ints) -> SideLookup:
        """Where the rows go if every slot goes where it is said; holds far less memory than the slots."""
        side = side_of_slot.astype(np.int32)
        side = side if self._place is None else side[self._place]
        return SideLookup(self._frontier.node, self._codes, self._n_codes, self._keys, side)

    def low_and_high(self) -> tuple[Ints, Ints]:
        """The smallest and largest code of each node; only before the slots are reordered."""
        return self.code[self.first[:-1]], self.code[self.first[1:] - 1]

    def n_counters(self) -> int:
        """How many counters ``boundary_counts`` takes for the largest confidential column; O(rows)."""
        widths = [_LocalValues(self._frontier, name).width for name in self._frontier.confidential]
        return len(self.node) * max(widths, default=0)

    def boundary_counts(self, boundaries: Ints) -> tuple[GroupCounts, GroupCounts]:
        """What the two sides of the given boundaries hold; O(rows + slots * confidential values)."""
        nodes = self.node[boundaries]

        def beside(begun: Ints, ended: Ints) -> tuple[Ints, Ints]:
            """What is left of a boundary has begun there; what is right of it ends there."""
            ended_by = self.running(ended)[boundaries]
            return self.running(begun)[boundaries], self.node_sums(ended)[nodes] - ended_by

        left_rows, right_rows = beside(self.size, self.size)
        if self._frontier.counts_rows_only:
            return GroupCounts(left_rows), GroupCounts(right_rows)
        slot = self.of_rows()
        left_persons, right_persons = None, None
        if self._frontier.persons is not None:
            left_persons, right_persons = (side[:, 0] for side in beside(*self._begun_and_ended(slot)))
        left, right = {}, {}
        for name in self._frontier.confidential:
            values = _LocalValues(self._frontier, name)
            on_left, on_right = beside(*self._begun_and_ended(slot, values))
            left[name], right[name] = values.histogram(on_left, nodes), values.histogram(on_right, nodes)
        return GroupCounts(left_rows, left_persons, left), GroupCounts(right_rows, right_persons, right)

    def _begun_and_ended(self, slot: Ints, values: _LocalValues | None = None) -> tuple[Ints, Ints]:
        """Slots x values: how many members have a value in a slot for the first and for the last time.

        A row is seen once; a person may have several. Without values, members are counted as if all had the
        same. O(rows), with persons and values a sort.
        """
        node, person = self._frontier.node, self._frontier.persons
        local, width = (np.zeros_like(slot), 1) if values is None else (values.local, values.width)
        size = len(self.node) * width
        if person is None:
            seen = counted(slot * width + local, size, self._frontier.weight).reshape(-1, width)
            return seen, seen
        if values is not None:  # otherwise in order: the rows of a person are together inside every node
            order = np.lexsort((local, person, node))
            node, person, local, slot = node[order], person[order], local[order], slot[order]
        starts = np.flatnonzero(np.diff(number_runs([node, person, local], len(node))[0], prepend=-1))
        begun, ended = (
            np.bincount(found.reduceat(slot, starts) * width + local[starts], minlength=size)
            for found in (np.minimum, np.maximum)
        )
        return begun.reshape(-1, width), ended.reshape(-1, width)


class _LocalValues:
    """The values of a confidential column numbered within each node, which holds few of many values."""

    def __init__(self, frontier: Frontier, name: str) -> None:
        self._frontier, self._name = frontier, name
        n_codes = frontier.table.confidential[name].domain.n_codes
        keys = _paired(frontier.node, frontier.confidential[name], n_codes)
        present, _ = count_keys(keys, frontier.n_nodes * n_codes)
        node, self._code = np.divmod(present, n_codes)
        self._first = np.searchsorted(node, np.arange(frontier.n_nodes))
        self.local = np.searchsorted(present, keys) - self._first[frontier.node]
        self.width = int(self.local.max(initial=0)) + 1

    def histogram(self, counts: Ints, nodes: Ints) -> Histogram:
        """From counts of groups x local values, each group being part of a node."""
        group, local = np.nonzero(counts)
        value, amount = self._code[self._first[nodes[group]] + local], counts[group, local]
        table, domain = self._frontier.table, self._frontier.table.confidential[self._name].domain
        n_persons = None if table.persons is None else table.n_persons
        return Histogram(domain, group, value, amount, len(counts), table.totals[self._name], n_persons)


class SideLookup:
    """Which side each row of a frontier goes to, by its node and its code in one column."""

    def __init__(self, node: Codes, codes: Codes, n_codes: int, keys: Ints, side: NDArray[np.int32]) -> None:
        self._node, self._codes, self._n_codes, self._side = node, codes, n_codes, side
        self._keys: Ints | None = keys
        n_keys = int(keys[-1]) + 1
        if _fits_array(n_keys, len(codes)):
            self._keys = None
            self._side = np.zeros(n_keys, dtype=np.int32)
            self._side[keys] = side

    def __call__(self, places: Ints) -> NDArray[np.int32]:
        keys = _paired(self._node.take(places), self._codes.take(places), self._n_codes)
        return self._side.take(keys if self._keys is None else np.searchsorted(self._keys, keys))


def _fits_array(n_keys: int, n_rows: int) -> bool:
    """Whether an array over all possible keys is cheaper than a search among those that occur."""
    return n_keys <= 4 * n_rows + 4096


def _paired(node: Codes, codes: Codes, n_codes: int) -> Ints:
    """One key for each pair of a node and a code."""
    keys = np.multiply(node, n_codes, dtype=np.int64)
    keys += codes
    return keys
