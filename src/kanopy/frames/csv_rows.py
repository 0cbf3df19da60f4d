"""Rows of a CSV text with the line each begins on: the slow reader, for headers and for second looks."""

from __future__ import annotations

import csv
import io
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kanopy.errors import InputError
from kanopy.frames.csv_guard import ROW_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


class CsvRows:
    """Reads rows with Python's own strict parser and translates its errors. O(bytes).

    Fields come as Latin-1, one character per byte: for counting fields and bytes this is exact whatever the
    file holds, and ``field.encode("latin-1").decode()`` is the text.

    Parameters
    ----------
    utf8 : BinaryIO
        A buffered stream without byte order mark.
    where, delimiter : str
    """

    def __init__(self, utf8: BinaryIO, *, where: str, delimiter: str) -> None:
        self._text = io.TextIOWrapper(utf8, encoding="latin-1", newline="")
        self._where = where
        self._reader = csv.reader(self._lines(), delimiter=delimiter, strict=True)
        self._n_lines = 0
        self._n_row_bytes = 0
        self._is_in_quotes = False
        self._quote_line = 0
        self._at_end = False
        self.n_bytes = 0
        """How many bytes the rows until now have taken."""
        self.line = ""
        """The line read last."""
        self.row_line = 1
        """The number of the line on which the current row begins."""

    def __iter__(self) -> Iterator[list[str]]:
        while True:
            self.row_line = self._n_lines + 1
            self._n_row_bytes, self._is_in_quotes = 0, False
            with _fields_as_long_as_rows():
                row = self._next_row()
            if row is None:
                return
            yield row

    def _next_row(self) -> list[str] | None:
        try:
            return next(self._reader, None)
        except csv.Error:
            pass
        if self._at_end:
            raise InputError(
                f"{self._where}: line {self._quote_line} opens a quote that is never closed",
                "close it, or double a quote that belongs to the text",
            )
        raise InputError(
            f"{self._where}: line {self._n_lines} has text right after a closing quote",
            "double a quote that belongs to the text",
        )

    def _lines(self) -> Iterator[str]:
        # At most one byte more than allowed is read: a line without end must not fill the memory.
        while line := self._text.readline(ROW_LIMIT + 1):
            self._n_lines += 1
            self._n_row_bytes += len(line)
            self.n_bytes += len(line)
            self.line = line
            if self._n_row_bytes > ROW_LIMIT:
                raise InputError(
                    f"{self._where}: the row that begins on line {self.row_line} is longer than"
                    f" {ROW_LIMIT >> 20} MiB",
                    "look for a quote left open or a missing line end",
                )
            if "\0" in line:
                raise InputError(
                    f"{self._where}: line {self._n_lines} contains a NUL byte",
                    "remove it, or say how the file is encoded with --encoding",
                )
            self._note_quotes(line)
            yield line
        self._at_end = True

    def _note_quotes(self, line: str) -> None:
        """Remember the line that opened the quote we are in."""
        if '"' in line:
            n_quotes = line.replace('""', "").count('"')
            self._is_in_quotes ^= n_quotes % 2 == 1
            if n_quotes and self._is_in_quotes:
                self._quote_line = self._n_lines


@contextmanager
def _fields_as_long_as_rows() -> Iterator[None]:
    """Python's parser refuses long fields by one limit for the whole process; lift it for one row."""
    usual = csv.field_size_limit(ROW_LIMIT)
    try:
        yield
    finally:
        csv.field_size_limit(usual)
