"""A written Parquet file, byte for byte: it may hold its cells and nothing beside them."""

from __future__ import annotations

import hashlib
import io
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet

_ROWS_IN_A_GROUP = 1 << 20


def plain_parquet_digest(source: BinaryIO) -> bytes:
    """The sha256 of the file that the cells of a Parquet file make, written anew; O(rows * columns).

    PRIVACY: what is in a file and not in its cells is in no file that is made from its cells: notes in the
    schema, dictionary entries that no row has, bytes between the parts. So a file holds nothing else
    where its own digest is this one (tests/sabotage/test_bytes.py).

    One row group is in memory at a time.
    """
    opened = pa.parquet.ParquetFile(source)
    # Names and types, and no notes.
    fields = [pa.field(field.name, field.type) for field in opened.schema_arrow]
    sink = _Digest()
    options = {"store_schema": False, "compression": "snappy", "write_page_checksum": True}
    with pa.parquet.ParquetWriter(sink, pa.schema(fields), **options) as writer:
        for batch in _groups(opened):
            writer.write_table(pa.Table.from_arrays(batch.columns, schema=pa.schema(fields)))
    return sink.digest()


def _groups(opened: Any) -> Any:
    """The rows in groups of the usual size, however the file divides them."""
    rows_of_group = [opened.metadata.row_group(number).num_rows for number in range(opened.num_row_groups)]
    is_usual = all(n_rows == _ROWS_IN_A_GROUP for n_rows in rows_of_group[:-1])
    if is_usual and rows_of_group[-1:] <= [_ROWS_IN_A_GROUP]:
        yield from (opened.read_row_group(number) for number in range(opened.num_row_groups))
        return
    table = opened.read()
    for start in range(0, table.num_rows, _ROWS_IN_A_GROUP):
        yield table.slice(start, _ROWS_IN_A_GROUP)


class _Digest(io.RawIOBase):
    """A file that remembers only its digest."""

    def __init__(self) -> None:
        super().__init__()
        self._sha256 = hashlib.sha256()
        self._n_bytes = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._n_bytes

    def write(self, data: Any, /) -> int:
        self._sha256.update(data)
        n_bytes = memoryview(data).nbytes
        self._n_bytes += n_bytes
        return n_bytes

    def digest(self) -> bytes:
        return self._sha256.digest()
