"""How a report shows a published cell: as it is, or without the rare values that it names.

A cell is not shown as it is where it names a value that fewer rows (or persons) of the source have than the
floor: ``{green, violet}`` with a single violet is "one of 2 values". What names no value of the source stays:
``*``, a mean over a group, and the nodes of a hierarchy, unless their label lists values.

Exact values and sets of a column are all shown as they are or none is: otherwise a set that is only described
would say that somebody rare is in it, and an exact value that is not named that it was swapped. Ranges are
judged one by one: the outermost range of nearly every column ends in a rare number, which is no news, and to
hide all others with it would leave nothing to see. How wide a range is that is not shown is not told either:
beside ranges that are shown it would give its ends.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from kanopy.data import Hierarchy
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT, ReadCell, read_cell

_TOGETHER = frozenset({"exact", "set"})
"""Kinds of which all cells of a column are shown as they are, or none."""

_LISTED = " | "
"""What stands between values in the label of a node that was merged from them."""

_MORE = re.compile(r"\d+ more")
"""How such a label ends where it does not list all of them."""


@dataclass(frozen=True, slots=True)
class Unnamed:
    """What is shown instead of a cell that names a rare value, such as *one of 2 values*."""

    words: str


def shown_cells(
    texts: Iterable[str],
    frequent: frozenset[str],
    generalized: Collection[str],
    hierarchy: Hierarchy | None,
) -> dict[str, str | Unnamed]:
    """How each published text of a quasi-identifier is shown; O(texts).

    Parameters
    ----------
    texts : iterable of str
        All texts of the column, not only those of the rows to be shown.
    frequent : frozenset of str
        The values that enough rows of the source have.
    generalized : collection of str
        The texts that stand for more than one value.
    hierarchy : Hierarchy, optional

    PRIVACY: no value that is rarer than the floor is named (tests/unit/reporting/test_rare_cells.py).
    """
    nodes = frozenset() if hierarchy is None else frozenset(hierarchy.node_label) - set(hierarchy.leaves)
    cells = {text: read_cell(text) for text in texts}
    kinds = {text: _kind(text, cell, nodes, generalized) for text, cell in cells.items()}
    is_rare = {
        text: kinds[text] != "mean" and not _named(cell, nodes) <= frequent for text, cell in cells.items()
    }
    unsafe_kinds = {kinds[text] for text in cells if is_rare[text]} & _TOGETHER
    return {
        text: Unnamed(_words(kinds[text], cell)) if is_rare[text] or kinds[text] in unsafe_kinds else text
        for text, cell in cells.items()
    }


def _kind(text: str, cell: ReadCell, nodes: Collection[str], generalized: Collection[str]) -> str:
    if text == SUPPRESSED_TEXT:
        return "suppressed"
    if cell.ranges:
        return "range"
    if any(name in nodes for name in cell.texts):
        return "node"
    if len(cell.texts) + cell.with_missing > 1:
        return "set"
    return "mean" if text in generalized else "exact"


def _named(cell: ReadCell, nodes: Collection[str]) -> set[str]:
    """The values that a reader of the cell gets to know; missing is one."""
    named = {end for ends in cell.ranges for end in ends}
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
    return {"range": "a range", "node": "a group of values"}.get(kind, "one value")
