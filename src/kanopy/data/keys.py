"""Several code columns as one integer key per row: the workhorse of grouping and sorting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kanopy.data.arrays import Amounts, Bools, Codes, Int32s, Ints

ROOM = 2**62  # keys stay below it, so that they fit into int64
_DENSE = 32  # up to so many possible keys per row, an array over all of them is cheaper than a sort

_FEW = 8  # up to so many numbers, a look at all rows for each is cheaper than a sort


def pack(columns: Sequence[Codes], n_codes: Sequence[int], n_rows: int) -> tuple[Ints, int]:
    """One int64 per row that orders and separates rows as the columns do, the first column leading.

    Where the product of the code counts would leave int64, the key so far is replaced by its rank. Every key
    lies in ``range(n_keys)``. O(rows * columns), plus a sort for every such replacement.
    """
    keys = np.zeros(n_rows, dtype=np.int64)
    n_keys = 1
    for codes, size in zip(columns, n_codes, strict=True):
        if n_keys * size > ROOM:
            ranks, n_keys = rank(keys, n_keys)
            keys = ranks.astype(np.int64)
        keys *= size
        keys += codes
        n_keys *= size
    return keys, n_keys


def order_of(keys: Ints, n_keys: int) -> Ints:
    """The rows in the order of their keys below ``n_keys``, equal ones in their own order; a sort.

    Where a key and its row fit into one number, these are sorted: that is faster than sorting rows by keys.
    """
    n_bits = max(len(keys) - 1, 0).bit_length()
    if n_keys << n_bits > ROOM:
        return np.argsort(keys, kind="stable")
    joint = keys << n_bits
    joint |= np.arange(len(keys))
    joint.sort()
    joint &= (1 << n_bits) - 1
    return joint


def distinct_sorted(keys: Codes) -> Ints:
    """The keys that occur, in order; by a sort, which beats the hash table of ``np.unique`` by far,
    and whose first call imports ``numpy.ma``: a tenth of a release of 1,000 rows."""
    in_order = np.sort(keys)
    is_new = np.ones(len(in_order), dtype=bool)
    is_new[1:] = in_order[1:] != in_order[:-1]
    return in_order[is_new].astype(np.int64, copy=False)


def distinct_named(persons: Codes) -> Ints:
    """The persons that occur, in order; -1, a row without a person, is none. A sort."""
    found = distinct_sorted(persons)
    return found[np.searchsorted(found, 0) :]


def each_nameless_apart(persons: Codes) -> Codes:
    """Persons, with every row that has none (-1) as a person of its own; O(rows)."""
    nameless = np.flatnonzero(persons < 0)
    if not len(nameless):
        return persons
    found = persons.astype(np.int64)
    found[nameless] = int(persons.max()) + 1 + np.arange(len(nameless))
    return found


def _dense_limit(n_rows: int) -> int:
    return _DENSE * n_rows + 1024


def counted(keys: Codes, n_keys: int, weight: Amounts | None = None) -> Amounts:
    """How often each key below ``n_keys`` occurs, or its summed weight, exact below 2^53; O(keys)."""
    if weight is None:
        return np.bincount(keys, minlength=n_keys)
    return np.bincount(keys, weight, minlength=n_keys).astype(weight.dtype, copy=False)


def count_keys(keys: Codes, n_keys: int, weight: Ints | None = None) -> tuple[Ints, Ints]:
    """The keys that occur, in order, and how often each does; costs as much as ``rank``."""
    if n_keys <= _dense_limit(len(keys)):
        counts = counted(keys, n_keys, weight)
        present = np.flatnonzero(counts)
        return present, counts[present]
    keys = keys.astype(np.int64, copy=False)
    if weight is None:
        return np.unique(keys, return_counts=True)
    present, place = np.unique(keys, return_inverse=True)
    return present, counted(place, len(present), weight)


def rank(keys: Codes, n_keys: int) -> tuple[Int32s, int]:
    """Replace keys by their rank 0, 1, 2, … in key order; O(rows + n_keys), or a sort where keys are many."""
    if n_keys <= _dense_limit(len(keys)):
        is_present = np.zeros(max(n_keys, 1), dtype=bool)
        is_present[keys] = True
        ranks = np.cumsum(is_present, dtype=np.int32) - np.int32(1)
        return ranks.take(keys), int(ranks[-1]) + 1
    present, inverse = np.unique(keys, return_inverse=True)
    return inverse.astype(np.int32, copy=False), len(present)


def group_rows(columns: Sequence[Codes], n_codes: Sequence[int], n_rows: int) -> tuple[Int32s, int]:
    """Number the groups of equal rows, in the order of their codes; O(rows * columns), or sorts."""
    # Groups are few compared with all combinations of codes: ranking them early keeps the keys small.
    groups, n_groups = np.zeros(n_rows, dtype=np.int32), 1
    waiting: list[tuple[Codes, int]] = []
    n_keys = 1
    for codes, size in zip(columns, n_codes, strict=True):
        if n_keys <= _dense_limit(n_rows) < n_keys * size:
            groups, n_groups = _ranked(groups, n_groups, waiting)
            waiting, n_keys = [], n_groups
        waiting.append((codes, size))
        n_keys *= size
    return _ranked(groups, n_groups, waiting)


def number_runs(columns: Sequence[Codes], n_rows: int) -> tuple[Int32s, int]:
    """As ``group_rows``, for rows that are sorted by these columns; O(rows * columns), without a sort."""
    is_first = begins_run(columns, n_rows)
    groups = np.cumsum(is_first, dtype=np.int32) - np.int32(1)
    return groups, int(is_first.sum())


def begins_run(columns: Iterable[Codes], n_rows: int) -> Bools:
    """Whether each row differs from the one before it; the first one does. O(rows * columns)."""
    is_first = np.zeros(n_rows, dtype=bool)
    is_first[:1] = True
    for codes in columns:
        is_first[1:] |= codes[1:] != codes[:-1]
    return is_first


def _ranked(groups: Int32s, n_groups: int, waiting: list[tuple[Codes, int]]) -> tuple[Int32s, int]:
    columns = [groups, *(codes for codes, _ in waiting)]
    return rank(*pack(columns, [n_groups, *(size for _, size in waiting)], len(groups)))


def numbered_by_rows(groups: Int32s, n_groups: int) -> tuple[Int32s, int]:
    """The same groups, numbered in the order of their first rows; O(rows), and a sort of the groups."""
    first = np.zeros(n_groups, dtype=np.int64)
    first[groups[::-1]] = np.arange(len(groups))[::-1]
    number = np.empty(n_groups, dtype=np.int32)
    number[np.argsort(first)] = np.arange(n_groups, dtype=np.int32)
    return number.take(groups), n_groups


def narrowest_unsigned(n_codes: int) -> np.dtype[Any]:
    """The smallest unsigned type that holds the codes ``0 .. n_codes - 1``."""
    return np.min_scalar_type(max(n_codes - 1, 0))


def paired(first: Codes, second: Codes, n_first: int, n_second: int) -> Codes:
    """One key for each pair of two numbers below these; O(pairs). Half as wide is more than twice as fast."""
    keys = np.multiply(first, n_second, dtype=np.int32 if n_first * n_second <= 2**31 else np.int64)
    keys += second
    return keys


def rows_of_each(number: Codes, n_numbers: int) -> list[Ints]:
    """The rows that have each number, in the order of the table; O(rows) where the numbers are few."""
    narrow = number.astype(narrowest_unsigned(n_numbers), copy=False)
    if n_numbers <= _FEW:
        return [np.flatnonzero(narrow == each) for each in range(n_numbers)]
    order = np.argsort(narrow, kind="stable")
    return np.split(order, np.cumsum(np.bincount(narrow, minlength=n_numbers))[:-1])
