"""Rows and columns of a source, counted from its bytes by none of the code that reads tables.

What is read is compared with it: a reader that loses, doubles or shifts rows would be believed by all that
comes after it. PRIVACY: see tests/sabotage/test_readers.py. A column has one number: each cell has one that
follows from its letters, times the number of its row, and all are added up.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import os
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data.arrays import Bools, Ints
from kanopy.errors import InputError, VerificationError
from kanopy.frames.csv_rows import fields_as_long_as_rows
from kanopy.frames.distinct import clean_names, is_text
from kanopy.frames.packed import packing_of
from kanopy.frames.source import files_of
from kanopy.policy.reading import SourceFormat

Numbers = NDArray[np.uint64]

_BLOCK = 1 << 18  # bytes looked at together: few enough for the cache; of more, all arrays are paged in anew
_LARGE = 1 << 24  # bytes
_LONGEST = 4 << 20  # bytes of a row, from which on quotes are doubtful
_ROWS = 1 << 14  # rows that Python's own reader hands over together
_LINE_END, _RETURN, _QUOTE = 10, 13, 34


def _mixed(numbers: Numbers) -> Numbers:
    """Numbers that look random, and follow from the given ones (splitmix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


_OF_BYTE = _mixed(np.arange(1, 257, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
# Whether these belong to a cell or to the file is for readers to say: they do not count.
_OF_BYTE[[_LINE_END, _RETURN, _QUOTE]] = 0


class ColumnSums:
    """How many rows were seen, and a number for each column that depends on every cell and on its row."""

    def __init__(self) -> None:
        self.n_rows = 0
        self.totals: dict[str, int] = {}

    def clear(self) -> None:
        """Begin anew."""
        self.n_rows = 0
        self.totals.clear()

    def add(self, table: pa.Table) -> None:
        """More rows, after those that were seen; columns of other types than text do not count.

        O(rows * columns), a text that repeats once.
        """
        for name, column in zip(table.column_names, table.columns, strict=True):
            if is_text(column.type):
                coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
                whole = coded.unify_dictionaries().combine_chunks()
                whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) and whole.num_chunks else whole
                codes = whole.indices.fill_null(len(whole.dictionary)).to_numpy(zero_copy_only=False)
                self._add(name, _numbers_of(whole.dictionary.cast(pa.string())).take(codes))
        self.n_rows += table.num_rows

    def _add(self, name: str, numbers: Numbers) -> None:
        first = self.n_rows + 1
        rows = np.arange(first, first + len(numbers), dtype=np.uint64)
        total = int((rows * numbers).sum(dtype=np.uint64))
        self.totals[name] = (self.totals.get(name, 0) + total) % 2**64

    def add_cells(self, names: list[str], cells: Numbers) -> None:
        """More rows, as the numbers of their cells; O(cells)."""
        for name, column in zip(names, np.ascontiguousarray(cells.T), strict=True):
            self._add(name, column)
        self.n_rows += len(cells)

    def differing(self, other: ColumnSums) -> list[str]:
        """The columns that both have and that are not the same."""
        both = self.totals.keys() & other.totals.keys()
        return sorted(name for name in both if self.totals[name] != other.totals[name])


def _numbers_of(words: pa.StringArray) -> Numbers:
    """A number for each text, and one for null at the end; O(bytes)."""
    words = pa.concat_arrays([words.fill_null(""), pa.array([""], pa.string())])
    _, offsets, data = words.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[: len(words) + 1]
    letters = np.frombuffer(data, dtype=np.uint8)[: ends[-1]] if data is not None else np.zeros(0, np.uint8)
    added = _added(letters)
    return _mixed(added[ends[1:]] - added[ends[:-1]])


def _added(letters: NDArray[np.uint8]) -> Numbers:
    """The sum of the numbers of the first bytes, for none, one, two and so on."""
    added = np.zeros(len(letters) + 1, dtype=np.uint64)
    np.cumsum(_OF_BYTE.take(letters), out=added[1:])
    return added


class SourceBytes(NamedTuple):
    """Files whose rows can be counted by their bytes, and how they are written."""

    files: tuple[str, ...]
    delimiter: str
    encoding: str
    quote: str
    looked_at: tuple[tuple[int, int], ...]  # sizes and times of change, before they were read

    @classmethod
    def of(cls, table: Any, usual: SourceFormat, delimiter: str | None, encoding: str | None) -> Self | None:
        """The files that a table comes from; None where it is a frame, or can be read only once."""
        is_path = isinstance(table, str | os.PathLike)
        files = files_of(table) or ([os.fspath(table)] if is_path else [])
        if not files or not all(map(os.path.isfile, files)):
            return None
        suffixes = {Path(file.removesuffix(packing_of(file))).suffix.lower() for file in files}
        if ".xlsx" in suffixes:  # no program beside the reader knows which sheet is meant
            return None
        by_suffix = "\t" if suffixes <= {".tsv", ".tab"} else ","
        form = delimiter or usual.delimiter or by_suffix, encoding or usual.encoding or "utf-8"
        return cls(tuple(files), *form, usual.quote or '"', _looked_at(files))

    @property
    def is_large(self) -> bool:
        """Whether counting takes longer than a thread takes to start; Arrow has threads of its own."""
        n_bytes = sum(size for size, _ in self.looked_at)
        return n_bytes > _LARGE and not any(map(is_parquet, self.files))

    def counted(self) -> ColumnSums | None:
        """The rows of all files, one file after the other; None where only the slow way can tell. O(bytes)"""
        with contextlib.suppress(OSError, ValueError, LookupError, pa.ArrowException):
            if all(map(is_parquet, self.files)):
                return _of_parquet(self.files)
            if not any(map(is_parquet, self.files)):
                return _of_csv(self, is_slow=False)
        return None

    def check(self, read: ColumnSums, counted: ColumnSums | None) -> None:
        """Raise a VerificationError where the files hold other rows than were read.

        Where bytes leave doubt, Python's own reader decides.
        """
        if counted is not None and not _differ(read, counted):
            return
        if not any(map(is_parquet, self.files)):
            counted = _of_csv(self, is_slow=True)
        if counted is not None and _differ(read, counted):
            if _looked_at(self.files) != self.looked_at:
                raise InputError("the table changed while it was read", "run again when it is complete")
            names = read.differing(counted)
            what = f"column {names[0]!r} has other cells" if names else f"{counted.n_rows:,} rows"
            raise VerificationError(
                f"the table that was read is not the one in the file: there, {what}",
                "nothing was published; please report this",
            )


def _looked_at(files: Sequence[str]) -> tuple[tuple[int, int], ...]:
    found = (os.stat(file) for file in files)  # noqa: PTH116 (any text)
    return tuple((each.st_size, each.st_mtime_ns) for each in found)


def _differ(read: ColumnSums, counted: ColumnSums) -> bool:
    return read.n_rows != counted.n_rows or bool(read.differing(counted))


def is_parquet(file: str) -> bool:
    """Whether a file is one of Parquet, by its first bytes."""
    with Path(file).open("rb") as stream:
        return stream.read(4) == b"PAR1"


def _of_parquet(files: Sequence[str]) -> ColumnSums:
    from pyarrow.parquet import ParquetFile

    sums = ColumnSums()
    for file in files:
        with ParquetFile(file, pre_buffer=False) as opened:
            for batch in opened.iter_batches(use_threads=False):
                table = pa.Table.from_batches([batch])
                sums.add(table.rename_columns(clean_names(table.column_names, where=file)))
    return sums


def _of_csv(form: SourceBytes, *, is_slow: bool) -> ColumnSums | None:
    """The sums of files one after the other; None where only Python's own reader can tell."""
    sums = ColumnSums()
    for file in form.files:
        with Path(file).open("rb") as stream:
            packing = {".gz": "gzip", ".zst": "zstd"}.get(packing_of(file))
            pieces = stream if packing is None else pa.CompressedInputStream(stream, packing)
            if is_slow:
                _add_rows(sums, pieces, form, file)
            elif not _add_bytes(sums, _utf8(pieces, form), form, file):
                return None
    return sums


def _utf8(stream: Any, form: SourceBytes) -> Iterator[bytes]:
    """The bytes of a text in UTF-8, some at a time."""
    decoder = codecs.getincrementaldecoder(form.encoding)()
    is_plain = codecs.lookup(form.encoding).name in ("utf-8", "ascii")
    while piece := stream.read(_BLOCK):
        yield piece if is_plain else decoder.decode(piece).encode()


def _add_rows(sums: ColumnSums, stream: Any, form: SourceBytes, where: str) -> None:
    """By Python's own reader; O(bytes), ten times as slow."""
    with io.TextIOWrapper(stream, form.encoding, newline="") as text, fields_as_long_as_rows():
        rows = csv.reader(text, delimiter=form.delimiter, quotechar=form.quote)
        header = next(row for row in rows if row)
        names = clean_names([header[0].removeprefix("\ufeff"), *header[1:]], where=where)
        kept = (row or [""] for row in rows if row or len(names) == 1)
        while block := list(islice(kept, _ROWS)):
            columns = [pa.array(column, pa.string()) for column in zip(*block, strict=True)]
            sums.add(pa.table(columns, names=names))


def _add_bytes(sums: ColumnSums, pieces: Iterator[bytes], form: SourceBytes, where: str) -> bool:
    """By line ends, delimiters and quotes alone; False where that leaves doubt. O(bytes)."""
    names: list[str] = []
    left = b""
    for piece in chain(pieces, [b"\n"]):
        data = (left + piece).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        letters = np.frombuffer(data, dtype=np.uint8)
        is_outside = np.ones(len(data), dtype=bool)
        if form.quote.encode() in data:
            is_outside = ~np.logical_xor.accumulate(letters == _QUOTE)
        ends = np.flatnonzero((letters == _LINE_END) & is_outside)
        first = 0
        if not names and len(ends):
            first, names = _named(data, ends, form, where)
        if form.quote != '"' or len(names) == 1 or (not len(ends) and len(data) > _LONGEST):
            return False
        whole = int(ends[-1]) + 1 if len(ends) else 0
        left = data[whole:]
        is_fine = whole <= first or _add_block(
            sums, letters[first:whole], is_outside[first:whole], names, form
        )
        if not is_fine:
            return False
    return not left


def _named(data: bytes, ends: Ints, form: SourceBytes, where: str) -> tuple[int, list[str]]:
    """Where the first line that is not blank ends, and the names in it."""
    first = 0
    for end in ends.tolist():
        line = data[first:end].decode().removeprefix("\ufeff")
        first = end + 1
        if line:
            names = next(csv.reader([line], delimiter=form.delimiter, quotechar=form.quote))
            return first, clean_names(names, where=where)
    return first, []


def _add_block(
    sums: ColumnSums, letters: NDArray[np.uint8], is_outside: Bools, names: list[str], form: SourceBytes
) -> bool:
    """Whole lines; whether each has as many cells as there are names. O(bytes)."""
    is_end = letters == _LINE_END
    ends = np.flatnonzero((is_end | (letters == ord(form.delimiter))) & is_outside)
    begins = np.append(0, ends[:-1] + 1)
    is_last = is_end[ends]
    is_blank = is_last & (begins == ends) & np.append(True, is_last[:-1])
    if is_blank.any():
        begins, ends, is_last = begins[~is_blank], ends[~is_blank], is_last[~is_blank]
    if len(ends) % len(names):
        return False
    last_of_row = is_last.reshape(-1, len(names))
    if not last_of_row[:, -1].all() or last_of_row[:, :-1].any():
        return False
    added = _added(letters)
    sums.add_cells(names, _mixed(added[ends] - added[begins]).reshape(-1, len(names)))
    return True
