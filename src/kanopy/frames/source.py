"""A path, a pipe or standard input: what it is, how it is read, and whether it changed meanwhile."""

from __future__ import annotations

import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Literal, NamedTuple

import pyarrow as pa

from kanopy.errors import Hint, InputError, KanopyError, PolicyError, ResourceError
from kanopy.frames.csv_bytes import is_utf8, text_codec
from kanopy.frames.csv_file import csv_tables, read_csv
from kanopy.frames.folder import listed_parts
from kanopy.frames.memory import too_large
from kanopy.frames.packed import packing_of, unpacked
from kanopy.frames.parquet_file import parquet_tables, read_parquet
from kanopy.policy.reading import SourceFormat

WRITER_PATIENCE = 10.0  # seconds to wait until a program opens the other end of a named pipe
_PARQUET = (".parquet", ".pq")
_EXCEL = ".xlsx"
_CSV = {".csv": ",", ".txt": ",", ".tsv": "\t", ".tab": "\t"}
_USUAL = SourceFormat()
_REFUSED = (
    (".pkl .pickle", "pickle is never read: it can run any program", "save it as CSV or Parquet"),
    (".xls .xlsm .xlsb .ods", "of spreadsheets, .xlsx is read", "save it as .xlsx or CSV"),
    (
        ".bz2 .xz .zip .7z",
        "of compressed files, .csv.gz and .csv.zst are read",
        "decompress it, or pipe it in: xzcat FILE | kanopy",
    ),
    (
        ".db .sqlite .sqlite3",
        "databases are not read",
        "save the table as CSV: sqlite3 -header -csv FILE 'SELECT * FROM people' > people.csv",
    ),
    (".mdb .accdb", "databases are not read", "export the table as CSV, in Access: External Data, Text File"),
    (
        ".sas7bdat .xpt",
        "files of SAS are not read",
        "save it as CSV, in SAS: proc export data=people outfile='people.csv' dbms=csv; run;",
    ),
    (
        ".sav .zsav .por",
        "files of SPSS are not read",
        "save it as CSV, in SPSS: SAVE TRANSLATE OUTFILE='people.csv' /TYPE=CSV /FIELDNAMES.",
    ),
    (".dta", "files of Stata are not read", "save it as CSV, in Stata: export delimited using people.csv"),
    (
        ".rds .rda .rdata",
        "files of R are not read",
        "save it as CSV, in R: write.csv(people, 'people.csv', row.names = F)",
    ),
    (
        ".feather .arrow .ipc .json .jsonl .ndjson .orc .avro",
        "this format is not read",
        "save it as Parquet or CSV; read are .csv, .tsv, .txt (also .gz, .zst), .parquet, .pq and .xlsx",
    ),
)


Form = Literal["csv", "parquet", "excel"]


class Source(NamedTuple):
    """An opened input: how messages call it, its format, and the delimiter that is usual for its suffix."""

    stream: BinaryIO
    where: str
    form: Form
    delimiter: str = ","
    is_packed: bool = False
    file: BinaryIO | None = None  # its bytes as they are; None for standard input


