import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.frames import parquet_file
from kanopy.frames.parquet_file import write_parquet


def write(*columns: tuple[str, pa.Array, list[int]]) -> bytes:
    sink = io.BytesIO()
    write_parquet(sink, [(name, values, np.array(codes, dtype=np.int32)) for name, values, codes in columns])
    return sink.getvalue()


COLUMNS = (
    ("text", pa.array(["b", "SECRET-unused", "a", None]), [0, 2, 3, 0]),
    ("number", pa.array([7, 4711_0815]), [0, 0, 0, 0]),
)


def test_every_row_has_its_value():
    table = pq.read_table(io.BytesIO(write(*COLUMNS)))
    assert table.to_pydict() == {"text": ["b", "a", None, "b"], "number": [7, 7, 7, 7]}
    assert table.schema.types == [pa.string(), pa.int64()]


@pytest.mark.parametrize("as_dictionary", [False, True])
def test_a_value_that_no_row_has_is_not_in_the_file(as_dictionary: bool):
    name, values, codes = COLUMNS[0]
    data = write((name, values.dictionary_encode() if as_dictionary else values, codes), COLUMNS[1])
    assert b"SECRET" not in data
    assert (4711_0815).to_bytes(8, "little") not in data
    # The search can fail: a value that is published is found in the same way.
    assert (7).to_bytes(8, "little") in data


def test_a_dictionary_is_written_as_plain_values():
    data = write(("t", pa.array(["x", "y"]).dictionary_encode(), [1, 1, 0]))
    table = pq.read_table(io.BytesIO(data))
    assert table.schema.types == [pa.string()]
    assert table.column("t").to_pylist() == ["y", "y", "x"]


def words_of(data: bytes) -> list[list[str]]:
    """The dictionary of each row group, as it stands in the file."""
    opened = pq.ParquetFile(io.BytesIO(data), read_dictionary=["t"])
    groups = [opened.read_row_group(number) for number in range(opened.num_row_groups)]
    return [group.column("t").chunk(0).dictionary.to_pylist() for group in groups]


def test_a_row_group_has_the_words_of_its_rows_alone_in_their_order(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parquet_file, "_ROWS_AT_A_TIME", 4)
    data = write(("t", pa.array(["a", "b", "unused", None, "c"]), [4, 4, 3, 0, 0, 0, 0, 1, 3, 3]))
    assert words_of(data) == [["c", "a"], ["a", "b"], []]
    assert pq.read_table(io.BytesIO(data)).column("t").to_pylist() == [
        "c", "c", None, "a", "a", "a", "a", "b", None, None,
    ]  # fmt: skip


def test_a_line_of_no_rows_leaves_no_word():
    sink, codes = io.BytesIO(), np.arange(3, dtype=np.int32)
    write_parquet(sink, [("t", pa.array(["a", "SECRET", "b"]), codes)], weight=np.array([2, 0, 1]))
    assert words_of(sink.getvalue()) == [["a", "b"]]
    assert b"SECRET" not in sink.getvalue()


def test_the_same_cells_have_the_same_bytes_whatever_codes_stand_for_them():
    one = write(("t", pa.array(["a", "b", None]), [1, 0, 2, 1]))
    other = write(("t", pa.array([None, "x", "b", "a", "b", None]), [2, 3, 5, 4]))
    assert one == other


def test_an_empty_text_is_not_null():
    data = write(("t", pa.array(["", None]), [0, 1, 0]))
    assert pq.read_table(io.BytesIO(data)).column("t").to_pylist() == ["", None, ""]


def test_other_libraries_read_plain_texts():
    values = pa.array(["ä", None, "b", "unused"])
    codes = np.array([2, 0, 1, 1, 2], dtype=np.int32)
    data = write(("t", values, codes.tolist()), ("n", pa.array([5, None]), [0, 1, 0, 0, 0]))
    plain, meant = io.BytesIO(), pa.table({"t": values.take(pa.array(codes)), "n": [5, None, 5, 5, 5]})
    pq.write_table(meant, plain, store_schema=False)
    found = pq.read_table(io.BytesIO(data))
    assert found.equals(meant)
    assert found.schema.equals(meant.schema, check_metadata=True)
    pd.testing.assert_frame_equal(pd.read_parquet(io.BytesIO(data)), pd.read_parquet(plain))
    in_polars = pl.read_parquet(io.BytesIO(data))
    assert in_polars.equals(pl.read_parquet(io.BytesIO(plain.getvalue())))
    assert in_polars.schema == {"t": pl.String, "n": pl.Int64}


def test_there_is_no_metadata_and_statistics_are_published_cells():
    metadata = pq.ParquetFile(io.BytesIO(write(*COLUMNS))).metadata
    assert metadata.metadata is None
    text = metadata.row_group(0).column(0).statistics
    assert {text.min, text.max} == {"a", "b"}
    number = metadata.row_group(0).column(1).statistics
    assert {number.min, number.max} == {7}


def test_same_input_same_bytes():
    assert write(*COLUMNS) == write(*COLUMNS)


def test_row_groups_are_cut_without_loss(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parquet_file, "_ROWS_AT_A_TIME", 4)
    data = write(("n", pa.array(["a", "b", "c"]), [0, 1, 2] * 3))
    file = pq.ParquetFile(io.BytesIO(data))
    assert file.metadata.num_row_groups == 3
    assert file.read().column("n").to_pylist() == ["a", "b", "c"] * 3


def test_a_table_without_rows_keeps_its_columns():
    table = pq.read_table(io.BytesIO(write(("a", pa.array(["x"]), []), ("b", pa.array([1]), []))))
    assert table.num_rows == 0
    assert table.schema.names == ["a", "b"]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.sampled_from([1, 4, 7, 1 << 20]))
def test_lines_times_weights_are_the_rows(weight: list[int], n_rows: int) -> None:
    values, codes = pa.array(["a", None, "b"]), np.arange(len(weight), dtype=np.int32) % 3
    lines, rows = io.BytesIO(), io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet_file, "_ROWS_AT_A_TIME", n_rows)
        write_parquet(lines, [("x", values, codes)], weight=np.array(weight))
        write_parquet(rows, [("x", values, np.repeat(codes, weight))])
    assert lines.getvalue() == rows.getvalue()
