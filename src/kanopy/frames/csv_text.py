"""CSV out: words are quoted once per word, never per row; equal rows are put together once.

Quoting is minimal (RFC 4180): a word is quoted where it holds the delimiter, a quote or a line end, or where
a reader might trim it. Lines end with a line feed; the text is UTF-8, without byte order mark
unless one is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.data.arrays import Ints
from kanopy.frames.from_numpy import as_arrow

Column = tuple[str, Sequence[str], NDArray[np.int32]]
"""A name, the different texts, and which of them each line has."""

_LINES_AT_A_TIME = 100_000
_REPEATED_BYTES = 1 << 22
_FUSED_WORDS = 1 << 14
_FUSED_BYTES = 1 << 24

_AT_RISK = frozenset("=+-@\t\r")
_PLAIN_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


class Sink(Protocol):
    """Whatever takes bytes, as files do."""

    def write(self, data: bytes | memoryview, /) -> Any:
        """Take all of them."""


class _Piece(NamedTuple):
    """A run of neighbouring columns as one: all that may stand in it, written, and the codes behind it."""

    written: pa.Array
    parts: list[tuple[int, NDArray[np.int32]]]  # of each column, its number of words and that of each line


def write_csv(
    sink: Sink,
    columns: Sequence[Column],
    n_lines: int,
    *,
    weight: Ints | None = None,
    delimiter: str = ",",
    mark: bytes = b"",
) -> None:
    """Write a table of words as CSV, every line as often as it weighs; ``mark`` is what the file begins with.

    O(bytes written), a block of 100,000 lines in memory at a time.
    """
    is_alone = len(columns) == 1
    quote = _quoter(delimiter)
    header = delimiter.join(quote(name) for name, _, _ in columns)
    if is_alone and not header.startswith('"') and re.search(r"[,;\t|]", header):
        # Unquoted, a reader would take the only name for several ones with another delimiter.
        header = f'"{header}"'
    sink.write(mark + f"{header}\n".encode())
    pieces = _pieces(columns, n_lines, delimiter)
    for start in range(0, n_lines if pieces else 0, _LINES_AT_A_TIME):
        stop = min(start + _LINES_AT_A_TIME, n_lines)
        block, bounds = _lines(pieces, start, stop)
        if weight is None:
            sink.write(block)
        else:
            _write_repeated(sink, bytes(block), bounds - bounds[0], weight[start:stop])


def csv_lines(columns: Sequence[Column], n_lines: int) -> pa.Array:
    """The lines that ``write_csv`` writes after the header, each once and without its end; O(bytes)."""
    gathered = _gathered(_pieces(columns, n_lines, ","), 0, n_lines)
    return pc.utf8_slice_codeunits(gathered, 0, -1) if n_lines else gathered


def _pieces(columns: Sequence[Column], n_lines: int, delimiter: str) -> list[_Piece]:
    """The words of all columns as they are written, the delimiter or the line end behind them."""
    quote, is_alone = _quoter(delimiter), len(columns) == 1
    pieces: list[_Piece] = []
    for number, (_, words, codes) in enumerate(columns, start=1):
        end = "\n" if number == len(columns) else delimiter
        written = [(quote(word) or ('""' if is_alone else "")) + end for word in words]
        piece = _Piece(pa.array(written, pa.large_string()), [(len(words), codes)])
        if pieces and _is_worth_fusing(pieces[-1], piece, n_lines):
            pieces[-1] = _fused(pieces[-1], piece)
        else:
            pieces.append(piece)
    return pieces


def spreadsheet_safe_word(word: str) -> str:
    """The word, with a ``'`` in front where a spreadsheet might run it; this changes cells: verify later.

    A word that has one already gets another: different words stay different, or groups and values would be
    joined that the promise was decided about (tests/unit/release/test_excel_form.py).
    """
    return f"'{word}" if _is_formula(word.lstrip("'")) else word


def as_before_disarming(word: str) -> str:
    """The word that ``spreadsheet_safe_word`` was given."""
    return word[1:] if word[:1] == "'" and _is_formula(word.lstrip("'")) else word


def has_formula(words: Iterable[str]) -> int:
    """How many of the words a spreadsheet might run: ``= + - @`` in front, maybe behind blanks, or TAB or CR,
    and no plain number."""
    return sum(_is_formula(word) for word in words)


def _is_formula(word: str) -> bool:
    first = word[:1] if word[:1] in _AT_RISK else word.lstrip()[:1]
    return first in _AT_RISK and not re.fullmatch(_PLAIN_NUMBER, word.strip(" "))


def _quoter(delimiter: str) -> Callable[[str], str]:
    # A byte order mark in front counts as white space: at the start of the file it would be skipped.
    needs_quotes = re.compile(rf'["\r\n{re.escape(delimiter)}]|^[\s\ufeff]|\s\Z')

    def quote(word: str) -> str:
        return '"' + word.replace('"', '""') + '"' if needs_quotes.search(word) else word

    return quote


def _is_worth_fusing(left: _Piece, right: _Piece, n_lines: int) -> bool:
    """Whether all pairs are few: then one gather does the work of two, which halves the time."""
    n_left, n_right = len(left.written), len(right.written)
    n_bytes = left.written.nbytes * n_right + right.written.nbytes * n_left
    return n_left * n_right <= min(_FUSED_WORDS, n_lines) and n_bytes <= _FUSED_BYTES


def _fused(left: _Piece, right: _Piece) -> _Piece:
    n_left, n_right = len(left.written), len(right.written)
    lefts = left.written.take(as_arrow(np.repeat(np.arange(n_left), n_right)))
    rights = right.written.take(as_arrow(np.tile(np.arange(n_right), n_left)))
    return _Piece(_joined(lefts, rights), left.parts + right.parts)


def _joined(*written: pa.Array) -> pa.Array:
    """Texts side by side as one; the scalar is made here, as pyarrow looks for pandas when it makes one."""
    return pc.binary_join_element_wise(*written, pa.scalar("", pa.large_string()))


def _write_repeated(sink: Sink, written: bytes, bounds: Ints, weight: Ints) -> None:
    """Write every line as often as it weighs, a few megabytes at a time; O(bytes)."""
    ends = zip(bounds[:-1].tolist(), bounds[1:].tolist(), weight.tolist(), strict=True)
    for begin, end, n_times in ends:
        line = written[begin:end]
        most = max(_REPEATED_BYTES // len(line), 1)
        for _ in range(n_times // most):
            sink.write(line * most)
        sink.write(line * (n_times % most))


def _lines(pieces: list[_Piece], start: int, stop: int) -> tuple[memoryview, Ints]:
    """Some lines as they are written, and where each of them begins and ends."""
    lines = _gathered(pieces, start, stop)
    _, offsets, data = lines.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64)[lines.offset : lines.offset + len(lines) + 1]
    return memoryview(data)[bounds[0] : bounds[-1]], bounds


def _gathered(pieces: list[_Piece], start: int, stop: int) -> pa.Array:
    gathered = []
    for written, parts in pieces:
        codes = parts[0][1][start:stop]
        for n_words, of_next in parts[1:]:
            codes = codes * np.int32(n_words) + of_next[start:stop]
        gathered.append(written.take(as_arrow(codes)))
    return gathered[0] if len(gathered) == 1 else _joined(*gathered)
