"""Parquet out: a fresh table that holds the published cells and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from numpy.typing import NDArray

Column = tuple[str, pa.Array, NDArray[np.integer[Any]]]

_ROWS_AT_A_TIME = 1 << 20


def write_parquet(sink: BinaryIO, columns: Sequence[Column]) -> None:
    """Write columns of values as Parquet; O(rows * columns), one row group of 2**20 rows in memory at a time.

    A column is its name, its different values, and which of them each row has. Every row's value is looked
    up, so a value that no row has does not reach the file. There is no schema metadata; the minima and maxima
    that Parquet notes down are published cells. Equal input gives equal bytes with the same version of
    pyarrow.
    """
    plain = [(name, _without_dictionary(values), codes) for name, values, codes in columns]
    schema = pa.schema([pa.field(name, values.type) for name, values, _ in plain])
    n_rows = len(plain[0][2]) if plain else 0
    # PRIVACY: no note of another schema goes along (tests/unit/frames/test_parquet_text.py).
    options = {"store_schema": False, "compression": "snappy", "write_page_checksum": True}
    with pa.parquet.ParquetWriter(sink, schema, **options) as writer:
        for start in range(0, n_rows, _ROWS_AT_A_TIME):
            stop = start + _ROWS_AT_A_TIME
            arrays = [values.take(pa.array(codes[start:stop])) for _, values, codes in plain]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _without_dictionary(values: pa.Array) -> pa.Array:
    """PRIVACY: an Arrow dictionary keeps values that no row has any more (same test)."""
    return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values
