"""The one way in: a path or a frame becomes an Arrow table with clean column names."""

from __future__ import annotations

import os
from typing import Any

import pyarrow as pa

from kanopy.frames.column_names import clean_names
from kanopy.frames.native import kind_of, to_arrow
from kanopy.frames.source import read_source


def read_table(
    table: Any, *, where: str = "the table", delimiter: str | None = None, encoding: str = "utf-8"
) -> tuple[str, pa.Table]:
    """Read a table in whatever form it is handed over; O(rows * columns).

    Parameters
    ----------
    table : frame or path
        A pandas, polars or pyarrow table, or the path of a CSV or Parquet file (``"-"`` for standard input).
    where : str
        What messages call a frame; a file is called by its path.
    delimiter, encoding : str
        Of a CSV file.

    Returns
    -------
    kind, table
        The kind of frame to give back to the caller, and the table; its column names are clean and differ.
    """
    if isinstance(table, str | os.PathLike):
        return "pyarrow", read_source(table, delimiter=delimiter, encoding=encoding)
    kind, source = kind_of(table), to_arrow(table)
    return kind, source.rename_columns(clean_names(source.column_names, where=where))
