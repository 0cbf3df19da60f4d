"""A table as text, without cleaning or guessing; its groups, and what its columns look like."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from numpy.typing import NDArray

from kanopy.auditing.counted import Held, Members, added_up
from kanopy.auditing.decide import Confidential
from kanopy.auditing.line_runs import LineRuns, line_runs
from kanopy.auditing.parquet_cells import DigestSink, FieldNotes, opened_parquet, plain_writer, row_groups
from kanopy.data.arrays import Ints
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT
from kanopy.data.keys import counted, group_rows
from kanopy.errors import InputError, VerificationError
from kanopy.frames.csv_form import PLAIN_FORM, CsvForm
from kanopy.frames.distinct import DistinctColumn, outer_type
from kanopy.frames.encode import coded_column
from kanopy.frames.from_numpy import as_arrow
from kanopy.frames.published import FEWEST_REPEATS, PublishedTable
from kanopy.policy import Policy, normal_name

Groups = tuple[NDArray[np.int32], int]
"""The group of each line, and the number of groups."""

_BLOCK = 1 << 22  # bytes parsed at a time: few enough for the processor's cache


class TextColumn(NamedTuple):
    """One column: its different texts and the one of each line. Missing is the empty text."""

    words: pa.StringArray
    codes: NDArray[np.int32]
    weight: Ints | None = None  # the rows of each line; None where every row is a line of its own

    @property
    def counts(self) -> Ints:
        """How many rows have each text; O(lines)."""
        return added_up(self.codes, len(self.words), self.weight)


class TextTable(NamedTuple):
    """A table whose cells are compared as text: lines, and how many equal rows each stands for."""

    columns: Mapping[str, TextColumn]
    n_rows: int
    weight: Ints | None = None  # the same as that of every column

    @classmethod
    def of_published(cls, table: PublishedTable) -> TextTable:
        """A release before it is written."""
        columns = {column.name: distinct_words(column.words, column.codes) for column in table.columns}
        return cls(columns, table.n_rows).weighing(table.weight)

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

    @property
    def n_lines(self) -> int:
        """How many lines stand for all rows."""
        return self.n_rows if self.weight is None else len(self.weight)

    def weighing(self, weight: Ints | None) -> TextTable:
        """A table of the same lines, each of which stands for so many rows."""
        if weight is None:
            return self
        columns = {name: column._replace(weight=weight) for name, column in self.columns.items()}
        return TextTable(columns, int(weight.sum()), weight)

    def in_runs(self) -> TextTable:
        """The same rows, equal neighbours as one line; O(lines * columns)."""
        begins = np.zeros(self.n_lines, dtype=bool)
        begins[:1] = True
        for column in self.columns.values():
            begins[1:] |= column.codes[1:] != column.codes[:-1]
        first = np.flatnonzero(begins)
        ends = np.append(first[1:], self.n_lines)
        weight = ends - first if self.weight is None else np.add.reduceat(self.weight, first)
        every = self.columns.items()
        columns = {name: TextColumn(each.words, each.codes.take(first)) for name, each in every}
        return TextTable(columns, self.n_rows).weighing(weight)

    def in_lines(self) -> TextTable:
        """The same in runs where rows repeat, else as it is; O(lines * columns)."""
        runs = self.in_runs()
        return runs if runs.n_lines * FEWEST_REPEATS <= self.n_rows else self

    def expanded(self) -> TextTable:
        """The same with every row as a line of its own; O(rows * columns)."""
        if self.weight is None:
            return self
        every = self.columns.items()
        columns = {name: TextColumn(each.words, np.repeat(each.codes, self.weight)) for name, each in every}
        return TextTable(columns, self.n_rows)


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
    return distinct_words(words, codes)


def distinct_words(words: pa.StringArray, codes: NDArray[np.int32]) -> TextColumn:
    """A column with only those words that occur, each once; O(lines + words)."""
    used = np.flatnonzero(np.bincount(codes, minlength=len(words)))
    unique = words.take(as_arrow(used)).dictionary_encode()
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

    @classmethod
    def of_persons(cls, table: TextTable, person: str, missing: Sequence[str]) -> TextRows:
        """The rows of a table that has the person column, without weights; a blank person is -1. O(rows)."""
        column = table.columns[person]
        blank = pa.array([MISSING_TEXT, *missing], pa.string())
        is_blank = pc.is_in(column.words, value_set=blank).to_numpy(zero_copy_only=False)
        number = np.where(is_blank, -1, np.arange(len(is_blank))).astype(np.int32)
        if is_blank.all():
            what = f"person column {person!r} is empty in every row"
            raise InputError(what, "persons are counted: fill it in, or name no person, so that rows are")
        return cls(table, number.take(column.codes))

    @property
    def n_nameless(self) -> int:
        """The rows whose person is not known."""
        return 0 if self.persons is None else int(np.count_nonzero(self.persons < 0))

    def with_information(self, names: Sequence[str]) -> TextRows:
        """Without the rows whose cells in these columns are all suppressed."""
        tells = np.zeros(self.table.n_lines, dtype=bool)
        for name in names:
            column = self.table.columns[name]
            tells |= column.codes != pc.index(column.words, SUPPRESSED_TEXT).as_py()
        every = self.table.columns.items()
        columns = {name: TextColumn(column.words, column.codes[tells]) for name, column in every}
        persons = None if self.persons is None else self.persons[tells]
        weight = None if self.table.weight is None else self.table.weight[tells]
        return TextRows(TextTable(columns, int(tells.sum())).weighing(weight), persons)

    def say_nothing(self, names: Sequence[str]) -> bool:
        """Whether all cells of these columns are suppressed; O(rows * columns)."""
        columns = [self.table.columns[name] for name in names]
        return all((each.codes == pc.index(each.words, SUPPRESSED_TEXT).as_py()).all() for each in columns)

    def grouped(self, names: Sequence[str]) -> Groups:
        """The groups of rows that agree on these columns; O(rows * columns)."""
        columns = [self.table.columns[name] for name in names]
        return group_rows([c.codes for c in columns], [len(c.words) for c in columns], self.table.n_lines)

    def members(self, groups: Groups) -> Members:
        """How many rows, or persons, each group has."""
        return Members.of(*groups, self.persons, self.table.weight)

    def confidential(self, members: Members, name: str, policy: Policy) -> Confidential:
        """The values of one column in every group; O(rows), with persons a sort."""
        column = coded_column(_as_distinct(name, self.table.columns[name], policy), policy)
        held, tree = Held.of(members, column.codes, column.domain.n_codes), None
        if (found := column.domain.hierarchy) is not None:
            tree = (found.node_parent, found.node_height, found.ancestors[0].astype(np.int64))
        return Confidential(held, column.domain.code_of, tree)


def texts_in(groups: Groups, column: TextColumn) -> Held:
    """How many rows of each group have each text of a column; O(rows), or a sort where pairs are many."""
    return Held.of(Members.of(*groups, None, column.weight), column.codes, len(column.words))


def _as_distinct(name: str, column: TextColumn, policy: Policy) -> DistinctColumn:
    """The unchanged texts without missing ones."""
    # PRIVACY: in sorted order, or ordered distances would depend on which row comes first
    # (tests/properties/test_verdict_order.py).
    is_missing = pc.is_in(column.words, value_set=pa.array([MISSING_TEXT, *policy.missing], pa.string()))
    present = np.flatnonzero(~is_missing.to_numpy(zero_copy_only=False))
    words = column.words.take(as_arrow(present))
    order = pc.sort_indices(words).to_numpy(zero_copy_only=False)
    place = np.full(len(column.words), len(words), dtype=np.int32)
    place[present[order]] = np.arange(len(words), dtype=np.int32)
    words = words.take(as_arrow(order))
    codes = place.take(column.codes)
    return DistinctColumn(name, words, words, codes, counted(codes, len(words) + 1))


def read_written(
    written: Path | BinaryIO,
    suffix: str,
    *,
    lines_in_cells: bool = True,
    longest_row: int = _BLOCK,
    form: CsvForm = PLAIN_FORM,
) -> TextTable:
    """Read a ``.csv`` or ``.parquet`` file that was just written; shares no code with the writers.

    A stream is read from its beginning: nobody can exchange an open file by its name. Reading is faster if no
    cell contains a line end. A file that has one nevertheless, or a row of more than ``longest_row`` bytes,
    is read as another table, so the later comparison finds it, or raises a VerificationError.
    """
    if isinstance(written, Path):
        with written.open("rb") as stream:
            return read_written(
                stream, suffix, lines_in_cells=lines_in_cells, longest_row=longest_row, form=form
            )
    with _readable():
        if suffix == ".parquet":
            return read_parquet_back(written, in_runs=False)[0]
        rows = _read_csv(written, form, lines_in_cells=lines_in_cells, longest_row=longest_row)
        return TextTable.of_arrow(rows)


def read_parquet_back(
    written: BinaryIO, *, in_runs: bool, notes: FieldNotes | None = None
) -> tuple[TextTable, bytes]:
    """A Parquet file, and the SHA-256 of one that holds its cells, these notes beside the names of columns,
    and nothing else; O(rows * columns).

    Where equal neighbours become one line (``in_runs``), one row group is in memory at a time.
    """
    with _readable():
        opened, sink = opened_parquet(written), DigestSink()
        lines, weights = [opened.schema_arrow.empty_table()], [np.zeros(0, dtype=np.int64)]
        groups = row_groups(opened)
        group = next(groups, None)
        with plain_writer(sink, opened.schema_arrow, group, notes) as writer:
            while group is not None:
                writer.write_table(group.plain(writer.schema))
                lines.append(group.rows.take(as_arrow(group.first)) if in_runs else group.rows)
                weights.append(np.diff(group.first, append=len(group.rows)))
                group = None  # or it would be in memory while the next one is read
                group = next(groups, None)
        table = TextTable.of_arrow(pa.concat_tables(lines))
        table = table.weighing(np.concatenate(weights)).in_runs() if in_runs else table
        return table, sink.sha256.digest()


def read_repeated(
    written: BinaryIO, *, longest_row: int = _BLOCK, form: CsvForm = PLAIN_FORM
) -> tuple[TextTable, LineRuns]:
    """The same for a CSV file whose lines repeat, of which no cell contains a line end; also its lines.

    PRIVACY: equal lines are parsed once. That a line holds one row is checked, else a row in a row would be
    counted as often as the other one (tests/unit/auditing/test_line_runs.py).
    """
    with _readable():
        runs = line_runs(written)
        lines = io.BytesIO(runs.lines)
        table = TextTable.of_arrow(_read_csv(lines, form, lines_in_cells=False, longest_row=longest_row))
        if table.n_rows != len(runs.weight):
            raise InputError("a line is not a row")
        return table.weighing(runs.weight), runs


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, InputError, csv.Error, UnicodeDecodeError, StopIteration, OSError) as error:
        if getattr(error, "errno", None) is not None:  # the Parquet library tells damage without one
            raise
        raise VerificationError("the written file cannot be read back", "nothing was published") from None


def _read_csv(stream: BinaryIO, form: CsvForm, *, lines_in_cells: bool, longest_row: int) -> pa.Table:
    head = io.TextIOWrapper(stream, form.encoding, newline="")
    names = next(csv.reader(head, strict=True, delimiter=form.delimiter))
    head.detach()
    stream.seek(0)
    blocks = pa.csv.ReadOptions(block_size=min(max(_BLOCK, 2 * longest_row), 2**31 - 1))
    lines = pa.csv.ParseOptions(
        delimiter=form.delimiter, newlines_in_values=lines_in_cells, ignore_empty_lines=len(names) > 1
    )
    types = dict.fromkeys(names, pa.dictionary(pa.int32(), pa.string()))  # which stores each text once
    texts = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=False)
    rows = pa.csv.read_csv(stream, read_options=blocks, parse_options=lines, convert_options=texts)
    return rows.rename_columns(form.named(rows.column_names))
