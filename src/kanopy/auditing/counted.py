"""Counts of the members and values of every group, and how far the values are from those of the table.

Plain integers, straight from the definitions. Nothing here is shared with ``kanopy.privacy`` or with the
counting of the methods, so that an error there is not repeated here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kanopy.auditing.precise import Integers, integers_up_to, products, summed, times
from kanopy.data.arrays import Codes, Ints

_LARGEST_KEY = 2**62
_DENSE = 8  # up to so many possible keys per row an array of counters is cheaper than a sort


class Members(NamedTuple):
    """How many members each group and the table have: rows, or distinct persons where these are known.

    A row whose person is -1 has none, and is nobody's: it adds to no count of persons.
    """

    group: Codes  # of each line
    persons: Codes | None  # of each line
    number: Ints
    n_table: int
    weight: Ints | None = None  # the rows of each line, where it stands for several; never beside persons

    @classmethod
    def of(cls, group: Codes, n_groups: int, persons: Codes | None, weight: Ints | None = None) -> Members:
        """Count the members of every group; O(lines), with persons a sort."""
        if persons is None:
            number = added_up(group, n_groups, weight)
            return cls(group, None, number, int(number.sum()), weight)
        assert weight is None, "equal rows of two persons are two lines"
        number = np.bincount(_once_each(group, persons), minlength=n_groups)
        return cls(group, persons, number, len(_sorted_once(persons[persons >= 0])))

    def shares(self, weight: Ints | None = None) -> tuple[Ints, Ints] | None:
        """Of every group the rows of the person who has most, and those of all its persons; a sort.

        ``weight`` is how many equal rows of one person a line stands for. None where every row is a person.
        """
        if self.persons is None:
            return None
        lines, n_groups = np.flatnonzero(self.persons >= 0), len(self.number)
        group, n_persons = self.group[lines].astype(np.int64), int(self.persons.max(initial=0)) + 1
        weight = None if weight is None else weight[lines]
        rows = added_up(group, n_groups, weight)
        pair, place = np.unique(group * n_persons + self.persons[lines], return_inverse=True)
        most = np.zeros(n_groups, dtype=np.int64)
        np.maximum.at(most, pair // n_persons, added_up(place, len(pair), weight))
        return most, rows


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """How many members of each group have each value of one column.

    A person with several values counts once for each of them, however many rows have it. ``group``, ``value``
    and ``count`` have one entry for each pair that occurs, sorted by group, then value.
    """

    group: Ints
    value: Ints
    count: Ints
    members: Ints  # of each group
    totals: Ints  # members of the table that have each value
    n_table: int  # all members of the table

    @classmethod
    def of(cls, members: Members, value: Codes, n_values: int) -> Held:
        """Count the values of every group; O(rows), with persons a sort."""
        n_groups, in_table = len(members.number), value
        keys = members.group.astype(np.int64) * n_values + value
        if members.persons is not None:
            # PRIVACY: one person counts once for a value (tests/properties/test_judge_alone.py).
            in_table = _once_each(value, members.persons)
            keys = _once_each(keys, members.persons)
        present, count = _counted(keys, n_groups * n_values, members.weight)
        totals = added_up(in_table, n_values, members.weight)
        return cls(present // n_values, present % n_values, count, members.number, totals, members.n_table)

    @property
    def n_groups(self) -> int:
        return len(self.members)

    @property
    def sizes(self) -> Ints:
        """The sum of the counts of each group: its rows, or its distinct pairs of a person and a value."""
        sizes = np.zeros(self.n_groups, dtype=np.int64)
        np.add.at(sizes, self.group, self.count)
        return sizes


def added_up(keys: Codes, n_keys: int, weight: Ints | None) -> Ints:
    """How often each key occurs, a line as often as it weighs; exact, as tables have fewer than 2^53 rows."""
    if weight is None:
        return np.bincount(keys, minlength=n_keys)
    return np.bincount(keys, weights=weight, minlength=n_keys).astype(np.int64)


def _counted(keys: Ints, n_keys: int, weight: Ints | None) -> tuple[Ints, Ints]:
    if n_keys > _DENSE * len(keys) + 1024:
        present, place = np.unique(keys, return_inverse=True)
        return present, added_up(place, len(present), weight)
    counts = added_up(keys, n_keys, weight)
    present = np.flatnonzero(counts)
    return present, counts[present]


def _once_each(keys: Codes, persons: Codes) -> Ints:
    """The key of every different pair of a key and a person, in order; a sort.

    PRIVACY: a row without a person adds nobody to a group (tests/unit/auditing/test_nameless_rows.py).
    """
    is_named = persons >= 0
    if not is_named.all():
        keys, persons = keys[is_named], persons[is_named]
    n_persons = int(persons.max(initial=0)) + 1
    if (int(keys.max(initial=0)) + 1) * n_persons <= _LARGEST_KEY:
        return _sorted_once(keys.astype(np.int64) * n_persons + persons) // n_persons
    names, place = np.unique(keys, return_inverse=True)  # not more than rows
    pairs = _sorted_once(place.astype(np.int64) * n_persons + persons)
    return names[pairs // n_persons].astype(np.int64, copy=False)


def _sorted_once(numbers: Codes) -> Ints:
    """The different numbers in order; by a sort, which is faster than the hash table of ``np.unique``."""
    in_order = np.sort(numbers)
    is_new = np.ones(len(in_order), dtype=bool)
    is_new[1:] = in_order[1:] != in_order[:-1]
    return in_order[is_new].astype(np.int64, copy=False)


# The earth mover's distance of the values of every group from those of the whole table. Each function gives,
# for every group, the amount that is moved and the amount that is a distance of 1.


def moved_equal(held: Held) -> tuple[Integers, Integers]:
    """All values are equally far apart: the surplus of each value is moved; O(entries)."""
    sizes, n_all = held.sizes, int(held.totals.sum())
    expected = products(held.totals[held.value], sizes[held.group])
    too_much = np.maximum(times(held.count, n_all) - expected, 0)
    return summed(too_much, held.group, held.n_groups), times(sizes, n_all)


def moved_in_order(held: Held) -> tuple[Integers, Integers]:
    """Values are as far apart as their places among those of the table; O(entries * log values).

    What is moved across a gap between neighbours is the difference of the shares below it in the group and in
    the table. Between two values of a group its own share below does not change, and that of the table
    only grows: up to one place the group has more below, and from there on less.
    """
    occurring = np.flatnonzero(held.totals)
    n_gaps = max(len(occurring) - 1, 1)
    sizes, n_all = held.sizes, int(held.totals.sum())
    kind = integers_up_to(2 * n_all * max(int(sizes.max(initial=1)), 1) * n_gaps)
    below = np.cumsum(held.totals[occurring])[: len(occurring) - 1]  # at each gap, in the table
    summed_below = np.concatenate([[0], np.cumsum(below, dtype=kind)]).astype(kind)
    group, start, own = _stretches(held, occurring)
    stop = np.append(start[1:], 0)
    stop[np.append(group[1:] != group[:-1], True)] = len(below)  # the last stretch of each group
    stop, start = np.minimum(stop, len(below)), np.minimum(start, len(below))
    size = sizes[group]
    # Where the table has at most as large a share below as the group.
    turn = np.searchsorted(below, (own.astype(kind) * n_all // size).astype(np.int64), side="right")
    turn = np.clip(turn, start, stop)
    height, size = own.astype(kind) * n_all, size.astype(kind)
    less = (turn - start) * height - size * (summed_below[turn] - summed_below[start])
    more = size * (summed_below[stop] - summed_below[turn]) - (stop - turn) * height
    return summed(less + more, group, held.n_groups), times(times(sizes, n_all), n_gaps)


def _stretches(held: Held, occurring: Ints) -> tuple[Ints, Ints, Ints]:
    """The stretches of gaps on which a group's own count below is constant: group, first gap and count."""
    place = np.searchsorted(occurring, held.value)
    groups = np.flatnonzero(np.bincount(held.group, minlength=held.n_groups))
    # One stretch before the first value of each group, and one from each value on.
    group, nothing = np.concatenate([groups, held.group]), np.zeros(len(groups), dtype=np.int64)
    order = np.argsort(group, kind="stable")  # the first stretch of a group stays before the others
    group, start = group[order], np.concatenate([nothing, place])[order]
    running = np.cumsum(np.concatenate([nothing, held.count])[order])
    before = running[np.searchsorted(group, groups)]  # each group's first stretch adds nothing itself
    return group, start, running - before[np.searchsorted(groups, group)]


