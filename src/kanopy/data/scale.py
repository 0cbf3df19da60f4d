"""Scales: what makes an order of the texts of a column, and where each text lies on it.

Numbers lie where they are. A censored number, ``<5`` or ``>90``, lies right beside its bound: below the
number 5, above the number 90. A date lies where its period lies among those of its level.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np

from kanopy.data import calendar
from kanopy.data.arrays import Floats
from kanopy.data.grammar import plain_number
from kanopy.data.intervals import DECLARED_NUMBER, PLAIN_NUMBER

_EXACT_AS_FLOAT = 15  # texts of at most so many characters are told apart by their floats
_CENSORED = rf"(<=|>=|<|>)({DECLARED_NUMBER.pattern})"  # compiled when it is used: most tables lack them
_STEPS = {"<": -2, "<=": -1, "": 0, ">=": 1, ">": 2}
"""How many steps a censored number lies beside its bound: what may be the bound is nearer to it."""


class TextScale(ABC):
    """An order of texts; a small frozen object."""

    has_means: ClassVar[bool] = False
    """Whether a number between two texts can be printed."""

    has_chunk_means: ClassVar[bool] = False
    """Whether the text nearest to a mean can be printed, which may also be a date: ``written``."""

    @abstractmethod
    def number(self, text: str) -> float | None:
        """Where a text lies; None where it does not belong here."""

    def ends(self, text: str) -> tuple[float, float] | None:
        """Where the first and the last value lie that a text may stand for: one, but for coarse dates."""
        number = self.number(text)
        return None if number is None else (number, number)

    def numbers(self, texts: Sequence[str]) -> Floats:
        """Where texts lie that belong here."""
        return np.array([self.number(text) for text in texts], dtype=np.float64)

    def holds(self, text: str) -> bool:
        """Whether a text belongs here."""
        return self.number(text) is not None

    def written(self, number: float, decimals: int) -> str:
        """The text that lies nearest to a number."""
        return plain_number(number, decimals)

    def step(self, decimals: int) -> float:
        """How far two such texts lie apart at least."""
        return float(10.0**-decimals)

    def ordered(self, texts: Sequence[str]) -> list[str]:
        """The texts in their order, equal ones by their text; O(texts log texts)."""
        return sorted(texts, key=lambda text: (self.number(text), text))


@dataclass(frozen=True, slots=True)
class Numbers(TextScale):
    """Finite numbers. Unless they are declared, leading zeros make a code of a number: a zip, a phone."""

    is_declared: bool = False
    has_means = True
    has_chunk_means = True

    def number(self, text: str) -> float | None:
        pattern = DECLARED_NUMBER if self.is_declared else PLAIN_NUMBER
        number = float(text) if pattern.fullmatch(text) else np.inf
        return number if abs(number) < np.inf else None

    def numbers(self, texts: Sequence[str]) -> Floats:
        return np.array([float(text) for text in texts], dtype=np.float64)

    def ordered(self, texts: Sequence[str]) -> list[str]:
        """Sorted exactly, however many digits they have."""
        number: Callable[[str], Any] = (
            float if all(len(text) <= _EXACT_AS_FLOAT for text in texts) else Decimal
        )
        return sorted(texts, key=lambda text: (number(text), text))


@dataclass(frozen=True, slots=True)
class CensoredNumbers(TextScale):
    """Numbers, and such of which only a bound is known: ``<5``, ``<=5``, ``>=90``, ``>90``."""

    def number(self, text: str) -> float | None:
        match = re.fullmatch(_CENSORED, text)
        sign, bound = ("", text) if match is None else (match[1], match[2])
        number = DECLARED.number(bound)
        if number is None or not sign:
            return number
        return number + _STEPS[sign] * float(np.spacing(max(abs(number), 1.0)))

    def ordered(self, texts: Sequence[str]) -> list[str]:
        return sorted(texts, key=_censored_key)


def _censored_key(text: str) -> tuple[Decimal, int, str]:
    sign = re.match("[<>]?=?", text)[0]  # type: ignore[index]
    return Decimal(text.removeprefix(sign)), _STEPS[sign], text


@dataclass(frozen=True, slots=True)
class Calendar(TextScale):
    """Periods of one level. A coarser one stands for all of them in it, a finer one for that around it."""

    level: str
    has_chunk_means = True

    def written(self, number: float, decimals: int) -> str:
        return calendar.written(calendar.moment_at(number, self.level), self.level)

    def step(self, decimals: int) -> float:
        return calendar.step(self.level)

    def number(self, text: str) -> float | None:
        ends = self.ends(text)
        return None if ends is None else ends[0]

    def ends(self, text: str) -> tuple[float, float] | None:
        period = calendar.read_period(text)
        if period is None:
            return None
        return calendar.place(period.first, self.level), calendar.place(period.last, self.level)

    def outermost(self, text: str) -> tuple[str, str]:
        """The first and the last period of this level in a text's period."""
        period = calendar.read_period(text)
        assert period is not None, "asked for texts that belong here"
        return calendar.written(period.first, self.level), calendar.written(period.last, self.level)


PLAIN = Numbers()
DECLARED = Numbers(is_declared=True)


def scale_of(texts: Collection[str], *, has_ranges: bool, are_dates: bool = False) -> TextScale | None:
    """The scale that published texts lie on, as far as they tell; None where they are categories.

    Only scales are published as ranges; then leading zeros do not make a code of a number. Years look like
    numbers, unless it is known that they are dates. O(texts).
    """
    if not texts:
        return None
    if are_dates:
        return _calendar_of(texts)
    numbers, censored = DECLARED if has_ranges else PLAIN, CensoredNumbers()
    others = [text for text in texts if not numbers.holds(text)]
    if not others:
        return DECLARED
    # Where no text is a number, <=5 and >5 are the names of groups.
    if len(others) < len(texts) and all(text[:1] in ("<", ">") and censored.holds(text) for text in others):
        return censored
    return _calendar_of(texts)


def _calendar_of(texts: Collection[str]) -> TextScale | None:
    """That of periods, by the finest of them; None where a text is no period."""
    levels = set[str]()
    for text in texts:
        period = calendar.read_period(text)
        if period is None:
            return None
        levels.add(period.level)
    return Calendar(min(levels, key=calendar.LEVELS.index))
