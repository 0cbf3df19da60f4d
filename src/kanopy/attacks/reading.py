"""The tables of an attack: the people, whom the attacker knows, and the groups of a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.attacks.cells import CellReader
from kanopy.data import Cell, CodedColumn, Domain, RecodedColumn
from kanopy.data.cell import MISSING
from kanopy.data.keys import group_rows
from kanopy.errors import InputError
from kanopy.frames.distinct import DistinctColumn, distinct_column
from kanopy.frames.encode import coded_column
from kanopy.frames.new_rows import PlacedColumn
from kanopy.frames.tables import read_table
from kanopy.policy import Policy, shown_name
from kanopy.release import Patterns, Release
from kanopy.release.matching import PatternIndex

Ints = NDArray[np.int64]
Codes = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class ReadTable:
    """The quasi-identifiers, target and sensitive columns of a table that fits the policy."""

    columns: Mapping[str, DistinctColumn]
    n_rows: int


def read(
    table: Any, policy: Policy, *, where: str, delimiter: str | None = None, encoding: str = "utf-8"
) -> ReadTable:
    """Read a release or a source and check it against the policy; O(rows * columns).

    Identifiers and the person column may be absent.
    """
    if isinstance(table, Release):
        table = table.frame
    _, source = read_table(table, where=where, delimiter=delimiter, encoding=encoding)
    policy.check_columns(source.column_names, released=True)
    if not source.num_rows:
        raise InputError(f"{where} has no rows")
    names = (*policy.quasi_identifiers, *confidential_names(policy))
    columns = {name: distinct_column(name, source[name], policy.missing) for name in names}
    return ReadTable(columns, source.num_rows)


def confidential_names(policy: Policy) -> tuple[str, ...]:
    """The columns that an attacker wants to know."""
    return (*(() if policy.target is None else (policy.target,)), *policy.sensitive)


@dataclass(frozen=True, eq=False)
class People:
    """Those whose quasi-identifiers the attacker knows; a row counts as a person."""

    quasi: tuple[CodedColumn, ...]
    n_rows: int

    @classmethod
    def of(cls, table: ReadTable, policy: Policy) -> People:
        target = None if policy.target is None else table.columns[policy.target]
        quasi = (coded_column(table.columns[name], policy, target) for name in policy.quasi_identifiers)
        return cls(tuple(quasi), table.n_rows)

    @cached_property
    def _distinct(self) -> tuple[NDArray[np.int32], int]:
        sizes = [column.domain.n_codes for column in self.quasi]
        return group_rows([column.codes for column in self.quasi], sizes, self.n_rows)

    @property
    def kind(self) -> NDArray[np.int32]:
        """The number of each person's combination of quasi-identifiers."""
        return self._distinct[0]

    @cached_property
    def combinations(self) -> list[Codes]:
        """The different combinations, column by column."""
        example = _examples(*self._distinct)
        return [column.codes[example] for column in self.quasi]

    @cached_property
    def placed(self) -> list[PlacedColumn]:
        """The combinations, as ``PatternIndex`` takes them."""
        return [
            _placed(column.domain, codes) for column, codes in zip(self.quasi, self.combinations, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class ReleaseGroups:
    """The groups of a release: published rows with equal quasi-identifiers.

    ``patterns`` are their cells over the values of the source, ``group`` is the group of each row.
    """

    patterns: Patterns
    group: NDArray[np.int32]

    @classmethod
    def of(cls, release: ReadTable, people: People, where: str) -> ReleaseGroups:
        """Find the groups of a release and read their cells; O(rows * columns + cells * members)."""
        columns = [release.columns[column.domain.name] for column in people.quasi]
        group, n_groups = group_rows(
            [column.codes for column in columns], [len(c.texts) + 1 for c in columns], release.n_rows
        )
        example = _examples(group, n_groups)
        recoded = tuple(
            RecodedColumn(original.domain, _cells(column, original.domain, where), column.codes[example])
            for column, original in zip(columns, people.quasi, strict=True)
        )
        present = tuple(
            CodedColumn(column.domain, np.flatnonzero(column.totals).astype(column.codes.dtype))
            for column in people.quasi
        )
        return cls(Patterns(recoded, present, np.bincount(group, minlength=n_groups)), group)

    @property
    def n_groups(self) -> int:
        return self.patterns.n_patterns

    @property
    def sizes(self) -> Ints:
        """The rows of each group."""
        return self.patterns.n_rows

    @cached_property
    def index(self) -> PatternIndex:
        return PatternIndex(self.patterns)


def shared_codes(columns: Sequence[DistinctColumn]) -> tuple[list[Ints], int]:
    """The same column of several tables with common codes, missing the last, and their number; O(rows)."""
    every = sorted(set().union(*(column.texts.to_pylist() for column in columns)))
    place = {text: code for code, text in enumerate(every)}
    coded = []
    for column in columns:
        places = [place[text] for text in column.texts.to_pylist()]
        coded.append(np.array([*places, len(every)], dtype=np.int64)[column.codes])
    return coded, len(every) + 1


def _examples(group: Codes, n_groups: int) -> Ints:
    """A row of each group."""
    example = np.zeros(n_groups, dtype=np.int64)
    example[group] = np.arange(len(group))
    return example


def _placed(domain: Domain, codes: Codes) -> PlacedColumn:
    places = 2 * np.arange(domain.n_codes)
    numbers = np.full(domain.n_codes, np.nan)
    if domain.numbers is not None:
        numbers[:-1] = domain.numbers
    return PlacedColumn(places, places, numbers, codes.astype(np.int32))


def _cells(column: DistinctColumn, domain: Domain, where: str) -> tuple[Cell, ...]:
    """The cells of a published column; missing is the last."""
    cells = CellReader(domain).read(column.texts.to_pylist())
    is_unknown = np.array([cell is None for cell in cells] + [False])
    if is_unknown.any():
        n_rows = int(is_unknown[column.codes].sum())
        raise InputError(
            f"{where}: {n_rows:,} cells of column {shown_name(domain.name)} name nothing that the source has",
            "give the table it was made from, and a policy with the hierarchy of the column",
        )
    return (*(cell for cell in cells if cell is not None), MISSING)
