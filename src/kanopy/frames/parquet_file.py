"""Parquet in and out: text as dictionaries, nothing nested, and never more than the memory can hold.

A column that pandas wrote for its index (``__index_level_0__``) is a column like any other: it is really in
the file, so it must be declared like any other. Of the file's metadata nothing is kept.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.data.arrays import Codes, Ints
from kanopy.errors import InputError, KanopyError, ResourceError
from kanopy.frames.csv_file import TEXT
from kanopy.frames.distinct import clean_names, is_text, outer_type
from kanopy.frames.memory import memory_for_a_table, too_large
from kanopy.policy import shown_name

MAX_ROW_GROUP_BYTES = 1 << 32  # largest row group, decompressed; usual ones have 2**27 to 2**30 bytes
_ROWS_AT_A_TIME = 1 << 20
_MANY_TEXTS = 1 << 16

Column = tuple[str, pa.Array, Codes]
"""A name, the different values, and which of them each row has."""


def read_parquet(source: BinaryIO, *, where: str) -> pa.Table:
    """Read a Parquet file from a seekable stream; O(rows * columns).

    Every column comes out in one chunk. Text has the type ``TEXT``; numbers, booleans, dates and times keep
    their type, nulls stay nulls. Wrong metadata can hide that a table is too large; a page has at most 2 GiB.
    """
    (table,) = parquet_tables(source, where=where)
    return table


def parquet_tables(source: BinaryIO, *, where: str, is_whole: bool = True) -> Iterator[pa.Table]:
    """The same, or pieces of at most a million rows where it is not read as a whole.

    What is wrong with a file may be said after its last piece: nothing may be done with any before.
    """
    from pyarrow import parquet  # slow to load, and CSV needs none of it

    _check_magic(source, where)
    opened = _attempt(lambda: parquet.ParquetFile(source), where)
    schema = _attempt(lambda: opened.schema_arrow, where)
    if not schema.names:
        raise InputError(f"{where}: no columns", "give a table with columns")
    names = clean_names(schema.names, where=where)
    for name, type_ in zip(names, schema.types, strict=True):
        if not (is_text(type_) or pa.types.is_null(type_) or _width(type_)):
            raise InputError(
                f"{where}: column {shown_name(name)} has the type {outer_type(type_)}",
                "only text, numbers, booleans, dates and times are read; convert or drop it",
            )
    _check_size(opened.metadata, schema.types, where, is_whole=is_whole)
    if not opened.metadata.num_rows:
        raise InputError(f"{where}: no data rows", "the file holds only column names")
    are_texts = [is_text(type_) for type_ in schema.types]
    texts = [name for name, is_it in zip(schema.names, are_texts, strict=True) if is_it]
    options = {"read_dictionary": texts, "page_checksum_verification": True}
    texts_coded, n_rows = _attempt(lambda: parquet.ParquetFile(source, **options), where), 0
    for table in [_attempt(texts_coded.read, where)] if is_whole else _batches(texts_coded, where):
        n_rows += table.num_rows
        yield _checked(table, names, are_texts, where)
    if n_rows != opened.metadata.num_rows:
        # The file and its row groups count apart; rows that go missing here would go missing unseen.
        raise InputError(f"{where}: the Parquet file is damaged: rows are missing", "copy or write it again")


def _batches(opened: Any, where: str) -> Iterator[pa.Table]:
    batches = opened.iter_batches(_ROWS_AT_A_TIME)
    while (batch := _attempt(lambda: next(batches, None), where)) is not None:
        yield pa.Table.from_batches([batch])


def _checked(table: pa.Table, names: list[str], are_texts: list[bool], where: str) -> pa.Table:
    """The columns in one chunk each, with what the Parquet library does not look at."""
    table = _attempt(lambda: table.unify_dictionaries().combine_chunks(), where)
    columns = []
    for name, is_it, column in zip(names, are_texts, table.columns, strict=True):
        if is_it or pa.types.is_null(column.type):
            columns.append(_text_column(column, name, where))
        else:  # the Parquet library does not look whether a decimal is one
            _attempt(partial(column.validate, full=True), where)
            columns.append(column)
    return pa.table(columns, names=names)


def _check_magic(source: BinaryIO, where: str) -> None:
    size = source.seek(0, os.SEEK_END)
    source.seek(0)
    first = source.read(4)
    source.seek(max(size - 4, 0))
    last = source.read(4)
    source.seek(0)
    if not size:
        raise InputError(f"{where}: file is empty", "give a table")
    if b"PARE" in (first, last):
        raise InputError(f"{where}: the Parquet file is encrypted", "decrypt it first")
    if first != b"PAR1":
        raise InputError(f"{where}: not a Parquet file", "name a CSV file .csv")
    if last != b"PAR1":
        raise InputError(f"{where}: the Parquet file is cut short", "copy or write it again")


def _attempt(read: Callable[[], Any], where: str) -> Any:
    """Run a step of the Parquet library; what it says about a damaged file may quote cells and stays here."""
    fault: KanopyError
    try:
        return read()
    except (pa.ArrowCapacityError, MemoryError):
        fault = too_large(where)
    except OSError as error:
        if error.errno is not None:
            raise
        fault = InputError(f"{where}: the Parquet file is damaged or encrypted", "copy or write it again")
    except (pa.ArrowException, ValueError, TypeError, KeyError):
        fault = InputError(f"{where}: the Parquet file is damaged or not supported", "copy or write it again")
    raise fault


def _check_size(metadata: Any, types: list[pa.DataType], where: str, *, is_whole: bool) -> None:
    """A small file can hold a huge table, and only its metadata are cheap to ask."""
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    largest = max((group.total_byte_size for group in groups), default=0)
    if largest > MAX_ROW_GROUP_BYTES:
        raise ResourceError(
            f"{where}: a row group takes {_gibibytes(largest)}, more than {_gibibytes(MAX_ROW_GROUP_BYTES)}",
            "write the file with smaller row groups",
        )
    # Dictionaries take no more than the file's pages, decompressed; codes and numbers their width per row.
    row_width = sum(_width(type_) or 4 for type_ in types)
    n_bytes = sum(group.total_byte_size for group in groups) + metadata.num_rows * row_width
    limit = memory_for_a_table()
    if is_whole and n_bytes > limit:
        raise ResourceError(
            f"{where}: the table takes about {_gibibytes(n_bytes)}, the limit is {_gibibytes(limit)}",
            "use a machine with more memory, or fewer columns or rows",
        )


def _text_column(column: pa.ChunkedArray, name: str, where: str) -> pa.Array:
    """One dictionary array, whose bytes are UTF-8 without NUL: the Parquet library does not look."""
    array = column.cast(TEXT).combine_chunks() if column.type != TEXT else column.combine_chunks()
    array = array.chunk(0) if isinstance(array, pa.ChunkedArray) else array
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        fault = "text that is not UTF-8"
    else:
        if not pc.any(pc.match_substring(array.dictionary, "\0")).as_py():
            return array
        fault = "text with a NUL character"
    raise InputError(f"{where}: column {shown_name(name)} holds {fault}", "clean the column")


def _width(type_: pa.DataType) -> int:
    """Bytes per value of a type that holds one plain value; 0 for all others."""
    kinds = pa.types
    is_number = kinds.is_integer(type_) or kinds.is_floating(type_) or kinds.is_decimal(type_)
    is_plain = is_number or kinds.is_boolean(type_) or kinds.is_temporal(type_)
    return -(-int(type_.bit_width) // 8) if is_plain else 0


def _gibibytes(n_bytes: int) -> str:
    return f"{n_bytes / 2**30:,.1f} GiB"


def write_parquet(
    sink: BinaryIO,
    columns: Sequence[Column],
    *,
    weight: Ints | None = None,
    notes: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Write columns of values as Parquet; O(rows * columns), one row group of 2**20 rows in memory at a time.

    ``weight`` is how many equal rows each line stands for, ``notes`` what is told of each column as metadata
    of its field.

    There is no other schema metadata; the minima and maxima that Parquet notes down are published cells.
    Equal input gives equal bytes with the same version of pyarrow.
    """
    from pyarrow import parquet

    plain = [
        (name, values.dictionary_decode() if pa.types.is_dictionary(values.type) else values, codes)
        for name, values, codes in columns
    ]
    n_lines = len(plain[0][2]) if plain else 0
    ends = np.cumsum(np.ones(n_lines, dtype=np.int64) if weight is None else weight)
    line, times = _lines_of(ends, 0, _ROWS_AT_A_TIME)
    kinds = [(name, _kind(values, codes.take(line), int(times.sum()))) for name, values, codes in plain]
    # PRIVACY: no note of another schema goes along (tests/unit/frames/test_parquet_text.py).
    options = {"store_schema": False, "compression": "snappy", "write_page_checksum": True}
    # With fewer rows at a time, statistics of dictionaries take longer than all the rest.
    options |= {"write_batch_size": 1 << 14}
    with parquet.ParquetWriter(sink, pa.schema(kinds), **options) as writer:
        for start in range(0, int(ends[-1]) if n_lines else 0, _ROWS_AT_A_TIME):
            line, times = _lines_of(ends, start, start + _ROWS_AT_A_TIME)
            # No name holds a row group while the next one is made.
            every = zip(writer.schema.types, plain, strict=True)
            arrays = [_rows(kind, values, codes.take(line), times) for kind, (_, values, codes) in every]
            writer.write_table(pa.table(arrays, schema=writer.schema))
            del arrays
        if notes:
            writer.add_key_value_metadata({"ARROW:schema": _noted_schema(writer.schema, notes)})


