"""A path, a pipe or standard input: what it is, how it is read, and whether it changed meanwhile."""

from __future__ import annotations

import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Literal

import pyarrow as pa

from kanopy.errors import InputError, KanopyError, PolicyError, ResourceError
from kanopy.frames.csv_bytes import is_utf8, text_codec
from kanopy.frames.csv_file import read_csv
from kanopy.frames.parquet_file import read_parquet

WRITER_PATIENCE = 10.0  # seconds to wait until a program opens the other end of a named pipe
_PARQUET = (".parquet", ".pq")
_CSV = {".csv": ",", ".txt": ",", ".tsv": "\t", ".tab": "\t"}
_REFUSED = (
    (".pkl .pickle", "pickle is never read: it can run any program", "save it as CSV or Parquet"),
    (".xls .xlsx .xlsm .ods", "spreadsheets are not read", "save it as CSV"),
    (
        ".gz .bz2 .xz .zst .zip",
        "compressed files are not read",
        "decompress it, or pipe it in: zcat FILE | kanopy",
    ),
    (
        ".feather .arrow .ipc .json .jsonl .ndjson .orc .avro .sas7bdat .dta .sav",
        "this format is not read",
        "read are .csv, .tsv, .txt, .parquet and .pq",
    ),
)


@dataclass(frozen=True, slots=True)
class Source:
    """An opened input: how messages call it, its format, and the delimiter that is usual for its suffix."""

    stream: BinaryIO
    where: str
    form: Literal["csv", "parquet"]
    delimiter: str = ","


def read_source(
    path: str | os.PathLike[str], *, delimiter: str | None = None, encoding: str = "utf-8"
) -> pa.Table:
    """Read a table from a CSV or Parquet file, a pipe or standard input (``-``); O(bytes).

    The suffix tells the format and the usual delimiter; where the suffix is unknown, the first bytes do.
    """
    with open_source(path) as source:
        if source.form == "csv":
            chosen = source.delimiter if delimiter is None else delimiter
            return read_csv(source.stream, where=source.where, delimiter=chosen, encoding=encoding)
        if delimiter not in (None, ",") or not is_utf8(text_codec(encoding)):
            what = f"{source.where}: a Parquet file has no delimiter and no encoding"
            raise PolicyError(what, "leave them out")
        return read_parquet(source.stream, where=source.where)


@contextmanager
def open_source(path: str | os.PathLike[str]) -> Iterator[Source]:
    """Open an input for reading, and make sure at the end that it did not change meanwhile."""
    where = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    delimiter = _CSV.get(PurePath(where).suffix.lower(), ",")
    try:
        if os.fspath(path) == "-":
            yield Source(_standard_input(), where, "csv")
            return
        with _opened(where) as stream:
            before = os.fstat(stream.fileno())
            form = _form_of(stream, where, is_regular=stat.S_ISREG(before.st_mode))
            fault: KanopyError | None = None
            try:
                yield Source(stream, where, form, delimiter)
            except KanopyError as error:
                fault = error
            after = os.fstat(stream.fileno())
            has_changed = (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns)
            if stat.S_ISREG(before.st_mode) and has_changed:
                # Said first: a fault found in a half-written file is no fault of the file.
                hint = "run again when it is complete"
                raise InputError(f"{where}: the file changed while it was read", hint)
            if fault is not None:
                raise fault
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{where}: no such file", "check the path") from None
    except PermissionError:
        raise ResourceError(f"{where}: permission denied", "check the permissions of the file") from None
    except OSError as error:
        what = error.strerror or "input or output error"
        raise ResourceError(f"{where}: cannot be read: {what}") from None
    except MemoryError:
        raise ResourceError(f"{where}: the table does not fit into memory", "split the file") from None


def _standard_input() -> BinaryIO:
    if sys.stdin is None or sys.stdin.closed:
        raise PolicyError("standard input is closed", "give a file")
    if sys.stdin.isatty():
        raise PolicyError("standard input is a terminal", "give a file, or pipe a table into kanopy")
    return sys.stdin.buffer


def _opened(where: str) -> BinaryIO:
    for suffixes, what, hint in _REFUSED:
        if PurePath(where).suffix.lower() in suffixes.split():
            raise PolicyError(f"{where}: {what}", hint)
    if not where or "\0" in where:
        raise InputError(f"{where!r}: no such file", "check the path")
    mode = Path(where).stat().st_mode
    if stat.S_ISDIR(mode):
        raise PolicyError(f"{where}: is a directory", "give one file")
    stream: BinaryIO = _opened_pipe(where) if stat.S_ISFIFO(mode) else Path(where).open("rb")  # noqa: SIM115
    if stream.isatty():
        stream.close()
        raise PolicyError(f"{where}: is a terminal", "give a file")
    return stream


def _opened_pipe(where: str) -> BinaryIO:
    """Open a named pipe, but do not wait for ever for a writer that never comes."""
    descriptor = os.open(where, os.O_RDONLY | os.O_NONBLOCK)
    stream: BinaryIO = os.fdopen(descriptor, "rb")
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    if not poll.poll(WRITER_PATIENCE * 1000):
        try:
            # With a writer that is only slow there is nothing to read yet; without one this is the end.
            os.read(descriptor, 1)
        except BlockingIOError:
            pass
        else:
            stream.close()
            raise PolicyError(f"{where}: no program writes into this pipe", "start the writer first")
    os.set_blocking(descriptor, True)
    return stream


def _form_of(stream: Any, where: str, *, is_regular: bool) -> Literal["csv", "parquet"]:
    suffix = PurePath(where).suffix.lower()
    is_parquet = suffix in _PARQUET or (suffix not in _CSV and is_regular and stream.peek(4)[:4] == b"PAR1")
    if is_parquet and not is_regular:
        raise PolicyError(f"{where}: Parquet cannot be read from a pipe", "give a file, or pipe CSV")
    return "parquet" if is_parquet else "csv"
