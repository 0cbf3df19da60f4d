"""Files whose cells read back as they should, and that hold something else besides: all refused."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from command import run

from kanopy.auditing import parquet_cells
from kanopy.release import describing, written_table

SECRET = "Secret4711"
HEAD = "age,zip,cls\n"
ROWS = "".join(f"{20 + i % 6},{'ab'[i % 2]},{'YN'[i % 3 == 0]}\n" for i in range(24))
FLAGS = ("--quasi=age,zip", "--target=cls", "--k=4")

Options = dict[str, Any]
USUAL: Options = {
    "store_schema": False,
    "compression": "snappy",
    "write_page_checksum": True,
    "write_batch_size": 1 << 14,
}


def refused(folder: Path, name: str, n_times: int = 1) -> None:
    (folder / "data.csv").write_text(HEAD + n_times * ROWS)
    outcome = run("anonymize", folder / "data.csv", "-o", folder / name, *FLAGS)
    assert outcome.code == 5, outcome
    assert "the written file" in outcome.err
    assert SECRET not in outcome.out + outcome.err
    assert [path.name for path in folder.iterdir()] == ["data.csv"]


# --- Parquet ---------------------------------------------------------------------------------------------


def decoded(columns: Any, weight: Any) -> pa.Table:
    every = [
        (name, values, np.repeat(codes, 1 if weight is None else weight)) for name, values, codes in columns
    ]
    return pa.table({name: values.take(pa.array(codes)).dictionary_encode() for name, values, codes in every})


def noted_in_the_schema(table: pa.Table, sink: Any) -> None:
    pq.write_table(table.replace_schema_metadata({"note": SECRET}), sink, **USUAL | {"store_schema": True})


def noted_in_a_field(table: pa.Table, sink: Any) -> None:
    field = table.schema.field(0).with_metadata({"note": SECRET})
    pq.write_table(table.cast(table.schema.set(0, field)), sink, **USUAL | {"store_schema": True})


def the_schema_of_the_source(table: pa.Table, sink: Any) -> None:
    pq.write_table(table, sink, **USUAL | {"store_schema": True})


def an_entry_that_no_row_has(table: pa.Table, sink: Any) -> None:
    coded = table.column("zip").combine_chunks().dictionary_encode()
    words = pa.concat_arrays([coded.dictionary, pa.array([SECRET])])
    table = table.set_column(1, "zip", pa.DictionaryArray.from_arrays(coded.indices, words))
    written = io.BytesIO()
    pq.write_table(table, written, **USUAL | {"compression": "none"})
    assert SECRET.encode() in written.getvalue(), "the fault was not planted"
    sink.write(written.getvalue())


@pytest.fixture
def _without_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files without what is noted beside their columns, so that nothing but a fault is refused."""
    monkeypatch.setattr(describing, "field_notes", lambda _: {})


def as_usual(table: pa.Table) -> bytes:
    written = io.BytesIO()
    pq.write_table(table, written, **USUAL)
    return written.getvalue()


def bytes_before_the_footer(table: pa.Table, sink: Any) -> None:
    whole = as_usual(table)
    footer = 8 + int.from_bytes(whole[-8:-4], "little")
    sink.write(whole[:-footer] + SECRET.encode() + whole[-footer:])


def a_statistic_too_much(table: pa.Table, sink: Any) -> None:
    pq.write_table(table, sink, **USUAL | {"write_page_index": True})


def small_row_groups(table: pa.Table, sink: Any) -> None:
    """Where a row group ends could tell something."""
    pq.write_table(table, sink, row_group_size=5, **USUAL)


def another_encoding(table: pa.Table, sink: Any) -> None:
    pq.write_table(table, sink, use_dictionary=False, **USUAL)


def key_value_metadata_at_the_end(table: pa.Table, sink: Any) -> None:
    with pq.ParquetWriter(sink, table.schema, **USUAL) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({"note": SECRET})


