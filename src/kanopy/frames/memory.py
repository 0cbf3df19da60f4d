"""How much memory a table may take."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import pyarrow as pa

from kanopy.errors import ResourceError

MAX_MEMORY_SHARE = 0.5  # of the physical memory
_MEMORY_WHERE_UNKNOWN = 1 << 33


def memory_for_a_table() -> int:
    """The most bytes that a table may take."""
    return int(MAX_MEMORY_SHARE * _physical_memory())


def within_memory(tables: Iterable[pa.Table], where: str) -> Iterator[pa.Table]:
    """The parts of a table, as long as they do not take more memory than a table may."""
    n_bytes, most = 0, memory_for_a_table()
    for table in tables:
        n_bytes += table.nbytes
        if n_bytes > most:
            raise too_large(where)
        yield table


def too_large(where: str) -> ResourceError:
    """The error where a table does not fit."""
    return ResourceError(f"{where}: the table does not fit into memory", "split the file")


def _physical_memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return _MEMORY_WHERE_UNKNOWN
