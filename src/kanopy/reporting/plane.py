"""The picture of a ``Plane``: points with intervals both ways, a line per method, labels that keep apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from kanopy.reporting import blocks
from kanopy.reporting.blocks import Spot
from kanopy.reporting.markup import (
    LEFT,
    N_SERIES,
    RIGHT,
    TOP,
    Markup,
    Scale,
    element,
    level_lines,
    marker,
    picture,
    px,
    rule,
    text,
)

_BASE = 370  # where the area ends: higher than that of lines, as labels need room
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


def drawn(block: blocks.Plane, number: int) -> Markup:
    """Accuracy up, excess across, with reference lines and a vertical line at zero; O(points²)."""
    spots = [spot for _, line in block.lines for spot in line]
    across = Scale([0.0, *(end for spot in spots for end in spot.across)], LEFT, RIGHT, least=-1.0)
    levels = [value for _, value in block.references]
    up = Scale([*levels, *(end for spot in spots for end in spot.up)], _BASE, TOP)
    parts = level_lines(up, block.references)
    for tick in across.ticks():
        parts.append(
            rule(across.at(tick), _BASE, across.at(tick), TOP, "axis" if abs(tick) < 1e-9 else "grid")
        )
        parts.append(text(across.at(tick), _BASE + 20, f"{100 * tick + 0.0:.0f}", "tick middle"))
    parts.append(text((LEFT + RIGHT) / 2, _BASE + 38, block.axes[0], "tick middle"))
    parts.append(text(LEFT, TOP - 2, block.axes[1], "tick"))
    for series, (_, line) in enumerate(block.lines):
        parts += _line(line, across, up, series)
    places = [(across.at(spot.across[0]), up.at(spot.up[0])) for spot in spots]
    labels = _labels_apart(spots, places, [up.at(level) for level in levels])
    looks = [f"tick named s{series % N_SERIES}" for series, (_, line) in enumerate(block.lines) for _ in line]
    for spot, (x, y), look in zip(spots, labels, looks, strict=True):
        parts.append(text(x, y, spot.label, look))
    return picture(block, _BASE + 42, parts, number)


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
    spots: Sequence[Spot], places: Sequence[tuple[float, float]], levels: Sequence[float]
) -> list[tuple[float, float]]:
    """Where each label begins: beside its point, further up or down where something is in the way."""
    taken = [_Box(x - 6, y - 6, x + 6, y + 6) for x, y in places]
    taken += [_Box(LEFT, level - 1, RIGHT, level + 1) for level in levels]
    found = []
    for spot, (x, y) in zip(spots, places, strict=True):
        width = _LETTER * len(spot.label)
        tries = [(left, y + shift) for shift, left in product(_SHIFTS, (x + 9, x - 9 - width))]
        boxes = [_Box(left, height + 3 - _LINE, left + width, height + 3) for left, height in tries]
        free = [
            place
            for place, box in enumerate(boxes)
            if box.left >= LEFT and box.right <= RIGHT and box.bottom <= _BASE and box.top >= TOP
            and not any(box.covers(other) for other in taken)
        ]  # fmt: skip
        best = free[0] if free else 0
        taken.append(boxes[best])
        found.append(tries[best])
    return found


_SHIFTS = [4 + sign * step for step in range(10, 130, 5) for sign in (-1, 1)]
