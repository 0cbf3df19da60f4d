"""A table as text, without cleaning, guessing or anything from before it was written."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from numpy.typing import NDArray

from kanopy.errors import InputError, VerificationError
from kanopy.frames.distinct import outer_type
from kanopy.frames.published import PublishedTable
from kanopy.policy import normal_name

_MOST = 2**31 - 1
_BLOCK = 1 << 22
"""Bytes parsed at a time: few enough for the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class TextColumn:
    """One column: its different texts and the one of each row. Missing is the empty text."""

    words: pa.StringArray
    codes: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class TextTable:
    """A table whose cells are compared as text."""

    columns: Mapping[str, TextColumn]
    n_rows: int

    @classmethod
    def of_published(cls, table: PublishedTable) -> TextTable:
        """A release before it is written."""
        columns = {column.name: _distinct(column.words, column.codes) for column in table.columns}
        return cls(columns, table.n_rows)

    @classmethod
    def of_arrow(cls, table: pa.Table) -> TextTable:
        """Any table; O(rows * columns)."""
        columns = {}
        for name, column in zip(table.column_names, table.columns, strict=True):
            clean_name = normal_name(name)
            if clean_name in columns:
                raise InputError(f"two columns are called {clean_name!r}", "rename one of them")
            columns[clean_name] = _text_column(clean_name, column)
        return cls(columns, table.num_rows)


def _text_column(name: str, column: pa.ChunkedArray) -> TextColumn:
    if not len(column):
        return TextColumn(pa.array([], pa.string()), np.zeros(0, dtype=np.int32))
    try:
        whole = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        whole = whole.unify_dictionaries().combine_chunks()
        words = whole.dictionary.cast(pa.string()).fill_null("")
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        kind = outer_type(column.type)
        raise InputError(f"column {name!r} holds {kind} values", "convert it to text first") from None
    words = pa.concat_arrays([words, pa.array([""], pa.string())])
    codes = whole.indices.cast(pa.int32()).fill_null(len(words) - 1).to_numpy(zero_copy_only=False)
    return _distinct(words, codes)


def _distinct(words: pa.StringArray, codes: NDArray[np.int32]) -> TextColumn:
    """Only words that occur, each once."""
    used = np.flatnonzero(np.bincount(codes, minlength=len(words)))
    unique = words.take(pa.array(used)).dictionary_encode()
    place = np.zeros(len(words), dtype=np.int32)
    place[used] = unique.indices.to_numpy(zero_copy_only=False)
    return TextColumn(unique.dictionary, place[codes])


def read_written(
    written: Path | BinaryIO, suffix: str, *, lines_in_cells: bool = True, longest_row: int = _BLOCK
) -> TextTable:
    """Read a file that was just written; shares no code with the writers.

    Parameters
    ----------
    written : Path or binary stream
        A stream is read from its beginning: nobody can exchange an open file by its name.
    suffix : str
        ``.csv`` or ``.parquet``.
    lines_in_cells : bool
        Whether a cell may contain a line end; reading is faster if not. A cell with an unexpected line end
        is read as another table, so the later comparison finds it.
    longest_row : int
        Bytes that no row should exceed; a longer one is found in the same way.

    Raises
    ------
    VerificationError
        The file cannot be read.
    """
    if isinstance(written, Path):
        with written.open("rb") as stream:
            return read_written(stream, suffix, lines_in_cells=lines_in_cells, longest_row=longest_row)
    try:
        if suffix == ".parquet":
            return TextTable.of_arrow(pa.parquet.ParquetFile(written).read())
        return TextTable.of_arrow(_read_csv(written, lines_in_cells=lines_in_cells, longest_row=longest_row))
    except (pa.ArrowException, InputError, csv.Error, UnicodeDecodeError, StopIteration):
        raise VerificationError("the written file cannot be read back", "nothing was published") from None


def _read_csv(stream: BinaryIO, *, lines_in_cells: bool, longest_row: int) -> pa.Table:
    head = io.TextIOWrapper(stream, "utf-8", newline="")
    names = next(csv.reader(head, strict=True))
    head.detach()
    stream.seek(0)
    # A dictionary stores each text once.
    text = pa.dictionary(pa.int32(), pa.string())
    return pa.csv.read_csv(
        stream,
        read_options=pa.csv.ReadOptions(block_size=min(max(_BLOCK, 2 * longest_row), _MOST)),
        parse_options=pa.csv.ParseOptions(
            newlines_in_values=lines_in_cells, ignore_empty_lines=len(names) > 1
        ),
        convert_options=pa.csv.ConvertOptions(
            column_types=dict.fromkeys(names, text), strings_can_be_null=False
        ),
    )
