"""A table as text, without cleaning or guessing; its groups, and what its columns look like."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet
from numpy.typing import NDArray

from kanopy.auditing.counted import Held, Members
from kanopy.auditing.decide import Confidential
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT
from kanopy.data.keys import group_rows
from kanopy.errors import InputError, VerificationError
from kanopy.frames.distinct import DistinctColumn, outer_type
from kanopy.frames.encode import coded_column
from kanopy.frames.numbers import is_number
from kanopy.frames.published import PublishedTable
from kanopy.policy import Policy, normal_name

Groups = tuple[NDArray[np.int32], int]
"""The group of each row, and the number of groups."""

_BLOCK = 1 << 22  # bytes parsed at a time: few enough for the processor's cache
_PATTERNS = {
    "email": re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}"),
    "date": re.compile(
        r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ]\d{1,2}:\d{2}.*)?"  # 2024-05-01, with or without a time
        r"|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}( \d{1,2}:\d{2}.*)?"  # 01.05.2024, 5/1/24
    ),
    "free text": re.compile(r".{41,}|([^ ]* ){4}.*", re.DOTALL),  # long, or at least five words
}
_SAMPLE = 2000
_NEAR_UNIQUE = 0.9
_RARE = 5
_FEW_ROWS = 20  # with fewer rows nearly every column is nearly unique


class TextColumn(NamedTuple):
    """One column: its different texts and the one of each row. Missing is the empty text."""

    words: pa.StringArray
    codes: NDArray[np.int32]


class TextTable(NamedTuple):
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


class TextRows(NamedTuple):
    """Some or all rows of a table, and the person behind each where that is known."""

    table: TextTable
    persons: NDArray[np.int32] | None = None

    @property
    def unit(self) -> str:
        """What k counts."""
        return "rows" if self.persons is None else "persons"

    def with_information(self, names: Sequence[str]) -> TextRows:
        """Without the rows whose cells in these columns are all suppressed."""
        tells = np.zeros(self.table.n_rows, dtype=bool)
        for name in names:
            column = self.table.columns[name]
            tells |= column.codes != pc.index(column.words, SUPPRESSED_TEXT).as_py()
        every = self.table.columns.items()
        columns = {name: TextColumn(column.words, column.codes[tells]) for name, column in every}
        persons = None if self.persons is None else self.persons[tells]
        return TextRows(TextTable(columns, int(tells.sum())), persons)

    def say_nothing(self, names: Sequence[str]) -> bool:
        """Whether all cells of these columns are suppressed; O(rows * columns)."""
        columns = [self.table.columns[name] for name in names]
        return all((each.codes == pc.index(each.words, SUPPRESSED_TEXT).as_py()).all() for each in columns)

    def grouped(self, names: Sequence[str]) -> Groups:
        """The groups of rows that agree on these columns; O(rows * columns)."""
        columns = [self.table.columns[name] for name in names]
        return group_rows([c.codes for c in columns], [len(c.words) for c in columns], self.table.n_rows)

    def confidential(self, members: Members, name: str, policy: Policy) -> Confidential:
        """The values of one column in every group; O(rows), with persons a sort."""
        column = coded_column(_as_distinct(name, self.table.columns[name], policy), policy)
        held, tree = Held.of(members, column.codes, column.domain.n_codes), None
        if (found := column.domain.hierarchy) is not None:
            tree = (found.node_parent, found.node_height, found.ancestors[0].astype(np.int64))
        return Confidential(held, column.domain.code_of, tree)


def texts_in(groups: Groups, column: TextColumn) -> Held:
    """How many rows of each group have each text of a column; O(rows), or a sort where pairs are many."""
    return Held.of(Members.of(*groups, None), column.codes, len(column.words))


def _as_distinct(name: str, column: TextColumn, policy: Policy) -> DistinctColumn:
    """The unchanged texts without missing ones."""
    # PRIVACY: in sorted order, or ordered distances would depend on which row comes first
    # (tests/properties/test_verdict_order.py).
    is_missing = pc.is_in(column.words, value_set=pa.array([MISSING_TEXT, *policy.missing], pa.string()))
    present = np.flatnonzero(~is_missing.to_numpy(zero_copy_only=False))
    words = column.words.take(pa.array(present))
    order = pc.sort_indices(words).to_numpy(zero_copy_only=False)
    place = np.full(len(column.words), len(words), dtype=np.int32)
    place[present[order]] = np.arange(len(words), dtype=np.int32)
    words = words.take(pa.array(order))
    return DistinctColumn(name, words, words, place[column.codes])


@dataclass(frozen=True, slots=True)
class Profile:
    """What one column looks like; counts and shares, no values."""

    n_rows: int
    n_values: int
    n_missing: int
    is_numeric: bool
    looks_like: str  # "identifier", "email", "date", "free text" or empty
    n_rare: int  # values that occur fewer than five times

    @property
    def look(self) -> str:
        """``looks_like`` as words in a sentence."""
        words = {"identifier": "an identifier", "email": "e-mail addresses", "date": "a date"}
        return words.get(self.looks_like, self.looks_like)

    @property
    def distinct_share(self) -> float:
        """Different values per row that has one."""
        return self.n_values / max(self.n_rows - self.n_missing, 1)


def profile_column(name: str, table: TextTable) -> Profile:
    """Profile a column; O(rows). Patterns are looked for in a sample of its texts at even distances."""
    column = table.columns[name]
    counts = np.bincount(column.codes, minlength=len(column.words))
    is_value = pc.not_equal(column.words, MISSING_TEXT).to_numpy(zero_copy_only=False)
    places = np.flatnonzero(is_value)
    sample = column.words.take(pa.array(places[:: max(1, len(places) // _SAMPLE)])).to_pylist()
    n_missing = int(counts[~is_value].sum())
    is_numeric = bool(sample) and all(map(is_number, sample))
    looks_like = _pattern(sample)
    distinct_share = len(places) / max(table.n_rows - n_missing, 1)
    if not looks_like and table.n_rows >= _FEW_ROWS and distinct_share > _NEAR_UNIQUE:
        has_fractions = is_numeric and any("." in word for word in sample)
        looks_like = "" if has_fractions else "identifier"
    n_rare = int((counts[is_value] < _RARE).sum())
    return Profile(table.n_rows, len(places), n_missing, is_numeric, looks_like, n_rare)


def _pattern(sample: list[str]) -> str:
    for looks_like, pattern in _PATTERNS.items():
        if sum(pattern.fullmatch(word) is not None for word in sample) > 0.8 * len(sample):
            return looks_like
    return ""


def read_written(
    written: Path | BinaryIO, suffix: str, *, lines_in_cells: bool = True, longest_row: int = _BLOCK
) -> TextTable:
    """Read a ``.csv`` or ``.parquet`` file that was just written; shares no code with the writers.

    A stream is read from its beginning: nobody can exchange an open file by its name. Reading is faster if no
    cell contains a line end. A file that has one nevertheless, or a row of more than ``longest_row`` bytes,
    is read as another table, so the later comparison finds it, or raises a VerificationError.
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
    blocks = pa.csv.ReadOptions(block_size=min(max(_BLOCK, 2 * longest_row), 2**31 - 1))
    lines = pa.csv.ParseOptions(newlines_in_values=lines_in_cells, ignore_empty_lines=len(names) > 1)
    types = dict.fromkeys(names, pa.dictionary(pa.int32(), pa.string()))  # which stores each text once
    texts = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=False)
    return pa.csv.read_csv(stream, read_options=blocks, parse_options=lines, convert_options=texts)
