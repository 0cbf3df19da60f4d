"""Rows in an order that follows from their content alone, and the published table: words and codes.

Published rows repeat: a table of a million rows may have ten thousand different ones. So a published table is
lines times counts, unless its rows hardly repeat or somebody must be told apart behind each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data import Recoding, Split
from kanopy.data.arrays import Codes, Ints
from kanopy.data.grammar import MISSING_TEXT
from kanopy.data.keys import counted, number_runs, order_of, pack, rank
from kanopy.frames.encode import Encoded
from kanopy.frames.from_numpy import as_arrow

FEWEST_REPEATS = 2
"""Rows per line, on average, from which on lines are worth their while."""


class PublishedColumn(NamedTuple):
    """One column as it is published."""

    name: str
    words: pa.StringArray  # the different texts; missing is the empty text
    values: pa.Array  # the same in the type in which frames and Parquet files hold them; missing is null
    codes: NDArray[np.int32]  # the word of each line


class PublishedTable(NamedTuple):
    """What is published, before it is written: sorted lines, and how many equal rows each stands for."""

    columns: tuple[PublishedColumn, ...]
    n_rows: int
    weight: Ints | None = None  # the rows of each line; None where every row is a line of its own

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def n_lines(self) -> int:
        """How many lines stand for all rows."""
        return self.n_rows if self.weight is None else len(self.weight)

    def expanded(self) -> PublishedTable:
        """The same with every row as a line of its own; O(rows * columns)."""
        if self.weight is None:
            return self
        columns = (column._replace(codes=np.repeat(column.codes, self.weight)) for column in self.columns)
        return PublishedTable(tuple(columns), self.n_rows)

    def to_arrow(self) -> pa.Table:
        """A fresh Arrow table: plain columns, no dictionary, no metadata; O(rows * columns)."""
        columns = self.expanded().columns
        return pa.table({column.name: column.values.take(as_arrow(column.codes)) for column in columns})


class PublishedRows(NamedTuple):
    """Of every published row, in any order, the row that it comes from, and its line in the table."""

    origin: Ints
    line: Codes | None = None  # None: the rows are the lines, in their order

    def of_line(self, facts: NDArray[Any]) -> NDArray[Any]:
        """What is known of each line, for each row."""
        return facts if self.line is None else facts.take(self.line)

    def behind(self, origin: Ints) -> PublishedRows:
        """The same rows, where each of those that they come from comes itself from another one."""
        return PublishedRows(origin.take(self.origin), self.line)

    def in_order(self) -> PublishedRows:
        """The same rows in the order of those that they come from, if they may be in any; O(rows). Who looks
        each of them up then goes through memory from its beginning to its end."""
        if self.line is None or not len(self.origin):
            return self
        line = np.full(int(self.origin.max()) + 1, -1, dtype=self.line.dtype)
        line[self.origin] = self.line
        origin = np.flatnonzero(line >= 0)
        # A row that is published twice is found by who counts them, and not hidden here.
        return PublishedRows(origin, line[origin]) if len(origin) == len(self.origin) else self


def in_canonical_order(encoded: Encoded) -> tuple[Encoded, Ints]:
    """Sort the rows by quasi-identifiers, then by all they publish, then by person; also the source rows.

    Rows that tie are equal in everything that a method sees, so the same rows and seed give the same release.
    O(rows * columns) plus a sort.
    """
    table, passing = encoded.table, encoded.passing
    others = table.others  # and not the table, which would stay in memory
    codes: list[NDArray[Any]] = [column.codes for column in table.quasi]
    sizes = [column.domain.n_codes for column in table.quasi]
    codes += [column.codes for column in passing.values()]
    sizes += [len(column.texts) + 1 for column in passing.values()]
    if table.persons is not None:
        codes, sizes = [*codes, table.persons + 1], [*sizes, int(table.persons.max()) + 2]
    # PRIVACY: the order of the source reaches no method (tests/properties/test_row_order.py).
    order = order_of(*pack(codes, sizes, table.n_rows))
    sorted_table = replace(
        table,
        quasi=tuple(column.in_order(order) for column in table.quasi),
        target=None if table.target is None else table.target.in_order(order),
        confidential={name: column.in_order(order) for name, column in table.confidential.items()},
        persons=None if table.persons is None else table.persons[order],
        others=lambda: tuple(column.in_order(order) for column in others()),
        weight=table.weight_of(order),
    )
    sorted_passing = {
        name: column._replace(codes=column.codes.take(order), weight=sorted_table.weight)
        for name, column in passing.items()
    }
    return encoded._replace(table=sorted_table, passing=sorted_passing), order


def in_parts(encoded: Encoded, split: Split) -> Encoded:
    """The table whose rows are parts of those that were encoded; O(parts * columns)."""
    passing = {
        name: column._replace(codes=column.codes.take(split.origin), weight=split.weight)
        for name, column in encoded.passing.items()
    }
    return encoded._replace(table=split.of(encoded.table), passing=passing)


def publish(encoded: Encoded, recoding: Recoding) -> tuple[PublishedTable, PublishedRows]:
    """The published table, sorted, and the encoded row behind each of its rows.

    O(rows * columns), plus a sort where there are nearly as many different lines as rows.
    """
    groups, n_groups = recoding.groups
    kept = np.flatnonzero(recoding.is_kept)
    passing = {name: column.codes.take(kept) for name, column in encoded.passing.items()}
    if recoding.target is not None:
        passing |= _made_up_target(encoded, recoding.target.take(kept))
    sizes = [len(column.texts) + 1 for column in encoded.passing.values()]
    # PRIVACY: rows are sorted by published cells alone; ties are equal rows (tests/unit/frames).
    keys, n_keys = pack([groups, *passing.values()], [n_groups, *sizes], len(kept))
    # Behind every row there is a person or a leaf of the tree, which equal rows do not share.
    times = encoded.table.weight
    may_repeat = encoded.table.persons is None and (recoding.model is None or times is not None)
    first, line = _lines(keys, n_keys, times) if may_repeat else (order_of(keys, n_keys), None)
    first_row = kept.take(first)
    recoded = {column.domain.name: column for column in recoding.columns}
    columns = []
    for name in encoded.names:
        if name in recoded:
            words, word_of_cell = recoded[name].words
            codes = word_of_cell.take(recoded[name].ids.take(first_row))
            columns.append(_column(name, pa.array(words, pa.string()), None, codes))
        else:
            column = encoded.passing[name]
            words = pa.concat_arrays([column.texts, pa.array([MISSING_TEXT], column.texts.type)])
            values = pa.concat_arrays([column.values, pa.nulls(1, column.values.type)])
            columns.append(_column(name, words, values, passing[name].take(first)))
    if line is None:
        return PublishedTable(tuple(columns), len(kept)), PublishedRows(first_row)
    weight = counted(line, len(first), encoded.table.weight_of(kept))
    return PublishedTable(tuple(columns), int(weight.sum()), weight), PublishedRows(kept, line)


def _lines(keys: Ints, n_keys: int, times: Ints | None) -> tuple[Ints, Codes | None]:
    """A row of each line, the lines in the order of their keys, and the line of every row.

    Where lines hardly repeat, all rows in this order, and None; not if each of them counts several times.
    """
    most_lines = len(keys) if times is not None else len(keys) // FEWEST_REPEATS
    if n_keys <= len(keys):
        line, n_lines = rank(keys, n_keys)
        if n_lines > most_lines:
            return order_of(keys, n_keys), None
        first = np.zeros(n_lines, dtype=np.int64)
        first[line] = np.arange(len(line))
        return first, line
    order = order_of(keys, n_keys)
    in_order, n_lines = number_runs([keys.take(order)], len(keys))
    if n_lines > most_lines:
        return order, None
    line = np.zeros(len(keys), dtype=np.int32)
    line[order] = in_order
    return order[np.searchsorted(in_order, np.arange(n_lines))], line


def _made_up_target(encoded: Encoded, codes: NDArray[Any]) -> dict[str, NDArray[np.int32]]:
    """The codes of made-up classes among the words of the class."""
    target = encoded.table.target
    assert target is not None
    texts = encoded.passing[target.domain.name].texts.to_pylist()
    place = {text: number for number, text in enumerate(texts)}
    # A hierarchy may know classes that the table lacks; none is made up, and -1 would not be published.
    word_of_code = [place.get(label, -1) for label in target.domain.labels] + [len(texts)]
    return {target.domain.name: np.array(word_of_code, dtype=np.int32)[codes]}


def _column(name: str, words: pa.StringArray, values: Any, codes: NDArray[np.int32]) -> PublishedColumn:
    """PRIVACY: words that no published row uses are left behind (tests/unit/frames/test_published.py)."""
    is_used = np.bincount(codes, minlength=len(words)) > 0
    if not is_used.all():
        codes = (np.cumsum(is_used, dtype=np.int32) - np.int32(1))[codes]
        words = words.filter(as_arrow(is_used))
        values = None if values is None else values.filter(as_arrow(is_used))
    if values is None:
        values = pa.array([word or None for word in words.to_pylist()], pa.string())
    return PublishedColumn(name, words, values, codes)


def rewritten(
    table: PublishedTable, rewrite: Callable[[str], str], only: Collection[str] | None = None
) -> PublishedTable:
    """The table with every word put through ``rewrite``, of all columns or only of some."""
    columns = (
        column._replace(words=pa.array([rewrite(word) for word in column.words.to_pylist()], pa.string()))
        if only is None or column.name in only
        else column
        for column in table.columns
    )
    return table._replace(columns=tuple(columns))
