"""Pictures for a report: bars, stacked bars, lines. Colours are classes, so that they follow the page."""

from __future__ import annotations

from collections.abc import Sequence

from kanopy.reporting.blocks import Bars, Lines, Mark, Stacks
from kanopy.reporting.markup import Markup, element, joined, plain
from kanopy.reporting.tally import Tally
from kanopy.reporting.wording import shortened

_WIDTH = 760
_LABEL = 210
"""Where labels end and bars begin."""

_ROW = 30
_FIGURE = 110
"""Room for the number behind a bar."""

_LONGEST_LABEL = 28
N_SERIES = 8
"""Looks of lines that can be told apart; further lines begin anew."""


def bars(block: Bars, number: int) -> Markup:
    """Horizontal bars, as wide as the share of rows; a share that is not told has no bar, only words."""
    width = _WIDTH - _LABEL - _FIGURE
    longest = max((tally.share or 0.0 for _, tally in block.bars), default=0.0) or 1.0
    parts = []
    for place, (label, tally) in enumerate(block.bars):
        top = place * _ROW + 6
        parts.append(_label(shortened(plain(label), 34), top))
        length = width * (tally.share or 0.0) / longest
        look = "bar marked" if place in block.marked else "bar"
        if length:
            parts.append(_bar(_LABEL, top, max(length, 1.5), look))
        parts.append(_text(_LABEL + length + 8, top + 15, tally.percent, "figure"))
    parts.append(element("line", x1=_LABEL, y1=0, x2=_LABEL, y2=_ROW * len(block.bars), class_="axis"))
    return _picture(block.title, block.description, _ROW * len(block.bars) + 6, parts, number)


def stacks(block: Stacks, number: int) -> Markup:
    """One bar per column, as wide as all rows, divided by kind."""
    width = _WIDTH - _LABEL - 10
    parts = []
    for place, (name, tallies) in enumerate(block.stacks):
        top = place * _ROW + 6
        parts.append(_label(shortened(plain(name), _LONGEST_LABEL), top))
        if tallies is None:
            parts.append(_text(_LABEL + 8, top + 15, "not told: few rows are meant", "figure"))
            continue
        parts += _stack(tallies, width, top)
    return _picture(block.title, block.description, _ROW * len(block.stacks) + 6, parts, number)


def _stack(tallies: Sequence[Tally], width: float, top: float) -> list[Markup]:
    parts, left = [], float(_LABEL)
    for kind, tally in enumerate(tallies):
        length = width * (tally.share or 0.0)
        if length:
            parts.append(_bar(left, top, max(length - 1, 0.5), f"kind{kind}"))
        if length > 52:
            parts.append(_text(left + length / 2, top + 15, tally.percent, f"on-kind{kind}"))
        left += length
    return parts


def lines(block: Lines, number: int) -> Markup:
    """Lines with intervals over a few places at even distances, and dashed lines for reference."""
    height, left, right, base = 300, 56, 150, 262
    low, high = _limits(block)
    step = (_WIDTH - left - right) / max(len(block.places), 1)

    def across(place: int) -> float:
        return left + step * (place + 0.5)

    def up(value: float) -> float:
        return base - (value - low) / (high - low) * (base - 14)

    parts = []
    for tick in _ticks(low, high):
        parts.append(
            element("line", x1=left, x2=_WIDTH - right, y1=_n(up(tick)), y2=_n(up(tick)), class_="grid")
        )
        parts.append(_text(left - 8, up(tick) + 4, f"{tick:.0%}", "tick end"))
    for place, label in enumerate(block.places):
        parts.append(_text(across(place), base + 20, shortened(label, 10), "tick middle"))
    parts.append(_text((left + _WIDTH - right) / 2, base + 38, block.axis, "tick middle"))
    for (label, value), at in zip(
        block.references, _apart([up(v) for _, v in block.references]), strict=True
    ):
        y = _n(up(value))
        parts.append(element("line", x1=left, x2=_WIDTH - right, y1=y, y2=y, class_="reference"))
        parts.append(_text(_WIDTH - right + 6, at + 4, f"{shortened(label, 16)} {value:.1%}", "tick"))
    middle = (len(block.lines) - 1) / 2
    for series, (_, marks) in enumerate(block.lines):
        # Lines stand side by side, so that their intervals do not hide each other.
        aside = (series - middle) * min(9.0, step / (len(block.lines) + 1))
        parts += _line(marks, [(across(mark.place) + aside, up(mark.value)) for mark in marks], up, series)
    return _picture(block.title, block.description, height + 4, parts, number)


