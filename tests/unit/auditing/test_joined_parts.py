"""Tables that are joined line by line, and the order of their rows, against slow twins."""

from __future__ import annotations

from itertools import product

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from kanopy.auditing import TextTable
from kanopy.auditing.parts import JoinedLines, are_rows_sorted

NAMES = ["b", "a", "c"]
CELLS = st.sampled_from(["", "a", "B", "b", "ab", "ä", "10", "9", "\U0001f600", "\uffff"])
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=12)


def table_of(rows: list[tuple[str, ...]]) -> TextTable:
    return TextTable.of_arrow(pa.table(dict(zip(NAMES, zip(*rows, strict=True), strict=True))))


def rows_of(table: TextTable) -> list[tuple[str, ...]]:
    columns = [(each.words.to_pylist(), each.codes) for each in table.expanded().columns.values()]
    return list(zip(*([words[code] for code in codes] for words, codes in columns), strict=True))


@given(st.lists(ROWS, min_size=1, max_size=4), st.booleans())
def test_lines_of_several_tables(parts: list[list[tuple[str, ...]]], in_runs: bool) -> None:
    joined = JoinedLines()
    for number, rows in enumerate(parts):
        table = table_of(rows)
        assert joined.fits(table)
        joined.add(table.in_runs() if in_runs and number % 2 else table)
    whole = joined.table("here")
    every = [row for rows in parts for row in rows]
    assert rows_of(whole) == every
    assert whole.n_rows == len(every)
    assert all(len(set(each.words.to_pylist())) == len(each.words) for each in whole.columns.values())
    if whole.weight is not None:
        assert whole.n_lines == whole.in_runs().n_lines


@given(ROWS, st.permutations(NAMES), st.booleans())
def test_whether_rows_are_sorted(rows: list[tuple[str, ...]], first: list[str], is_sorted: bool) -> None:
    first = first[:2]
    order = [*first, *(name for name in NAMES if name not in first)]
    places = [NAMES.index(name) for name in order]
    keys = [
        lambda row, last=last: [
            ((row[place] == "") if is_last else (row[place] != ""), row[place].encode())
            for place, is_last in zip(places, last, strict=True)
        ]
        for last in product((False, True), repeat=3)
    ]
    rows = sorted(rows, key=keys[len(rows) % 8]) if is_sorted else rows
    expected = any(rows == sorted(rows, key=key) for key in keys)
    assert expected or not is_sorted
    table = table_of(rows)
    assert are_rows_sorted(table, first, NAMES) == expected
    assert are_rows_sorted(table.in_runs(), first, NAMES) == expected
