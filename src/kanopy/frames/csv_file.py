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
import contextlib
import io
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

import pyarrow as pa
import pyarrow.csv

from kanopy.errors import Hint, InputError, PolicyError
from kanopy.frames.csv_bytes import Readable, Replay, Utf8Stream, is_utf8, refuse_utf16, text_codec
from kanopy.frames.csv_rows import (
    ROW_LIMIT,
    CsvRows,
    GuardedStream,
    PlainLines,
    SuspicionError,
    fields_as_long_as_rows,
)
from kanopy.frames.distinct import clean_names
from kanopy.frames.encoding import encoding_hint
from kanopy.frames.memory import too_large, within_memory

TEXT = pa.dictionary(pa.int32(), pa.string())
"""How a column of text is held: its different texts once, and a number per row."""


def read_csv(source: BinaryIO, *, where: str, is_packed: bool = False, **form: str) -> pa.Table:
    """Read a CSV file; O(bytes), a few blocks of 4 MiB in memory besides the table.

    Every column has the type ``TEXT``, in one chunk, without nulls: an empty field is an empty text. A small
    file that ``is_packed`` may hold more than the memory does, so it is read in blocks that are added up.
    """
    tables = csv_tables(source, where=where, is_whole=not is_packed, **form)
    tables = within_memory(tables, where) if is_packed else tables
    with contextlib.suppress(pa.ArrowCapacityError, MemoryError):
        return pa.concat_tables(tables).unify_dictionaries().combine_chunks()
    raise too_large(where)


def csv_tables(
    source: BinaryIO,
    *,
    where: str,
    delimiter: str = ",",
    encoding: str = "utf-8",
    quote: str = '"',
    is_whole: bool = True,
) -> Iterator[pa.Table]:
    """The same in a few pieces, or in blocks of 4 MiB where it is not read as a whole.

    What is wrong with a file may be said after its last piece: nothing may be done with any before.
    """
    codec = text_codec(encoding)
    _check_delimiter(delimiter, quote)
    replay, format = Replay(source), {"where": where, "delimiter": delimiter, "quote": quote}
    n_rows, is_read, fits = 0, False, True
    try:
        names, body, header = _opened(replay, codec, **format)
        try:
            for table in _parsed(body, len(names), delimiter, quote, is_whole=is_whole):
                _check_utf8(table)
                n_rows += table.num_rows
                yield table.rename_columns(names)
            is_read = True
        except (pa.ArrowCapacityError, MemoryError):
            fits = False
        except (pa.ArrowException, SuspicionError):
            n_rows = 0
        if not fits:  # not raised by the handler: what the library says may quote cells
            raise too_large(where)
        is_sure = is_read and not body.is_suspicious
        if not is_sure and _second_look(replay, codec, len(names), header, **format) != n_rows:
            raise InputError(f"{where}: two readers of CSV do not agree on this file", "write it again")
    finally:
        replay.close()
    if not n_rows:
        raise InputError(f"{where}: no data rows", "the file holds only a header")


def _opened(
    replay: Replay, codec: codecs.CodecInfo, *, where: str, delimiter: str, quote: str
) -> tuple[list[str], GuardedStream, bytes]:
    """The names of the columns, the rows below them, and what stands above the rows."""
    format = {"where": where, "delimiter": delimiter, "quote": quote}
    utf8: Readable = replay if is_utf8(codec) else _decoded(replay, codec, where)
    head = utf8.read(ROW_LIMIT)
    if is_utf8(codec):
        refuse_utf16(head, where=where)
        head = head.removeprefix(codecs.BOM_UTF8)
    fields, n_header_bytes = _read_header(head, **format)
    names = _decoded_names(fields)
    if names is None:
        _second_look(replay, codec, len(fields), b"", **format)
        raise InputError(f"{where}: the column names are not UTF-8", "save the file as UTF-8")
    body = GuardedStream(head[n_header_bytes:], utf8, delimiter=delimiter, quote=quote)
    return clean_names(names, where=where), body, head[:n_header_bytes]


