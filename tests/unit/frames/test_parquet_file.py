import datetime
import decimal
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kanopy.errors import InputError, KanopyError, ResourceError
from kanopy.frames import memory, parquet_file
from kanopy.frames.csv_file import TEXT
from kanopy.frames.parquet_file import read_parquet

SECRET = "SECRET-4711"


def parquet(table: pa.Table, **options: object) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def read(data: bytes) -> pa.Table:
    return read_parquet(io.BytesIO(data), where="t.parquet")


WHOLE = parquet(pa.table({"a": [SECRET, "x"] * 500, "n": list(range(1000))}))


def test_text_is_a_dictionary_in_one_chunk_whatever_it_was():
    words = ["x", None, "é", "x"]
    table = pa.table(
        {
            "string": words,
            "large": pa.array(words, pa.large_string()),
            "a.b": pa.array(words).dictionary_encode(),
            "large dictionary": pa.array(words, pa.large_string()).dictionary_encode(),
        }
    )
    for options in ({}, {"store_schema": False}, {"row_group_size": 2}, {"use_dictionary": False}):
        result = read(parquet(table, **options))
        assert result.schema.types == [TEXT] * 4
        assert [column.num_chunks for column in result.columns] == [1] * 4
        assert result.to_pydict() == dict.fromkeys(table.column_names, words)


def test_single_values_keep_their_type():
    table = pa.table(
        {
            "integer": [1, 2**60 + 1, None],
            "float": [0.5, None, -1.0],
            "boolean": [True, False, None],
            "decimal": [decimal.Decimal("1.50"), None, decimal.Decimal("2.25")],
            "date": [datetime.date(2020, 2, 29), None, datetime.date(1900, 1, 1)],
            "time": pa.array([datetime.datetime(2020, 1, 1), None, None], pa.timestamp("us", tz="UTC")),
        }
    )
    result = read(parquet(table))
    assert result.schema.types == table.schema.types
    assert result.to_pydict() == table.to_pydict()


def test_a_column_of_nulls_only_is_text():
    result = read(parquet(pa.table({"a": pa.nulls(3), "b": [1, 2, 3]})))
    assert result.schema.types == [TEXT, pa.int64()]
    assert result.column("a").to_pylist() == [None] * 3


def test_metadata_are_dropped_and_a_stored_index_is_a_column():
    pandas = pytest.importorskip("pandas")
    table = pa.Table.from_pandas(pandas.DataFrame({"a": [1, 2, 3]}, index=[7, 4, 8]))
    result = read(parquet(table))
    assert table.schema.metadata
    assert result.schema.metadata is None
    assert all(field.metadata is None for field in result.schema)
    assert result.column_names == ["a", "__index_level_0__"]


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pa.array([[SECRET], []]), "list"),
        (pa.array([{SECRET: 1}, None]), "struct"),
        (pa.array([[("k", SECRET)], []], pa.map_(pa.string(), pa.string())), "map"),
        (pa.array([b"x", b"y"]), "binary"),
        (pa.array([b"xx", b"yy"], pa.binary(2)), "fixed_size_binary"),
    ],
)
def test_nested_and_binary_columns_are_named_and_refused(column: pa.Array, kind: str):
    with pytest.raises(InputError) as caught:
        read(parquet(pa.table({"fine": [1, 2], "odd": column})))
    assert f"t.parquet: column 'odd' has the type {kind} (" in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "file is empty"),
        (b"PAR1", "damaged"),
        (b"a,b\n1,SECRET-4711\n" * 10, "not a Parquet file"),
        (WHOLE[:-1], "cut short"),
        (WHOLE[: len(WHOLE) // 2], "cut short"),
        (WHOLE[4:], "not a Parquet file"),
        (b"PARE" + WHOLE[4:-4] + b"PARE", "encrypted"),
        (WHOLE[:-8] + b"\xff\xff\xff\x7fPAR1", "damaged"),
        (WHOLE[:40] + b"\xff" * 200 + WHOLE[240:], "damaged"),
        (parquet(pa.table({})), "no columns"),
        (parquet(pa.table({"a": pa.array([], pa.string())})), "no data rows"),
        (parquet(pa.table([[1], [2]], names=["a", "a"])), "more than once: 'a'"),
        (parquet(pa.table([[1], [2]], names=["a", "A"])), "only in case"),
        (parquet(pa.table([[1], [2]], names=["a", " "])), "column 2 has no name"),
        (parquet(pa.table({"t": [f"{SECRET}\0"]})), "column 't' holds text with a NUL"),
    ],
)
def test_refused_without_a_cell(data: bytes, message: str):
    with pytest.raises(InputError) as caught:
        read(data)
    assert message in str(caught.value)
    assert str(caught.value).startswith("t.parquet: ")
    assert SECRET not in str(caught.value)
    assert caught.value.__context__ is None


