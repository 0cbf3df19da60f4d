"""What the cells of a published column mean, told by its published texts and by the custodian's decisions.

PRIVACY: nothing here asks the source. A value that is suppressed everywhere, or was never published, is not
in the texts, and so in no codebook (tests/sabotage/test_codebook_leaks.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from kanopy.data.grammar import MISSING_TEXT, ReadCell, read_any_text
from kanopy.data.scale import Calendar, TextScale, scale_of

QUASI = "quasi_identifiers"
"""The role of columns that are published as cells; all others are published as they are."""

NOT_SHOWN = "not shown"
"""What ``*`` stands for where a value is recoded alike in all rows; elsewhere it is any value."""


MOST_LEVELS = 1_000
"""Levels of a column that are listed; what else there is, the cells themselves show."""


class Cells(StrEnum):
    """What a published column holds. The texts are in files that others have: they stay as they are."""

    NUMBERS = "numbers"
    MEANS = "means"
    DATES = "dates"
    TEXTS = "texts"
    PLAIN_NUMBERS = "plain numbers"
    PLAIN_DATES = "plain dates"
    PLAIN_TEXTS = "plain texts"
    PLAIN = "plain values"

    @property
    def is_cells(self) -> bool:
        """Whether a text of the column may stand for several values."""
        return self in (Cells.NUMBERS, Cells.MEANS, Cells.DATES, Cells.TEXTS)

    @property
    def are_numbers(self) -> bool:
        return self in (Cells.NUMBERS, Cells.MEANS, Cells.PLAIN_NUMBERS)

    @property
    def sentence(self) -> str:
        """What that means, in one sentence."""
        return _SENTENCES[self]


_SENTENCES = {
    Cells.NUMBERS: "a number, a range [low, high] of numbers with both ends, or a set {...} of them",
    Cells.MEANS: "a number that stands for a group of rows, such as its mean: not that of the person",
    Cells.DATES: "a date or a period such as 2020-03, a range [first, last] of them, or a set {...} of them",
    Cells.TEXTS: "a text, or a set {a, b} of texts of which one is meant",
    Cells.PLAIN_NUMBERS: "a number, as it is in the source",
    Cells.PLAIN_DATES: "a date, as it is in the source",
    Cells.PLAIN_TEXTS: "a text, as it is in the source",
    Cells.PLAIN: "a value, as it is in the source",
}
_PLAIN = {
    Cells.NUMBERS: Cells.PLAIN_NUMBERS,
    Cells.DATES: Cells.PLAIN_DATES,
    Cells.TEXTS: Cells.PLAIN_TEXTS,
}


class Kind(NamedTuple):
    """A kind of cell that a column has: how it is written, and what it says."""

    pattern: str
    meaning: str


_SUPPRESSED = {
    "": Kind("*", "suppressed: any value of the column, or missing"),
    NOT_SHOWN: Kind(
        "*", "suppressed: exactly what no other cell of the column stands for; which is not told"
    ),
}
SUPPRESSED_TEXT = _SUPPRESSED[""].pattern


def suppressed_of(meaning: str | None) -> str:
    """What ``*`` stands for, by the sentence that a codebook has for it; else any value."""
    return NOT_SHOWN if meaning == _SUPPRESSED[NOT_SHOWN].meaning else "any"


AS_IT_IS = Kind("value", "exactly this value")
MISSING = Kind("", "missing in the source")
_RANGE = Kind("[low, high]", "one value between low and high, both included")
_MEMBERS = Kind("{a, b}", "one of these members")
_MEANS = Kind(
    "~[a, b]",
    "the numbers of all rows with these cells, from small to large in parts of equal size: their means",
)
_COUNTS = Kind("{a: 3, b: 2}", "the values of all rows with these cells: 3 of every 5 have a, 2 have b")
_COUNTED_MISSING = Kind("{: 2, a: 3}", "before the first colon stands nothing: missing, in 2 of every 5 rows")
_OR_MISSING = Kind("{, a}", "one of the members, or missing: before the first comma stands nothing")
_NODE = Kind("name", "a group of values with a name: one of the values below it in the publisher's hierarchy")
_CENSORED = Kind("<5", "below this bound (above it for >), and not told more exactly; <= and >= include it")
_ESCAPED = Kind("\\...", "the text behind the backslash, which could be mistaken for another kind of cell")


class Decisions(NamedTuple):
    """What the custodian decided, and is told beside a release anyway."""

    roles: Mapping[str, str]
    suppressed: Mapping[str, str]  # per quasi-identifier, as the manifest has it
    categorical: Collection[str] = ()  # columns of texts, whatever they look like
    has_means: bool = False  # whether numbers stand for groups
    nodes: Mapping[str, Collection[str]] = {}  # per column, the names of groups in its hierarchy
    dates: Collection[str] = ()  # columns of dates: years alone look like numbers


class ColumnMeaning(NamedTuple):
    """What a codebook says of one column."""

    name: str
    role: str
    cells: Cells
    suppressed: str  # what ``*`` stands for; empty where there is no cell of the kind
    kinds: tuple[Kind, ...]  # that occur in it
    levels: tuple[str, ...]  # what its cells name, in their order; of numbers and dates the ends alone
    nodes: frozenset[str]  # the levels that are names of groups
    n_levels: int  # of texts, also those that are too many to be listed

    @property
    def is_ordered(self) -> bool:
        """Whether the levels are the first and the last of an order."""
        return self.cells not in (Cells.TEXTS, Cells.PLAIN_TEXTS, Cells.PLAIN)


def column_meaning(name: str, words: Iterable[str], decided: Decisions) -> ColumnMeaning:
    """What the published texts of a column, each given once, say about it; O(members of the texts)."""
    role = decided.roles.get(name, "")
    known = frozenset(decided.nodes.get(name, ()))
    is_quasi = role in (QUASI, "")  # a file that nothing is known of may hold cells anywhere
    texts = list(words)
    read = [read_any_text(text) if is_quasi else _as_it_is(text) for text in texts]
    named = set(chain.from_iterable(cell.texts for cell in read))
    ends = {end for cell in read for range_ in cell.ranges for end in range_}
    nodes = frozenset(named & known)
    scale = None
    if name not in decided.categorical:
        scale = scale_of((named - nodes) | ends, has_ranges=bool(ends), are_dates=name in decided.dates)
    holds = Cells.TEXTS if scale is None else Cells.DATES if isinstance(scale, Calendar) else Cells.NUMBERS
    suppressed = ""
    if is_quasi:
        if holds is Cells.NUMBERS and decided.has_means:
            holds = Cells.MEANS
        suppressed = decided.suppressed.get(name, "any") if any(c.is_suppressed for c in read) else ""
    else:
        holds = _PLAIN[holds]
    levels = _levels(named, ends, nodes, scale)
    kinds = tuple(_kinds(texts, read, holds, nodes, suppressed))
    listed = levels[:MOST_LEVELS]
    return ColumnMeaning(name, role, holds, suppressed, kinds, listed, nodes & {*listed}, len(levels))


def unseen_meaning(name: str, role: str) -> ColumnMeaning:
    """A column whose values nobody has looked at, as they never left a cluster."""
    return ColumnMeaning(name, role, Cells.PLAIN, "", (), (), frozenset(), 0)


def _as_it_is(text: str) -> ReadCell:
    return ReadCell(with_missing=True) if text == MISSING_TEXT else ReadCell(texts=(text,))


def _levels(
    named: set[str], ends: set[str], nodes: frozenset[str], scale: TextScale | None
) -> tuple[str, ...]:
    if scale is None:
        return tuple(sorted(named))
    ordered = scale.ordered([text for text in named | ends if scale.holds(text)])
    return (ordered[0], ordered[-1], *sorted(nodes)) if ordered else tuple(sorted(nodes))


def _kinds(
    texts: Sequence[str], read: Sequence[ReadCell], holds: Cells, nodes: frozenset[str], suppressed: str
) -> Iterable[Kind]:
    """Those that occur, in the order of the grammar."""
    is_open = [text[:1] == "{" and len(cell.parts) + cell.with_missing > 1
               for text, cell in zip(texts, read, strict=True)]  # fmt: skip
    sets = [
        cell
        for cell, is_set in zip(read, is_open, strict=True)
        if is_set and holds.is_cells and not cell.is_sketch
    ]
    alone = {
        cell.texts[0] for cell in read if len(cell.texts) == 1 and not cell.ranges and not cell.is_sketch
    }
    if alone - nodes:
        yield AS_IT_IS if holds is not Cells.MEANS else Kind("value", holds.sentence)
    if MISSING_TEXT in texts:
        yield MISSING
    if any(cell.ranges and not cell.means for cell in read):
        yield _RANGE
    yield from _kinds_of_sketches(read)
    if holds.are_numbers and any(text[:1] in ("<", ">") for cell in read for part in cell.parts
                                 for text in ((part,) if isinstance(part, str) else part)):  # fmt: skip
        yield _CENSORED
    if any(len(cell.parts) > 1 for cell in sets):
        yield _MEMBERS
    if any(cell.with_missing for cell in sets):
        yield _OR_MISSING
    if nodes:
        yield _NODE
    if holds.is_cells and any(text[:1] == "\\" and cell.texts != (text,)
                              for text, cell in zip(texts, read, strict=True)):  # fmt: skip
        yield _ESCAPED
    if suppressed:
        yield _SUPPRESSED.get(suppressed, _SUPPRESSED[""])


def _kinds_of_sketches(read: Sequence[ReadCell]) -> Iterable[Kind]:
    if any(cell.means for cell in read):
        yield _MEANS
    if any(cell.counts and not cell.means for cell in read):
        yield _COUNTS
    if any(cell.n_missing for cell in read):
        yield _COUNTED_MISSING


ToldCells = Mapping[str, Mapping[str, str]]
"""What a certificate says of each column: ``cells``, and ``suppressed`` where a cell is."""


def told_cells(meanings: Iterable[ColumnMeaning]) -> dict[str, dict[str, str]]:
    """The shortest form of what columns mean."""
    return {
        each.name: {"cells": str(each.cells)} | ({"suppressed": each.suppressed} if each.suppressed else {})
        for each in meanings
    }


def field_notes(told: ToldCells) -> dict[str, dict[str, str]]:
    """What a Parquet file notes beside the name of each column.

    PRIVACY: words of a fixed vocabulary, no cell (tests/unit/codebook/test_parquet_notes.py).
    """
    notes = {}
    for name, said in told.items():
        cells = Cells(said["cells"])
        notes[name] = {"kanopy.cells": f"{cells}: {cells.sentence}"}
        if "suppressed" in said:
            kind = _SUPPRESSED.get(said["suppressed"], _SUPPRESSED[""])
            notes[name]["kanopy.suppressed"] = f"{kind.pattern}: {kind.meaning}"
    return notes