def read_source(
    path: str | os.PathLike[str],
    usual: SourceFormat = _USUAL,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> pa.Table:
    """Read a table from a CSV, Parquet or Excel file, a pipe or standard input (``-``); O(bytes).

    The suffix tells the format and the usual delimiter; where the suffix is unknown, the first bytes do. What
    is ``usual`` for CSV files holds where nothing else is given.
    """
    with open_source(path) as source:
        if source.form == "csv":
            form = _csv_form(source, usual, delimiter, encoding)
            return read_csv(source.stream, where=source.where, is_packed=source.is_packed, **form)
        _refuse_form(source, delimiter, encoding)
        if source.form == "excel":
            return _sheet(source, usual)
        _refuse_sheet(source, usual)
        return read_parquet(source.stream, where=source.where)


def source_tables(
    path: str | os.PathLike[str],
    usual: SourceFormat = _USUAL,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Iterator[pa.Table]:
    """The same in pieces; what is wrong with the file may be said after the last one."""
    with open_source(path) as source:
        if source.form == "csv":
            form = _csv_form(source, usual, delimiter, encoding)
            yield from csv_tables(source.stream, where=source.where, is_whole=False, **form)
        elif source.form == "excel":
            _refuse_form(source, delimiter, encoding)
            yield _sheet(source, usual)
        else:
            _refuse_form(source, delimiter, encoding)
            _refuse_sheet(source, usual)
            yield from parquet_tables(source.stream, where=source.where, is_whole=False)


def _sheet(source: Source, usual: SourceFormat) -> pa.Table:
    from kanopy.frames.excel_file import read_excel  # other files need none of it

    return read_excel(source.stream, where=source.where, sheet=usual.sheet)


def _csv_form(
    source: Source, usual: SourceFormat, delimiter: str | None, encoding: str | None
) -> dict[str, str]:
    _refuse_sheet(source, usual)
    by_policy = source.delimiter if usual.delimiter is None else usual.delimiter
    return {
        "delimiter": by_policy if delimiter is None else delimiter,
        "encoding": (usual.encoding or "utf-8") if encoding is None else encoding,
        "quote": usual.quote or '"',
    }


def _refuse_form(source: Source, delimiter: str | None, encoding: str | None) -> None:
    if delimiter not in (None, ",") or not is_utf8(text_codec("utf-8" if encoding is None else encoding)):
        kind = "an Excel workbook" if source.form == "excel" else "a Parquet file"
        raise PolicyError(f"{source.where}: {kind} has no delimiter and no encoding", "leave them out")


def _refuse_sheet(source: Source, usual: SourceFormat) -> None:
    if usual.sheet is not None:
        hint = Hint("leave {sheet} out", sheet=...)
        raise PolicyError(f"{source.where}: only Excel workbooks have sheets", hint)


def files_of(table: Any) -> list[str] | None:
    """The files of a folder, in the order of their names, or those of a list; None for anything else.

    Where a certificate is in the folder, these are the parts that it lists, or an InputError.
    """
    is_list = isinstance(table, list | tuple) and len(table) > 0
    if is_list and all(isinstance(each, str | os.PathLike) for each in table):
        return [os.fspath(each) for each in table]
    if not isinstance(table, str | os.PathLike) or not os.path.isdir(table):  # noqa: PTH112 (any text)
        return None
    if (listed := listed_parts(Path(table))) is not None:
        return [os.fspath(each) for each in listed]
    found = [each for each in Path(table).iterdir() if _is_table(each)]
    if not found:
        where = os.fspath(table)
        raise PolicyError(
            f"{where}: is a directory without tables", "tables are CSV, Parquet and Excel files"
        )
    return [os.fspath(each) for each in sorted(found)]


def _is_table(path: Path) -> bool:
    """What other programs write beside tables begins with a full stop or an underscore."""
    suffix = PurePath(path.stem if packing_of(path) else path.name).suffix.lower()
    return path.name[0] not in "._" and suffix in (*_CSV, *_PARQUET, _EXCEL) and path.is_file()


@contextmanager
def open_source(path: str | os.PathLike[str]) -> Iterator[Source]:
    """Open an input for reading, and make sure at the end that it did not change meanwhile."""
    where = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    packing = packing_of(where)
    delimiter = _CSV.get(PurePath(PurePath(where).stem if packing else where).suffix.lower(), ",")
    try:
        if os.fspath(path) == "-":
            yield Source(_standard_input(), where, "csv")
            return
        with _opened(where) as stream:
            before = os.fstat(stream.fileno())
            form = _form_of(stream, where, is_regular=stat.S_ISREG(before.st_mode))
            fault: KanopyError | None = None
            try:
                text = unpacked(stream, packing, where=where)
                yield Source(text, where, form, delimiter, is_packed=bool(packing), file=stream)
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
        raise too_large(where) from None


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


def _form_of(stream: Any, where: str, *, is_regular: bool) -> Form:
    suffix = ".csv" if packing_of(where) else PurePath(where).suffix.lower()
    is_parquet = suffix in _PARQUET or (suffix not in _CSV and is_regular and stream.peek(4)[:4] == b"PAR1")
    is_excel = suffix == _EXCEL
    if (is_parquet or is_excel) and not is_regular:
        kind = "Excel" if is_excel else "Parquet"
        raise PolicyError(f"{where}: {kind} cannot be read from a pipe", "give a file, or pipe CSV")
    if is_excel:
        return "excel"
    return "parquet" if is_parquet else "csv"