def _second_look(
    replay: Replay,
    codec: codecs.CodecInfo,
    n_columns: int,
    header: bytes,
    *,
    where: str,
    delimiter: str,
    quote: str,
) -> int:
    """Read the file once more, slowly and strictly: the number of its rows, or what is wrong with it."""
    replay.rewind()
    hint = encoding_hint(replay) if is_utf8(codec) else None
    replay.rewind()
    utf8 = _decoded(replay, codec, where, hint)
    return _count_rows(utf8, n_columns, header, where=where, delimiter=delimiter, quote=quote)


def _check_delimiter(delimiter: str, quote: str) -> None:
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in f"{quote}\r\n\0":
        what = f"the delimiter must be one ASCII character, not {delimiter[:10]!r}"
        raise PolicyError(what, "for example ',' or ';' or a tab")


def _decoded(source: Readable, codec: codecs.CodecInfo, where: str, hint: str | None = None) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(Utf8Stream(source, codec, where=where, hint=hint), 1 << 18))


def _read_header(head: bytes, *, where: str, delimiter: str, quote: str) -> tuple[list[str], int]:
    """The fields of the first line that is not blank, and where the data begins."""
    if not head:
        raise InputError(f"{where}: file is empty", "give a table with a header line")
    rows = CsvRows(io.BytesIO(head), where=where, delimiter=delimiter, quote=quote)
    fault = None
    try:
        with fields_as_long_as_rows():
            fields = next((row for row in rows if row), None)
    except InputError as error:
        fault, fields = error, None
    is_quoted_whole = fields is not None and rows.line.startswith(quote)
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


def _parsed(
    body: GuardedStream, n_columns: int, delimiter: str, quote: str, *, is_whole: bool
) -> Iterator[pa.Table]:
    """The fast way: what stands before the first quote, and the rest."""
    columns = [str(number) for number in range(n_columns)]
    texts = pa.csv.ConvertOptions(
        column_types=dict.fromkeys(columns, TEXT), strings_can_be_null=False, check_utf8=False
    )
    # A block without quotes is cut at a line end, so that it holds the end of the longest row.
    blocks = pa.csv.ReadOptions(column_names=columns, block_size=ROW_LIMIT + 8)
    form = {"delimiter": delimiter, "ignore_empty_lines": n_columns > 1}
    plain = pa.csv.ParseOptions(quote_char=False, newlines_in_values=False, **form)
    quoted = pa.csv.ParseOptions(quote_char=quote, newlines_in_values=True, **form)
    read = _whole if is_whole else _in_blocks
    # In one column an empty line is a row, and the half of a CRLF would be one.
    is_plain = n_columns > 1 and body.end_at_quote()
    if is_plain:
        yield from read(body, blocks, plain, texts)
    if not is_plain or body.has_more():
        yield from read(body, blocks, quoted, texts)


def _check_utf8(table: pa.Table) -> None:
    """Every different text once, and not that of every row; an ArrowInvalid where one is not UTF-8."""
    for column in table.columns:
        for chunk in column.chunks:
            chunk.dictionary.validate(full=True)


def _whole(*body_and_options: Any) -> Iterator[pa.Table]:
    yield pa.csv.read_csv(*body_and_options)


def _in_blocks(*body_and_options: Any) -> Iterator[pa.Table]:
    for batch in pa.csv.open_csv(*body_and_options):
        yield pa.Table.from_batches([batch])


def _count_rows(
    utf8: BinaryIO, n_columns: int, header: bytes, *, where: str, delimiter: str, quote: str
) -> int:
    """The second look: raises at the first fault, and counts the data rows where there is none.

    The parser takes its time for every line, so it begins where lines are no longer plain.
    """
    n_rows, n_lines = -1, 0  # the header is the first
    if header:
        if utf8.read(len(header)) != header:
            return n_rows
        plain = PlainLines(utf8, n_columns, delimiter, quote)
        n_rows, n_lines = plain.n_rows, len(header.splitlines()) + plain.n_lines
        utf8 = cast(BinaryIO, io.BufferedReader(plain))
    rows = CsvRows(utf8, where=where, delimiter=delimiter, quote=quote, n_lines=n_lines)
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
