"""CSV in, strictly: every row as wide as the header, every field as it stands, or no table at all.

The format is RFC 4180 with any one-byte delimiter, and LF, CRLF or CR line ends in any mix. As in Python's
own reader, empty lines are skipped (in a file of one column they are empty fields), and a quote inside a
field that does not begin with one is an ordinary character. A row has at most 4 MiB.

The fast parser is pyarrow's. It is lenient in places, so the bytes are checked on their way to it. Where it
or a check fails, a slow, strict parser reads the file again and finds the line (``csv_rows``). The messages
of the fast parser quote cells and are never passed on.
"""

from __future__ import annotations

import codecs
import io
from typing import BinaryIO, cast

import pyarrow as pa
import pyarrow.csv

from kanopy.errors import Hint, InputError, PolicyError, ResourceError
from kanopy.frames.csv_bytes import Readable, Replay, Utf8Stream, is_utf8, refuse_utf16, text_codec
from kanopy.frames.csv_rows import ROW_LIMIT, CsvRows, GuardedStream, SuspicionError, fields_as_long_as_rows
from kanopy.frames.distinct import clean_names

TEXT = pa.dictionary(pa.int32(), pa.string())
"""How a column of text is held: its different texts once, and a number per row."""


def read_csv(source: BinaryIO, *, where: str, delimiter: str = ",", encoding: str = "utf-8") -> pa.Table:
    """Read a CSV file; O(bytes), a few blocks of 4 MiB in memory besides the table.

    Every column has the type ``TEXT``, in one chunk, without nulls: an empty field is an empty text.
    """
    codec = text_codec(encoding)
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise PolicyError(
            f"the delimiter must be one ASCII character, not {delimiter[:10]!r}",
            "for example ',' or ';' or a tab",
        )
    replay = Replay(source)

    def second_look(n_columns: int) -> int:
        replay.rewind()
        return _count_rows(_decoded(replay, codec, where), n_columns, where=where, delimiter=delimiter)

    try:
        utf8: Readable = replay if is_utf8(codec) else _decoded(replay, codec, where)
        head = utf8.read(ROW_LIMIT)
        if is_utf8(codec):
            refuse_utf16(head, where=where)
            head = head.removeprefix(codecs.BOM_UTF8)
        fields, n_header_bytes = _read_header(head, where=where, delimiter=delimiter)
        names = _decoded_names(fields)
        if names is None:
            second_look(len(fields))
            raise InputError(f"{where}: the column names are not UTF-8", "save the file as UTF-8")
        names = clean_names(names, where=where)
        body = GuardedStream(head[n_header_bytes:], utf8, delimiter=delimiter)
        table = _parse(body, len(names), where=where, delimiter=delimiter)
        if table is None or body.is_suspicious:
            n_rows = second_look(len(names))
            if n_rows != (0 if table is None else table.num_rows):
                raise InputError(f"{where}: two readers of CSV do not agree on this file", "write it again")
    finally:
        replay.close()
    if table is None or not table.num_rows:
        raise InputError(f"{where}: no data rows", "the file holds only a header")
    return table.rename_columns(names)


def _decoded(source: Readable, codec: codecs.CodecInfo, where: str) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(Utf8Stream(source, codec, where=where), 1 << 18))


def _read_header(head: bytes, *, where: str, delimiter: str) -> tuple[list[str], int]:
    """The fields of the first line that is not blank, and where the data begins."""
    if not head:
        raise InputError(f"{where}: file is empty", "give a table with a header line")
    rows = CsvRows(io.BytesIO(head), where=where, delimiter=delimiter)
    fault = None
    try:
        with fields_as_long_as_rows():
            fields = next((row for row in rows if row), None)
    except InputError as error:
        fault, fields = error, None
    is_quoted_whole = fields is not None and rows.line.startswith('"')
    if fault is not None or (fields is not None and len(fields) == 1 and not is_quoted_whole):
        others = [other for other in ",;\t|" if other in rows.line]
        if others and delimiter not in rows.line:
            other = max(others, key=rows.line.count)
            raise InputError(f"{where}: one column found", Hint("try {delimiter}", delimiter=other))
    if fault is not None:
        raise fault
    if fields is None:
        raise InputError(f"{where}: only blank lines", "give a table with a header line")
    if rows.n_bytes >= ROW_LIMIT:
        raise InputError(f"{where}: the header is longer than {ROW_LIMIT >> 20} MiB", "is it a CSV file?")
    return fields, rows.n_bytes


def _decoded_names(fields: list[str]) -> list[str] | None:
    try:
        return [field.encode("latin-1").decode() for field in fields]
    except UnicodeDecodeError:
        return None


def _parse(body: GuardedStream, n_columns: int, *, where: str, delimiter: str) -> pa.Table | None:
    """The fast way; None where a second look is needed."""
    columns = [str(number) for number in range(n_columns)]
    types = dict.fromkeys(columns, TEXT)
    read = pa.csv.ReadOptions(column_names=columns, block_size=ROW_LIMIT)
    parse = pa.csv.ParseOptions(
        delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=n_columns > 1
    )
    convert = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=False, check_utf8=True)
    try:
        return pa.csv.read_csv(body, read, parse, convert).unify_dictionaries().combine_chunks()
    except (pa.ArrowCapacityError, MemoryError):
        pass
    except (pa.ArrowException, SuspicionError):
        return None
    raise ResourceError(f"{where}: the table does not fit into memory", "split the file")


def _count_rows(utf8: BinaryIO, n_columns: int, *, where: str, delimiter: str) -> int:
    """The second look: raises at the first fault, and counts the data rows where there is none."""
    rows = CsvRows(utf8, where=where, delimiter=delimiter)
    n_rows = -1  # the header is the first
    with fields_as_long_as_rows():
        for row in rows:
            if row and len(row) != n_columns:
                counted = "1 field" if len(row) == 1 else f"{len(row)} fields"
                raise InputError(
                    f"{where}: line {rows.row_line} has {counted}, the header has {n_columns}",
                    "every row needs as many fields as the header",
                )
            n_rows += bool(row) or (n_columns == 1 and n_rows >= 0)
    return n_rows