def _noted_schema(schema: pa.Schema, notes: Mapping[str, Mapping[str, str]]) -> str:
    """The fields with their notes, as Arrow keeps them in a Parquet file; texts are plain texts.

    Arrow's own note of the schema would make readers take texts for categories.
    """
    kinds = [pa.string() if kind == TEXT else kind for kind in schema.types]
    pairs = zip(schema.names, kinds, strict=True)
    fields = [pa.field(name, kind, metadata=dict(notes[name])) for name, kind in pairs]
    return base64.b64encode(pa.schema(fields).serialize().to_pybytes()).decode()


def _lines_of(ends: Ints, start: int, stop: int) -> tuple[Ints, Ints]:
    """The lines of these rows, and how many rows each has; ``ends`` tells the first row after each line."""
    first, last = np.searchsorted(ends, (start, stop - 1), side="right").tolist()
    some = np.clip(ends[first : last + 1], start, stop)
    times = np.diff(some, prepend=start).astype(np.int64)
    used = np.flatnonzero(times)  # a line of no rows must not leave its texts in the file
    return first + used, times.take(used)


def _kind(values: pa.Array, codes: Codes, n_rows: int) -> pa.DataType:
    """How a column is written whose first row group has these codes: texts as a dictionary, unless most of
    them differ, as a dictionary of very many texts takes more time and space than the texts."""
    if not is_text(values.type):
        return values.type
    used = pc.unique(pa.array(codes))
    many = max(_MANY_TEXTS, n_rows // 2)
    has_many = len(used) > many and len(pc.unique(values.take(used).drop_null())) > many
    return pa.string() if has_many else TEXT


def _rows(kind: pa.DataType, values: pa.Array, codes: Codes, times: Ints) -> pa.Array:
    """The cells of a column in a row group; O(rows).

    PRIVACY: an Arrow dictionary keeps values that no row has, so it holds exactly those that one has
    (tests/unit/frames/test_parquet_text.py). They are in the order of the rows: cells alone tell the bytes.
    """
    if kind != TEXT:
        return values.take(pa.array(np.repeat(codes, times))).cast(kind)
    used = pc.unique(pa.array(codes))
    words = values.take(used).cast(pa.string()).dictionary_encode()  # each once, and null is none of them
    place = np.zeros(len(values), dtype=np.int32)
    place[np.asarray(used)] = words.indices.fill_null(-1)
    row = np.repeat(place.take(codes), times)
    is_null = row < 0 if words.null_count else None
    return pa.DictionaryArray.from_arrays(pa.array(row, mask=is_null), words.dictionary)
