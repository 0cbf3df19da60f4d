"""The lowest and the highest value that a cell of an ordered column may stand for."""

from __future__ import annotations

import math
from datetime import datetime

from kanopy.data.calendar import read_period
from kanopy.data.grammar import ReadCell
from kanopy.data.scale import DECLARED


def number_ends(cell: ReadCell) -> tuple[float, float]:
    """Both ends as numbers; NaN where a cell does not tell one: ``*``, missing, ``<5`` below. O(members)."""
    pairs = [(text, text) for text in cell.texts] + list(cell.ranges)
    lows = [_bound(low, "<") for low, _ in pairs]
    highs = [_bound(high, ">") for _, high in pairs]
    low, high = min(lows, default=math.nan), max(highs, default=math.nan)
    return (low if math.isfinite(low) else math.nan), (high if math.isfinite(high) else math.nan)


def _bound(text: str, endless: str) -> float:
    """A number; infinite where a censored one, or what is no number, goes on without end."""
    if text[:1] == endless:
        return -math.inf if endless == "<" else math.inf
    number = DECLARED.number(text.lstrip("<>="))
    if number is None:
        return -math.inf if endless == "<" else math.inf
    return number


def date_ends(cell: ReadCell) -> tuple[datetime | None, datetime | None]:
    """The first and the last second; None where a cell does not tell them. O(members)."""
    pairs = [(text, text) for text in cell.texts] + list(cell.ranges)
    periods = [(read_period(low), read_period(high)) for low, high in pairs]
    if not periods or any(low is None or high is None for low, high in periods):
        return None, None
    firsts = [low.first for low, _ in periods if low is not None]
    return min(firsts), max(high.last for _, high in periods if high is not None)
