"""What a report is made of, before it has a format: sections of paragraphs, tables and pictures.

Every text is plain and untrusted; whoever renders it escapes it. A ``Name`` is a text that comes from a
table: it is also cut, and kept apart from what stands around it.
"""

from __future__ import annotations

from dataclasses import dataclass

from kanopy.reporting.tally import Tally


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a column, or a value, as the table has it; long ones are cut."""

    text: str
    longest: int = 60


@dataclass(frozen=True, slots=True)
class Faint:
    """A remark in the place of a cell, such as *not shown*."""

    text: str


Text = str | Name | Faint | tuple["str | Name | Faint", ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: Text
    is_remark: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    """A list; ``mark`` is "kept", "open" or "none"."""

    items: tuple[Text, ...]
    mark: str = "none"


@dataclass(frozen=True, slots=True)
class Figures:
    """A few numbers that stand out, each with its words: (number, what it is)."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of each row heads it. ``numeric`` are the columns to be aligned as numbers."""

    caption: str
    header: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    numeric: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Bars:
    """Horizontal bars of shares of rows."""

    title: str
    description: str
    header: tuple[str, str]
    bars: tuple[tuple[Text, Tally], ...]
    marked: frozenset[int] = frozenset()
    """Bars that deserve a second look."""


@dataclass(frozen=True, slots=True)
class Stacks:
    """One bar per column, divided by kind; None where nothing is told of it."""

    title: str
    description: str
    kinds: tuple[str, ...]
    stacks: tuple[tuple[Name, tuple[Tally, ...] | None], ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """One point of a line: a value and its interval, all between 0 and 1."""

    place: int
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines over a few places, such as accuracy over k, with horizontal lines for reference."""

    title: str
    description: str
    places: tuple[str, ...]
    axis: str
    lines: tuple[tuple[str, tuple[Mark, ...]], ...]
    references: tuple[tuple[str, float], ...]


Block = Paragraph | Points | Figures | Table | Bars | Stacks | Lines


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report."""

    title: str
    verdict: str
    lead: Text
    figures: Figures
    sections: tuple[Section, ...]
    foot: str
    tone: str
    """How the verdict sounds: "good", "bad" or "neutral"."""
