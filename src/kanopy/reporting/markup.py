"""HTML and SVG of a report: elements, whose texts are escaped, and pictures.

Colours are CSS classes, so that they follow the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from kanopy.reporting import blocks
from kanopy.reporting.blocks import Faint, Mark, Name, Piece, Text, pieces, plain, shortened, shown, visible

_VOID = frozenset({"meta", "rect", "line", "path"})  # elements without content
_LONGEST_TITLE = 400  # characters of a long name that a tooltip shows
_WIDTH = 760
_LABEL = 210  # where labels end and bars begin
_ROW = 30
_FIGURE = 110  # space for the number behind a bar
# The area of lines, and the height of their picture
LEFT, RIGHT, BASE, TOP, HEIGHT = 56, _WIDTH - 150, 262, 14, 304
_SHAPES = (
    "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",  # circle
    "m-4-4h8v8h-8z",  # square
    "m0-5.5l5 9h-10z",  # triangle
    "m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z",  # diamond
    "m0 5.5l5-9h-10z",  # triangle, upside down
    "m-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",  # plus
    "m-5-2.5h10v5h-10z",  # flat
    "m-2.5-5h5v10h-5z",  # tall
)
N_SERIES = len(_SHAPES)  # lines that differ in colour and marker; further lines start again with the first


class Markup(str):
    """Text that is markup already; everything else is escaped."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: Any) -> Markup:
    """An element; children that are not markup are escaped, attributes always are.

    ``class_`` stands for ``class``; ``_`` inside a name stands for ``-``.
    """
    opening = tag + "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(visible(str(value)))}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Markup(f"<{opening}>" if tag == "meta" else f"<{opening}/>")
    return Markup(f"<{opening}>{joined(*children)}</{tag}>")


def joined(*children: str) -> Markup:
    """Children one after the other, escaped where they are not markup."""
    # PRIVACY: a hostile name or value is shown, not interpreted (tests/unit/reporting/test_hostile_names.py).
    escaped = (child if isinstance(child, Markup) else escape(visible(child)) for child in children)
    return Markup("".join(escaped))


def written(text: Text) -> Markup:
    """A text of a block."""
    return joined(*map(_piece, pieces(text)))


def _piece(piece: Piece) -> str:
    if isinstance(piece, Name):
        is_cut = len(piece.text) > piece.longest
        return element("bdi", plain(piece), title=shown(piece.text, _LONGEST_TITLE) if is_cut else None)
    return element("em", piece.text, class_="faint") if isinstance(piece, Faint) else piece


def bars(block: blocks.Bars, number: int) -> Markup:
    """Horizontal bars, as wide as the share of rows; a share that is not shown has words instead of a bar."""
    width = _WIDTH - _LABEL - _FIGURE
    parts = []
    for place, (label, tally) in enumerate(block.bars):
        top = place * _ROW + 6
        parts.append(text(_LABEL - 10, top + 15, shortened(plain(label), 34), "label end"))
        length = width * (tally.share or 0.0) / block.longest
        if length:
            look = "bar marked" if place in block.marked else "bar"
            parts.append(_bar(_LABEL, top, max(length, 1.5), look))
        parts.append(text(_LABEL + length + 8, top + 15, tally.percent, "figure"))
    parts.append(rule(_LABEL, 0, _LABEL, _ROW * len(block.bars), "axis"))
    return picture(block, _ROW * len(block.bars) + 6, parts, number)


def stacks(block: blocks.Stacks, number: int) -> Markup:
    """One bar per column, as wide as all rows, divided by kind."""
    parts = []
    for place, (name, tallies) in enumerate(block.stacks):
        top = place * _ROW + 6
        parts.append(text(_LABEL - 10, top + 15, shortened(plain(name), 28), "label end"))
        if tallies is None:
            parts.append(text(_LABEL + 8, top + 15, "not shown: too few rows of one kind", "figure"))
        left = float(_LABEL)
        for kind, tally in enumerate(tallies or ()):
            length = (_WIDTH - _LABEL - 10) * (tally.share or 0.0)
            if length:
                parts.append(_bar(left, top, max(length - 1, 0.5), f"kind{kind}"))
            if length > 52:
                parts.append(text(left + length / 2, top + 15, tally.percent, f"on-kind{kind}"))
            left += length
    return picture(block, _ROW * len(block.stacks) + 6, parts, number)


def lines(block: blocks.Lines, number: int) -> Markup:
    """Lines with intervals over a few places at even distances, and dashed reference lines."""
    scale = Scale(_heights(block), BASE, TOP)
    step = (RIGHT - LEFT) / max(len(block.places), 1)
    parts = level_lines(scale, block.references)
    for place, label in enumerate(block.places):
        parts.append(text(LEFT + step * (place + 0.5), BASE + 20, shortened(label, 10), "tick middle"))
    parts.append(text((LEFT + RIGHT) / 2, BASE + 38, block.axis, "tick middle"))
    for series, (_, marks) in enumerate(block.lines):
        # Lines are set side by side, so that their intervals do not hide each other.
        aside = (series - (len(block.lines) - 1) / 2) * min(9.0, step / (len(block.lines) + 1))
        across = [LEFT + step * (mark.place + 0.5) + aside for mark in marks]
        parts += _line(marks, across, scale, series)
    return picture(block, HEIGHT, parts, number)


