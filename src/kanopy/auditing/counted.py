"""Counts of the members and values of every group: plain integers, straight from the definitions.

Nothing here is shared with ``kanopy.privacy`` or with the counting of the methods, so that an error there is
not repeated here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Codes = NDArray[np.integer[Any]]

_LARGEST_KEY = 2**62
_DENSE = 8
"""Up to so many possible keys per row an array of counters is cheaper than a sort."""


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """The number of members of each group and of the table: rows, or distinct persons where these are known.

    ``group`` and ``persons`` are those of each row.
    """

    group: Codes
    persons: Codes | None
    number: Ints
    n_table: int

    @classmethod
    def of(cls, group: Codes, n_groups: int, persons: Codes | None) -> Members:
        """Count the members of every group; O(rows), with persons a sort."""
        if persons is None:
            return cls(group, None, np.bincount(group, minlength=n_groups), len(group))
        number = np.bincount(_once_each(group, persons), minlength=n_groups)
        return cls(group, persons, number, len(_sorted_once(persons)))


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """How many members of each group have each value of one column.

    A person with several values counts once for each of them, however many rows have it. ``group``, ``value``
    and ``count`` have one entry for each pair that occurs, sorted by group, then value. ``members`` are those
    of each group, ``totals`` those of the table that have each value, ``n_table`` all of them.
    """

    group: Ints
    value: Ints
    count: Ints
    members: Ints
    totals: Ints
    n_table: int

    @classmethod
    def of(cls, members: Members, value: Codes, n_values: int) -> Held:
        """Count the values of every group; O(rows), with persons a sort."""
        n_groups, in_table = len(members.number), value
        keys = members.group.astype(np.int64) * n_values + value
        if members.persons is not None:
            # PRIVACY: one person counts once for a value (tests/properties/test_judge_alone.py).
            in_table = _once_each(value, members.persons)
            keys = _once_each(keys, members.persons)
        present, count = _counted(keys, n_groups * n_values)
        totals = np.bincount(in_table, minlength=n_values)
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


def _counted(keys: Ints, n_keys: int) -> tuple[Ints, Ints]:
    if n_keys <= _DENSE * len(keys) + 1024:
        counts = np.bincount(keys, minlength=n_keys)
        present = np.flatnonzero(counts)
        return present, counts[present]
    return np.unique(keys, return_counts=True)


def _once_each(keys: Codes, persons: Codes) -> Ints:
    """The key of every different pair of a key and a person, in order; a sort."""
    n_persons = int(persons.max(initial=0)) + 1
    if (int(keys.max(initial=0)) + 1) * n_persons <= _LARGEST_KEY:
        return _sorted_once(keys.astype(np.int64) * n_persons + persons) // n_persons
    names, place = np.unique(keys, return_inverse=True)  # not more than rows
    found = names[_sorted_once(place.astype(np.int64) * n_persons + persons) // n_persons]
    return found.astype(np.int64, copy=False)


def _sorted_once(numbers: Codes) -> Ints:
    """The different numbers in order; by a sort, which is faster than the hash table of ``np.unique``."""
    in_order = np.sort(numbers)
    is_new = np.ones(len(in_order), dtype=bool)
    is_new[1:] = in_order[1:] != in_order[:-1]
    return in_order[is_new].astype(np.int64, copy=False)