def words_in_another_order(table: pa.Table, sink: Any) -> None:
    """The order of a dictionary could tell in which order rows were read."""
    coded = table.column("zip").chunk(0)
    codes = pc.subtract(pa.scalar(len(coded.dictionary) - 1, pa.int32()), coded.indices)
    other = pa.DictionaryArray.from_arrays(codes, coded.dictionary[::-1])
    assert other.to_pylist() == coded.to_pylist()
    assert len(other.dictionary) > 1, "the fault was not planted"
    pq.write_table(table.set_column(1, "zip", other), sink, **USUAL)


def with_gap(table: pa.Table, before: bytes, between: bytes, n_rows: int) -> bytes:
    """A file whose parts are where it says, with other bytes around them."""
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, table.schema, **USUAL) as writer:
        sink.write(before)
        writer.write_table(dictionaries_of_rows(table[:n_rows]))
        if len(table) > n_rows:
            sink.write(between)
            writer.write_table(dictionaries_of_rows(table[n_rows:]))
    whole = bytes(sink.getvalue())
    assert pq.read_table(io.BytesIO(whole)).equals(pq.read_table(io.BytesIO(as_usual(table))))
    return whole


def dictionaries_of_rows(table: pa.Table) -> pa.Table:
    columns = zip(table.column_names, table.columns, strict=True)
    return pa.table({name: each.cast(pa.string()).dictionary_encode() for name, each in columns})


def bytes_before_the_pages(table: pa.Table, sink: Any) -> None:
    sink.write(with_gap(table, SECRET.encode(), b"", len(table)))


def statistics_of_other_rows(table: pa.Table, sink: Any) -> None:
    whole = as_usual(table)
    footer = 8 + int.from_bytes(whole[-8:-4], "little")
    false = whole[-footer:].replace(b"Y", b"Z")
    assert (
        pq.ParquetFile(io.BytesIO(whole[:-footer] + false)).metadata.row_group(0).column(2).statistics.max
        == "Z"
    )
    sink.write(whole[:-footer] + false)


def the_order_of_the_rows(table: pa.Table, sink: Any) -> None:
    pq.write_table(table, sink, sorting_columns=[pq.SortingColumn(1, descending=True)], **USUAL)


def columns_without_nulls(table: pa.Table, sink: Any) -> None:
    required = pa.schema([field.with_nullable(False) for field in table.schema])
    pq.write_table(table.cast(required), sink, **USUAL)


def pages_of_another_size(table: pa.Table, sink: Any) -> None:
    """Where a page ends could tell something."""
    pq.write_table(table, sink, data_page_size=1, **USUAL | {"write_batch_size": 5})


def pages_of_another_version(table: pa.Table, sink: Any) -> None:
    pq.write_table(table, sink, data_page_version="2.0", **USUAL)


def another_compression(table: pa.Table, sink: Any) -> None:
    pq.write_table(table, sink, **USUAL | {"compression": "none"})


def bytes_after_the_end(table: pa.Table, sink: Any) -> None:
    sink.write(as_usual(table) + SECRET.encode() + b"PAR1")


PARQUET = [
    words_in_another_order,
    bytes_before_the_pages,
    bytes_after_the_end,
    statistics_of_other_rows,
    the_order_of_the_rows,
    columns_without_nulls,
    pages_of_another_size,
    pages_of_another_version,
    another_compression,
    noted_in_the_schema,
    noted_in_a_field,
    the_schema_of_the_source,
    an_entry_that_no_row_has,
    bytes_before_the_footer,
    a_statistic_too_much,
    small_row_groups,
    another_encoding,
    key_value_metadata_at_the_end,
]