def level_lines(scale: Scale, references: Sequence[tuple[str, float]]) -> list[Markup]:
    """The grid of the vertical axis, and dashed reference lines with their labels."""
    parts = []
    for tick in scale.ticks():
        parts.append(rule(LEFT, scale.at(tick), RIGHT, scale.at(tick), "grid"))
        parts.append(text(LEFT - 8, scale.at(tick) + 4, f"{tick:.0%}", "tick end"))
    heights = apart([scale.at(value) for _, value in references])
    for (label, value), height in zip(references, heights, strict=True):
        parts.append(rule(LEFT, scale.at(value), RIGHT, scale.at(value), "reference"))
        parts.append(text(RIGHT + 6, height + 4, f"{shortened(label, 16)} {value:.1%}", "tick"))
    return parts


def _heights(block: blocks.Lines) -> list[float]:
    drawn = [value for _, value in block.references]
    for _, marks in block.lines:
        for mark in marks:
            drawn += [mark.value, *(end for end in (mark.low, mark.high) if end is not None)]
    return drawn


class Scale:
    """An axis: from just below everything that is drawn to just above, within what is possible."""

    def __init__(
        self, drawn: Sequence[float], start: float, end: float, *, least: float = 0.0, most: float = 1.0
    ) -> None:
        low, high = min(drawn, default=least), max(drawn, default=most)
        margin = max((high - low) * 0.08, 0.01)
        self._low, self._high = max(low - margin, least), min(high + margin, most)
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        """Where a value lies, from ``start`` to ``end``."""
        return self._start + (value - self._low) / (self._high - self._low) * (self._end - self._start)

    def ticks(self) -> list[float]:
        """Four to eight round percentages."""
        for step in (0.01, 0.02, 0.05, 0.1, 0.2):
            first, last = -int(-self._low / step // 1), int(self._high / step + 1e-9)
            if last - first <= 7:
                return [number * step for number in range(first, last + 1)]
        return [0.0, 0.5, 1.0]


def _line(marks: Sequence[Mark], across: Sequence[float], scale: Scale, series: int) -> list[Markup]:
    look = f"s{series % N_SERIES}"
    points = [(px(x), px(scale.at(mark.value))) for mark, x in zip(marks, across, strict=True)]
    path = " ".join(f"{'L' if place else 'M'}{x} {y}" for place, (x, y) in enumerate(points))
    parts = [element("path", d=path, class_=f"line {look}")]
    for mark, x in zip(marks, across, strict=True):
        if mark.low is not None and mark.high is not None:
            top, bottom, left = px(scale.at(mark.high)), px(scale.at(mark.low)), px(x - 3)
            whisker = f"M{px(x)} {top}V{bottom}M{left} {top}h6M{left} {bottom}h6"
            parts.append(element("path", d=whisker, class_=f"whisker {look}"))
        parts.append(element("path", d=marker(series, x, scale.at(mark.value)), class_=f"marker {look}"))
    return parts


def marker(series: int, x: float, y: float) -> str:
    """The shape of a line's points, for readers who see or print no colours."""
    return f"M{px(x)} {px(y)}{_SHAPES[series % N_SERIES]}"


def kind_sign(kind: int) -> Markup:
    """The colour of a kind, for a legend."""
    return _sign(element("rect", x=1, y=2, width=12, height=12, rx=2, class_=f"kind{kind}"))


def series_sign(series: int) -> Markup:
    """The marker of a line, for a legend."""
    return _sign(element("path", d=marker(series, 7, 8), class_=f"marker s{series % N_SERIES}"))


def _sign(inside: Markup) -> Markup:
    return element("svg", inside, viewBox="0 0 14 16", width=14, height=16, aria_hidden="true")


def picture(block: blocks.Picture, height: float, parts: Iterable[Markup], number: int) -> Markup:
    title = element("title", block.title, id=f"t{number}")
    described = element("desc", block.description, id=f"d{number}")
    size, labels = f"0 0 {_WIDTH} {px(height)}", f"t{number} d{number}"
    return element("svg", title, described, *parts, viewBox=size, role="img", aria_labelledby=labels)


def _bar(left: float, top: float, length: float, look: str) -> Markup:
    return element("rect", x=px(left), y=px(top), width=px(length), height=_ROW - 8, rx=2, class_=look)


def rule(x1: float, y1: float, x2: float, y2: float, look: str) -> Markup:
    return element("line", x1=px(x1), x2=px(x2), y1=px(y1), y2=px(y2), class_=look)


def text(x: float, y: float, content: str, look: str) -> Markup:
    return element("text", content, x=px(x), y=px(y), class_=look)


def px(number: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")


def apart(heights: Sequence[float], least: float = 14.0) -> list[float]:
    """The heights in their own order, moved down where labels would overlap."""
    moved, last = [0.0] * len(heights), float("-inf")
    for place in sorted(range(len(heights)), key=lambda place: heights[place]):
        last = moved[place] = max(heights[place], last + least)
    return moved
