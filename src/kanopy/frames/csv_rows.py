"""Rows of CSV: what the fast parser does not notice, and the slow reader for headers and second looks."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, BinaryIO

import numpy as np

from kanopy.errors import Hint, InputError
from kanopy.frames.csv_bytes import Readable

ROW_LIMIT = 1 << 22
"""Longest row in bytes, and the size of the blocks in which a file is read: they stay in the cache."""

_PLAIN_BLOCK = 1 << 18
_ONE_AT_A_TIME = Lock()
_LINE_END = r"\r\n?|\n"


class SuspicionError(Exception):
    """The fast parser must not go on; a second look says why. Never leaves this package."""


class GuardedStream(io.RawIOBase):
    """The data rows on their way to the fast parser. O(bytes), vectorized.

    NULs and endless lines stop it. Quotes are checked against the strict grammar: a quote opens a field right
    after a delimiter or line end and closes it right before one, or is doubled. Line ends inside of fields
    make parsing dearer, and nothing but a quote makes a line end part of a field: the rows until the first
    quote may be read apart from those that follow.
    """

    def __init__(self, head: bytes, rest: Readable, *, delimiter: str, quote: str = '"') -> None:
        # The parser skips one byte order mark; this one is ours, so that none of the data's is skipped.
        self._mark = codecs.BOM_UTF8
        self._head = head
        self._rest = rest
        self._n_open = 0
        self._n_quotes = 0
        self._last_byte = b"\n"
        self._breaks_grammar = False
        self._may_touch_quote = np.zeros(256, dtype=bool)
        self._quote = quote.encode()
        self._ends_at_quote = False
        self._may_touch_quote[[ord(quote), ord(delimiter), ord("\r"), ord("\n")]] = True

    @property
    def is_suspicious(self) -> bool:
        """At the end of the stream: whether a quote stands where none should, or is left open."""
        return self._breaks_grammar or self._n_quotes % 2 == 1

    def end_at_quote(self) -> bool:
        """From now on, whether the stream ends before the first row with a quote, and has rows until then."""
        self._ends_at_quote = self._quote not in self._head and b"\n" in self._head
        return self._ends_at_quote

    def has_more(self) -> bool:
        """Whether rows follow on those without quotes; from now on these can be read."""
        self._ends_at_quote, self._mark = False, codecs.BOM_UTF8
        return bool(self._head)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        mark, self._mark = self._mark, b""
        size -= len(mark)
        block, self._head = self._head[:size], self._head[size:]
        if len(block) < size:
            block += self._rest.read(size - len(block))
        if self._ends_at_quote:
            block = self._whole_lines(block, is_last=len(block) < size)
        if b"\0" in block:
            raise SuspicionError
        if not self._ends_at_quote:
            self._check_quotes(block)
        self._check_lines(block)
        return mark + block if mark else block

    def _whole_lines(self, block: bytes, *, is_last: bool) -> bytes:
        """The lines before the first quote; the others, and a line that is not whole, are for later."""
        quote = block.find(self._quote)
        if is_last and quote < 0:
            return block
        before = len(block) if quote < 0 else quote
        end = (block.rfind(b"\n", 0, before) + 1) or (block.rfind(b"\r", 0, before) + 1)
        if not end and quote < 0:  # longer than a block, which is longer than a row may be
            raise SuspicionError
        self._head = block[end:] + self._head
        return block[:end]

    def _check_lines(self, block: bytes) -> None:
        """Both kinds of line ends are looked for, but no further than one of them is found."""
        first, last = block.find(b"\n"), block.rfind(b"\n")
        carriage_return = block.find(b"\r", 0, len(block) if first < 0 else first)
        first = first if carriage_return < 0 else carriage_return
        if self._n_open + (len(block) if first < 0 else first) > ROW_LIMIT:
            raise SuspicionError
        after_last = max(last, block.rfind(b"\r", last + 1)) + 1
        self._n_open = self._n_open + len(block) if first < 0 else len(block) - after_last

    def _check_quotes(self, block: bytes) -> None:
        if (self._quote in block or self._last_byte == self._quote) and not self._breaks_grammar:
            # The byte before the block comes along: a quote may be the last of one block, its neighbour here.
            window = np.frombuffer(self._last_byte + block, dtype=np.uint8)
            places = np.flatnonzero(window == ord(self._quote))
            n_before = self._n_quotes - (self._last_byte == self._quote)
            opening, closing = places[n_before % 2 :: 2], places[1 - n_before % 2 :: 2]
            opening = opening[np.searchsorted(opening, 1) :]
            closing = closing[: np.searchsorted(closing, len(window) - 1)]
            neighbours = np.concatenate([window[opening - 1], window[closing + 1]])
            self._breaks_grammar = not self._may_touch_quote[neighbours].all()
            self._n_quotes = n_before + len(places)
        self._last_byte = block[-1:] or self._last_byte


class CsvRows:
    """Reads rows with Python's own strict parser and translates its errors; slow, O(bytes).

    To be used within ``fields_as_long_as_rows``, on a buffered stream without byte order mark. Fields come as
    Latin-1, one character per byte: counts of fields and bytes are exact whatever the file holds.
    """

    def __init__(
        self, utf8: BinaryIO, *, where: str, delimiter: str, quote: str = '"', n_lines: int = 0
    ) -> None:
        self._text = io.TextIOWrapper(utf8, encoding="latin-1", newline="")
        self._where = where
        self._delimiter, self._quote = delimiter, quote
        self._reader = csv.reader(self._lines(), delimiter=delimiter, quotechar=quote, strict=True)
        self._n_lines = n_lines  # before those that are read here
        self._row = bytearray()
        self._at_end = False
        self.n_bytes = 0  # taken by the rows until now
        self.line = ""  # the line read last
        self.row_line = 1  # the number of the line on which the current row begins

    def __iter__(self) -> Iterator[list[str]]:
        try:
            while True:
                self.row_line = self._n_lines + 1
                self._row.clear()
                row = next(self._reader, None)
                if row is None:
                    return
                yield row
        except csv.Error:
            pass
        # Raised outside of the handler, so that the cell in the parser's own error is not carried along.
        if self._at_end:
            raise InputError(
                f"{self._where}: line {self._line_of_open_quote()} opens a quote that is never closed",
                "close it, or double a quote that belongs to the text",
            )
        begun = f", in the row that begins on line {self.row_line}" if self.row_line < self._n_lines else ""
        raise InputError(
            f"{self._where}: line {self._n_lines} has text right after a closing quote{begun}",
            "double a quote that belongs to the text, close one left open",
        )

    def _lines(self) -> Iterator[str]:
        # At most one byte more than allowed is read: a line without end must not fill the memory.
        while line := self._text.readline(ROW_LIMIT + 1):
            self._n_lines += 1
            self._row += line.encode("latin-1")
            self.n_bytes += len(line)
            self.line = line
            if len(self._row) > ROW_LIMIT:
                row = f"the row that begins on line {self.row_line} is longer than {ROW_LIMIT >> 20} MiB"
                hint = "look for a quote left open or a missing line end"
                raise InputError(f"{self._where}: {row}", hint)
            if "\0" in line:
                hint = Hint("remove it, or say how the file is encoded with {encoding}", encoding=...)
                raise InputError(f"{self._where}: line {self._n_lines} contains a NUL byte", hint)
            yield line
        self._at_end = True

    def _line_of_open_quote(self) -> int:
        """The line on which the last field of the current row begins."""
        row = self._row.decode("latin-1")
        end, quote = re.escape(self._delimiter), self._quote
        form = re.compile(rf"(?:{quote}(?:[^{quote}]++|{quote * 2})*+{quote}|(?!{quote})[^{end}]*+){end}")
        place = 0
        while field := form.match(row, place):
            place = field.end()
        return self.row_line + len(re.findall(_LINE_END, row[:place]))


class PlainLines(io.RawIOBase):
    """Takes the lines off a stream that need no parser, many at once, and then is the rest of it. O(bytes).

    A line needs none where no field begins with a quote, line ends are line feeds, and it is as wide as the
    header: then it is a row, or nothing at all where it is empty. The parser takes ten times as long for it.
    """

    def __init__(self, utf8: BinaryIO, n_columns: int, delimiter: str, quote: str) -> None:
        self._utf8, self._rest = utf8, b""
        self._n_delimiters, self._delimiter = n_columns - 1, delimiter.encode()
        self._opening = [before + quote.encode() for before in (b"\n", self._delimiter)]
        self.n_rows = self.n_lines = 0
        while block := self._utf8.read(_PLAIN_BLOCK):
            self._rest += block
            end = self._rest.rfind(b"\n") + 1
            if not self._takes(self._rest[:end]):
                return
            self._rest = self._rest[end:]

    def _takes(self, lines: bytes) -> bool:
        """Count the lines, if all of them are plain."""
        after_line = b"\n" + lines
        if not lines or b"\r" in lines or b"\0" in lines or any(each in after_line for each in self._opening):
            return False
        found = np.frombuffer(lines, dtype=np.uint8)
        ends = np.flatnonzero(found == ord("\n"))
        lengths = np.diff(ends, prepend=-1)
        is_row = lengths > (1 if self._n_delimiters else 0)  # in one column, an empty line is a row
        places = np.flatnonzero(found == ord(self._delimiter))
        n_delimiters = np.diff(np.searchsorted(places, ends), prepend=0)
        if (n_delimiters[is_row] != self._n_delimiters).any() or lengths.max() > ROW_LIMIT:
            return False
        self.n_rows, self.n_lines = self.n_rows + int(is_row.sum()), self.n_lines + len(ends)
        return True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        """What is left: the lines that were looked at last, and all behind them."""
        part = self._rest[: len(buffer)] or self._utf8.read(len(buffer))
        self._rest = self._rest[len(part) :]
        buffer[: len(part)] = part
        return len(part)


@contextmanager
def fields_as_long_as_rows() -> Iterator[None]:
    """Lift the limit on fields, which all users of Python's parser share, while rows are read."""
    with _ONE_AT_A_TIME:
        usual = csv.field_size_limit(ROW_LIMIT)
        try:
            yield
        finally:
            csv.field_size_limit(usual)
