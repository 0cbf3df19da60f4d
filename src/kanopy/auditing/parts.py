"""Files that are one table together: each is read by itself, and only its different lines are kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.auditing.repeated_file import read_repeated_file
from kanopy.auditing.text import TextColumn, TextTable, distinct_words
from kanopy.data.arrays import Ints
from kanopy.data.grammar import MISSING_TEXT
from kanopy.errors import KanopyError
from kanopy.frames.memory import too_large
from kanopy.frames.source import read_source
from kanopy.policy.reading import SourceFormat

_USUAL = SourceFormat()


def read_part(path: str | Path, **form: str | None) -> TextTable:
    """The table in a file of anyone, in lines where its rows repeat; O(rows * columns)."""
    by_lines = read_repeated_file(path, **form)
    return TextTable.of_arrow(read_source(path, _USUAL, **form)).in_lines() if by_lines is None else by_lines


def read_parts(files: Sequence[str], **form: str | None) -> TextTable | None:
    """The table in several files with the same columns, one of them in memory at a time; None where they are
    none. What is wrong with a file is found by who reads all of them as the policy says."""
    joined = JoinedLines()
    try:
        for file in files:
            table = read_part(file, **form)
            if not joined.fits(table):
                return None
            joined.add(table)
    except KanopyError:
        return None
    return joined.table(files[0])


class JoinedLines:
    """The lines of several tables with the same columns, in the order in which they are added."""

    def __init__(self) -> None:
        self._columns: dict[str, list[TextColumn]] = {}
        self._weights: list[Ints | int] = []  # a number where every row is a line of its own

    def fits(self, table: TextTable) -> bool:
        """Whether a table has the columns of those before it."""
        return not self._weights or table.columns.keys() == self._columns.keys()

    def add(self, table: TextTable) -> None:
        """Add the lines of a table; O(columns)."""
        for name, column in table.columns.items():
            self._columns.setdefault(name, []).append(column)
        self._weights.append(table.n_rows if table.weight is None else table.weight)

    def table(self, where: Any) -> TextTable:
        """All lines, of which this is left empty; O(lines * columns)."""
        names, columns = list(self._columns), {}
        for name in names:  # each is given back before the next one is joined
            columns[name] = _joined(self._columns.pop(name), where)
        weights, self._weights = self._weights, []
        n_rows = sum(each if isinstance(each, int) else int(each.sum()) for each in weights)
        table = TextTable(columns, n_rows)
        if all(isinstance(each, int) for each in weights):
            return table
        every = [np.ones(each, dtype=np.int64) if isinstance(each, int) else each for each in weights]
        return table.weighing(np.concatenate(every)).in_runs()


def _joined(columns: Sequence[TextColumn], where: Any) -> TextColumn:
    starts = np.cumsum([0, *(len(column.words) for column in columns)])
    try:
        words = pa.concat_arrays([column.words for column in columns])
    except pa.ArrowException:  # more than 2 GiB of texts
        raise too_large(str(where)) from None
    pairs = zip(columns, starts.tolist(), strict=False)
    return distinct_words(words, np.concatenate([column.codes + np.int32(start) for column, start in pairs]))


def are_rows_sorted(table: TextTable, first: Sequence[str], names: Sequence[str]) -> bool:
    """Whether rows are sorted by the bytes of their texts, by the columns that come ``first``, then by the
    other ``names``, missing the first or the last of a column; O(lines * columns), plus a sort of the texts.

    PRIVACY: any other order could be that of the source (tests/sabotage/test_parts.py).
    """
    is_tie = np.ones(max(table.n_lines - 1, 0), dtype=bool)
    for name in (*first, *(name for name in names if name not in set(first))):
        words, codes = table.columns[name].words, table.columns[name].codes
        place = np.empty(len(words), dtype=np.int32)
        place[np.asarray(pc.sort_indices(words))] = np.arange(len(words), dtype=np.int32)
        for of_missing in (-1, len(words)):
            place[np.asarray(pc.equal(words, MISSING_TEXT))] = of_missing
            steps = np.diff(place.take(codes))
            if not (is_tie & (steps < 0)).any():
                break
        else:
            return False
        is_tie &= steps == 0
    return True
