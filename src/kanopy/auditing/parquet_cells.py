"""The cells of a Parquet file, and a file that holds these cells and nothing else."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.data.arrays import Codes, Ints
from kanopy.data.keys import begins_run
from kanopy.errors import InputError
from kanopy.frames.distinct import is_text
from kanopy.frames.from_numpy import as_arrow

_ROWS_IN_A_GROUP = 1 << 20
_MANY_TEXTS = 1 << 16
_WORDS = pa.dictionary(pa.int32(), pa.string())


FieldNotes = Mapping[str, Mapping[str, str]]
"""Of columns, what a file notes beside their names."""


class RowGroup(NamedTuple):
    """Rows of a file, each column in one chunk, and the first row of each run of equal neighbours."""

    rows: pa.Table
    first: Ints  # a run may be told as two where a file lists a text twice; the rows of a run never differ

    @classmethod
    def of(cls, table: pa.Table) -> RowGroup:
        """Find the runs; O(rows * columns)."""
        rows = table.unify_dictionaries().combine_chunks()
        return cls(rows, np.flatnonzero(begins_run(map(_codes, rows.columns), len(rows))))

    def plain(self, schema: pa.Schema) -> pa.Table:
        """The rows alone: dictionaries hold what a row has, in the order of the rows; O(rows * columns)."""
        kinds = zip(schema.types, self.rows.columns, strict=True)
        arrays = [
            self._words(column.chunk(0)) if kind == _WORDS else column.cast(kind) for kind, column in kinds
        ]
        return pa.table(arrays, schema=schema)

    def has_many_texts(self, name: str) -> bool:
        """Whether most texts of a column differ, and they are very many; O(rows)."""
        column, many = self.rows[name].chunk(0), max(_MANY_TEXTS, len(self.rows) // 2)
        if len(column.dictionary) <= many:
            return False
        return len(pc.unique(column.dictionary.take(self._used(column)))) > many

    def _used(self, column: pa.DictionaryArray) -> pa.Array:
        """The places of the texts that a row has, in the order of the rows; O(rows)."""
        return pc.unique(column.indices.take(as_arrow(self.first))).drop_null()

    def _words(self, column: pa.DictionaryArray) -> pa.DictionaryArray:
        used = self._used(column)
        every = pa.array(np.arange(len(column.dictionary), dtype=np.int32))
        is_plain = used.equals(every) and len(pc.unique(column.dictionary)) == len(every)
        # A file of ours is read as it would be written, and the text of each row is never made.
        return column if is_plain and column.type == _WORDS else column.cast(pa.string()).dictionary_encode()


def _codes(column: pa.ChunkedArray) -> Codes:
    """One number for each row of a column in one chunk, the same for equal cells; null is -1. O(rows)."""
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    # PRIVACY: both are read as missing, so which of them a cell is would be seen by nobody
    # (tests/sabotage/test_bytes.py).
    if is_text(column.type) and pc.any(pc.equal(coded.chunk(0).dictionary, "")).as_py():
        raise InputError("an empty text instead of null")
    return np.asarray(coded.chunk(0).indices.fill_null(-1))


def opened_parquet(source: BinaryIO) -> Any:
    """A Parquet file whose texts are read as dictionaries, each text once per row group; O(columns)."""
    from pyarrow import parquet  # slow to load, and CSV needs none of it

    plain = parquet.ParquetFile(source)
    texts = [field.name for field in plain.schema_arrow if is_text(field.type)]
    return parquet.ParquetFile(source, metadata=plain.metadata, read_dictionary=texts)


def row_groups(opened: Any) -> Iterator[RowGroup]:
    """The rows in groups of the usual size, however the file divides them."""
    rows_of_group = [opened.metadata.row_group(number).num_rows for number in range(opened.num_row_groups)]
    is_usual = all(n_rows == _ROWS_IN_A_GROUP for n_rows in rows_of_group[:-1])
    if is_usual and 0 < min(rows_of_group, default=1) <= max(rows_of_group, default=1) <= _ROWS_IN_A_GROUP:
        yield from (RowGroup.of(opened.read_row_group(number)) for number in range(opened.num_row_groups))
        return
    table = opened.read()
    starts = range(0, len(table), _ROWS_IN_A_GROUP)
    yield from (RowGroup.of(table.slice(start, _ROWS_IN_A_GROUP)) for start in starts)


@contextlib.contextmanager
def plain_writer(
    sink: DigestSink, schema: pa.Schema, first: RowGroup | None, notes: FieldNotes | None = None
) -> Iterator[Any]:
    """What writes a Parquet file of rows and nothing else; the first of them decide how texts are written.

    PRIVACY: whatever is in a file and not in its cells is not in a file that is made from its cells: schema
    metadata, dictionary entries that no row has, their order, bytes between the parts. So a file holds
    nothing else if its own digest is that of such a file (tests/sabotage/test_bytes.py). Only the ``notes``
    that it should have stand in it.
    """
    from pyarrow import parquet

    kinds = [(field.name, _WORDS if is_text(field.type) else field.type) for field in schema]
    if first is not None:
        many = [name for name, kind in kinds if kind == _WORDS and first.has_many_texts(name)]
        kinds = [(name, pa.string() if name in many else kind) for name, kind in kinds]
    options = {"store_schema": False, "compression": "snappy", "write_page_checksum": True}
    with parquet.ParquetWriter(sink, pa.schema(kinds), write_batch_size=1 << 14, **options) as writer:
        yield writer
        if notes:
            noted = [
                pa.field(name, pa.string() if kind == _WORDS else kind, metadata=notes.get(name))
                for name, kind in kinds
            ]
            told = base64.b64encode(pa.schema(noted).serialize().to_pybytes()).decode()
            writer.add_key_value_metadata({"ARROW:schema": told})


class DigestSink(io.RawIOBase):
    """A file of which only the digest is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.sha256 = hashlib.sha256()
        self._n_bytes = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._n_bytes

    def write(self, data: Any, /) -> int:
        self.sha256.update(data)
        n_bytes = memoryview(data).nbytes
        self._n_bytes += n_bytes
        return n_bytes
