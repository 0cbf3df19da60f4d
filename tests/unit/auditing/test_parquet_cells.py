"""A Parquet file read back: its rows, and the digest of a file of these rows and nothing else."""

from __future__ import annotations

import datetime
import hashlib
import io
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.auditing import parquet_cells
from kanopy.auditing.parquet_cells import RowGroup
from kanopy.auditing.text import TextTable, read_parquet_back
from kanopy.errors import VerificationError
from kanopy.frames import parquet_file
from kanopy.frames.parquet_file import write_parquet

USUAL: dict[str, Any] = {
    "store_schema": False,
    "compression": "snappy",
    "write_page_checksum": True,
    "write_batch_size": 1 << 14,
}
DAY = datetime.date(2020, 2, 29)
VALUES = {
    "text": pa.array(["b", "a", None, "ä", "b", "unused"]),
    "coded": pa.array(["b", "a", None, "ä", "b", "unused"]).dictionary_encode(),
    "large": pa.array(["b", "a", None, "ä", "b", "unused"], pa.large_string()),
    "nothing": pa.nulls(6, pa.string()),
    "number": pa.array([7, 7, None, 1, -2, 3]),
    "real": pa.array([0.5, -0.0, None, 1e300, 0.5, 3]),
    "flag": pa.array([True, False, None, True, False, True]),
    "day": pa.array([DAY, None, DAY, DAY, None, None]),
    "moment": pa.array([datetime.datetime(2020, 1, 1), None, None, None, None, None], pa.timestamp("us")),
    "decimal": pa.array([Decimal("1.50"), None, None, Decimal("2.00"), None, None]),
}


def digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def digest_of_cells(written: io.BytesIO) -> bytes:
    return read_parquet_back(written, in_runs=True)[1]


def grouped(patch: pytest.MonkeyPatch, n_rows: int) -> None:
    patch.setattr(parquet_file, "_ROWS_AT_A_TIME", n_rows)
    patch.setattr(parquet_cells, "_ROWS_IN_A_GROUP", n_rows)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12),
    st.sets(st.sampled_from(sorted(VALUES)), min_size=1),
    st.sampled_from([1, 4, 7, 1 << 20]),
    st.sampled_from([0, 2, 1 << 16]),
)
def test_a_written_file_is_the_file_of_its_cells(
    lines: list[tuple[int, int]], names: set[str], n_rows: int, many: int
) -> None:
    """Whatever its types, row groups, nulls and repetitions."""
    codes, weight = (np.array(each, dtype=np.int32) for each in zip(*lines, strict=True))
    sink = io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        grouped(patch, n_rows)
        patch.setattr(parquet_file, "_MANY_TEXTS", many)
        patch.setattr(parquet_cells, "_MANY_TEXTS", many)
        write_parquet(sink, [(name, VALUES[name], codes) for name in sorted(names)], weight=weight)
        in_rows, from_rows = read_parquet_back(sink, in_runs=False)
        in_runs, from_runs = read_parquet_back(sink, in_runs=True)
    assert from_rows == from_runs == digest(sink.getvalue())
    assert as_rows(in_rows) == as_rows(in_runs.expanded())
    assert as_rows(in_runs) == as_rows(in_rows.in_runs())
    times = np.repeat(codes, weight)
    assert as_rows(in_rows) == as_rows(
        TextTable.of_arrow(pa.table({name: VALUES[name].take(pa.array(times)) for name in sorted(names)}))
    )


def as_rows(table: TextTable) -> dict[str, list[str]]:
    return {name: each.words.take(pa.array(each.codes)).to_pylist() for name, each in table.columns.items()}


