"""The bytes of a written file: it may hold its cells and nothing else."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.auditing.text import TextTable, opened_parquet
from kanopy.frames.from_numpy import as_arrow

_ROWS_IN_A_GROUP = 1 << 20


def plain_csv_size(table: TextTable) -> int:
    """The bytes of the table as CSV, without a byte that is not needed; O(rows * columns).

    PRIVACY: readers ignore empty lines, byte order marks and unnecessary quotes, so a file may hold more than
    the cells that are read back (tests/sabotage/test_bytes.py).
    """
    n_bytes = 0
    for column in table.columns.values():
        counts = column.counts
        n_bytes += int((_field_sizes(column.words) + 1) @ counts)  # with a delimiter or a line end
        if len(table.columns) == 1:  # an empty line would be no row, so the empty text is quoted
            n_bytes += 2 * int(counts @ pc.equal(column.words, "").to_numpy(zero_copy_only=False))
    names = list(table.columns)
    if len(names) == 1 and any(sign in names[0] for sign in ",;\t|") and not _is_quoted(names[0]):
        n_bytes += 2
    return n_bytes + int(_field_sizes(pa.array(names, pa.string())).sum()) + len(names)


def _field_sizes(words: pa.StringArray) -> NDArray[np.int64]:
    """The bytes of each text as a field: quoted where it must be, every quote in it doubled."""
    sizes = np.asarray(pc.binary_length(words), dtype=np.int64)
    sizes = sizes + np.asarray(pc.count_substring(words, '"'), dtype=np.int64)
    # There are many blanks outside ASCII: every other character at an end of a text is looked at.
    doubtful = pc.match_substring_regex(words, r'["\r\n,]|^[^\x21-\x7e]|[^\x21-\x7e]$')
    places = np.flatnonzero(doubtful.to_numpy(zero_copy_only=False))
    is_quoted = [_is_quoted(text) for text in words.take(as_arrow(places)).to_pylist()]
    sizes[places] += 2 * np.array(is_quoted, dtype=np.int64)
    return sizes


def _is_quoted(text: str) -> bool:
    has_sign = any(sign in text for sign in '",\r\n')
    return has_sign or text[:1].isspace() or text[-1:].isspace() or text.startswith("\ufeff")


def plain_parquet_digest(source: BinaryIO) -> bytes:
    """The sha256 of a Parquet file written anew from the cells of this one; O(rows * columns).

    PRIVACY: whatever is in a file and not in its cells is not in a file that is made from its cells: schema
    metadata, dictionary entries that no row has, bytes between the parts. So a file holds nothing else if
    its own digest is this one (tests/sabotage/test_bytes.py). One row group is in memory at a time.
    """
    from pyarrow import parquet  # slow to load, and CSV needs none of it

    plain = parquet.ParquetFile(source).schema_arrow
    schema = pa.schema([pa.field(field.name, field.type) for field in plain])  # no metadata
    opened, sink = opened_parquet(source), _Digest()
    options = {"store_schema": False, "compression": "snappy", "write_page_checksum": True}
    with parquet.ParquetWriter(sink, schema, **options) as writer:
        for batch in _row_groups(opened):
            writer.write_table(batch.cast(schema))
    return sink.sha256.digest()


def _row_groups(opened: Any) -> Iterator[pa.Table]:
    """The rows in groups of the usual size, however the file divides them."""
    rows_of_group = [opened.metadata.row_group(number).num_rows for number in range(opened.num_row_groups)]
    is_usual = all(n_rows == _ROWS_IN_A_GROUP for n_rows in rows_of_group[:-1])
    if is_usual and rows_of_group[-1:] <= [_ROWS_IN_A_GROUP]:
        yield from (opened.read_row_group(number) for number in range(opened.num_row_groups))
        return
    table = opened.read()
    yield from (table.slice(start, _ROWS_IN_A_GROUP) for start in range(0, len(table), _ROWS_IN_A_GROUP))


class _Digest(io.RawIOBase):
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
