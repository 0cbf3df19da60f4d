"""Reading intervals of numbers in the notations that people name groups with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

_LONGEST = 400  # characters; no finite number of a table needs more, and longer ones only cost time

DECLARED_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
# Leading zeros make a code of a number, and a code lies in no interval.
_NUMBER = r"([+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)"
PLAIN_NUMBER = re.compile(_NUMBER)
_END = rf"(?:{_NUMBER}|[+-]?(?:inf|∞))"
# Compiled when a hierarchy is read: most releases have none.
_BETWEEN = rf"{_NUMBER} *(?:-|–|\.\.|to) *(<?) *{_NUMBER}"
_BRACKETS = rf"([\[\](]) *{_END} *[,;–-] *{_END} *([\[\])])"
_BELOW = rf"(<|<=|≤) *{_NUMBER}"
_ABOVE = rf"(>|>=|≥) *{_NUMBER}|{_NUMBER} *\+"


class Interval(NamedTuple):
    """All numbers between two ends.

    An end is a number and which way it is moved a little, because it is not included itself: up (1) at the
    lower end, down (-1) at the upper one, else 0. So ends compare as they should.
    """

    low: tuple[Fraction | float, int]
    high: tuple[Fraction | float, int]


def exact_number(text: str) -> Fraction | None:
    """The number that a text stands for, leading zeros and all; None where it is no finite number."""
    return Fraction(text) if len(text) <= _LONGEST and DECLARED_NUMBER.fullmatch(text) else None


def plain_number(text: str) -> Fraction | None:
    """The number that a text stands for; None where it is none, or has leading zeros, like a code."""
    return Fraction(text) if len(text) <= _LONGEST and PLAIN_NUMBER.fullmatch(text) else None


def decimal_text(number: Fraction) -> str:
    """A fraction as a decimal where that is finite (``0.3``), as a fraction otherwise (``1/3``)."""
    rest, n_digits = number.denominator, 0
    for factor in (2, 5):
        power = 0
        while rest % factor == 0:
            rest, power = rest // factor, power + 1
        n_digits = max(n_digits, power)
    if rest != 1 or not n_digits:
        return str(number)
    whole, part = divmod(abs(number.numerator) * 10**n_digits // number.denominator, 10**n_digits)
    return f"{'-' if number < 0 else ''}{whole}.{part:0{n_digits}d}"


def read_interval(text: str) -> Interval | None:
    """The interval that a label names; None where it reads as none.

    Both ends are included in ``20-29``, ``20–29``, ``20..29``, ``20 to 29`` and ``[20, 29]``; the second is
    not in ``20 to <30``, ``[20, 30[`` and ``[20, 30)``, nor the first in ``]20, 30]`` and ``(20, 30]``. One
    end is enough in ``<30``, ``<=29``, ``>=65``, ``>64`` and ``65+``. What has its ends in the wrong order,
    like the month ``2024-05``, is none.
    """
    interval = _read(text) if len(text) <= _LONGEST else None
    return interval if interval is not None and interval.low <= interval.high else None


def count_outside(paths: Sequence[Sequence[str]]) -> int:
    """How many leaves, numbers or intervals, lie outside an interval named above them; O(leaves * levels)."""
    intervals = {label: read_interval(label) for label in {label for path in paths for label in path[1:]}}
    if not any(intervals.values()):
        return 0
    n_outside = 0
    for leaf, *above in paths:
        number = plain_number(leaf)
        inner = read_interval(leaf) if number is None else Interval((number, 0), (number, 0))
        outer = [interval for label in above if (interval := intervals[label]) is not None]
        if inner is not None:
            n_outside += any(inner.low < interval.low or interval.high < inner.high for interval in outer)
    return n_outside


def _read(text: str) -> Interval | None:
    if match := re.fullmatch(_BETWEEN, text):
        low, is_open, high = match.groups()
        return Interval((Fraction(low), 0), (Fraction(high), -1 if is_open else 0))
    if match := re.fullmatch(_BRACKETS, text):
        left, low, high, right = match.groups()
        return Interval(
            (-inf if low is None else Fraction(low), 0 if left == "[" else 1),
            (inf if high is None else Fraction(high), 0 if right == "]" else -1),
        )
    if match := re.fullmatch(_BELOW, text):
        return Interval((-inf, 0), (Fraction(match[2]), -1 if match[1] == "<" else 0))
    if match := re.fullmatch(_ABOVE, text):
        return Interval((Fraction(match[2] or match[3]), 1 if match[1] == ">" else 0), (inf, 0))
    return None
