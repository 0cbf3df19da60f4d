"""Ends of ranges, coded outward: to round numbers and whole periods, which no group has chosen.

The exact ends of a group's range are values of two of its rows. Who knows the method can work out from them
which rows made the group; levels that are the same for all groups tell less (docs/attacks.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

import numpy as np

from kanopy.data import calendar
from kanopy.data.arrays import Floats, Ints
from kanopy.data.intervals import decimal_text, exact_number
from kanopy.data.scale import Calendar
from kanopy.data.table import Domain

_MOST_LEVELS = 20
"""Levels lie so far apart that about so many of them span the values of a column."""

_DAYS = (1 / 86400, 1 / 1440, 1 / 24, 1, 30.5, 91.5, 365.25, 3652.5)
"""About how long the periods of ``calendar.LEVELS`` are."""


Ends = tuple[str, str]  # two levels, as they are written


class Outward(NamedTuple):
    """The levels of a column, as codes of a domain that has them beside the column's values."""

    domain: Domain
    place: Ints  # the code there of each code of the column
    low: Ints  # of each code there, the highest level that is not above it
    high: Ints  # the lowest level that is not below it


def outward(domain: Domain) -> Outward | None:
    """The levels of a column that is published as ranges; None for others, and hierarchies have their own.

    Numbers: multiples of 1, 2 or 5 times a power of ten, the smallest that is a twentieth of what the values
    span or more. Dates: the smallest period that is. Censored numbers (``<5``) are levels themselves.
    O(values log values).
    """
    if domain.numbers is None or domain.hierarchy is not None or not domain.n_values:
        return None
    if isinstance(domain.scale, Calendar):
        ends = _periods(domain.scale, domain.labels)
    else:
        ends = _round_numbers(domain.labels)
    text_of: dict[float, str] = {}
    places = np.repeat(domain.numbers, 2).reshape(-1, 2)
    for code, pair in enumerate(ends):
        for side, text in enumerate(pair):
            place = domain.scale.number(text)
            if place is not None:  # else it is too large for a float, and the value itself is the level
                places[code, side] = place
                text_of[place] = text
    return _with_levels(domain, places, text_of)


def _with_levels(domain: Domain, places: Floats, text_of: Mapping[float, str]) -> Outward:
    """The column with the levels that it lacks; ``places`` are those of the two levels of each value."""
    assert domain.numbers is not None
    new = np.setdiff1d(places, domain.numbers)
    before, texts = np.searchsorted(domain.numbers, new), [text_of[each] for each in new.tolist()]
    numbers = np.insert(domain.numbers, before, new)
    labels = np.insert(np.array(domain.labels, dtype=object), before, texts)
    place = np.append(np.arange(domain.n_values) + np.searchsorted(new, domain.numbers), len(numbers))
    own, low = place[:-1], np.arange(len(numbers) + 1)
    high = low.copy()
    # A value that lies on a level is it, in whichever of several ways it is written.
    is_level = places == domain.numbers[:, None]
    low[own] = np.where(is_level[:, 0], own, np.searchsorted(numbers, places[:, 0], side="left"))
    high[own] = np.where(is_level[:, 1], own, np.searchsorted(numbers, places[:, 1], side="right") - 1)
    return Outward(replace(domain, labels=tuple(labels.tolist()), numbers=numbers), place, low, high)


def _round_numbers(labels: Sequence[str]) -> list[Ends]:
    """The multiples of the step below and above each number; others stay what they are."""
    numbers = [exact_number(label) for label in labels]
    known = [number for number in numbers if number is not None]
    step = _step((max(known) - min(known)) / _MOST_LEVELS) if known and max(known) > min(known) else None
    if step is None:
        return [(label, label) for label in labels]
    return [
        (label, label)
        if number is None
        else (decimal_text(floor(number / step) * step), decimal_text(ceil(number / step) * step))
        for label, number in zip(labels, numbers, strict=True)
    ]


def _step(least: Fraction) -> Fraction:
    """The smallest of 1, 2 and 5 times a power of ten that is at least so much, which is more than 0."""
    power = Fraction(1)
    while power < least:
        power *= 10
    while power / 10 >= least:
        power /= 10
    return next(step for step in (power / 5, power / 2, power) if step >= least)


def _periods(scale: Calendar, labels: Sequence[str]) -> list[Ends]:
    """The first and the last date of the period around each date."""
    periods = [calendar.read_period(label) for label in labels]
    firsts = [period.first for period in periods if period is not None]
    least = (max(firsts) - min(firsts)).total_seconds() / 86400 / _MOST_LEVELS
    own = calendar.LEVELS.index(scale.level)
    long_enough = [level for level, days in zip(calendar.LEVELS, _DAYS, strict=True) if days >= least]
    level = next((level for level in long_enough if calendar.LEVELS.index(level) >= own), calendar.LEVELS[-1])
    return [scale.outermost(calendar.written(first, level)) for first in firsts]
