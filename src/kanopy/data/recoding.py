"""What a method decides: for every quasi-identifier and row, a cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.arrays import Bools, Int32s, Ints
from kanopy.data.cell import MISSING, Cell, exact
from kanopy.data.keys import group_rows
from kanopy.data.table import CodedColumn, Domain


@dataclass(frozen=True, eq=False)
class RecodedColumn:
    """One published quasi-identifier: an ordinary dictionary-encoded column whose dictionary holds cells."""

    domain: Domain
    cells: tuple[Cell, ...]
    ids: Int32s
    """The cell of each row; rows that are not kept have any."""

    @classmethod
    def unchanged(cls, column: CodedColumn) -> RecodedColumn:
        """Every value as it is."""
        values = [exact(code) for code in range(column.domain.n_values)]
        return cls(column.domain, (*values, MISSING), column.codes.astype(np.int32))

    @cached_property
    def texts(self) -> list[str]:
        """The words of each cell, made once per cell and never per row."""
        return [cell.text(self.domain) for cell in self.cells]

    @cached_property
    def words(self) -> tuple[list[str], Int32s]:
        """The different texts, sorted, and which of them each cell prints.

        Cells may print alike (two groups with the same mean): as text, and so for the promise, they are one.
        """
        words = sorted(set(self.texts))
        place = {word: number for number, word in enumerate(words)}
        return words, np.array([place[text] for text in self.texts], dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Recoding:
    """A method's whole answer.

    Parameters
    ----------
    columns : tuple of RecodedColumn
        In the order of the table's quasi-identifiers.
    is_kept : array of bool
        Which rows are published.
    parts : array of int, optional
        A grouping of the rows, numbered from 0, whose rows print alike; it spares comparing them one by one.
    facts : mapping
        What the method wants to be told with the release, for instance how many cells it falsified; goes
        into the manifest, so no cell values.
    target : array of int, optional
        The published class of each row as a code, where the method makes the classes up.
    model : object, optional
        What the method publishes beside the table.
    """

    columns: tuple[RecodedColumn, ...]
    is_kept: Bools
    parts: Int32s | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    target: NDArray[np.unsignedinteger[Any]] | None = None
    model: Any = None

    @property
    def n_kept(self) -> int:
        """How many rows are published."""
        return int(self.is_kept.sum())

    def repeated(self, times: Ints) -> Recoding:
        """The recoding of a table that has each row so many times, one after the other."""
        rows = np.repeat(np.arange(len(self.is_kept)), times)
        return replace(
            self,
            columns=tuple(replace(column, ids=column.ids[rows]) for column in self.columns),
            is_kept=self.is_kept[rows],
            parts=None if self.parts is None else self.parts[rows],
            target=None if self.target is None else self.target[rows],
        )

    @cached_property
    def groups(self) -> tuple[Int32s, int]:
        """The group of each *kept* row, compared as text, and the number of groups.

        Groups are numbered in the order of their texts. O(rows * columns).
        """
        kept = np.flatnonzero(self.is_kept)
        if self.parts is None or not len(kept):
            return self._compared(kept)
        part = self.parts.take(kept)
        example = np.zeros(int(part.max()) + 1, dtype=np.int64)
        example[part] = kept
        group_of_part, n_groups = self._compared(example)
        return group_of_part.take(part), n_groups

    def _compared(self, rows: Ints) -> tuple[Int32s, int]:
        """Number the given rows by what they print."""
        codes = [column.words[1].take(column.ids.take(rows)) for column in self.columns]
        return group_rows(codes, [len(column.words[0]) for column in self.columns], len(rows))
