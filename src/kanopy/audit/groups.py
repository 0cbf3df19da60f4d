"""Groups of rows that read alike, and what they hold, counted from the text of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.audit.text import TextColumn, TextTable
from kanopy.data import GroupCounts, Histogram
from kanopy.data.counts import count_distinct
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT
from kanopy.data.keys import group_rows
from kanopy.frames.distinct import DistinctColumn
from kanopy.frames.domains import coded_column
from kanopy.policy import Policy

Groups = tuple[NDArray[np.int32], int]
Persons = NDArray[np.int32] | None


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some or all rows of a table, and the person behind each where that is known."""

    table: TextTable
    persons: Persons = None

    @property
    def unit(self) -> str:
        """What k counts."""
        return "rows" if self.persons is None else "persons"

    def that_tell(self, names: Sequence[str]) -> Rows:
        """Without the rows whose cells in these columns are all suppressed."""
        tells = np.zeros(self.table.n_rows, dtype=bool)
        for name in names:
            column = self.table.columns[name]
            tells |= column.codes != pc.index(column.words, SUPPRESSED_TEXT).as_py()
        columns = {
            name: TextColumn(column.words, column.codes[tells]) for name, column in self.table.columns.items()
        }
        persons = None if self.persons is None else self.persons[tells]
        return Rows(TextTable(columns, int(tells.sum())), persons)

    def grouped(self, names: Sequence[str]) -> Groups:
        """The group of every row among those that agree on these columns; O(rows * columns)."""
        columns = [self.table.columns[name] for name in names]
        return group_rows([c.codes for c in columns], [len(c.words) for c in columns], self.table.n_rows)

    def counts(self, groups: Groups, confidential: Sequence[str], policy: Policy) -> GroupCounts:
        """Rows, persons and confidential values of every group; O(rows * columns)."""
        histograms = {}
        for name in confidential:
            column = coded_column(_as_distinct(name, self.table.columns[name], policy), policy)
            histograms[name] = Histogram.of(column, *groups)
        n_persons = None if self.persons is None else count_distinct(self.persons, *groups)
        return GroupCounts(np.bincount(groups[0], minlength=groups[1]), n_persons, histograms)


def _as_distinct(name: str, column: TextColumn, policy: Policy) -> DistinctColumn:
    """Missing apart from the texts, as promises want it; nothing else about the texts changes."""
    is_missing = pc.is_in(column.words, value_set=pa.array([MISSING_TEXT, *policy.missing], pa.string()))
    is_missing = is_missing.to_numpy(zero_copy_only=False)
    words = column.words.filter(pa.array(~is_missing))
    place = np.where(is_missing, len(words), np.cumsum(~is_missing) - 1).astype(np.int32)
    return DistinctColumn(name, words, words, place[column.codes])
