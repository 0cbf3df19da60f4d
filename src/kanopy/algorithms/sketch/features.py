"""Rows as numbers, column by column: what each code of a column is worth; rows need not be spelled out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kanopy.data import CodedColumn
from kanopy.data.arrays import Codes, Floats

_MOST_CATEGORIES = 100
"""Categories that have a feature of their own, the most frequent ones; all others share one. Teachers see
20,000 rows at most, and learn nothing of rarer ones."""
_BLOCK = 1 << 13


def features_of(columns: Sequence[CodedColumn]) -> list[Floats]:
    """For every column a table of codes (down) and features (across); O(codes * features).

    A number is standardized, and where some are missing a second feature says so; a missing number lies at
    the median. A category has one feature for each value, missing is a value.
    """
    return [_of_numbers(column) if column.domain.is_numeric else _of_categories(column) for column in columns]


def rows_of(tables: Sequence[Floats], codes: Sequence[Codes]) -> Floats:
    """Rows spelled out: the features of all columns side by side; O(rows * features)."""
    return np.hstack([table[of_rows] for table, of_rows in zip(tables, codes, strict=True)])


def sum_of(tables: Sequence[Floats], codes: Sequence[Codes]) -> Floats:
    """What the columns of each row add up to; the tables have equally many features. O(rows * columns *
    features)."""
    total = np.zeros((len(codes[0]), tables[0].shape[1]))
    for block in blocks_of(len(total)):
        for table, of_rows in zip(tables, codes, strict=True):
            total[block] += table.take(of_rows[block], axis=0)
    return total


def blocks_of(n_rows: int) -> Iterator[slice]:
    """Rows one after the other, as many at once as a cache holds: several times faster than all at once."""
    for begin in range(0, n_rows, _BLOCK):
        yield slice(begin, begin + _BLOCK)


def _of_numbers(column: CodedColumn) -> Floats:
    totals, place = column.totals, column.domain.positions.copy()
    counts = totals[:-1]
    if counts.sum():
        place[-1] = place[int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))]
    share = totals / max(totals.sum(), 1)
    place -= place @ share
    spread = float(np.sqrt(place**2 @ share))
    # Of equal numbers nothing can be learned; what rounding leaves of them must not be blown up.
    standard = place / spread if spread > 1e-9 else np.zeros(len(place))
    if not totals[-1]:
        return standard[:, None]
    is_missing = np.zeros(len(place))
    is_missing[-1] = 1
    return np.column_stack([standard, is_missing])


def _of_categories(column: CodedColumn) -> Floats:
    totals = column.totals
    present = np.flatnonzero(totals)
    frequent_first = present[np.argsort(-totals[present], kind="stable")]
    feature = np.full(len(totals), min(len(present), _MOST_CATEGORIES))  # the last one is that of all others
    own = np.sort(frequent_first[:_MOST_CATEGORIES])
    feature[own] = np.arange(len(own))
    width = len(own) + int(len(present) > len(own))
    found = np.zeros((len(totals), max(width, 1)))
    found[present, feature[present]] = 1
    return found
