"""How many rows, persons and values every group holds: all that a promise may look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.domain import Domain
from kanopy.data.keys import count_keys
from kanopy.data.table import CodedColumn, EncodedTable

Ints = NDArray[np.int64]
Groups = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """How often each value of one column occurs in each group; only what occurs is stored.

    Parameters
    ----------
    domain : Domain
        Missing is a value like any other and has the last code.
    group, value, count : arrays of int
        One entry per pair that occurs, sorted by group, then value.
    n_groups : int
    totals : array of int
        How often each code occurs in the *whole* table: what an attacker knows beforehand.
    """

    domain: Domain
    group: Ints
    value: Ints
    count: Ints
    n_groups: int
    totals: Ints

    @classmethod
    def of(cls, column: CodedColumn, groups: Groups, n_groups: int, totals: Ints | None = None) -> Histogram:
        """Count the values of every group; O(rows), or a sort where groups times values outgrow them."""
        n_codes = column.domain.n_codes
        keys = groups.astype(np.int64) * n_codes + column.codes
        present, count = count_keys(keys, n_groups * n_codes)
        if totals is None:
            totals = column.totals
        return cls(column.domain, present // n_codes, present % n_codes, count, n_groups, totals)

    def sums(self, weights: NDArray[Any]) -> NDArray[np.float64]:
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
    """What a promise is judged on.

    Parameters
    ----------
    rows : array of int
        Rows of each group.
    persons : array of int or None
        Distinct persons of each group; None where every row is a person.
    histograms : mapping of str to Histogram
        Of every confidential column, by name.
    """

    rows: Ints
    persons: Ints | None = None
    histograms: Mapping[str, Histogram] = field(default_factory=dict)

    @property
    def n_groups(self) -> int:
        return len(self.rows)

    @property
    def members(self) -> Ints:
        """What k counts: persons where they are known, rows otherwise."""
        return self.rows if self.persons is None else self.persons

    @classmethod
    def of(cls, table: EncodedTable, groups: Groups, n_groups: int, rows: Any = ...) -> GroupCounts:
        """Count a grouping of (some of) the rows of a table; O(rows * confidential columns)."""
        histograms = {}
        for name, column in table.confidential.items():
            histograms[name] = Histogram.of(column.take(rows), groups, n_groups, column.totals)
        persons = None if table.persons is None else count_distinct(table.persons[rows], groups, n_groups)
        return cls(np.bincount(groups, minlength=n_groups), persons, histograms)


def count_distinct(labels: NDArray[np.integer[Any]], groups: Groups, n_groups: int) -> Ints:
    """How many different labels every group holds; O(rows log rows)."""
    n_labels = int(labels.max()) + 1 if len(labels) else 1
    pairs = np.unique(groups.astype(np.int64) * n_labels + labels)
    return np.bincount(pairs // n_labels, minlength=n_groups)
