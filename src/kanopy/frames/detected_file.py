"""A file of which nobody has said how it is written: found out, then read."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

import pyarrow as pa

from kanopy.frames.batches import joined_alike
from kanopy.frames.csv_file import read_csv
from kanopy.frames.dialect import Dialect, detect_dialect
from kanopy.frames.source import Source, files_of, open_source, read_source
from kanopy.policy.reading import SourceFormat

_KEPT_IN_MEMORY = 1 << 26


def read_detected(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> tuple[pa.Table, Dialect | None]:
    """Read a table whose dialect is found out, as far as it is not given; O(bytes).

    Returns the table, and the dialect of a CSV file. What comes through a pipe is kept until it has been
    read: up to 64 MiB in memory, more in a temporary file that has no name. Of a folder, the first file tells
    how all are written.
    """
    if (files := files_of(path)) is None:
        return _read_detected(path, delimiter, encoding, sheet)
    first, dialect = _read_detected(files[0], delimiter, encoding, sheet)
    form = {"delimiter": delimiter, "encoding": encoding}
    others = [read_source(file, usual_format(dialect), **form) for file in files[1:]]
    return joined_alike([first, *others], files), dialect


def usual_format(dialect: Dialect | None) -> SourceFormat:
    """How files are written of which the first one was looked at."""
    if dialect is None:
        return SourceFormat()
    if dialect.sheet is not None:
        return SourceFormat(sheet=dialect.sheet)
    return SourceFormat(dialect.delimiter, dialect.encoding, quote=dialect.quote)


def dialect_of(
    path: str | os.PathLike[str], *, delimiter: str | None = None, encoding: str | None = None
) -> Dialect | None:
    """The dialect of a CSV file, or of the first file of a folder; None for other files. O(bytes)."""
    with open_source((files_of(path) or [os.fspath(path)])[0]) as source:
        return None if source.form != "csv" else _detected(source, source.stream, delimiter, encoding)


def _detected(source: Source, stream: BinaryIO, delimiter: str | None, encoding: str | None) -> Dialect:
    given = {"delimiter": delimiter, "encoding": encoding}
    return detect_dialect(stream, where=source.where, usual=source.delimiter, **given)


def _read_detected(
    path: str | os.PathLike[str], delimiter: str | None, encoding: str | None, sheet: str | None
) -> tuple[pa.Table, Dialect | None]:
    with open_source(path) as source, ExitStack() as kept:
        if source.form != "csv" or sheet is not None:  # which is refused there, unless it is a workbook
            table = read_source(path, SourceFormat(sheet=sheet), delimiter=delimiter, encoding=encoding)
            return table, None if sheet is None else Dialect(sheet=sheet)
        stream = source.stream
        if not stream.seekable():
            copy = kept.enter_context(SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY))
            shutil.copyfileobj(stream, copy)
            copy.seek(0)
            stream = cast(BinaryIO, copy)
        dialect = _detected(source, stream, delimiter, encoding)
        table = read_csv(
            stream,
            where=source.where,
            is_packed=source.is_packed,
            delimiter=dialect.delimiter,
            encoding=dialect.encoding,
            quote=dialect.quote,
        )
        return table, dialect
