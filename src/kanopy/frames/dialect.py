"""How a CSV file is written: encoding, delimiter and quote, told by its bytes and a sample of its rows."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from kanopy.errors import Hint, InputError
from kanopy.frames.csv_bytes import text_codec, wide_encoding
from kanopy.frames.csv_rows import fields_as_long_as_rows
from kanopy.frames.encoding import encoding_of

_DELIMITERS = ",;\t|"
_QUOTES = "\"'"
_NEVER = f"{_QUOTES}\r\n\0"
_HEAD = 1 << 18  # bytes at the beginning
_PART = 1 << 13  # bytes of each sample further on
_PARTS = 16
_MOST_ROWS = 2000  # of the beginning
_USUAL_SHARE = 0.9  # of the rows are as wide as the header; the reader finds the line of any other
_LINE_END = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file is written; ``doubts`` says in words what a person should check."""

    delimiter: str = ","
    encoding: str = "utf-8"
    quote: str = '"'
    doubts: tuple[str, ...] = ()
    sheet: str | None = None  # of an Excel workbook that has several


@dataclass(frozen=True, slots=True, order=True)
class _Reading:
    """What one delimiter and quote make of the sample; the greatest one is the best."""

    share: float  # of the rows are as wide as the first
    quoted: int  # the quote is used as one
    n_blank: int  # delimiters before a blank, as in a sentence; below 0
    width: int
    rank: int
    delimiter: str
    quote: str
    usual_width: int


def detect_dialect(
    source: BinaryIO,
    *,
    where: str,
    usual: str = ",",
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Dialect:
    """Find out how a CSV file is written; O(bytes) for the encoding, the delimiter by a sample.

    The right delimiter is the one that gives all rows as many fields as the header; ``usual`` is for files
    with one column. Rows at the beginning are looked at, and lines from sixteen places across the file.
    ``delimiter`` and ``encoding`` are what the caller knows already. The stream, which must know ``seek``,
    stands where it stood. An InputError is raised where no delimiter gives rows of one width.
    """
    start, doubt = source.tell(), ""
    if encoding is None:
        encoding, doubt = encoding_of(source)
    text_codec(encoding)
    doubts: tuple[str, ...] = (f"encoding: {doubt}",) if doubt else ()
    if delimiter is not None and (len(delimiter) != 1 or delimiter in _NEVER):
        return Dialect(delimiter, encoding)  # the reader decides about it
    head, parts = _samples(source, start, encoding)
    source.seek(start)
    readings = sorted(_readings(head, parts, delimiter or _DELIMITERS), reverse=True)
    if not readings:
        return Dialect(delimiter or usual, encoding, doubts=doubts)
    best = readings[0]
    if best.share < _USUAL_SHARE:
        raise _refusal(best, where)
    if any(other.delimiter != best.delimiter and other.share == best.share for other in readings):
        doubts += ("delimiter: another one gives rows of one width, too",)
    return Dialect(best.delimiter, encoding, best.quote, doubts)


def _refusal(best: _Reading, where: str) -> InputError:
    if best.usual_width > 1:
        what = f"the first line has {best.width} fields, but most rows have {best.usual_width}"
        return InputError(f"{where}: {what}", "remove lines above the header, and name every column")
    hint = Hint("give {delimiter}; every row needs as many fields as the header", delimiter=...)
    return InputError(f"{where}: no delimiter divides the rows into equally many fields", hint)


def _samples(source: BinaryIO, start: int, encoding: str) -> tuple[str, list[str]]:
    """The text at the beginning, up to a line end, and whole lines from places across the rest."""
    source.seek(start)
    raw = source.read(_HEAD)
    is_all = len(raw) < _HEAD
    codec = encoding
    if encoding in ("utf-16", "utf-32") and wide_encoding(raw):  # further on there is no mark
        codec += "-le" if raw[:2] == b"\xff\xfe" else "-be"
    head = _decoded(raw, codec).removeprefix("\ufeff")
    if is_all:
        return head, []
    parts = []
    end = source.seek(0, io.SEEK_END)
    for number in range(_PARTS):
        place = start + _HEAD + (end - start - _HEAD) * number // _PARTS
        source.seek(place - (place - start) % 4)  # in UTF-16 and UTF-32 not in the middle of a letter
        parts += _decoded(source.read(_PART), codec).split("\n")[1:-1]
    return head[: head.rfind("\n") + 1] or head, parts


def _decoded(raw: bytes, codec: str) -> str:
    """Text with line feeds as line ends; in quoted fields they may be others, but only widths count here."""
    return _LINE_END.sub("\n", raw.decode(codec, "replace"))


def _readings(head: str, parts: list[str], delimiters: str) -> Iterator[_Reading]:
    """What delimiters and quotes make of the sample, of those that divide the header at all."""
    for rank, delimiter in enumerate(reversed(delimiters)):
        for quote in _QUOTES:
            if (n_quoted := _n_quoted(head, delimiter, quote)) < 0:
                continue
            with fields_as_long_as_rows():
                rows = list(islice(_rows(head.split("\n"), delimiter, quote), _MOST_ROWS))
                # A line that begins or ends within a quoted field says nothing.
                later = _rows((line for line in parts if line.count(quote) % 2 == 0), delimiter, quote)
                widths = Counter(map(len, rows[1:])) + Counter(map(len, later))
            if not rows or (len(rows[0]) == 1 and set(widths) <= {1}):
                continue
            width, n_rows = len(rows[0]), sum(widths.values())
            share = widths[width] / n_rows if n_rows else 1.0
            n_blank = sum(field.startswith(" ") for row in rows for field in row[1:])
            usual = widths.most_common(1)[0][0] if widths else width
            if width == 1:  # the header is not divided, so this is not the delimiter
                share = 0.0
            is_usual = max(widths.values(), default=0) >= _USUAL_SHARE * n_rows
            usual = usual if is_usual and usual != width else 0
            yield _Reading(share, n_quoted, -n_blank, width, rank, delimiter, quote, usual)


def _rows(lines: Iterable[str], delimiter: str, quote: str) -> Iterator[list[str]]:
    """Rows that are not blank, until the first that breaks the rules of quotes."""
    reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter, quotechar=quote, strict=True)
    try:
        yield from (row for row in reader if row)
    except csv.Error:
        return


def _n_quoted(text: str, delimiter: str, quote: str) -> int:
    """1 where fields are in these quotes, 0 where there are none; -1 where these are no quotes.

    The double quote is the usual one. The other one is also an apostrophe: it must close as often as it
    opens, and as a rule on every line.
    """
    edge = re.escape(delimiter)
    opens = len(re.findall(rf"(?:^|{edge}){quote}(?!{quote}(?:{edge}|$))", text, re.MULTILINE))
    if quote == '"':
        return int(opens > 0)
    closes = len(re.findall(rf"[^{edge}{quote}\n]{quote}(?:{edge}|$)", text, re.MULTILINE))
    n_lines = text.count("\n")
    is_quote = opens and abs(opens - closes) <= opens // 10 and opens >= n_lines // 2
    return 1 if is_quote else -1