def test_names_are_cleaned():
    assert read(parquet(pa.table({" Zoe\u0301 ": ["x"]}))).column_names == ["Zoé"]


def test_text_that_is_not_utf8():
    offsets = pa.py_buffer(np.array([0, 1, 2], dtype=np.int32).tobytes())
    broken = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"\xff\xfe")])
    with pytest.raises(InputError, match="column 's' holds text that is not UTF-8"):
        read(parquet(pa.table({"s": broken})))


def test_a_decimal_with_more_digits_than_its_type_has():
    sums = pa.array([decimal.Decimal("1.50"), decimal.Decimal("9.99")])
    assert read(parquet(pa.table({"s": sums})))["s"].to_pylist() == sums.to_pylist()
    digits = b"".join(number.to_bytes(16, "little") for number in (150, 2273))
    broken = pa.Array.from_buffers(pa.decimal128(3, 2), 2, [None, pa.py_buffer(digits)])
    with pytest.raises(InputError, match="damaged"):
        read(parquet(pa.table({"s": broken})))


def test_rows_that_the_file_counts_and_its_row_groups_do_not():
    whole = parquet(pa.table({"n": [1, 2, 3], "word": ["a", "b", "c"]}), write_statistics=False)
    n_lost = 0
    for place in range(len(whole) - 8 - int.from_bytes(whole[-8:-4], "little"), len(whole) - 8):
        for byte in (0, 2, 4):  # 0, 1 and 2 rows, as Parquet writes them
            data = whole[:place] + bytes([byte]) + whole[place + 1 :]
            try:
                counted, found = pq.read_metadata(io.BytesIO(data)).num_rows, pq.read_table(io.BytesIO(data))
            except (pa.ArrowException, OSError):
                continue
            if counted > found.num_rows:
                n_lost += 1
                with pytest.raises(InputError, match="damaged"):
                    read(data)
    assert n_lost


def bomb(n_rows: int) -> bytes:
    """A few kilobytes of file that mean one long text in every row."""
    codes = pa.array(np.zeros(n_rows, dtype=np.int32))
    column = pa.DictionaryArray.from_arrays(codes, pa.array(["x" * 1_000_000]))
    return parquet(pa.table({"s": column}), write_statistics=False)


def test_repeated_text_is_not_expanded():
    data = bomb(1_000_000)
    assert len(data) < 100_000
    before = pa.total_allocated_bytes()
    result = read(data)
    assert pa.total_allocated_bytes() - before < 50_000_000  # of the terabyte that it means
    assert result.num_rows == 1_000_000
    assert result.column("s").chunk(0).dictionary.to_pylist() == ["x" * 1_000_000]


def test_a_table_larger_than_its_share_of_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "_physical_memory", lambda: 6_000_000)
    with pytest.raises(ResourceError, match="the limit is") as caught:
        read(bomb(1_000_000))
    assert caught.value.exit_code == 6
    assert read(bomb(400_000)).num_rows == 400_000


def test_numbers_count_with_their_width(monkeypatch: pytest.MonkeyPatch):
    data = parquet(pa.table({"n": np.zeros(100_000, dtype=np.int64)}))
    monkeypatch.setattr(memory, "_physical_memory", lambda: 1_500_000)
    assert len(data) < 10_000
    with pytest.raises(ResourceError, match="the limit is"):
        read(data)
    monkeypatch.setattr(memory, "_physical_memory", lambda: 1_700_000)
    assert read(data).num_rows == 100_000


def test_a_row_group_that_is_too_large(monkeypatch: pytest.MonkeyPatch):
    table = pa.table({"s": [str(number) for number in range(20_000)]})
    monkeypatch.setattr(parquet_file, "MAX_ROW_GROUP_BYTES", 100_000)
    with pytest.raises(ResourceError, match="a row group takes"):
        read(parquet(table))
    assert read(parquet(table, row_group_size=1_000)).num_rows == 20_000


def test_damaged_bytes_give_a_table_or_an_error_of_ours():
    rng = np.random.default_rng(0)
    messages = []
    for _ in range(150):
        torn = bytearray(WHOLE)
        place = int(rng.integers(4, len(torn) - 12))
        torn[place : place + 8] = rng.bytes(8)
        try:
            read(bytes(torn))
        except KanopyError as error:
            messages.append(str(error))
    assert len(messages) > 20
    assert SECRET not in "".join(messages)


def test_checksums_are_looked_at():
    numbers = parquet(pa.table({"n": list(range(1000))}), compression="none", write_page_checksum=True)
    place = numbers.index((500).to_bytes(8, "little"))
    assert read(numbers).num_rows == 1000
    with pytest.raises(InputError, match="damaged"):
        read(numbers[:place] + b"\1" + numbers[place + 1 :])