def test_many_different_texts_in_several_row_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.arange(100_005) // 2
    long = pa.array(numbers).cast(pa.string())
    few = pa.array(numbers // 100).cast(pa.string())
    null = pc.if_else(pa.array(numbers // 20_000 == 1), few, pa.scalar(None, pa.string()))
    columns = {"many": pc.binary_repeat(long, 8), "few": few, "null": null, "n": pa.array(numbers)}
    grouped(monkeypatch, 60_000)
    sink, every = io.BytesIO(), np.arange(len(numbers), dtype=np.int32)
    write_parquet(sink, [(name, values, every) for name, values in columns.items()])
    assert digest_of_cells(sink) == digest(sink.getvalue())
    assert pq.read_table(sink).equals(pa.table(columns))


def test_texts_that_hardly_repeat_are_no_dictionary() -> None:
    """pyarrow writes them as it writes plain texts, in less time and space."""
    texts = pc.binary_repeat(pa.array(np.arange(150_000)).cast(pa.string()), 4)
    few = pa.array(np.arange(150_000) // 3).cast(pa.string())
    sink, plain, every = io.BytesIO(), io.BytesIO(), np.arange(150_000, dtype=np.int32)
    write_parquet(sink, [("many", texts, every), ("few", few, every)])
    pq.write_table(pa.table({"many": texts, "few": few.dictionary_encode()}), plain, **USUAL)
    assert sink.getvalue() == plain.getvalue()
    assert digest_of_cells(sink) == digest(sink.getvalue())


def backwards(column: pa.DictionaryArray) -> pa.DictionaryArray:
    last = len(column.dictionary) - 1
    codes = pc.subtract(pa.scalar(last, pa.int32()), column.indices)
    return pa.DictionaryArray.from_arrays(codes, column.dictionary[::-1])


def with_an_unused_word(column: pa.DictionaryArray) -> pa.DictionaryArray:
    words = pa.concat_arrays([column.dictionary, pa.array(["unused"])])
    return pa.DictionaryArray.from_arrays(column.indices, words)


def as_plain_texts(column: pa.DictionaryArray) -> pa.Array:
    return column.cast(pa.string())


@pytest.mark.parametrize("change", [backwards, with_an_unused_word, as_plain_texts])
def test_the_digest_follows_from_the_cells_alone(change: Callable[[Any], Any]) -> None:
    """Whoever reads a release and saves it again has other bytes, but cells with the same digest."""
    column = pa.array(["b", "a", None, "c", "b"] * 9).dictionary_encode()
    plain, other = io.BytesIO(), io.BytesIO()
    pq.write_table(pa.table({"x": column}), plain, **USUAL)
    pq.write_table(pa.table({"x": change(column)}), other, row_group_size=7, compression="none")
    assert digest_of_cells(other) == digest_of_cells(plain) == digest(plain.getvalue())
    assert other.getvalue() != plain.getvalue()


def test_a_word_that_is_listed_twice_is_one_word() -> None:
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1, 2], pa.int32()), pa.array(["a", "a", "b"]))
    table = pa.table({"x": coded})
    (plain,) = RowGroup.of(table).plain(table.schema).column("x").chunks
    assert (plain.dictionary.to_pylist(), plain.to_pylist()) == (["a", "b"], ["a", "a", "a", "b"])


def test_other_cells_have_another_digest() -> None:
    digests = set()
    for texts in (["a", "b"], ["b", "a"], ["a", "b", "b"], ["a", None], ["a", "null"]):
        sink = io.BytesIO()
        pq.write_table(pa.table({"x": pa.array(texts).dictionary_encode()}), sink, **USUAL)
        digests.add(digest_of_cells(sink))
    assert len(digests) == 5


@pytest.mark.parametrize("in_runs", [False, True])
def test_a_file_without_rows(in_runs: bool) -> None:
    sink = io.BytesIO()
    write_parquet(sink, [("x", VALUES["text"], np.zeros(0, dtype=np.int32))])
    table, found = read_parquet_back(sink, in_runs=in_runs)
    assert (table.n_rows, list(table.columns), found) == (0, ["x"], digest(sink.getvalue()))


def test_a_file_that_is_cut_short_is_no_table() -> None:
    sink = io.BytesIO()
    write_parquet(sink, [("x", VALUES["text"], np.zeros(9, dtype=np.int32))])
    with pytest.raises(VerificationError, match="cannot be read back"):
        read_parquet_back(io.BytesIO(sink.getvalue()[:-9]), in_runs=True)
