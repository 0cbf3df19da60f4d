"""Equal rows counted: the same different rows and counts, however the table is divided and ordered."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.frames.tuples import CountedTable, TupleCounter, counted_table

ROWS = st.lists(
    st.tuples(st.sampled_from(["a", "b", "", None]), st.integers(0, 3), st.booleans()),
    min_size=8,
    max_size=40,
)


def as_table(rows: list[tuple[Any, ...]]) -> pa.Table:
    texts, numbers, flags = zip(*rows, strict=True)
    return pa.table({"t": pa.array(texts, pa.string()), "n": numbers, "f": flags})


def as_counter(counted: CountedTable) -> Counter[tuple[Any, ...]]:
    rows = list(zip(*(column.to_pylist() for column in counted.table.columns), strict=True))
    weight = [1] * len(rows) if counted.weight is None else counted.weight.tolist()
    assert len(set(rows)) == len(rows) or counted.weight is None
    found: Counter[tuple[Any, ...]] = Counter()
    for row, n_times in zip(rows, weight, strict=True):
        found[row] += n_times
    return found


@given(ROWS, st.integers(1, 60), st.booleans())
def test_batches_are_added_up(rows: list[tuple[Any, ...]], size: int, is_coded: bool) -> None:
    rows = 3 * rows
    counter = TupleCounter()
    for start in range(0, len(rows), size):
        batch = as_table(rows[start : start + size])
        if is_coded:
            batch = batch.set_column(0, "t", batch["t"].dictionary_encode())
        if not counter.add(batch):  # the first batch hardly repeats
            assert start == 0
            return
    counted = counter.result()
    assert counter.n_rows == len(rows)
    assert as_counter(counted) == Counter(rows)


def test_a_column_whose_values_grow_in_number() -> None:
    rng = np.random.default_rng(3)
    rows = [(str(value), int(value) % 3, False) for value in rng.integers(0, 50, 4000)]
    rows += [(str(value), int(value) % 3, True) for value in rng.integers(0, 900, 9000)]
    counter = TupleCounter()
    for start in range(0, len(rows), 1000):
        assert counter.add(as_table(rows[start : start + 1000]))
    assert as_counter(counter.result()) == Counter(rows)


@pytest.mark.parametrize(
    "table",
    [
        pa.table({"x": list(map(str, range(5000)))}),  # hardly repeats
        pa.table({"x": [0.0, -0.0] * 50}),  # floats: equal numbers may be different texts
        pa.table({f"x{place}": [str(n % 50) for n in range(100)] for place in range(20)}),  # too wide
    ],
)
def test_tables_that_are_taken_row_by_row(table: pa.Table) -> None:
    assert counted_table(table) == CountedTable(table)
