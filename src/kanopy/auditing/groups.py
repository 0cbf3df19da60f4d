"""Groups of rows with equal texts, and their values, counted from the text of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.auditing.counted import Held, Members
from kanopy.auditing.decide import Confidential
from kanopy.auditing.text import TextColumn, TextTable
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT
from kanopy.data.keys import group_rows
from kanopy.frames.distinct import DistinctColumn
from kanopy.frames.encode import coded_column
from kanopy.policy import Policy

Groups = tuple[NDArray[np.int32], int]
"""The group of each row, and the number of groups."""


@dataclass(frozen=True, slots=True, eq=False)
class TextRows:
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
        columns = {
            name: TextColumn(column.words, column.codes[tells]) for name, column in self.table.columns.items()
        }
        persons = None if self.persons is None else self.persons[tells]
        return TextRows(TextTable(columns, int(tells.sum())), persons)

    def grouped(self, names: Sequence[str]) -> Groups:
        """The groups of rows that agree on these columns; O(rows * columns)."""
        columns = [self.table.columns[name] for name in names]
        return group_rows([c.codes for c in columns], [len(c.words) for c in columns], self.table.n_rows)

    def members(self, groups: Groups) -> Members:
        """The members of each group; O(rows), with persons a sort."""
        return Members.of(*groups, self.persons)

    def confidential(self, members: Members, name: str, policy: Policy) -> Confidential:
        """The values of one column in every group; O(rows), with persons a sort."""
        column = coded_column(_as_distinct(name, self.table.columns[name], policy), policy)
        held = Held.of(members, column.codes, column.domain.n_codes)
        tree = column.domain.hierarchy
        if tree is None:
            return Confidential(held, column.domain.code_of)
        leaf = tree.ancestors[0].astype(np.int64)
        return Confidential(held, column.domain.code_of, (tree.node_parent, tree.node_height, leaf))


def texts_in(groups: Groups, column: TextColumn) -> Held:
    """How many rows of each group have each text of a column; O(rows), or a sort where pairs are many."""
    return Held.of(Members.of(*groups, None), column.codes, len(column.words))


def _as_distinct(name: str, column: TextColumn, policy: Policy) -> DistinctColumn:
    """The unchanged texts in sorted order, without missing ones.

    PRIVACY: in order, or ordered distances would depend on which row comes first
    (tests/properties/test_verdict_order.py).
    """
    is_missing = pc.is_in(column.words, value_set=pa.array([MISSING_TEXT, *policy.missing], pa.string()))
    present = np.flatnonzero(~is_missing.to_numpy(zero_copy_only=False))
    words = column.words.take(pa.array(present))
    order = pc.sort_indices(words).to_numpy(zero_copy_only=False)
    place = np.full(len(column.words), len(words), dtype=np.int32)
    place[present[order]] = np.arange(len(words), dtype=np.int32)
    words = words.take(pa.array(order))
    return DistinctColumn(name, words, words, place[column.codes])
