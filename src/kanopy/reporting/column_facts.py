"""What a report says about each column: its kinds of cells, its values, and how single cells are shown.

A cell is described where it names a value that fewer rows (or persons) of the source have than the floor:
``{green, violet}`` with a single violet is "one of 2 values". A text that names no value of the source is
shown: ``*``, a mean over a group, a node of a hierarchy whose label lists no values.

Of the exact values and sets of a column all are shown or none. Otherwise a described set would reveal that
somebody rare is in this group, and a described exact value that it was swapped. Ranges are described one by
one: the outermost range of nearly every column ends in a rare number, so this reveals little. The width of a
described range is not shown, because together with the ranges that are shown it would reveal its ends.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from kanopy.auditing.text import TextTable
from kanopy.data import Hierarchy
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT, ReadCell, read_cell
from kanopy.reporting.tally import Counting, Tally

KINDS = ("exact", "generalized", "suppressed", "missing")
_SHOWN_VALUES = 8
_TOGETHER = frozenset({"exact", "set", "sketch"})  # kinds of which all cells of a column are shown, or none
_LISTED = " | "  # separates values in the label of a node that was merged from them
_MORE = re.compile(r"\d+ more")  # the end of such a label where it does not list all values


@dataclass(frozen=True, slots=True)
class CellKinds:
    """Rows of a quasi-identifier by ``KINDS``; None where one of them has too few rows."""

    column: str
    rows: tuple[Tally, ...] | None


@dataclass(frozen=True, slots=True)
class Value:
    """A published value and its rows; the empty text is missing."""

    text: str
    rows: Tally


@dataclass(frozen=True, slots=True)
class Values:
    """The most frequent values of a column that is published unchanged, and the rows with ``others``."""

    column: str
    role: str
    shown: tuple[Value, ...]
    others: Tally


def cell_kinds(table: TextTable, counting: Counting, column: str, generalized: Collection[str]) -> CellKinds:
    """Count the cells of a quasi-identifier by kind; O(rows). ``generalized`` are the texts of that kind."""

    def kind(word: str) -> int:
        special = {SUPPRESSED_TEXT: "suppressed", MISSING_TEXT: "missing"}
        return KINDS.index(special.get(word, "generalized" if word in generalized else "exact"))

    cells = table.columns[column]
    kinds = np.array([kind(word) for word in cells.words.to_pylist()], dtype=np.int8)[cells.codes]
    told = tuple(counting.tally(kinds == number) for number in range(len(KINDS)))
    # PRIVACY: where one kind has too few rows, the others would reveal it
    # (tests/unit/reporting/test_small_counts.py).
    return CellKinds(column, told if all(tally.is_told for tally in told) else None)


def values(table: TextTable, counting: Counting, column: str, role: str, frequent: Collection[str]) -> Values:
    """The frequent values of a column that is published unchanged; O(rows), with persons plus a sort.

    PRIVACY: a value of fewer rows (or persons) than the floor is not shown, and neither are values from which
    the rest would follow by subtraction (tests/unit/reporting/test_rare_values.py). A value must be
    ``frequent`` in the source as well, as classes may be synthetic.
    """
    cells = table.columns[column]
    members = counting.members_of(cells.codes, len(cells.words))
    shown = [
        int(code)
        for code in np.argsort(-members, kind="stable")[:_SHOWN_VALUES]
        if members[code] >= counting.floor and cells.words[int(code)].as_py() in frequent
    ]
    while shown and counting.are_few(~np.isin(cells.codes, shown)):
        shown.pop()
    told = [Value(cells.words[code].as_py(), counting.tally(cells.codes == code)) for code in shown]
    if not all(value.rows.is_told for value in told):
        shown, told = [], []
    return Values(column, role, tuple(told), counting.tally(~np.isin(cells.codes, shown)))


@dataclass(frozen=True, slots=True)
class Unnamed:
    """The description of a cell that names a rare value, such as *one of 2 values*."""

    words: str


def shown_cells(
    texts: Iterable[str], frequent: frozenset[str], generalized: Collection[str], hierarchy: Hierarchy | None
) -> dict[str, str | Unnamed]:
    """How each published text of a quasi-identifier is shown; O(texts).

    ``frequent`` values occur in enough rows of the source; ``generalized`` texts stand for several values.

    PRIVACY: no value that is rarer than the floor is named (tests/unit/reporting/test_rare_cells.py).
    """
    nodes = frozenset() if hierarchy is None else frozenset(hierarchy.node_label) - set(hierarchy.leaves)
    cells = {text: read_cell(text) for text in texts}
    kinds = {text: _kind(text, cell, nodes, generalized) for text, cell in cells.items()}
    rare = {text for text in cells if kinds[text] != "mean" and not _named(cells[text], nodes) <= frequent}
    unsafe_kinds = {kinds[text] for text in rare} & _TOGETHER
    return {
        text: Unnamed(_words(kinds[text], cell)) if text in rare or kinds[text] in unsafe_kinds else text
        for text, cell in cells.items()
    }


def _kind(text: str, cell: ReadCell, nodes: Collection[str], generalized: Collection[str]) -> str:
    if text == SUPPRESSED_TEXT:
        return "suppressed"
    if cell.is_sketch:
        return "sketch"
    if cell.ranges:
        return "range"
    if any(name in nodes for name in cell.texts):
        return "node"
    if len(cell.texts) + cell.with_missing > 1:
        return "set"
    return "mean" if text in generalized else "exact"


def _named(cell: ReadCell, nodes: Collection[str]) -> set[str]:
    """The values that a reader of the cell learns; missing is one, and means are none."""
    named = set() if cell.means else {end for ends in cell.ranges for end in ends}
    for text in cell.texts:
        if text not in nodes:
            named.add(text)
        elif _LISTED in text:  # the label of a node lists the values below it
            *parts, last = text.split(_LISTED)
            named.update(parts if _MORE.fullmatch(last) else [*parts, last])
    return named | ({MISSING_TEXT} if cell.with_missing else set())


def _words(kind: str, cell: ReadCell) -> str:
    if kind == "set":
        return f"one of {len(cell.texts) + cell.with_missing:,} values"
    if kind == "sketch":
        return f"the counts of {len(cell.counts):,} values"
    return {"range": "a range", "node": "a group of values"}.get(kind, "one value")
