"""Dates and times as ordered values: periods from seconds to decades, how they are written, where they lie.

A period is written so that its text alone tells its level: ``2020-03-15 14:05``, ``2020-03-15``, ``2020-03``,
``2020-Q1``, ``2020``, ``2020s``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from kanopy.errors import PolicyError

_NAME: dict[str, Callable[[datetime], str]] = {
    "second": lambda date: f"{_day(date)} {date.hour:02}:{date.minute:02}:{date.second:02}",
    "minute": lambda date: f"{_day(date)} {date.hour:02}:{date.minute:02}",
    "hour": lambda date: f"{_day(date)} {date.hour:02}h",
    "day": lambda date: _day(date),
    "month": lambda date: f"{date.year:04}-{date.month:02}",
    "quarter": lambda date: f"{date.year:04}-Q{(date.month + 2) // 3}",
    "year": lambda date: f"{date.year:04}",
    "decade": lambda date: f"{date.year // 10:03}0s",
}
LEVELS = tuple(_NAME)
"""From fine to coarse; each is a part of the next."""

_TEXT = re.compile(
    r"([0-9]{4})(?:(?<=0)(s)|-Q([1-4])|-([0-9]{2})(?:-([0-9]{2})"
    r"(?: ([0-9]{2})(?:h|:([0-9]{2})(?::([0-9]{2}))?))?)?)?"
)
_DIRECTIVES = "YymdjbBaAHIMSfpzZ%"
_TELLS = {
    "second": "S", "minute": "M", "hour": "HI", "day": "dj", "month": "mbBj", "quarter": "mbBj",
    "year": "Yy", "decade": "Yy",
}  # fmt: skip


def _day(date: datetime) -> str:
    return f"{date.year:04}-{date.month:02}-{date.day:02}"


class Period(NamedTuple):
    """A second, a day, a year: its level and its first moment."""

    level: str
    first: datetime

    @property
    def last(self) -> datetime:
        """Its last second."""
        year, month = self.first.year, self.first.month
        if self.level in ("second", "minute", "hour", "day"):
            sizes = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
            return self.first + timedelta(seconds=sizes[self.level] - 1)
        if self.level == "year" or self.level == "decade":
            return datetime(year + (9 if self.level == "decade" else 0), 12, 31, 23, 59, 59)
        month += 2 if self.level == "quarter" else 0
        return (datetime(year, month, 28) + timedelta(days=4)).replace(day=1) - timedelta(seconds=1)


def written(moment: datetime, level: str) -> str:
    """The period of a level that a moment lies in, as it is published."""
    return _NAME[level](moment)


def read_period(text: str) -> Period | None:
    """The period that a text names; None where it names none."""
    match = _TEXT.fullmatch(text)
    if match is None:
        return None
    year, decade, quarter, month, day, hour, minute, second = match.groups()
    level = "year"
    if decade or quarter:
        level = "decade" if decade else "quarter"
    elif month:
        level = "month" if day is None else "day" if hour is None else "hour"
        level = level if minute is None else "minute" if second is None else "second"
    first_month = 3 * int(quarter) - 2 if quarter else int(month or 1)
    try:
        clock = int(hour or 0), int(minute or 0), int(second or 0)
        return Period(level, datetime(int(year), first_month, int(day or 1), *clock))
    except ValueError:  # the 30th of February
        return None


def finest_period(texts: Iterable[str]) -> str | None:
    """The finest level among texts that all name periods; None where one does not, or there are none."""
    found: set[str] = set()
    for text in texts:
        period = read_period(text)
        if period is None:
            return None
        found.add(period.level)
    return min(found, key=LEVELS.index, default=None)


def place(moment: datetime, level: str) -> float:
    """Where the period of a level lies among those of its level: days, months, quarters or years."""
    if level in ("year", "decade"):
        return float(moment.year if level == "year" else moment.year // 10 * 10)
    if level in ("month", "quarter"):
        return float(12 * moment.year + moment.month - 1 if level == "month" else _quarters(moment))
    parts = (moment.hour, moment.minute, moment.second)[: 3 - LEVELS.index(level)]
    seconds = sum(part * size for part, size in zip(parts, (3600, 60, 1), strict=False))
    return moment.toordinal() + seconds / 86400


def step(level: str) -> float:
    """How far apart two periods of a level that follow each other lie: the unit of ``place``."""
    return {"second": 1 / 86400, "minute": 1 / 1440, "hour": 1 / 24, "decade": 10.0}.get(level, 1.0)


def moment_at(number: float, level: str) -> datetime:
    """A moment in the period of a level that lies nearest to a number; the inverse of ``place``."""
    n_steps = math.floor(number / step(level) + 0.5)
    if level in ("year", "decade"):
        return datetime(n_steps * (10 if level == "decade" else 1), 1, 1)
    if level in ("month", "quarter"):
        year, part = divmod(n_steps, 12 if level == "month" else 4)
        return datetime(year, 1 + part * (1 if level == "month" else 3), 1)
    days, rest = divmod(n_steps, round(1 / step(level)))
    return datetime.fromordinal(days) + timedelta(days=1) * rest * step(level)


def _quarters(moment: datetime) -> int:
    return 4 * moment.year + (moment.month - 1) // 3


def check_format(form: object, levels: tuple[str, ...]) -> tuple[str, ...]:
    """The directives of a ``strptime`` format, which must tell these levels; a PolicyError otherwise."""
    directives = re.findall(r"%(.?)", form, re.DOTALL) if isinstance(form, str) else []
    known = all(directive and directive in _DIRECTIVES for directive in directives)
    names = [directive for directive in directives if directive != "%"]
    if not names or not known or len(names) != len(set(names)) or not {"Y", "y"} & set(names):
        raise PolicyError("the format of dates is not understood", 'for example format = "%d.%m.%Y"')
    for level in levels:
        if not set(_TELLS[level]) & set(names):
            raise PolicyError(f"the format of dates does not tell the {level}", "leave the unit out")
    return tuple(names)


_PARTS = {
    "Y": "([0-9]{4})", "m": "(1[0-2]|0[1-9]|[1-9])", "d": "(3[01]|[12][0-9]|0[1-9]|[1-9])",
    "H": "(2[0-3]|[01][0-9]|[0-9])", "M": "([0-5][0-9]|[0-9])", "S": "([0-5][0-9]|[0-9])",
}  # fmt: skip


def format_reader(form: str) -> Callable[[str], datetime | None]:
    """What reads texts of a ``strptime`` format, None where they are not; the usual ones ten times faster."""
    names = re.findall("%(.)", form)
    if any(name not in _PARTS for name in names):

        def parsed(text: str) -> datetime | None:
            try:
                return datetime.strptime(text, form)
            except ValueError:
                return None

        return parsed
    gaps = [_PARTS[gap[1]] if gap[0] == "%" else r"\s+" for gap in re.findall(r"%.|\s+", form)]
    texts = [re.escape(text) for text in re.split(r"%.|\s+", form)]
    pattern = re.compile("".join(part for pair in zip(texts, [*gaps, ""], strict=True) for part in pair))
    # What a format does not tell is the first of its kind: a month or a day is 1, a clock is 0.
    places = [names.index(name) if name in names else -2 if name in "md" else -1 for name in "YmdHMS"]

    def matched(text: str) -> datetime | None:
        match = pattern.fullmatch(text)
        if match is None:
            return None
        parts = [*map(int, match.groups()), 1, 0]
        try:
            return datetime(*(parts[place] for place in places))  # type: ignore[arg-type]
        except ValueError:  # the 30th of February
            return None

    return matched


def finest_level(form: str | None) -> str:
    """The finest level that a format tells; ISO times have seconds."""
    names = re.findall("%(.)", form or "%S")
    return next(level for level in LEVELS if set(_TELLS[level]) & set(names))
