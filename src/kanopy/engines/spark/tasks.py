"""What Python workers do: read the parts of a release back.

These functions are sent to the workers as they are, so workers need pyarrow, and not kanopy: nothing here
uses anything of kanopy. What goes wrong there is told without its text, which may quote cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

FACTS = ("part", "sha256", "bytes", "n_rows")
_SPARK_WROTE = b"org.apache.spark."
_BLOCK = 1 << 26


def parts_reader(form: str, names: Sequence[str], *, lines_in_cells: bool) -> Callable[..., Iterator[Any]]:
    """A function from files (path and content) to the runs of equal rows in them, with facts about the file.

    Every run is a row: the facts, how many rows it has, and the texts of the columns, empty where missing.
    """

    read_table = partial(_csv, names=names, lines_in_cells=lines_in_cells)
    if form != "csv":
        read_table = partial(_parquet, names=names)

    def read(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for path, content in zip(batch.column("path").to_pylist(), batch.column("content"), strict=True):
                try:
                    yield from _runs_of_part(path, content.as_buffer(), read_table)
                except Exception as error:
                    raise RuntimeError(f"a part cannot be read back: {type(error).__name__}") from None

    return read


def _runs_of_part(path: str, content: Any, read_table: Callable[[Any], Iterator[Any]]) -> Iterator[Any]:
    import hashlib

    import numpy as np
    import pyarrow as pa

    sha256, part = hashlib.sha256(content).hexdigest(), path.rpartition("/")[2]
    for table in read_table(pa.BufferReader(content)):
        columns = [_coded(column) for column in table.columns]
        begins = np.zeros(table.num_rows, dtype=bool)
        begins[:1] = True
        for _, codes in columns:
            begins[1:] |= codes[1:] != codes[:-1]
        first = np.flatnonzero(begins)
        told = [pa.array([fact] * len(first)) for fact in (part, sha256, content.size)]
        n_rows = pa.array(np.diff(first, append=table.num_rows).astype(np.int64))
        texts = [words.take(pa.array(codes[first])) for words, codes in columns]
        schema = [*FACTS, *(f"c{number}" for number in range(len(texts)))]
        yield from pa.table([*told, n_rows, *texts], names=schema).to_batches()


def _coded(column: Any) -> tuple[Any, Any]:
    """The different texts of a column, missing as an empty one, and which of them each row has."""
    import pyarrow as pa

    column = column if pa.types.is_dictionary(column.type) else column.cast(pa.string()).dictionary_encode()
    whole = column.unify_dictionaries().combine_chunks()
    whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    words = whole.dictionary.cast(pa.string()).fill_null("")
    words = pa.concat_arrays([words, pa.array([""], pa.string())])
    empty = words.index("").as_py()  # null and an empty text are one
    codes = whole.indices.cast(pa.int32()).fill_null(empty).to_numpy(zero_copy_only=False)
    return words, codes


def _parquet(stream: Any, *, names: Sequence[str]) -> Iterator[Any]:
    import pyarrow as pa
    from pyarrow import parquet

    kinds = parquet.ParquetFile(stream).schema_arrow
    texts = [field.name for field in kinds if pa.types.is_string(field.type)]
    opened = parquet.ParquetFile(stream, read_dictionary=texts, page_checksum_verification=True)
    if list(kinds.names) != list(names) or not _is_plain(opened.metadata.metadata or {}):
        raise ValueError("columns")
    n_rows = 0
    for number in range(opened.num_row_groups):
        table = opened.read_row_group(number)
        if any(pa.types.is_dictionary(column.type) and _has_empty(column) for column in table.columns):
            raise ValueError("an empty text, and not null")
        n_rows += table.num_rows
        yield table
    if n_rows != opened.metadata.num_rows:
        raise ValueError("rows")


def _is_plain(notes: Any) -> bool:
    """Whether a file has no notes but those of Spark, and these say nothing but names and types."""
    import json

    if not all(key.startswith(_SPARK_WROTE) for key in notes):
        return False
    schema = json.loads(notes.get(_SPARK_WROTE + b"sql.parquet.row.metadata", b"{}"))
    return all(not field.get("metadata") for field in schema.get("fields", []))


def _has_empty(column: Any) -> bool:
    """Whether a text is empty: missing cells are null, or the difference would tell something."""
    return any(chunk.dictionary.index("").as_py() >= 0 for chunk in column.chunks)


def _csv(stream: Any, *, names: Sequence[str], lines_in_cells: bool) -> Iterator[Any]:
    import csv
    import io

    import pyarrow as pa
    import pyarrow.csv

    head = io.TextIOWrapper(stream, "utf-8", newline="")
    found = next(csv.reader(head, strict=True))
    head.detach()
    if found != list(names):
        raise ValueError("columns")
    stream.seek(0)
    lines = pa.csv.ParseOptions(newlines_in_values=lines_in_cells, ignore_empty_lines=len(names) > 1)
    types = dict.fromkeys(names, pa.dictionary(pa.int32(), pa.string()))
    texts = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=False)
    blocks = pa.csv.ReadOptions(block_size=_BLOCK, use_threads=False)
    yield pa.csv.read_csv(stream, read_options=blocks, parse_options=lines, convert_options=texts)


def texts_finisher(
    columns: Sequence[tuple[int, bool]], missing: Sequence[str]
) -> Callable[..., Iterator[Any]]:
    """A function that finishes what Spark has no function for: of columns given by their number, texts in
    one form of Unicode (True), or numbers as texts (False)."""

    def finish(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for number, is_text in columns:
                batch = _finished(batch, number, missing) if not is_text else _composed(batch, number)
            yield batch

    return finish


def _finished(batch: Any, number: int, missing: Sequence[str]) -> Any:
    """Numbers as texts; both are null where the text means missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = batch.schema.names
    value, text = names.index(f"v{number}"), names.index(f"x{number}")
    texts = batch.column(value).cast(pa.string())
    is_missing = pc.is_in(texts, value_set=pa.array(list(missing), pa.string()))
    texts = pc.if_else(is_missing, None, texts)
    values = pc.if_else(is_missing, None, batch.column(value))
    return _with(_with(batch, value, values), text, texts)


