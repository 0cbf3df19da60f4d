"""The picture of a ``Plane``: points with intervals both ways, a line per method, labels that keep apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from kanopy.reporting import blocks
from kanopy.reporting.blocks import Spot
from kanopy.reporting.markup import (
    N_SERIES,
    Frame,
    Markup,
    Scale,
    axis_words,
    element,
    level_lines,
    marker,
    picture,
    px,
    rule,
    text,
)

_BASE = 370  # where the area ends: higher than that of lines, as labels need room
_ROOMY = 500  # a narrower picture has short labels
_LETTER, _LINE = 6.4, 14.0  # width and height of a letter of a label


class _Box(NamedTuple):
    """The place of a label or of a point, which no other label may cover."""

    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: _Box) -> bool:
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.bottom <= other.top or other.bottom <= self.top)


def drawn(block: blocks.Plane, number: int, frame: Frame) -> Markup:
    """Accuracy up, excess across, with reference lines and a vertical line at zero; O(points²)."""
    frame = frame._replace(base=_BASE)
    spots = [spot for _, line in block.lines for spot in line]
    across = Scale(
        [0.0, *(end for spot in spots for end in spot.across)], frame.left, frame.right, least=-1.0
    )
    levels = [value for _, value in block.references]
    up = Scale([*levels, *(end for spot in spots for end in spot.up)], frame.base, frame.top)
    parts = level_lines(frame, up, block.references)
    for tick in across.ticks():
        look = "axis" if abs(tick) < 1e-9 else "grid"
        parts.append(rule(across.at(tick), frame.base, across.at(tick), frame.top, look))
        parts.append(text(across.at(tick), frame.base + 20, f"{100 * tick + 0.0:.0f}", "tick middle"))
    parts += axis_words(frame, block.axes[0])
    parts.append(text(frame.left, frame.top - 2 - (frame.top - 14) / 2, block.axes[1], "tick"))
    for series, (_, line) in enumerate(block.lines):
        parts += _line(line, across, up, series)
    places = [(across.at(spot.across[0]), up.at(spot.up[0])) for spot in spots]
    # Where there is little room, the legend and the table tell what is lost.
    words = [spot.label.partition(",")[0] if frame.width < _ROOMY else spot.label for spot in spots]
    labels = _labels_apart(words, places, [up.at(level) for level in levels], frame)
    looks = [f"tick named s{series % N_SERIES}" for series, (_, line) in enumerate(block.lines) for _ in line]
    for word, (x, y), look in zip(words, labels, looks, strict=True):
        parts.append(text(x, y, word, look))
    return picture(block, frame, parts, number)


def _line(line: Sequence[Spot], across: Scale, up: Scale, series: int) -> list[Markup]:
    look = f"s{series % N_SERIES}"
    places = [(across.at(spot.across[0]), up.at(spot.up[0])) for spot in line]
    path = " ".join(f"{'L' if place else 'M'}{px(x)} {px(y)}" for place, (x, y) in enumerate(places))
    parts = [element("path", d=path, class_=f"line thin {look}")]
    for spot, (x, y) in zip(line, places, strict=True):
        left, right = px(across.at(spot.across[1])), px(across.at(spot.across[2]))
        bottom, top = px(up.at(spot.up[1])), px(up.at(spot.up[2]))
        whisker = f"M{px(x)} {top}V{bottom}M{left} {px(y)}H{right}"
        parts.append(element("path", d=whisker, class_=f"whisker {look}"))
        hollow = " hollow" if spot.is_hollow else ""
        parts.append(element("path", d=marker(series, x, y), class_=f"marker{hollow} {look}"))
    return parts


def _labels_apart(
    words: Sequence[str], places: Sequence[tuple[float, float]], levels: Sequence[float], frame: Frame
) -> list[tuple[float, float]]:
    """Where each label begins: beside its point, further up or down where something is in the way."""
    taken = [_Box(x - 6, y - 6, x + 6, y + 6) for x, y in places]
    taken += [_Box(frame.left, level - 1, frame.right, level + 1) for level in levels]
    found = []
    for word, (x, y) in zip(words, places, strict=True):
        width = _LETTER * len(word)
        tries = [(left, y + shift) for shift, left in product(_SHIFTS, (x + 9, x - 9 - width))]
        boxes = [_Box(left, height + 3 - _LINE, left + width, height + 3) for left, height in tries]
        free = [
            place
            for place, box in enumerate(boxes)
            if box.left >= frame.left and box.right <= frame.right
            and box.bottom <= frame.base and box.top >= frame.top
            and not any(box.covers(other) for other in taken)
        ]  # fmt: skip
        best = free[0] if free else 0
        taken.append(boxes[best])
        found.append(tries[best])
    return found


_SHIFTS = [4 + sign * step for step in range(10, 130, 5) for sign in (-1, 1)]
