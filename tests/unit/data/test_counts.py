"""Counting groups: rows, persons and values, in an array or by sorting, with the same result."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts, Histogram
from kanopy.data.counts import count_distinct, once_each

SMALL = Domain("d", ("a", "b", "c"))
LARGE = Domain("d", tuple(f"{number:04d}" for number in range(4000)))
"""So many values that counting all of them in all groups does not pay."""


@st.composite
def grouped_codes(draw: st.DrawFn) -> tuple[Domain, list[tuple[int, int]], int]:
    domain = draw(st.sampled_from([SMALL, LARGE]))
    n_groups = draw(st.integers(1, 4))
    some_code = st.sampled_from([0, 1, domain.n_values - 1, domain.missing_code])
    pairs = draw(st.lists(st.tuples(st.integers(0, n_groups - 1), some_code), max_size=15))
    return domain, pairs, n_groups


def histogram_of(domain: Domain, pairs: list[tuple[int, int]], n_groups: int) -> Histogram:
    groups, codes = ([pair[place] for pair in pairs] for place in (0, 1))
    column = CodedColumn(domain, np.array(codes, dtype=np.uint16))
    return Histogram.of(column, np.array(groups, dtype=np.int32), n_groups)


def entries(histogram: Histogram) -> list[tuple[int, int, int]]:
    columns = (histogram.group.tolist(), histogram.value.tolist(), histogram.count.tolist())
    return list(zip(*columns, strict=True))


@given(grouped_codes())
def test_histograms(drawn: tuple[Domain, list[tuple[int, int]], int]) -> None:
    domain, pairs, n_groups = drawn
    histogram = histogram_of(domain, pairs, n_groups)
    expected = Counter(pairs)
    assert entries(histogram) == sorted((*pair, count) for pair, count in expected.items())
    assert histogram.totals.tolist() == [
        sum(count for (_, code), count in expected.items() if code == value)
        for value in range(domain.n_codes)
    ]
    for code in (0, domain.missing_code):
        assert histogram.of_value(code).tolist() == [expected[group, code] for group in range(n_groups)]
    assert histogram.sums(histogram.count).tolist() == [
        sum(count for (place, _), count in expected.items() if place == group) for group in range(n_groups)
    ]


@given(grouped_codes(), st.sampled_from([1, 5, 10**6]))
def test_dense_blocks(drawn: tuple[Domain, list[tuple[int, int]], int], n_cells: int) -> None:
    domain, pairs, n_groups = drawn
    histogram = histogram_of(domain, pairs, n_groups)
    whole = np.zeros((n_groups, domain.n_codes), dtype=np.int64)
    for part, dense in histogram.blocks(n_cells):
        assert dense.shape[0] == 1 or dense.size <= n_cells
        whole[part] += dense
    expected = Counter(pairs)
    assert {(g, v): int(whole[g, v]) for g, v in zip(*np.nonzero(whole), strict=True)} == expected


def test_groups_are_compared_with_the_whole_table_where_it_is_given() -> None:
    part = CodedColumn(SMALL, np.array([0], dtype=np.uint8))
    histogram = Histogram.of(part, np.array([0]), 1, totals=np.array([5, 4, 3, 2]))
    assert histogram.totals.tolist() == [5, 4, 3, 2]
    assert entries(histogram) == [(0, 0, 1)]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=20))
def test_count_distinct(pairs: list[tuple[int, int]]) -> None:
    groups = np.array([group for group, _ in pairs], dtype=np.int32)
    labels = np.array([label for _, label in pairs], dtype=np.int32)
    expected = [len({label for place, label in pairs if place == group}) for group in range(5)]
    assert count_distinct(labels, groups, 5).tolist() == expected


@pytest.mark.parametrize(
    ("persons", "members"), [(None, [3, 1]), ([4, 4, 9, 4], [2, 1])], ids=["rows", "persons"]
)
def test_members_are_persons_where_they_are_known(persons: list[int] | None, members: list[int]) -> None:
    column = CodedColumn(SMALL, np.array([0, 1, 3, 0], dtype=np.uint8))
    codes = None if persons is None else np.array(persons, dtype=np.int32)
    table = EncodedTable(4, (column,), None, {"d": column}, codes)
    counts = GroupCounts.of(table, np.array([0, 0, 0, 1]), 2)
    assert counts.n_groups == 2
    assert counts.rows.tolist() == [3, 1]
    assert counts.members.tolist() == members
    assert entries(counts.histograms["d"]) == [(0, 0, 1), (0, 1, 1), (0, 3, 1), (1, 0, 1)]
    assert table.n_persons == (4 if persons is None else 2)


def test_groups_without_rows_are_counted_too() -> None:
    column = CodedColumn(SMALL, np.array([2], dtype=np.uint8))
    table = EncodedTable(1, (column,), None, {"d": column}, np.array([7], dtype=np.int32))
    counts = GroupCounts.of(table, np.array([1]), 3)
    assert counts.rows.tolist() == counts.members.tolist() == [0, 1, 0]
    assert counts.histograms["d"].of_value(2).tolist() == [0, 1, 0]


some_people = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=20
)
"""Group, person, code."""


@given(some_people)
def test_a_person_counts_once_for_a_value(people: list[tuple[int, int, int]]) -> None:
    groups, persons, codes = (np.array(each) for each in zip(*people, strict=True))
    column = CodedColumn(SMALL, codes.astype(np.uint8))
    table = EncodedTable(len(people), (), None, {"d": column}, persons.astype(np.int32))
    histogram = GroupCounts.of(table, groups, 3).histograms["d"]
    expected = Counter((group, code) for group, _, code in set(people))
    assert entries(histogram) == sorted((*pair, count) for pair, count in expected.items())
    in_table = Counter(code for _, code in {(person, code) for _, person, code in people})
    assert histogram.totals.tolist() == [in_table[code] for code in range(SMALL.n_codes)]
    assert histogram.n_table == len({person for _, person, _ in people})
    assert histogram.sizes.tolist() == [len({p for p in people if p[0] == group}) for group in range(3)]


def test_keys_too_large_for_one_number_are_ranked() -> None:
    keys = np.array([2**61, 5, 2**61, 5])
    assert once_each(keys, np.array([7, 9, 7, 8])).tolist() == [5, 5, 2**61]
