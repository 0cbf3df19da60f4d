"""The content of a report before it has a format: sections of paragraphs, tables and pictures.

Every text is plain and untrusted; the renderers escape it. A ``Name`` is a text that comes from a table: it
is also cut, and kept apart from the text around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from kanopy._visible import LONGEST, shown, visible
from kanopy.reporting.tally import Tally

_NOT_SHOWN = "not shown"


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a column, or a value, as the table has it; long ones are cut."""

    text: str
    longest: int = LONGEST


@dataclass(frozen=True, slots=True)
class Faint:
    """A remark instead of a cell, such as *not shown*."""

    text: str


@dataclass(frozen=True, slots=True)
class Digest:
    """A hash, which is shown whole."""

    text: str


Piece = str | Name | Faint | Digest
Text = Piece | tuple[Piece, ...]


def pieces(text: Text) -> tuple[Piece, ...]:
    return text if isinstance(text, tuple) else (text,)


def plain(piece: Piece) -> str:
    """A piece as a reader sees it; still to be escaped."""
    if isinstance(piece, Name):
        return shown(piece.text, piece.longest)
    return visible(piece if isinstance(piece, str) else piece.text)


class Paragraph(NamedTuple):
    text: Text
    is_remark: bool = False


class BulletList(NamedTuple):
    items: tuple[Text, ...]
    mark: str = "none"  # or "kept", "open"


class TableBlock(NamedTuple):
    """A table; the first cell of a row is its header. ``numeric`` columns are aligned as numbers."""

    caption: str
    header: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    numeric: frozenset[int] = frozenset()


class FactList(NamedTuple):
    """What a thing is, line by line: a name and its value."""

    items: tuple[tuple[str, Text], ...]


class NoteList(NamedTuple):
    """Findings, the worst first: a level, such as ``"warning"``, what was found, and what to do about it."""

    items: tuple[tuple[str, Text, Text], ...]


class Bars(NamedTuple):
    """Horizontal bars of shares of rows; ``marked`` bars stand out.

    With ``is_of_whole`` a bar of 100% has the full length. Otherwise the longest one has it, and a table
    tells the rows as well.
    """

    title: str
    description: str
    header: tuple[str, str]
    bars: tuple[tuple[Piece, Tally], ...]
    marked: frozenset[int] = frozenset()
    is_of_whole: bool = False

    @property
    def longest(self) -> float:
        """The share that has the full length."""
        largest = max((tally.share or 0.0 for _, tally in self.bars), default=0.0)
        return 1.0 if self.is_of_whole else largest or 1.0

    def table(self) -> TableBlock:
        """Rows and share of every bar."""
        if self.is_of_whole:
            shares = tuple((label, tally.percent) for label, tally in self.bars)
            return TableBlock(self.title, self.header, shares, frozenset({1}))
        rows = tuple((label, tally.words, _share(tally)) for label, tally in self.bars)
        return TableBlock(self.title, (*self.header, "share"), rows, frozenset({1, 2}))


class Stacks(NamedTuple):
    """One bar per column, or whatever ``what`` says, divided by kind; None where it is not shown."""

    title: str
    description: str
    kinds: tuple[str, ...]
    stacks: tuple[tuple[Name, tuple[Tally, ...] | None], ...]
    what: str = "column"

    def table(self) -> TableBlock:
        """The share of every kind in every column."""
        hidden = (_NOT_SHOWN,) * len(self.kinds)
        rows = tuple(
            (name, *(hidden if tallies is None else map(_share, tallies))) for name, tallies in self.stacks
        )
        numeric = frozenset(range(1, len(self.kinds) + 1))
        return TableBlock(self.title, (self.what, *self.kinds), rows, numeric)


def _share(tally: Tally) -> str:
    return _NOT_SHOWN if tally.share is None else tally.percent


class Ladders(NamedTuple):
    """The levels of every column, from 0 on, and the one that was chosen."""

    title: str
    description: str
    columns: tuple[tuple[Name, int, int], ...]  # the chosen level, and the last one

    def table(self) -> TableBlock:
        """The chosen level of every column."""
        rows = tuple((name, str(level), str(last)) for name, level, last in self.columns)
        return TableBlock(self.title, ("column", "level", "last level"), rows, frozenset({1, 2}))


class Mark(NamedTuple):
    """One point of a line: a value and its interval, all between 0 and 1."""

    place: int
    value: float
    low: float | None
    high: float | None


class Lines(NamedTuple):
    """Lines over a few places, such as accuracy over k, with horizontal reference lines."""

    title: str
    description: str
    places: tuple[str, ...]
    axis: str
    lines: tuple[tuple[str, tuple[Mark, ...]], ...]
    references: tuple[tuple[str, float], ...]


class Spot(NamedTuple):
    """One point of a plane: across and up, each a value with the ends of its interval."""

    label: str
    across: tuple[float, float, float]
    up: tuple[float, float, float]
    is_hollow: bool  # drawn without filling


class Plane(NamedTuple):
    """Points in a plane, such as accuracy over excess: a line per method, with horizontal reference lines.

    ``rows`` are the same as a table.
    """

    title: str
    description: str
    axes: tuple[str, str]
    lines: tuple[tuple[str, tuple[Spot, ...]], ...]
    references: tuple[tuple[str, float], ...]
    rows: TableBlock

    def table(self) -> TableBlock:
        """The points, one per row."""
        return self.rows


Picture = Bars | Stacks | Ladders | Lines | Plane
Block = Paragraph | BulletList | TableBlock | FactList | NoteList | Picture


class Section(NamedTuple):
    title: str
    blocks: tuple[Block, ...]


class Document(NamedTuple):
    """A whole report; ``figures`` are a few prominent numbers, ``opening`` is what the first screen shows."""

    title: str
    verdict: str
    lead: Text
    figures: tuple[tuple[str, str], ...]  # number, what it is
    sections: tuple[Section, ...]
    foot: str
    tone: str  # colour of the verdict: "good", "warn", "bad" or "neutral"
    opening: tuple[Section, ...] = ()
    banner: str = ""  # on top of everything: who must not see it
