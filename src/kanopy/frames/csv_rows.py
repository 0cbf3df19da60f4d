"""Rows of a CSV text with the line each begins on: the slow reader, for headers and for second looks."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import BinaryIO

from kanopy.errors import Hint, InputError
from kanopy.frames.csv_guard import ROW_LIMIT

_ONE_AT_A_TIME = Lock()
_LINE_END = re.compile(r"\r\n?|\n")


class CsvRows:
    """Reads rows with Python's own strict parser and translates its errors; slow, O(bytes).

    To be used within ``fields_as_long_as_rows``, on a buffered stream without byte order mark. Fields come as
    Latin-1, one character per byte: for counting fields and bytes this is exact whatever the file holds, and
    ``field.encode("latin-1").decode()`` is the text.
    """

    def __init__(self, utf8: BinaryIO, *, where: str, delimiter: str) -> None:
        self._text = io.TextIOWrapper(utf8, encoding="latin-1", newline="")
        self._where = where
        self._field = re.compile(
            rf'(?:"(?:[^"]++|"")*+"|(?!")[^{re.escape(delimiter)}]*+){re.escape(delimiter)}'
        )
        self._reader = csv.reader(self._lines(), delimiter=delimiter, strict=True)
        self._n_lines = 0
        self._row = bytearray()
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
            self._row.clear()
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
                raise InputError(
                    f"{self._where}: the row that begins on line {self.row_line} is longer than"
                    f" {ROW_LIMIT >> 20} MiB",
                    "look for a quote left open or a missing line end",
                )
            if "\0" in line:
                raise InputError(
                    f"{self._where}: line {self._n_lines} contains a NUL byte",
                    Hint("remove it, or say how the file is encoded with {encoding}", encoding=...),
                )
            yield line
        self._at_end = True

    def _line_of_open_quote(self) -> int:
        """The line on which the last field of the current row begins."""
        row = self._row.decode("latin-1")
        place = 0
        while field := self._field.match(row, place):
            place = field.end()
        return self.row_line + len(_LINE_END.findall(row, 0, place))


@contextmanager
def fields_as_long_as_rows() -> Iterator[None]:
    """Lift the limit on fields, which all users of Python's parser share, while rows are read."""
    with _ONE_AT_A_TIME:
        usual = csv.field_size_limit(ROW_LIMIT)
        try:
            yield
        finally:
            csv.field_size_limit(usual)