def moved_in_tree(held: Held, parent: Ints, height: Ints, leaf: Ints) -> tuple[Integers, Integers]:
    """Values are as far apart as the height of their lowest common node; O(entries * height of the tree).

    The surplus or deficit below a node is moved to its parent. ``parent`` and ``height`` are those of every
    node; the root, node 0, has the parent -1. ``leaf`` is the node of each value; the last value, missing,
    is a leaf of its own below the root.
    """
    top = max(int(height[0]), 1)
    parent, height = np.append(parent, 0), np.append(height, 0)  # the last node is that of missing
    climbs = np.where(parent > 0, height[parent], top) - height
    leaf = np.append(leaf, len(parent) - 1)
    sizes, n_all = held.sizes, int(held.totals.sum())
    kind = integers_up_to(2 * n_all * max(int(sizes.max(initial=1)), 1) * 2 * top)
    _, nodes, in_table = _climbed(np.zeros(len(leaf), dtype=np.int64), leaf, held.totals, parent)
    total = np.zeros(len(parent), dtype=np.int64)
    total[nodes] = in_table
    group, node, count = _climbed(held.group, leaf[held.value], held.count, parent)
    expected = total.astype(kind)[node] * sizes.astype(kind)[group]
    strays = np.abs(count.astype(kind) * n_all - expected) - expected
    # A node without members of a group lacks all that is expected there.
    lacking = sizes.astype(kind) * int((climbs * total).sum())
    moved = lacking + summed(strays * climbs[node], group, held.n_groups)
    return moved, times(times(sizes, n_all), 2 * top)


def _climbed(group: Ints, node: Ints, count: Ints, parent: Ints) -> tuple[Ints, Ints, Ints]:
    """Counts of leaves, also added up at each of their ancestors: group, node and count."""
    keys, counts = [], []
    while len(node):
        keys.append(group * len(parent) + node)
        counts.append(count)
        node = parent[node]
        goes_on = node >= 0
        group, node, count = group[goes_on], node[goes_on], count[goes_on]
    if not keys:
        return group, node, count
    present, place = np.unique(np.concatenate(keys), return_inverse=True)
    sums = np.zeros(len(present), dtype=np.int64)
    np.add.at(sums, place, np.concatenate(counts))
    return present // len(parent), present % len(parent), sums
