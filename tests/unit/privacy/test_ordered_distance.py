"""What crosses the gaps between ordered values, beside the definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from memory_peak import peak_of

from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts
from kanopy.privacy import Closeness
from kanopy.privacy.closeness import crossing


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=30))
def test_crossing_is_what_the_definition_adds_up(rows: list[tuple[int, int]]) -> None:
    group, codes = (np.array(part) for part in zip(*rows, strict=True))
    column = CodedColumn(Domain("s", tuple("abcdefghi")), codes.astype(np.uint8))
    table = EncodedTable(len(rows), (), None, {"s": column})
    counts = GroupCounts.of(table, group, 4)
    occurring = sorted(set(codes.tolist()))
    expected = []
    for number in range(4):
        inside = [code for owner, code in rows if owner == number]
        running = [
            len(rows) * sum(code <= value for code in inside) - len(inside) * int((codes <= value).sum())
            for value in occurring
        ]
        expected.append(sum(map(abs, running)))
    assert crossing(counts.histograms["s"], counts.rows).tolist() == expected


def test_crossing_is_exact_where_64_bits_do_not_suffice() -> None:
    column = CodedColumn(Domain("s", tuple("abc")), np.array([0, 0, 1, 2, 2], dtype=np.uint8))
    groups = np.array([0, 1, 1, 0, 1])
    small = GroupCounts.of(EncodedTable(5, (), None, {"s": column}), groups, 2)
    weight = np.full(5, 10**14)
    large = GroupCounts.of(EncodedTable(5, (), None, {"s": column}, weight=weight), groups, 2)
    expected = [10**28 * moved for moved in crossing(small.histograms["s"], small.rows).tolist()]
    assert crossing(large.histograms["s"], large.rows).tolist() == expected
    assert Closeness("s", 0.5, "ordered").level(large) == Closeness("s", 0.5, "ordered").level(small)


def test_memory_follows_the_values_of_the_groups_and_not_of_the_table() -> None:
    """1,000 groups of two values each, of 2,000: an array of both would have 16 megabytes."""
    peaks = []
    for n_rows in (2_000, 8_000):
        secret = Domain("s", tuple(f"{code:05d}" for code in range(n_rows)))
        column = CodedColumn(secret, np.arange(n_rows, dtype=np.uint16))
        table = EncodedTable(n_rows, (), None, {"s": column})
        counts = GroupCounts.of(table, np.arange(n_rows) // 2, n_rows // 2)
        peaks.append(peak_of(lambda counts=counts: Closeness("s", 0.5, "ordered").holds(counts)))
    assert peaks[0] < 2_000_000
    assert peaks[1] / peaks[0] < 6
