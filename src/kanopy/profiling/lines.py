"""The columns of a table that were named, as different lines: each is there once, with its number of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.auditing import TextTable
from kanopy.auditing.counted import added_up
from kanopy.auditing.parts import JoinedLines
from kanopy.auditing.text import TextColumn, TextRows, distinct_words
from kanopy.data.grammar import MISSING_TEXT
from kanopy.errors import InputError, PolicyError, near_name
from kanopy.frames.batches import in_batches
from kanopy.frames.numbers import is_declared_number
from kanopy.frames.tables import read_own
from kanopy.policy import Policy, shown_name

_FIRST_ROOM = 1 << 21  # lines that are joined before equal ones among them are counted


class NamedLines(NamedTuple):
    """The different lines of the columns that a policy names, and how many columns it does not name."""

    table: TextTable
    n_others: int


def lines_of(table: Any, policy: Policy, **form: str | None) -> NamedLines:
    """The lines of a frame, a file or a folder of files; O(rows * columns), large files in batches."""
    counter, n_others = LineCounter(policy), 0
    for number, piece in enumerate(_pieces(table, policy, form)):
        if not number:
            n_others = count_others(piece.column_names, policy)
        counter.add(piece)
    return NamedLines(counter.lines(), n_others)


def _pieces(table: Any, policy: Policy, form: dict[str, str | None]) -> Iterator[pa.Table]:
    delimiter, encoding = form.get("delimiter"), form.get("encoding")
    batches = in_batches(table, policy, delimiter=delimiter, encoding=encoding)
    if batches is not None:
        yield from batches
    else:
        yield read_own(table, policy, delimiter=delimiter, encoding=encoding)[1]


def count_others(columns: Sequence[str], policy: Policy) -> int:
    """How many columns were not named; a PolicyError where one was named that is not there. O(columns)."""
    for name, role in policy.roles.items():
        if name not in columns:
            hint = near_name(name, columns) or f"the table has {len(columns)} columns; check the spelling"
            if any(map(is_declared_number, columns)):
                # PRIVACY: without a header the first row would be shown as names
                # (tests/unit/profiling/test_profile.py).
                hint = "does the table lack a header line? else check the spelling"
            what = f"{role} names column {shown_name(name)}, which the table does not have"
            raise PolicyError(what, hint)
    return len(columns) - len(policy.roles)


class LineCounter:
    """Counts equal rows of a table that comes in pieces; O(rows * columns), in memory the different rows."""

    def __init__(self, policy: Policy) -> None:
        self._names, self._missing = list(policy.roles), pa.array(policy.missing, pa.string())
        self._waiting: list[TextTable] = []
        self._room = _FIRST_ROOM

    def add(self, piece: pa.Table, weight: Any = None) -> None:
        """Count the rows of a piece, each as often as it weighs."""
        if piece.num_rows:
            self.add_texts(TextTable.of_arrow(piece.select(self._names)).weighing(weight))

    def add_texts(self, texts: TextTable) -> None:
        """The same for a piece whose cells are texts already; columns that are not named are left out."""
        columns = {name: self._without_marks(texts.columns[name]) for name in self._names}
        self._waiting.append(different_lines(texts._replace(columns=columns)))
        if sum(each.n_lines for each in self._waiting) > self._room:
            self._waiting = [self.lines()]
            self._room = max(2 * self._waiting[0].n_lines, _FIRST_ROOM)

    def lines(self) -> TextTable:
        """All different lines until now; an InputError where there is none."""
        if not self._waiting:
            raise InputError("the table has no rows")
        if len(self._waiting) == 1:
            return self._waiting[0]
        joined = JoinedLines()
        for each in self._waiting:
            joined.add(each)
        return different_lines(joined.table("the table"))

    def _without_marks(self, column: TextColumn) -> TextColumn:
        """The column with the empty text for every text that means missing."""
        is_mark = pc.is_in(column.words, value_set=self._missing)
        if not pc.any(is_mark).as_py():
            return column
        plain = distinct_words(pc.if_else(is_mark, MISSING_TEXT, column.words), column.codes)
        return plain._replace(weight=column.weight)


def different_lines(table: TextTable, names: Sequence[str] = ()) -> TextTable:
    """The different lines of some or all columns, each with its number of rows; O(lines * columns)."""
    names = names or list(table.columns)
    group, n_groups = TextRows(table).grouped(names)
    example = np.empty(n_groups, dtype=np.int64)
    example[group] = np.arange(len(group))
    every = ((name, table.columns[name]) for name in names)
    columns = {name: TextColumn(each.words, each.codes.take(example)) for name, each in every}
    return TextTable(columns, table.n_rows).weighing(added_up(group, n_groups, table.weight))