def _composed(batch: Any, number: int) -> Any:
    import unicodedata

    import pyarrow as pa
    import pyarrow.compute as pc

    names = batch.schema.names
    value, text = names.index(f"v{number}"), names.index(f"x{number}")
    texts = batch.column(text)
    if pc.all(pc.string_is_ascii(texts)).as_py() is not False:
        return batch
    made = [None if each is None else unicodedata.normalize("NFC", each) for each in texts.to_pylist()]
    return _with(_with(batch, value, pa.array(made, pa.string())), text, pa.array(made, pa.string()))


def _with(batch: Any, place: int, column: Any) -> Any:
    import pyarrow as pa

    columns = [column if number == place else each for number, each in enumerate(batch.columns)]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def order_reader(names: Sequence[str], order: Sequence[int], n_quasi: int) -> Callable[..., Iterator[Any]]:
    """A function from files to facts about them: whether their rows are sorted by the texts of columns, given
    by their numbers, in the first ones missing first, else last; and the first and the last row."""

    def read(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for path, content in zip(batch.column("path").to_pylist(), batch.column("content"), strict=True):
                try:
                    yield _order_of_part(path, content.as_buffer(), names, order, n_quasi)
                except Exception as error:
                    raise RuntimeError(f"a part cannot be read back: {type(error).__name__}") from None

    return read


def _order_of_part(path: str, content: Any, names: Sequence[str], order: Sequence[int], n_quasi: int) -> Any:
    import hashlib

    import pyarrow as pa

    n_rows, is_sorted = 0, True
    ends: list[list[str]] = []
    for table in _parquet(pa.BufferReader(content), names=names):
        if not table.num_rows:
            continue
        texts = [_coded(column) for column in table.columns]
        is_sorted &= _is_sorted([texts[number] for number in order], n_quasi)
        rows = [[words[int(codes[place])].as_py() for words, codes in texts] for place in (0, -1)]
        is_sorted &= not ends or sort_key(ends[-1], order, n_quasi) <= sort_key(rows[0], order, n_quasi)
        ends += rows
        n_rows += table.num_rows
    facts = [path.rpartition("/")[2], hashlib.sha256(content).hexdigest(), content.size, n_rows, is_sorted]
    columns = [*([fact] for fact in facts), pa.array([ends[0]]), pa.array([ends[-1]])]
    return pa.record_batch(columns, names=[*FACTS, "is_sorted", "first", "last"])


def _is_sorted(columns: Sequence[tuple[Any, Any]], n_quasi: int) -> bool:
    """Whether rows are in the order of their texts; O(rows), and a sort of the texts."""
    import numpy as np
    import pyarrow.compute as pc

    is_tie = np.ones(max(len(columns[0][1]) - 1, 0), dtype=bool)
    for place, (words, codes) in enumerate(columns):
        rank = np.empty(len(words), dtype=np.int64)
        rank[pc.sort_indices(words).to_numpy()] = np.arange(len(words))
        rank[pc.equal(words, "").to_numpy(zero_copy_only=False)] = -1 if place < n_quasi else len(words)
        steps = np.diff(rank[codes])
        if (is_tie & (steps < 0)).any():
            return False
        is_tie &= steps == 0
    return True


def sort_key(texts: Sequence[str], order: Sequence[int], n_quasi: int) -> list[tuple[bool, bytes]]:
    """What rows are sorted by: the texts of columns in this order, missing first in the first ones."""
    is_last = [texts[number] == "" and place >= n_quasi for place, number in enumerate(order)]
    return [(last, texts[number].encode()) for last, number in zip(is_last, order, strict=True)]
