"""What may be told about each column: what became of its cells, and how its values are spread."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from kanopy.auditing.text import TextColumn, TextTable
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT
from kanopy.reporting.tally import Counting, Tally

KINDS = ("exact", "generalized", "suppressed", "missing")
_SHOWN_VALUES = 8


@dataclass(frozen=True, slots=True)
class CellKinds:
    """What became of the cells of one quasi-identifier.

    Parameters
    ----------
    column : str
    rows : tuple of Tally, or None
        In the order of ``KINDS``; None where one of them has too few rows, so that none is told.
    """

    column: str
    rows: tuple[Tally, ...] | None


@dataclass(frozen=True, slots=True)
class Value:
    """A published value, and how many rows have it; the empty text is missing."""

    text: str
    rows: Tally


@dataclass(frozen=True, slots=True)
class Values:
    """How the values of a column that is published as it is are spread.

    Parameters
    ----------
    column, role : str
    shown : tuple of Value
        The most frequent first; none that is rarer than the floor.
    others : Tally
        Rows with a value that is not shown.
    """

    column: str
    role: str
    shown: tuple[Value, ...]
    others: Tally


def cell_kinds(table: TextTable, counting: Counting, column: str, generalized: Collection[str]) -> CellKinds:
    """Count the cells of a quasi-identifier by kind; O(rows).

    Parameters
    ----------
    generalized : collection of str
        The texts that stand for more than one value.
    """
    cells = table.columns[column]
    kinds = np.array([_kind(word, generalized) for word in cells.words.to_pylist()], dtype=np.int8)
    return CellKinds(column, counting.tallies(kinds[cells.codes], len(KINDS)))


def _kind(word: str, generalized: Collection[str]) -> int:
    if word == SUPPRESSED_TEXT:
        return KINDS.index("suppressed")
    if word == MISSING_TEXT:
        return KINDS.index("missing")
    return KINDS.index("generalized" if word in generalized else "exact")


def values(table: TextTable, counting: Counting, column: str, role: str, frequent: Collection[str]) -> Values:
    """The frequent values of a column that is published as it is; O(rows), with persons plus a sort.

    PRIVACY: a value that fewer rows (or persons) have than the floor is not shown, and neither is so much
    that the rest could be told by subtraction (tests/unit/reporting/test_rare_values.py). Where classes are
    made up, it must be ``frequent`` in the source as well.
    """
    cells: TextColumn = table.columns[column]
    members = counting.members_of(cells.codes, len(cells.words))
    order = np.lexsort((np.arange(len(members)), -members))[:_SHOWN_VALUES]
    shown = [
        int(code)
        for code in order
        if members[code] >= counting.floor and cells.words[int(code)].as_py() in frequent
    ]
    while shown:
        is_other = ~np.isin(cells.codes, shown)
        if not 0 < counting.members(is_other) < counting.floor:
            break
        shown.pop()
    told = [Value(cells.words[code].as_py(), counting.tally(cells.codes == code)) for code in shown]
    if not all(value.rows.is_told for value in told):
        told = []
    is_other = ~np.isin(cells.codes, shown if told else [])
    return Values(column, role, tuple(told), counting.tally(is_other))