@pytest.mark.usefixtures("_without_notes")
@pytest.mark.parametrize("plant", PARQUET)
def test_parquet(
    plant: Callable[[pa.Table, Any], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        written_table,
        "write_parquet",
        lambda sink, columns, weight, notes: plant(decoded(columns, weight), sink),
    )
    refused(tmp_path, "out.parquet")


@pytest.mark.usefixtures("_without_notes")
@pytest.mark.parametrize("is_planted", [False, True])
def test_empty_texts_among_nulls(is_planted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are missing; which of them a cell is could tell something."""

    def write(sink: Any, columns: Any, weight: Any, notes: Any) -> None:
        table = decoded(columns, weight)
        kept = table.column("kept").cast(pa.string())
        false = pc.if_else(pa.array(np.arange(len(table)) % 2 == 0), kept, kept.fill_null(""))
        assert 0 < false.null_count < kept.null_count, "the fault was not planted"
        column = (false if is_planted else kept).combine_chunks().dictionary_encode()
        sink.write(as_usual(table.set_column(3, "kept", column)))

    monkeypatch.setattr(written_table, "write_parquet", write)
    rows = "".join(f"{line},{'x' * (number % 2)}\n" for number, line in enumerate(ROWS.splitlines()))
    (tmp_path / "data.csv").write_text(f"{HEAD[:-1]},kept\n{rows}")
    outcome = run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.parquet", *FLAGS, "--keep=kept")
    assert outcome.code == (5 if is_planted else 0)


@pytest.mark.usefixtures("_without_notes")
@pytest.mark.parametrize("between", [b"", SECRET.encode()])
def test_bytes_between_row_groups(between: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_cells, "_ROWS_IN_A_GROUP", 15)
    monkeypatch.setattr(
        written_table,
        "write_parquet",
        lambda sink, columns, weight, notes: sink.write(with_gap(decoded(columns, weight), b"", between, 15)),
    )
    if between:
        refused(tmp_path, "out.parquet")
    else:
        published(tmp_path)


def the_note_of_another_column(notes: Any) -> Any:
    names = list(notes)
    return {name: notes[other] for name, other in zip(names, names[::-1], strict=True)}


def a_note_too_much(notes: Any) -> Any:
    return {**notes, "zip": {**notes["zip"], "note": SECRET}}


def no_notes(notes: Any) -> Any:
    return {}


@pytest.mark.parametrize("plant", [the_note_of_another_column, a_note_too_much, no_notes])
def test_notes_beside_columns(
    plant: Callable[[Any], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = written_table.write_parquet

    def lie(sink: Any, columns: Any, weight: Any, notes: Any) -> None:
        assert plant(notes) != notes, "the fault was not planted"
        write(sink, columns, weight=weight, notes=plant(notes))

    monkeypatch.setattr(written_table, "write_parquet", lie)
    refused(tmp_path, "out.parquet")


def published(folder: Path) -> None:
    (folder / "data.csv").write_text(HEAD + ROWS)
    assert run("anonymize", folder / "data.csv", "-o", folder / "out.parquet", *FLAGS).code == 0


@pytest.mark.usefixtures("_without_notes")
def test_a_plain_parquet_file_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same way without a fault, so that what is refused above is refused for its fault."""
    monkeypatch.setattr(
        written_table,
        "write_parquet",
        lambda sink, columns, weight, notes: sink.write(as_usual(decoded(columns, weight))),
    )
    published(tmp_path)


# --- CSV -------------------------------------------------------------------------------------------------


def empty_lines(text: str) -> str:
    """How many of them could tell something."""
    return text.replace("\n", "\n\n", 3)


def a_byte_order_mark(text: str) -> str:
    return "\ufeff" + text


def quotes_that_nobody_needs(text: str) -> str:
    first, _, rest = text.rpartition(",")
    return f'{first},"{rest[:-1]}"\n'


def line_ends_of_another_system(text: str) -> str:
    return text.replace("\n", "\r\n")


def no_last_line_end(text: str) -> str:
    return text[:-1]


CSV = [
    empty_lines,
    a_byte_order_mark,
    quotes_that_nobody_needs,
    line_ends_of_another_system,
    no_last_line_end,
]


@pytest.mark.parametrize("n_times", [1, 20])  # of many equal lines each is parsed once
@pytest.mark.parametrize("plant", CSV)
def test_csv(
    plant: Callable[[str], str], n_times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = written_table.write_csv

    def lie(sink: Any, *rest: Any, **options: Any) -> None:
        sound = io.BytesIO()
        write(sound, *rest, **options)
        sink.write(plant(sound.getvalue().decode()).encode())

    monkeypatch.setattr(written_table, "write_csv", lie)
    refused(tmp_path, "out.csv", n_times)
