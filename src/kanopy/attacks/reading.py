"""The tables of an attack: the people, whom the attacker knows, and the groups of a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data import Cell, CellKind, CodedColumn, Domain, RecodedColumn
from kanopy.data.arrays import Codes, Ints
from kanopy.data.cell import MISSING, SUPPRESSED, exact, members
from kanopy.data.grammar import SUPPRESSED_TEXT, Part, ReadCell, read_cell
from kanopy.data.keys import group_rows
from kanopy.data.scale import DECLARED, PLAIN
from kanopy.data.value_sets import CellTexts, Run, runs_of_names
from kanopy.errors import InputError
from kanopy.frames.distinct import DistinctColumn, distinct_column, persons_of
from kanopy.frames.encode import coded_column
from kanopy.frames.new_rows import PlacedColumn
from kanopy.frames.tables import read_own, read_table
from kanopy.policy import Policy, shown_name
from kanopy.release import Patterns, Release
from kanopy.release.matching import PatternIndex


class ReadTable(NamedTuple):
    """The quasi-identifiers, target and sensitive columns of a table that fits the policy."""

    columns: Mapping[str, DistinctColumn]
    n_rows: int
    persons: NDArray[np.int32] | None = None  # of each row, -1 where not known; None where rows are persons


def read(table: Any, policy: Policy, *, where: str) -> ReadTable:
    """Read a release and check it against the policy; O(rows * columns)."""
    frame = table.frame if isinstance(table, Release) else table
    return _checked(read_table(frame, where=where)[1], policy, where)


def read_people(
    table: Any, policy: Policy, *, where: str, delimiter: str | None = None, encoding: str | None = None
) -> ReadTable:
    """Read rows as they are before any recoding, as the policy says they are written; O(rows * columns)."""
    _, source = read_own(table, policy, where=where, delimiter=delimiter, encoding=encoding, is_new=True)
    return _checked(source, policy, where)


def _checked(source: pa.Table, policy: Policy, where: str) -> ReadTable:
    """The columns of a table that fits the policy; identifiers may be absent."""
    policy.check_columns(source.column_names, released=True)
    if not source.num_rows:
        raise InputError(f"{where} has no rows")
    names = (*policy.quasi_identifiers, *confidential_names(policy))
    columns = {name: distinct_column(name, source[name], policy.missing) for name in names}
    persons = None
    if policy.person is not None and policy.person in source.column_names:
        persons = persons_of(policy.person, source[policy.person], policy.missing)
    return ReadTable(columns, source.num_rows, persons)


def confidential_names(policy: Policy) -> tuple[str, ...]:
    """The columns that an attacker wants to know."""
    return tuple(name for name in (policy.target, *policy.sensitive) if name is not None)


@dataclass(frozen=True, eq=False)
class People:
    """Those whose quasi-identifiers the attacker knows; a row counts as a person, unless these are known."""

    quasi: tuple[CodedColumn, ...]
    n_rows: int
    persons: NDArray[np.int32] | None = None

    @classmethod
    def of(cls, table: ReadTable, policy: Policy) -> People:
        target = None if policy.target is None else table.columns[policy.target]
        quasi = (coded_column(table.columns[name], policy, target) for name in policy.quasi_identifiers)
        return cls(tuple(quasi), table.n_rows, table.persons)

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
        example = group_examples(*self._distinct)
        return [column.codes[example] for column in self.quasi]

    @cached_property
    def placed(self) -> list[PlacedColumn]:
        """The combinations, as ``PatternIndex`` takes them."""
        found = []
        for column, codes in zip(self.quasi, self.combinations, strict=True):
            places, numbers = 2 * np.arange(column.domain.n_codes), np.full(column.domain.n_codes, np.nan)
            if column.domain.numbers is not None:
                numbers[:-1] = column.domain.numbers
            found.append(PlacedColumn(places, places, numbers, codes.astype(np.int32)))
        return found


@dataclass(frozen=True, eq=False)
class ReleaseGroups:
    """The groups of a release: published rows with equal quasi-identifiers."""

    patterns: Patterns  # their cells over the values of the source
    group: NDArray[np.int32]  # of each row

    @classmethod
    def of(cls, release: ReadTable, people: People, where: str) -> ReleaseGroups:
        """Find the groups of a release and read their cells; O(rows * columns + cells * members)."""
        columns = [release.columns[column.domain.name] for column in people.quasi]
        sizes = [len(column.texts) + 1 for column in columns]
        group, n_groups = group_rows([column.codes for column in columns], sizes, release.n_rows)
        example = group_examples(group, n_groups)
        recoded, present = [], []
        for column, original in zip(columns, people.quasi, strict=True):
            domain, occurring = original.domain, np.flatnonzero(original.totals)
            recoded.append(RecodedColumn(domain, _cells(column, domain, where), column.codes[example]))
            present.append(CodedColumn(domain, occurring.astype(original.codes.dtype)))
        return cls(Patterns(tuple(recoded), tuple(present), np.bincount(group, minlength=n_groups)), group)

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


def group_examples(group: Codes, n_groups: int) -> Ints:
    """A row of each group."""
    example = np.zeros(n_groups, dtype=np.int64)
    example[group] = np.arange(len(group))
    return example


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


class CellReader:
    """Reads the published texts of one column as cells over the domain of the source."""

    def __init__(self, domain: Domain) -> None:
        self._numbers = domain.numbers
        self._scale = DECLARED if domain.scale == PLAIN else domain.scale  # a file may write 07 for 7
        self._run_of_name = dict(runs_of_names(domain))
        self._node_of_name: dict[str, int] = {}
        if domain.hierarchy is not None:
            if SUPPRESSED_TEXT not in domain.code_of:  # the root, which is published as suppressed
                self._run_of_name.pop(SUPPRESSED_TEXT)
            self._node_of_name = {label: node for node, label in enumerate(domain.hierarchy.node_label)}

    def read(self, texts: Sequence[str]) -> list[Cell | None]:
        """The cell of each text, None where the source does not know a word of it; O(texts * members).

        A number that the source does not have, such as a mean, becomes a cell that covers no value but lies
        near some.
        """
        cells = [read_text(text) for text in texts]
        run_of = {part: self._run(part) for part in CellTexts.of(cells).parts}
        return [self._cell(text, cell, run_of) for text, cell in zip(texts, cells, strict=True)]

    def _cell(self, text: str, said: ReadCell, run_of: dict[Part, Run | None]) -> Cell | None:
        if said.is_suppressed:
            return SUPPRESSED
        runs = [run for part in said.parts if (run := run_of[part]) is not None]
        if len(runs) < len(said.parts):
            whole = self._run(text)
            return None if whole is None else self._of_run(whole, text, with_missing=False)
        if not runs:
            return MISSING
        if said.means:  # values beyond the outermost means lie near it
            return Cell(CellKind.SKETCH, *runs[0], with_missing=said.with_missing)
        if len(runs) == 1:
            return self._of_run(runs[0], said.parts[0], with_missing=said.with_missing)
        codes = sorted({code for low, high in runs for code in range(low, high + 1)})
        if not codes:
            return self._of_run(runs[0], "", with_missing=said.with_missing)
        found = members(tuple(codes), with_missing=said.with_missing)
        return replace(found, kind=CellKind.SKETCH) if said.is_sketch else found

    def _of_run(self, run: Run, part: Part, *, with_missing: bool) -> Cell:
        low, high = run
        if low == high:
            return exact(low, with_missing=with_missing)
        node = self._node_of_name.get(part, -1) if isinstance(part, str) else -1
        kind = CellKind.RANGE if node < 0 else CellKind.NODE
        return Cell(kind, low, high, with_missing=with_missing, node=node)

    def _run(self, part: Part) -> Run | None:
        """First and last code; the last lies below the first where a number falls between two values."""
        if isinstance(part, str) and part in self._run_of_name:
            return self._run_of_name[part]
        low, high = (part, part) if isinstance(part, str) else part
        lowest, highest = self._scale.ends(low), self._scale.ends(high)
        if self._numbers is None or lowest is None or highest is None:
            return None
        first = int(np.searchsorted(self._numbers, lowest[0], side="left"))
        return first, int(np.searchsorted(self._numbers, highest[1], side="right")) - 1


def read_text(text: str) -> ReadCell:
    """What a published text says; a name, where it is no cell."""
    try:
        return read_cell(text)
    except ValueError:  # other tools write other texts, which a hierarchy may know
        return ReadCell(texts=(text,))
