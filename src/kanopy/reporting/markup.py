"""HTML and SVG of a report: elements, whose texts are escaped, and pictures.

Colours are CSS classes, so that they follow the page.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from itertools import accumulate
from typing import Any, NamedTuple

from kanopy._visible import shortened, shown, visible
from kanopy.reporting import blocks
from kanopy.reporting.blocks import Digest, Faint, Mark, Name, Piece, Text, pieces, plain

_VOID = frozenset({"meta", "rect", "line", "path"})  # elements without content
_LONGEST_TITLE = 400  # characters of a long name that a tooltip shows
_BAR_HEIGHT = 22
_LEAST_LABELLED = 0.15  # a part of a bar that is at least so long has room for its share, also on a phone


class Frame(NamedTuple):
    """The size of a picture in pixels, and the area in it that lines and points lie in.

    Texts have fixed sizes in these pixels. So that they can be read, a picture is not scaled down: phones
    show another, narrow one.
    """

    look: str
    width: int
    left: int
    right: int
    top: int = 14
    base: int = 262


FRAMES = (Frame("drawn-wide", 760, 56, 610), Frame("drawn-narrow", 350, 40, 344, 22))
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
    if isinstance(piece, Digest):
        return element("code", piece.text)
    return element("em", piece.text, class_="faint") if isinstance(piece, Faint) else piece


def bars(block: blocks.Bars) -> Markup:
    """Horizontal bars, as wide as the share of rows; a share that is not shown has words instead of a bar."""
    items = []
    for place, (label, tally) in enumerate(block.bars):
        length = (tally.share or 0.0) / block.longest
        drawn = [_bar(0.0, max(length, 0.004), "bar marked" if place in block.marked else "bar")]
        figure = element("span", tally.percent, class_="figure")
        items.append(element("li", _label(label), _strip(drawn if length else []), figure))
    return element("ul", *items, class_="bars", aria_label=block.description)


def stacks(block: blocks.Stacks) -> Markup:
    """One bar per column, as wide as all rows, divided by kind."""
    items = []
    for name, tallies in block.stacks:
        if tallies is None:
            few = element("em", "not shown: too few rows of one kind", class_="faint")
            items.append(element("li", _label(name), few))
            continue
        lengths, parts = [tally.share or 0.0 for tally in tallies], []
        for kind, (length, end) in enumerate(zip(lengths, accumulate(lengths), strict=True)):
            if length:
                parts.append(_bar(end - length, length, f"kind{kind}"))
            if length >= _LEAST_LABELLED:
                middle, words = _share(end - length / 2), tallies[kind].percent
                parts.append(element("text", words, x=middle, y=16, class_=f"on-kind{kind}"))
        items.append(element("li", _label(name), _strip(parts)))
    return element("ul", *items, class_="bars stacked", aria_label=block.description)


def ladders(block: blocks.Ladders) -> Markup:
    """A box for every level of a column, the chosen one filled."""
    items = []
    for name, chosen, last in block.columns:
        parts = []
        for level in range(last + 1):
            start, length = level / (last + 1), 1 / (last + 1)
            parts.append(_bar(start, length, "bar marked" if level == chosen else "rung"))
            look = "on-chosen" if level == chosen else "on-rung"
            parts.append(element("text", str(level), x=_share(start + length / 2), y=16, class_=look))
        items.append(element("li", _label(name), _strip(parts)))
    return element("ul", *items, class_="bars stacked", aria_label=block.description)


def _label(piece: Piece) -> Markup:
    return element("span", written(piece), class_="label")


def _strip(parts: Sequence[Markup]) -> Markup:
    """A row of bars that is as wide as there is room; lengths are shares of it, and texts keep their size."""
    return element("svg", *parts, width="100%", height=_BAR_HEIGHT, class_="strip", aria_hidden="true")


def _bar(start: float, length: float, look: str) -> Markup:
    place = {"x": _share(start), "width": _share(length), "y": 0}
    return element("rect", **place, height=_BAR_HEIGHT, rx=2, class_=look)


def _share(share: float) -> str:
    return f"{px(round(100 * share, 1))}%"


def lines(block: blocks.Lines, number: int, frame: Frame) -> Markup:
    """Lines with intervals over a few places at even distances, and dashed reference lines."""
    scale = Scale(_heights(block), frame.base, frame.top)
    step = (frame.right - frame.left) / max(len(block.places), 1)
    parts = level_lines(frame, scale, block.references)
    for place, label in enumerate(block.places):
        across = frame.left + step * (place + 0.5)
        parts.append(text(across, frame.base + 20, shortened(label, 10), "tick middle"))
    parts += axis_words(frame, block.axis)
    for series, (_, marks) in enumerate(block.lines):
        # Lines are set side by side, so that their intervals do not hide each other.
        aside = (series - (len(block.lines) - 1) / 2) * min(9.0, step / (len(block.lines) + 1))
        places = [frame.left + step * (mark.place + 0.5) + aside for mark in marks]
        parts += _line(marks, places, scale, series)
    return picture(block, frame, parts, number)


def axis_words(frame: Frame, words: str) -> list[Markup]:
    """The name of the horizontal axis, on as many lines as it needs."""
    said = textwrap.wrap(words, (frame.right - frame.left) // 6)
    middle = (frame.left + frame.right) / 2
    return [text(middle, frame.base + 38 + 15 * line, each, "tick middle") for line, each in enumerate(said)]


def level_lines(frame: Frame, scale: Scale, references: Sequence[tuple[str, float]]) -> list[Markup]:
    """The grid of the vertical axis, and dashed reference lines with their labels.

    Labels stand beside the area where there is room, and otherwise on their lines.
    """
    left, right, parts = frame.left, frame.right, []
    for tick in scale.ticks():
        parts.append(rule(left, scale.at(tick), right, scale.at(tick), "grid"))
        parts.append(text(left - 6, scale.at(tick) + 4, f"{tick:.0%}", "tick end"))
    has_room = frame.width - right > 100
    heights = apart([scale.at(value) for _, value in references])
    for (label, value), height in zip(references, heights, strict=True):
        parts.append(rule(left, scale.at(value), right, scale.at(value), "reference"))
        words = f"{shortened(label, 16)} {value:.1%}"
        if has_room:
            parts.append(text(right + 6, height + 4, words, "tick"))
        else:
            parts.append(text(right - 2, height - 4, words, "tick end outlined"))
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


def picture(block: blocks.Picture, frame: Frame, parts: Iterable[Markup], number: int) -> Markup:
    """A drawing with its name and description; its height leaves room for the words below its area."""
    title = element("title", block.title, id=f"t{number}")
    described = element("desc", block.description, id=f"d{number}")
    size, labels = f"0 0 {frame.width} {frame.base + 72 - 30 * (frame.width > 500)}", f"t{number} d{number}"
    named = {"role": "img", "aria_labelledby": labels}
    return element("svg", title, described, *parts, viewBox=size, class_=frame.look, **named)


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
