"""Sketches and draws from them, compared with their slow twins."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_sketch import Value, drawn_categories, drawn_numbers, joined_sketches
from plain_tables import column_of

from kanopy.data import EncodedTable, Partition, PublishedReading, pooled_correlation, sketched
from kanopy.data.grammar import read_cell, write_alone
from kanopy.learners.sketched import drawn_rows

TEXTS = st.sampled_from(["a", "b", "a: 3", "~[1, 2]", "{a: 3}", "x, y", "\\", "*", "[1, 2]"])
NUMBERS = st.integers(0, 40).map(float)


@st.composite
def grouped_rows(draw: st.DrawFn) -> tuple[list[list[Value]], list[int], int]:
    n_rows = draw(st.integers(1, 40))
    group = draw(st.lists(st.integers(0, 3), min_size=n_rows, max_size=n_rows))
    places = {number: place for place, number in enumerate(sorted(set(group)))}

    def column(values: st.SearchStrategy[Value]) -> list[Value]:
        return draw(st.lists(st.none() | values | values, min_size=n_rows, max_size=n_rows))

    return [column(NUMBERS), column(TEXTS)], [places[number] for number in group], draw(st.integers(1, 25))


def released(columns: list[list[Value]], group: list[int], k: int) -> list[tuple[str, ...]]:
    table = EncodedTable(len(group), tuple(column_of(f"c{n}", values) for n, values in enumerate(columns)))
    found = sketched(Partition(np.array(group, dtype=np.int32), max(group) + 1), table, k)
    lines = [[column.texts[cell] for cell in column.ids.tolist()] for column in found.columns]
    return list(zip(*lines, strict=True))


@given(grouped_rows())
def test_sketches_are_those_of_the_twin(rows: tuple[list[list[Value]], list[int], int]) -> None:
    columns, group, k = rows
    expected = joined_sketches(columns, group, k)
    # One value alone is an exact cell, which the twin leaves unescaped.
    alone = [
        (line[0], line[1] if line[1][:1] == "{" and read_twin(line[1]) else write_alone(line[1]))
        for line in expected
    ]
    assert released(columns, group, k) == alone


def read_twin(text: str) -> bool:
    try:
        return read_cell(text).is_sketch and text != "{a: 3}"
    except ValueError:
        return False


@given(grouped_rows(), st.integers(0, 5))
def test_draws_are_those_of_the_twin(rows: tuple[list[list[Value]], list[int], int], seed: int) -> None:
    columns, group, k = rows
    lines = released(columns, group, k)
    source = pa.table({"n": [line[0] or None for line in lines], "t": [line[1] or None for line in lines]})
    reading = PublishedReading(("n", "t"), {"t": ("b", "", "a")}, np.array([[1, 0.6], [0.6, 1]]))
    drawn = drawn_rows(source, reading, np.random.default_rng(seed), 2)
    cells = [tuple(map(read_cell, line)) for line in lines]
    if drawn is None:
        assert not any(cell.is_sketch for line in cells for cell in line)
        return
    means = [[float(mean) for mean in number.means] for number, _ in cells if number.means]
    members = defaultdict(list)
    for row, line in enumerate(lines):
        members[line].append(row)
    for copy in range(2):
        start = copy * len(lines)
        found = {name: drawn.table[name].to_pylist()[start : start + len(lines)] for name in ("n", "t")}
        for line, own in members.items():
            number, category = map(read_cell, line)
            values = [found["n"][row] for row in own]
            if number.means:
                n_numbers = len(own) - number.n_missing
                expected = drawn_numbers([float(mean) for mean in number.means], n_numbers, means)
                assert sorted(float(value) for value in values if value is not None) == pytest.approx(
                    expected, abs=0.5 + 1e-9
                )
                assert values.count(None) == number.n_missing
            if category.counts:
                names = (*category.texts, "") if category.with_missing else category.texts
                counts = dict(zip(names, category.counts, strict=True))
                twin = Counter(drawn_categories(counts, ("b", "", "a")))
                assert Counter(found["t"][row] or "" for row in own) == Counter(
                    {write_alone(text) if text else "": times for text, times in twin.items()}
                )


@given(grouped_rows())
def test_one_text_per_group_and_nothing_is_lost(rows: tuple[list[list[Value]], list[int], int]) -> None:
    columns, group, k = rows
    lines = released(columns, group, k)
    text_of_group: dict[int, tuple[str, ...]] = {}
    for number, line in zip(group, lines, strict=True):
        assert text_of_group.setdefault(number, line) == line
    for line in set(lines):
        cell = read_cell(line[1])
        if cell.is_sketch:
            values = [columns[1][row] for row, each in enumerate(lines) if each == line]
            assert sum(cell.counts) == len(values)
            assert cell.n_missing == values.count(None)


@given(grouped_rows())
def test_the_correlation_is_one_of_two_decimals(rows: tuple[list[list[Value]], list[int], int]) -> None:
    columns, group, _ = rows
    table = EncodedTable(len(group), tuple(column_of(f"c{n}", values) for n, values in enumerate(columns)))
    found = pooled_correlation(Partition(np.array(group, dtype=np.int32), max(group) + 1), table, ((), ()))
    assert np.array_equal(np.round(found, 2), found)
    assert np.array_equal(found, found.T)
    assert (np.diag(found) == 1).all()
    assert np.abs(found[0, 1]) <= 0.98
