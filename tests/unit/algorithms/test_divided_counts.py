"""What groups would hold if they were divided, against counting row by row."""

from __future__ import annotations

from collections import Counter
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.algorithms import divided_counts as file
from kanopy.algorithms.divided_counts import divided_counts
from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts

some_row = st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 5), st.integers(0, 3))
"""Group, part, person, secret."""

Line = tuple[int, int, int | None, tuple[tuple[int, int], ...]]


def table_of(rows: list[tuple[int, int, int, int]], *, persons: bool, secrets: bool) -> EncodedTable:
    codes = np.array([row[3] for row in rows], dtype=np.uint8)
    confidential = {"d": CodedColumn(Domain("d", ("x", "y", "z")), codes)} if secrets else {}
    known = np.array([row[2] for row in rows], dtype=np.int32) if persons else None
    return EncodedTable(len(rows), (), None, confidential, known)


def counted(table: EncodedTable, rows: list[int], group: list[int], part: list[int], **how: Any) -> list[Any]:
    return list(
        divided_counts(
            table,
            np.array(rows, dtype=np.int32),
            np.array(group, dtype=np.int32),
            max(group) + 1,
            np.array(part, dtype=np.int64),
            6,
            **how,
        )
    )


def lines_of(found: list[tuple[np.ndarray, GroupCounts]]) -> Counter[Line]:
    """Every entry: part, rows, persons, and how often each secret occurs."""
    lines: list[Line] = []
    for part, counts in found:
        assert len(part) == counts.n_groups
        for place, number in enumerate(part.tolist()):
            persons = None if counts.persons is None else int(counts.persons[place])
            secrets: list[tuple[int, int]] = []
            for histogram in counts.histograms.values():
                assert histogram.n_groups == counts.n_groups
                assert (np.diff(histogram.group) >= 0).all()
                assert (histogram.count > 0).all()
                entries = np.flatnonzero(histogram.group == place)
                secrets += zip(
                    histogram.value[entries].tolist(), histogram.count[entries].tolist(), strict=True
                )
            lines.append((number, int(counts.rows[place]), persons, tuple(secrets)))
    return Counter(lines)


def naive_lines(
    rows: list[tuple[int, int, int, int]], *, persons: bool, secrets: bool, divides_off: bool
) -> Counter[Line]:
    found: list[Line] = []
    for group, part in sorted({row[:2] for row in rows}):
        inside = [row for row in rows if row[:2] == (group, part)]
        rest = [row for row in rows if row[0] == group and row[1] != part]
        for some in (inside, rest) if divides_off else (inside,):
            if some:
                # A person counts once for a secret; without persons, every row does.
                of_whom = {(row[2] if persons else place, row[3]) for place, row in enumerate(some)}
                counted_secrets = Counter(secret for _, secret in of_whom)
                of_secrets = tuple(sorted(counted_secrets.items())) if secrets else ()
                n_persons = len({row[2] for row in some}) if persons else None
                found.append((part, len(some), n_persons, of_secrets))
    return Counter(found)


@pytest.mark.parametrize("divides_off", [False, True])
@pytest.mark.parametrize("secrets", [False, True])
@pytest.mark.parametrize("persons", [False, True])
@given(rows=st.lists(some_row, min_size=1, max_size=30), entries=st.sampled_from([1, 7, 4_000_000]))
def test_as_counting_row_by_row(
    divides_off: bool, secrets: bool, persons: bool, rows: list[tuple[int, int, int, int]], entries: int
) -> None:
    table = table_of(rows, persons=persons, secrets=secrets)
    group, part = [row[0] for row in rows], [row[1] for row in rows]
    with mock.patch.object(file, "_ENTRIES", entries):  # in one piece or in many
        found = counted(table, list(range(len(rows))), group, part, divides_off=divides_off)
    expected = naive_lines(rows, persons=persons, secrets=secrets, divides_off=divides_off)
    assert lines_of(found) == expected


@given(rows=st.lists(some_row, min_size=2, max_size=20), data=st.data())
def test_some_rows_only(rows: list[tuple[int, int, int, int]], data: st.DataObject) -> None:
    table = table_of(rows, persons=True, secrets=True)
    chosen = data.draw(st.lists(st.sampled_from(range(len(rows))), min_size=1, unique=True))
    some = [rows[row] for row in chosen]
    found = counted(table, chosen, [row[0] for row in some], [row[1] for row in some], divides_off=True)
    assert lines_of(found) == naive_lines(some, persons=True, secrets=True, divides_off=True)
    for _, counts in found:  # what an attacker knows beforehand is about all rows
        assert counts.histograms["d"].totals.sum() == len({row[2:] for row in rows})
        assert counts.histograms["d"].n_table == len({row[2] for row in rows})


def test_a_person_with_rows_in_both_stays_in_the_rest() -> None:
    rows = [(0, 0, 1, 0), (0, 1, 1, 0), (0, 1, 2, 0), (0, 2, 3, 0)]
    table = table_of(rows, persons=True, secrets=False)
    (_, inside), (part, rest) = counted(table, [0, 1, 2, 3], [0] * 4, [0, 1, 1, 2], divides_off=True)
    assert inside.persons.tolist() == [1, 2, 1]
    assert dict(zip(part.tolist(), rest.persons.tolist(), strict=True)) == {0: 3, 1: 2, 2: 2}


def test_a_group_of_one_part_has_no_rest() -> None:
    for secrets in (False, True):
        table = table_of([(0, 1, 1, 0), (0, 1, 2, 1)], persons=secrets, secrets=secrets)
        found = counted(table, [0, 1], [0, 0], [1, 1], divides_off=True)
        assert sum(counts.n_groups for _, counts in found) == 1