def _line(
    marks: Sequence[Mark], points: Sequence[tuple[float, float]], up: object, series: int
) -> list[Markup]:
    assert callable(up)
    look = f"line s{series % N_SERIES}"
    parts = []
    path = " ".join(f"{'M' if not place else 'L'}{_n(x)} {_n(y)}" for place, (x, y) in enumerate(points))
    parts.append(element("path", d=path, class_=look))
    for mark, (x, y) in zip(marks, points, strict=True):
        if mark.low is not None and mark.high is not None:
            top, bottom = up(mark.high), up(mark.low)
            whisker = f"M{_n(x)} {_n(top)}V{_n(bottom)}M{_n(x - 3)} {_n(top)}h6M{_n(x - 3)} {_n(bottom)}h6"
            parts.append(element("path", d=whisker, class_=f"whisker s{series % N_SERIES}"))
        parts.append(element("path", d=marker(series, x, y), class_=f"marker s{series % N_SERIES}"))
    return parts


def marker(series: int, x: float, y: float) -> str:
    """A shape of its own for each of the first eight lines, for those who see or print no colours."""
    shapes = (
        "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",  # circle
        "m-4-4h8v8h-8z",  # square
        "m0-5.5l5 9h-10z",  # triangle
        "m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z",  # diamond
        "m0 5.5l5-9h-10z",  # triangle, upside down
        "m-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",  # plus
        "m-5-2.5h10v5h-10z",  # flat
        "m-2.5-5h5v10h-5z",  # tall
    )
    return f"M{_n(x)} {_n(y)}{shapes[series % len(shapes)]}"


def swatch(look: str, path: str | None = None) -> Markup:
    """A small sign for a legend; it says nothing that the words beside it do not."""
    inside = (
        element("path", d=path, class_=look)
        if path
        else element("rect", x=1, y=2, width=12, height=12, rx=2, class_=look)
    )
    return element("svg", inside, viewBox="0 0 14 16", width=14, height=16, aria_hidden="true")


def _picture(title: str, description: str, height: float, parts: Sequence[Markup], number: int) -> Markup:
    names = element("title", title, id=f"t{number}"), element("desc", description, id=f"d{number}")
    return element(
        "svg", *names, joined(*parts), viewBox=f"0 0 {_WIDTH} {_n(height)}", role="img",
        aria_labelledby=f"t{number} d{number}",
    )  # fmt: skip


def _label(text: str, top: float) -> Markup:
    return _text(_LABEL - 10, top + 15, text, "label end")


def _bar(left: float, top: float, length: float, look: str) -> Markup:
    return element("rect", x=_n(left), y=_n(top), width=_n(length), height=_ROW - 8, rx=2, class_=look)


def _text(x: float, y: float, text: str, look: str) -> Markup:
    return element("text", text, x=_n(x), y=_n(y), class_=look)


def _n(number: float) -> str:
    """A coordinate, short and the same everywhere."""
    return f"{number:.1f}".removesuffix(".0")


def _limits(block: Lines) -> tuple[float, float]:
    """From a tenth below everything that is drawn to a tenth above."""
    drawn = [value for _, value in block.references]
    for _, marks in block.lines:
        for mark in marks:
            drawn += [mark.value, *(end for end in (mark.low, mark.high) if end is not None)]
    low, high = min(drawn, default=0.0), max(drawn, default=1.0)
    margin = max((high - low) * 0.08, 0.01)
    return max(low - margin, 0.0), min(high + margin, 1.0) if high < 1 else 1.0


def _ticks(low: float, high: float) -> list[float]:
    """Four to eight round percentages."""
    for step in (0.01, 0.02, 0.05, 0.1, 0.2):
        first, last = -int(-low / step // 1), int(high / step + 1e-9)
        if last - first <= 7:
            return [number * step for number in range(first, last + 1)]
    return [0.0, 0.5, 1.0]


def _apart(heights: Sequence[float], least: float = 14.0) -> list[float]:
    """The heights, moved down where labels would stand on each other; in their own order."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    moved, last = [0.0] * len(heights), float("-inf")
    for place in order:
        last = max(heights[place], last + least)
        moved[place] = last
    return moved
