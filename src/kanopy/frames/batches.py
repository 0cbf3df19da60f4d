"""Files as one table: read as a whole, or in batches where they are large."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from kanopy.errors import InputError
from kanopy.frames.conversion import converted
from kanopy.frames.source import files_of, read_source, source_tables
from kanopy.policy import Policy
from kanopy.policy.reading import SourceFormat

_ROWS_AT_A_TIME = 1 << 20  # fewer hardly tell whether rows repeat
LARGE = 1 << 29
"""Bytes of text from which on files are read in batches, if that will do; to read them whole is faster."""
_PACKED = 16  # bytes of text in a byte of a file that is not plain text, roughly


def read_files(files: list[str], usual: SourceFormat, **form: str | None) -> pa.Table:
    """Several files as one table, in their order; O(rows * columns)."""
    return joined_alike([read_source(file, usual, **form) for file in files], files)


def joined_alike(tables: list[pa.Table], files: list[str]) -> pa.Table:
    """The tables of these files as one; an InputError where their columns differ. O(rows * columns)."""
    return joined([_alike(table, tables[0], file) for table, file in zip(tables, files, strict=True)])


def in_batches(
    table: Any,
    policy: Policy,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    saw: Callable[[pa.Table], None] = lambda table: None,
) -> Iterator[pa.Table] | None:
    """The rows of large files as the policy says they are read, some at a time; None for anything else.

    What is wrong with a file may be said after its last batch. ``saw`` is called with every batch as it is in
    the files, before anything is converted.
    """
    files = files_of(table)
    if files is None:
        is_file = isinstance(table, str | os.PathLike) and os.path.isfile(table)  # noqa: PTH113 (any text)
        files = [os.fspath(table)] if is_file else []
    if sum(map(_size, files)) < LARGE:
        return None
    return _batches(files, policy, saw, {"delimiter": delimiter, "encoding": encoding})


def _size(file: str) -> int:
    """How many bytes a file has as text, roughly."""
    path = Path(file)
    is_plain = path.suffix.lower() in (".csv", ".txt", ".tsv", ".tab")
    return path.stat().st_size * (1 if is_plain else _PACKED) if path.is_file() else 0


def _batches(
    files: list[str], policy: Policy, saw: Callable[[pa.Table], None], form: dict[str, str | None]
) -> Iterator[pa.Table]:
    waiting: list[pa.Table] = []
    first: pa.Table | None = None
    for file in files:
        for piece in source_tables(file, policy.source, **form):
            first = piece.slice(0, 0) if first is None else first
            waiting.append(_alike(piece, first, file))
            if sum(each.num_rows for each in waiting) >= _ROWS_AT_A_TIME:
                yield _as_told(waiting, policy, saw)
                waiting = []
    if waiting:
        yield _as_told(waiting, policy, saw)


def _as_told(pieces: list[pa.Table], policy: Policy, saw: Callable[[pa.Table], None]) -> pa.Table:
    whole = joined(pieces)
    saw(whole)
    return converted(whole, policy)


def joined(tables: list[pa.Table]) -> pa.Table:
    """The rows of all tables, every column in one piece; O(rows * columns)."""
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()


def _alike(table: pa.Table, first: pa.Table, where: str) -> pa.Table:
    """The columns in the order of the first file; all files must have the same ones."""
    if set(table.column_names) != set(first.column_names):
        raise InputError(f"{where}: has other columns than the first file", "all files need the same columns")
    table = table.select(first.column_names)
    if table.schema.types != first.schema.types:
        raise InputError(f"{where}: columns have other types than in the first file", "write all files alike")
    return table
