"""Files whose cells read back as they should, and that hold something else besides: all refused."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import run

from kanopy.release import written_table

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


PARQUET = [
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


@pytest.mark.parametrize("plant", PARQUET)
def test_parquet(
    plant: Callable[[pa.Table, Any], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        written_table, "write_parquet", lambda sink, columns, weight: plant(decoded(columns, weight), sink)
    )
    refused(tmp_path, "out.parquet")


def test_a_plain_parquet_file_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same way without a fault, so that what is refused above is refused for its fault."""
    monkeypatch.setattr(
        written_table,
        "write_parquet",
        lambda sink, columns, weight: sink.write(as_usual(decoded(columns, weight))),
    )
    (tmp_path / "data.csv").write_text(HEAD + ROWS)
    assert run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.parquet", *FLAGS).code == 0


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
