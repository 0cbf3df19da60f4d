"""A table in whatever form it is handed over."""

from __future__ import annotations

import os
from typing import Any

import pyarrow as pa

from kanopy.frames.native import kind_of, to_arrow
from kanopy.frames.source import read_source


def read_table(table: Any, *, delimiter: str | None = None, encoding: str = "utf-8") -> tuple[str, pa.Table]:
    """The kind of frame that should come out again, and the table; a path stands for its file.

    O(rows * columns).
    """
    if isinstance(table, str | os.PathLike):
        return "pyarrow", read_source(table, delimiter=delimiter, encoding=encoding)
    return kind_of(table), to_arrow(table)
