"""How many rows, persons and values every group holds: all that a promise may look at.

A row counts as often as it weighs (``EncodedTable.weight``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kanopy.data.arrays import Amounts, Bools, Codes, Floats, Ints
from kanopy.data.keys import ROOM, count_keys, counted, distinct_sorted, paired, rank
from kanopy.data.table import CodedColumn, Domain, EncodedTable
from kanopy.data.value_sets import numbers_from


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """How many rows of each group have each value of one column; only what occurs is stored.

    Where persons are known, these are counted and not rows: a person who has several values in a group counts
    once for each of them, however many rows say so.

    Parameters
    ----------
    domain : Domain
        Missing is a value like any other and has the last code.
    group, value, count : arrays of int
        One entry per pair that occurs, sorted by group, then value.
    n_groups : int
    totals : array of int
        How many rows (or persons) of the *whole* table have each code: what an attacker knows beforehand.
    n_persons : int or None
        Persons of the whole table; None where a row is a person.
    """

    domain: Domain
    group: Ints
    value: Ints
    count: Ints
    n_groups: int
    totals: Ints
    n_persons: int | None = None

    @classmethod
    def of(
        cls,
        column: CodedColumn,
        groups: Codes,
        n_groups: int,
        totals: Ints | None = None,
        weight: Ints | None = None,
    ) -> Histogram:
        """Count the values of every group; O(rows), or a sort where groups times values outgrow them."""
        keys = paired(groups, column.codes, n_groups, column.domain.n_codes)
        return cls.of_keys(column.domain, keys, n_groups, column.totals if totals is None else totals, weight)

    @classmethod
    def of_keys(
        cls, domain: Domain, keys: Codes, n_groups: int, totals: Ints, weight: Ints | None = None
    ) -> Histogram:
        """Count keys of ``group * domain.n_codes + code``; costs as ``of`` does."""
        present, count = count_keys(keys, n_groups * domain.n_codes, weight)
        group, value = present // domain.n_codes, present % domain.n_codes
        return cls(domain, group, value, count, n_groups, totals)

    def of_groups(self, groups: Ints) -> Histogram:
        """The same of some groups, given in order, numbered anew; O(entries of theirs)."""
        first, n_entries = self.first[groups], np.diff(self.first)[groups]
        entry = numbers_from(first, n_entries)
        group = np.repeat(np.arange(len(groups)), n_entries)
        return replace(
            self, group=group, value=self.value[entry], count=self.count[entry], n_groups=len(groups)
        )

    @property
    def n_table(self) -> int:
        """Rows, or persons, of the whole table."""
        return int(self.totals.sum()) if self.n_persons is None else self.n_persons

    @property
    def sizes(self) -> Ints:
        """The counts of each group added up: its rows, or its distinct pairs of a person and a value."""
        sizes = np.zeros(self.n_groups, dtype=np.int64)
        np.add.at(sizes, self.group, self.count)
        return sizes

    @property
    def largest(self) -> Ints:
        """How often the most frequent value of each group occurs."""
        largest = np.zeros(self.n_groups, dtype=np.int64)
        np.maximum.at(largest, self.group, self.count)
        return largest

    @property
    def n_different(self) -> Ints:
        """How many different values each group has."""
        return np.bincount(self.group, minlength=self.n_groups)

    @property
    def first(self) -> Ints:
        """The first entry of each group, and how many entries there are."""
        return np.searchsorted(self.group, np.arange(self.n_groups + 1))

    def sums(self, weights: Amounts) -> Floats:
        """Add up one weight per entry within each group."""
        return np.asarray(np.bincount(self.group, weights=weights, minlength=self.n_groups), dtype=np.float64)

    def of_value(self, code: int) -> Ints:
        """How often one value occurs in each group."""
        counts = np.zeros(self.n_groups, dtype=np.int64)
        is_it = self.value == code
        counts[self.group[is_it]] = self.count[is_it]
        return counts

    def blocks(self, n_cells: int = 4_000_000) -> Iterable[tuple[slice, Ints]]:
        """The histogram as dense blocks of ``groups x codes``, a few groups at a time."""
        n_codes = self.domain.n_codes
        step = max(1, n_cells // n_codes)
        for start in range(0, self.n_groups, step):
            stop = min(start + step, self.n_groups)
            first, last = np.searchsorted(self.group, [start, stop])
            dense = np.zeros((stop - start, n_codes), dtype=np.int64)
            dense[self.group[first:last] - start, self.value[first:last]] = self.count[first:last]
            yield slice(start, stop), dense


@dataclass(frozen=True, slots=True, eq=False)
class GroupCounts:
    """What a promise is checked on.

    Parameters
    ----------
    rows : array of int
        Rows of each group.
    persons : array of int or None
        Distinct persons of each group; None where every row is a person. Rows without a person count among
        the rows alone, and neither here nor in the histograms.
    histograms : mapping of str to Histogram
        Of every confidential column, by name.
    """

    rows: Ints
    persons: Ints | None = None
    histograms: Mapping[str, Histogram] = field(default_factory=dict)

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return len(self.rows)

    @property
    def members(self) -> Ints:
        """What k counts: persons where they are known, rows otherwise."""
        return self.rows if self.persons is None else self.persons

    @property
    def are_nobodys(self) -> Bools:
        """Which groups have rows, and no person: nothing can be promised about the rows of such a group."""
        if self.persons is None:
            return np.zeros(self.n_groups, dtype=bool)
        return np.asarray((self.rows > 0) & (self.persons == 0))

    @classmethod
    def of(cls, table: EncodedTable, groups: Codes, n_groups: int, rows: Any = ...) -> GroupCounts:
        """Count a grouping of (some of) the rows of a table; O(rows * confidential columns)."""
        codes = {name: column.codes[rows] for name, column in table.confidential.items()}
        persons = None if table.persons is None else table.persons[rows]
        return cls.of_members(table, codes, persons, table.weight_of(rows), groups, n_groups)

    @classmethod
    def of_members(
        cls,
        table: EncodedTable,
        codes: Mapping[str, Codes],
        persons: Codes | None,
        weight: Ints | None,
        groups: Codes,
        n_groups: int,
    ) -> GroupCounts:
        """Count a grouping of rows of a table, given their confidential codes, persons and weights."""
        histograms = {}
        for name, of_rows in codes.items():
            domain = table.confidential[name].domain
            keys = paired(groups, of_rows, n_groups, domain.n_codes)
            if persons is not None:
                # PRIVACY: one person counts once for a value (tests/unit/data/test_counts.py).
                keys = once_each(keys, persons)
            histogram = Histogram.of_keys(domain, keys, n_groups, table.totals[name], weight)
            histograms[name] = histogram if persons is None else replace(histogram, n_persons=table.n_persons)
        n_persons = None if persons is None else count_distinct(persons, groups, n_groups)
        return cls(counted(groups, n_groups, weight), n_persons, histograms)

    @classmethod
    def of_published(cls, table: EncodedTable, groups: Codes, n_groups: int) -> GroupCounts:
        """Count the groups of the rows that are published, and compare them with these rows alone.

        Rows that are dropped have the group -1. A reader of the release knows nothing of them: what a group
        is compared with is the published table, and not the source. O(rows * confidential columns).
        """
        kept = np.flatnonzero(groups >= 0)
        if len(kept) == len(groups):
            return cls.of(table, groups, n_groups)
        confidential = {name: column.alone(kept) for name, column in table.confidential.items()}
        persons = None if table.persons is None else table.persons[kept]
        published = EncodedTable(len(kept), (), None, confidential, persons, weight=table.weight_of(kept))
        return cls.of(published, groups[kept], n_groups)


def count_distinct(labels: Codes, groups: Codes, n_groups: int) -> Ints:
    """How many different labels every group holds, -1 not among them; O(rows log rows)."""
    return np.bincount(once_each(groups, labels), minlength=n_groups)


def once_each(keys: Codes, labels: Codes) -> Ints:
    """The key of every different pair of a key and a label, in order; a sort. The label -1 makes no pair.

    PRIVACY: a row without a person adds nobody to a group (tests/unit/data/test_counts.py).
    """
    if labels.min(initial=0) < 0:
        is_named = labels >= 0
        keys, labels = keys[is_named], labels[is_named]
    n_labels = int(labels.max(initial=0)) + 1
    if (int(keys.max(initial=0)) + 1) * n_labels <= ROOM:
        return distinct_sorted(keys.astype(np.int64) * n_labels + labels) // n_labels
    places, _ = rank(keys.astype(np.int64), int(keys.max()) + 1)
    names = distinct_sorted(keys)
    found: Ints = names[distinct_sorted(places.astype(np.int64) * n_labels + labels) // n_labels]
    return found


def x_log_x(amounts: Amounts) -> Floats:
    """x log2 x, and 0 for 0; weights may be less than 1."""
    return np.asarray(amounts * np.log2(np.where(amounts > 0, amounts, 1)), dtype=np.float64)
