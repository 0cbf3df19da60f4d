"""What groups would hold if they were divided: by parts, or into one part and the rest."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from kanopy.data import EncodedTable, GroupCounts, Histogram
from kanopy.data.arrays import Amounts, Codes, Groups, Ints
from kanopy.data.keys import count_keys, rank

_ENTRIES = 4_000_000
"""Counters that are compared at a time; bounds memory, not results."""


def divided_counts(
    table: EncodedTable,
    rows: Groups,
    group: Groups,
    n_groups: int,
    part: Ints,
    n_parts: int,
    *,
    divides_off: bool,
) -> Iterator[tuple[Ints, GroupCounts]]:
    """Count every pair of a group and a part, and with ``divides_off`` also every group without the part.

    Yields parts and counts, one entry per pair that has rows. O(rows), or a sort where there are many pairs.
    """
    if not table.confidential and table.persons is None:
        weight = table.weight_of(rows)
        yield from divided_rows(group, n_groups, part, n_parts, weight, divides_off=divides_off)
        return
    keys = group.astype(np.int64) * n_parts + part
    pair, n_pairs = rank(keys, n_groups * n_parts)
    example = np.zeros(n_pairs, dtype=np.int64)
    example[pair] = np.arange(len(pair))
    counts = GroupCounts.of(table, pair, n_pairs, rows)
    yield part[example], counts
    if divides_off:
        whole = GroupCounts.of(table, group, n_groups, rows)
        leaving = counts if table.persons is None else _leaving(table, rows, group, pair, counts)
        yield from _rests(table, whole, leaving, group[example], part[example])


def divided_rows(
    group: Codes, n_groups: int, part: Codes, n_parts: int, weight: Ints | None, *, divides_off: bool
) -> Iterator[tuple[Ints, GroupCounts]]:
    """The same where nothing but rows, each as often as it weighs, is counted."""
    keys = group.astype(np.int64) * n_parts + part
    present, n_rows = count_keys(keys, n_groups * n_parts, weight)
    owner, of_part = np.divmod(present, n_parts)
    yield of_part, GroupCounts(n_rows)
    if divides_off:
        rest = np.bincount(owner, n_rows, minlength=n_groups).astype(np.int64)[owner] - n_rows
        yield of_part[rest > 0], GroupCounts(rest[rest > 0])


def _leaving(
    table: EncodedTable, rows: Groups, group: Groups, pair: Groups, counts: GroupCounts
) -> GroupCounts:
    """What a group loses with each of its parts: persons, and persons with a value, found there alone."""
    assert table.persons is not None
    persons, n_pairs, histograms = table.persons[rows], counts.n_groups, {}
    is_named = persons >= 0
    persons, group, pair = persons[is_named], group[is_named], pair[is_named]
    for name, column in table.confidential.items():
        codes = column.codes[rows][is_named]
        owner, value = _of_one_pair([codes, persons, group], pair, codes)
        n_codes = column.domain.n_codes
        present, count = count_keys(owner.astype(np.int64) * n_codes + value, n_pairs * n_codes)
        of_pair, of_value = np.divmod(present, n_codes)
        histograms[name] = replace(counts.histograms[name], group=of_pair, value=of_value, count=count)
    owner, _ = _of_one_pair([persons, group], pair, pair)
    return GroupCounts(counts.rows, np.bincount(owner, minlength=n_pairs), histograms)


def _rests(
    table: EncodedTable, whole: GroupCounts, leaving: GroupCounts, owner: Groups, part: Ints
) -> Iterator[tuple[Ints, GroupCounts]]:
    """Every group without one of its parts, where anything is left."""
    n_rows = whole.rows[owner] - leaving.rows
    left = np.flatnonzero(n_rows > 0)
    persons = None
    if whole.persons is not None and leaving.persons is not None:
        persons = whole.persons[owner] - leaving.persons
    width = max((column.domain.n_codes for column in table.confidential.values()), default=1)
    step = max(_ENTRIES // width, 1)
    for start in range(0, len(left), step):
        some = left[start : start + step]
        histograms = {
            name: _difference(whole.histograms[name], leaving.histograms[name], owner, some)
            for name in table.confidential
        }
        yield part[some], GroupCounts(n_rows[some], None if persons is None else persons[some], histograms)


def _difference(whole: Histogram, leaving: Histogram, owner: Groups, some: Ints) -> Histogram:
    """The histogram of some pairs' owners without the pairs."""
    groups, local = np.unique(owner[some], return_inverse=True)
    dense = _dense(whole, groups)[local] - _dense(leaving, some)
    pair, value = np.nonzero(dense)
    return replace(whole, group=pair, value=value, count=dense[pair, value], n_groups=len(some))


def _dense(histogram: Histogram, groups: Amounts) -> Ints:
    """Groups x codes, for some groups in ascending order."""
    place = np.full(histogram.n_groups, -1)
    place[groups] = np.arange(len(groups))
    entries = np.flatnonzero(place[histogram.group] >= 0)
    dense = np.zeros((len(groups), histogram.domain.n_codes), dtype=np.int64)
    dense[place[histogram.group[entries]], histogram.value[entries]] = histogram.count[entries]
    return dense


def _of_one_pair(keys: Sequence[Amounts], pair: Groups, of_row: Amounts) -> tuple[Groups, Amounts]:
    """The pair, and something else, of all rows that agree on the keys, where they are all in one pair; a
    sort."""
    order = np.lexsort(tuple(keys))
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = np.logical_or.reduce([np.diff(key[order].astype(np.int64)) != 0 for key in keys])
    starts = np.flatnonzero(begins)
    first = np.minimum.reduceat(pair[order], starts)
    alone = first == np.maximum.reduceat(pair[order], starts)
    return first[alone], of_row[order][starts][alone]
