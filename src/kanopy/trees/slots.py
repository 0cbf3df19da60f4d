"""Counting for cuts: a slot is one value of one column inside one open node."""

from __future__ import annotations

import math
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import GroupCounts, Histogram
from kanopy.data.arrays import Amounts, Codes, Floats, Ints
from kanopy.data.keys import count_keys, counted, number_runs, paired
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

_ROWS_PER_COUNT = 4
"""From so many rows per counter on, the counters are kept for the level below."""


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
        self.frontier, self.column = frontier, column
        self.codes, self.domain = frontier.quasi[column], frontier.domain(column)
        self.counts: Amounts | None = None  # nodes x classes x codes, where that is little beside the rows
        self._n_codes = self.domain.n_codes
        n_keys, n_rows = frontier.n_nodes * self._n_codes, len(self.codes)
        fits = _fits_array(n_keys, n_rows) and fits_array(n_keys * frontier.n_classes, n_rows)
        self._keys, by_class = self._counted_in_array() if fits else self._counted_by_sorting()
        node, self.code = np.divmod(self._keys, self._n_codes)
        super().__init__(node, by_class, frontier.n_nodes)
        self._place: Ints | None = None

    def _counted_in_array(self) -> tuple[Ints, Counts]:
        """The keys that occur, and how often each does with each class; O(rows + keys * classes)."""
        n_classes, counts = self.frontier.n_classes, self._counted_sparingly()
        if counts is None:
            counts = self._counted_places(self.frontier.n_nodes)
        if counts.size <= len(self.codes) // _ROWS_PER_COUNT:
            self.counts = counts
        present = np.flatnonzero(counts.any(axis=1) if n_classes > 1 else counts)
        if n_classes == 1:
            return present, counts.reshape(-1, 1)[present]
        by_class = np.empty((len(present), n_classes), dtype=counts.dtype)
        for number in range(n_classes):
            by_class[:, number] = counts[:, number].ravel().take(present)
        return present, by_class

    def _counted_places(self, n_nodes: int) -> Amounts:
        """How often each code occurs with each class in the first nodes; O(their rows + counts)."""
        frontier, shape = self.frontier, (n_nodes, self.frontier.n_classes, self._n_codes)
        places = slice(frontier.starts[n_nodes])
        keys = paired(frontier.class_key[places], self.codes[places], shape[0] * shape[1], shape[2])
        return frontier.counted(keys, math.prod(shape), places).reshape(shape)

    def _counted_sparingly(self) -> Amounts | None:
        """The same for all nodes, where some need not be counted; None where that does not pay."""
        spared, n_nodes = self.frontier.spared, self.frontier.n_nodes
        above = None if spared is None else spared.above[self.column]
        if spared is None or above is None:
            return None
        n_counted = n_nodes - spared.n_nodes
        n_rows_spared = len(self.codes) - int(self.frontier.starts[n_counted])
        if spared.n_nodes * above[0].size > n_rows_spared:
            return None
        counts = self._counted_places(n_counted)
        return np.concatenate([counts, spared.counts(above, counts)])

    def _counted_by_sorting(self) -> tuple[Ints, Counts]:
        """The same where an array would be out of proportion to the rows."""
        frontier, n_classes = self.frontier, self.frontier.n_classes
        n_keys = frontier.n_nodes * self._n_codes
        keys = paired(frontier.node, self.codes, frontier.n_nodes, self._n_codes)
        keys = paired(keys, frontier.target, n_keys, n_classes)
        present, amount = count_keys(keys, n_keys * n_classes, frontier.weight)
        key_of_entry, target = np.divmod(present, n_classes)
        begins = np.diff(key_of_entry, prepend=-1) != 0
        of_slot = key_of_entry[begins]
        found = SparseCounts(np.cumsum(begins) - 1, target, amount, (len(of_slot), n_classes))
        return of_slot, as_array_where_it_fits(found, len(keys))

    def ordered_by_class_share(self) -> Slots:
        """The slots of every node in the order of their share of the node's most frequent class.

        For two classes the best division of the values into two sets is then a boundary (Breiman et al.).
        """
        majority = self.class_sums(self.by_class).argmax(axis=1)
        share = of_class(self.by_class, majority[self.node]) / self.size
        order = np.lexsort((self.code, share, self.node))
        found = copy(self)
        found.code, found.size, found.by_class = self.code[order], self.size[order], self.by_class[order]
        found._place = np.empty(len(order), dtype=np.int64)
        found._place[order] = np.arange(len(order))
        return found

    def of_rows(self, places: Any = ...) -> Ints:
        """The slot of each row (or of the given places)."""
        keys = paired(self.frontier.node[places], self.codes[places], self.n_nodes, self._n_codes)
        n_keys = self.n_nodes * self._n_codes
        if _fits_array(n_keys, self.frontier.n_rows):
            of_key = np.full(n_keys, -1, dtype=np.int64)
            of_key[self._keys] = np.arange(len(self._keys))
            slot: Ints = of_key[keys]
        else:
            slot = np.searchsorted(self._keys, keys)
        return slot if self._place is None else self._place[slot]

    def lookup(self, side_of_slot: Ints) -> SideLookup:
        """Where the rows go if every slot goes where it is said; holds far less memory than the slots."""
        side = side_of_slot.astype(np.int32)
        side = side if self._place is None else side[self._place]
        return SideLookup(self.frontier, self.codes, self._n_codes, self._keys, side)

    def low_and_high(self) -> tuple[Ints, Ints]:
        """The smallest and largest code of each node; of slots in the order of their codes."""
        return self.code[self.first[:-1]], self.code[self.first[1:] - 1]

    def n_counters(self) -> int:
        """How many counters ``boundary_counts`` takes for the largest confidential column; O(rows)."""
        widths = [_LocalValues(self.frontier, name).width for name in self.frontier.confidential]
        return len(self.node) * max(widths, default=0)

    def boundary_counts(self, boundaries: Ints) -> tuple[GroupCounts, GroupCounts]:
        """What the two sides of the given boundaries hold; O(rows + slots * confidential values)."""
        nodes = self.node[boundaries]

        def beside(begun: Ints, ended: Ints) -> tuple[Ints, Ints]:
            """What is left of a boundary has begun there; what is right of it ends there."""
            ended_by = self.running(ended)[boundaries]
            return self.running(begun)[boundaries], self.node_sums(ended)[nodes] - ended_by

        left_rows, right_rows = beside(self.size, self.size)
        if self.frontier.counts_rows_only:
            return GroupCounts(left_rows), GroupCounts(right_rows)
        slot = self.of_rows()
        left_persons, right_persons = None, None
        if self.frontier.persons is not None:
            left_persons, right_persons = (side[:, 0] for side in beside(*self._begun_and_ended(slot)))
        left, right = {}, {}
        for name in self.frontier.confidential:
            values = _LocalValues(self.frontier, name)
            on_left, on_right = beside(*self._begun_and_ended(slot, values))
            left[name], right[name] = values.histogram(on_left, nodes), values.histogram(on_right, nodes)
        return GroupCounts(left_rows, left_persons, left), GroupCounts(right_rows, right_persons, right)

    def _begun_and_ended(self, slot: Ints, values: _LocalValues | None = None) -> tuple[Ints, Ints]:
        """Slots x values: how many members have a value in a slot for the first and for the last time.

        A row is seen once; a person may have several. Without values, members are counted as if all had the
        same. O(rows), with persons and values a sort.
        """
        node, person = self.frontier.node, self.frontier.persons
        local, width = (np.zeros_like(slot), 1) if values is None else (values.local, values.width)
        size = len(self.node) * width
        if person is None:
            seen = counted(slot * width + local, size, self.frontier.weight).reshape(-1, width)
            return seen, seen
        if person.min(initial=0) < 0:  # rows without a person are nobody's
            is_named = person >= 0
            node, person, local, slot = node[is_named], person[is_named], local[is_named], slot[is_named]
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
        keys = paired(frontier.node, frontier.confidential[name], frontier.n_nodes, n_codes)
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

    def __init__(
        self, frontier: Frontier, codes: Codes, n_codes: int, keys: Ints, side: NDArray[np.int32]
    ) -> None:
        self.frontier, self._codes, self._n_codes, self._side = frontier, codes, n_codes, side
        self._keys: Ints | None = keys
        n_keys = frontier.n_nodes * n_codes
        if _fits_array(n_keys, len(codes)):
            self._keys = None
            self._side = np.zeros(n_keys, dtype=np.int32)
            self._side[keys] = side

    def __call__(self, nodes: Ints) -> NDArray[np.int32]:
        """The side of each place of some nodes, given in order."""
        keys = self.frontier.spread(self._n_codes * np.arange(self.frontier.n_nodes), nodes)
        keys += self._codes[self.frontier.places_of(nodes)]
        return self._side.take(keys if self._keys is None else np.searchsorted(self._keys, keys))


def _fits_array(n_keys: int, n_rows: int) -> bool:
    """Whether an array over all possible keys is cheaper than a search among those that occur."""
    return n_keys <= 4 * n_rows + 4096
