"""Numbers as people write them: decimal comma or point, thousands marks, ``<5`` and ``>90``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kanopy.content.sample import Sample
from kanopy.data.arrays import Ints

_DIGIT = re.compile(r"\d")
_CENSORED = r"(?:[<>]=?|≤|≥) ?(?=[-+.\d])"
_PLAIN = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d{1,3})?")
_POINT = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?"
_COMMA = r"[+-]?(?:\d{1,3}(?:[. ’'\u00a0\u202f]\d{3})+|\d+)(?:,\d*)?"
_APART = r"\d([. ’'\u00a0\u202f])\d{3}"
_LEADING_ZERO = re.compile(r"0\d+")
_FEWEST = 20  # values, before a column says anything about collisions
_UNLIKELY = 0.01
_SIX_DIGITS = 100_000


class NumberForm(NamedTuple):
    """How the numbers of a column are written; ``is_doubtful`` where they may be read in two ways."""

    unit: str = ""
    decimal: str = "."
    thousands: str = ""
    n_censored: int = 0  # different values such as <5
    is_doubtful: bool = False


_UNITS = frozenset({
    "€", "$", "£", "¥", "%", "eur", "euro", "usd", "gbp", "chf", "fr.", "kč", "zł", "kr", "kr.", "r$", "kg",
    "g", "gr", "mg", "µg", "ml", "l", "cm", "mm", "m", "km", "kcal", "mmhg", "bpm", "/min", "°c", "min",
    "min.", "h", "std", "std.", "s", "sec", "j.", "jahre", "years", "yrs", "ans", "años", "anni", "jaar",
    "anos", "mon.", "monate", "months", "mois", "meses", "mesi", "maanden", "měs.", "wochen", "weeks",
    "tage", "days", "jours", "días", "giorni", "dagen", "dias", "k", "ft", "huf", "pln", "czk", "sek", "nok",
    "dkk", "ron", "lei", "tl", "₺", "₽", "₹", "₪",
})  # fmt: skip
_WITH_UNIT = r"(EUR|USD|GBP|CHF|[€$£¥]|R\$)? ?([<>≤≥]?=? ?[+-]?\d[\d., ’'\u00a0\u202f]*?) ?([^\d\s]{1,7})?"


def without_unit(texts: Sequence[str]) -> tuple[str, list[str]]:
    """The one unit that nearly all texts have before or behind a number, and the numbers; else no unit."""
    matches = list(map(re.compile(_WITH_UNIT).fullmatch, texts))
    units = {match[1] or match[3] or "" for match in matches if match is not None}
    if None in matches or len(units) != 1 or (unit := units.pop()).casefold() not in _UNITS:
        return "", list(texts)
    return unit, [match[2] for match in matches if match is not None]


def number_form(sample: Sample) -> NumberForm | None:
    """How to read all values as numbers; None where that cannot be done, or leading zeros make them codes."""
    if all(map(_PLAIN.fullmatch, sample.texts)):  # the usual way to write them
        return NumberForm()
    if not all(map(_DIGIT.search, sample.texts)):
        return None
    unit, texts = without_unit(sample.texts)
    form = _form([re.sub(_CENSORED, "", text, count=1) for text in texts])
    n_censored = sum(re.match(_CENSORED, text) is not None for text in texts)
    is_number = form is not None and n_censored < len(texts)
    return form._replace(unit=unit, n_censored=n_censored) if form is not None and is_number else None


def _form(plain: Sequence[str]) -> NumberForm | None:
    if any(_LEADING_ZERO.fullmatch(text) for text in plain):
        return None
    if all(map(_PLAIN.fullmatch, plain)):
        return NumberForm()
    is_comma, is_point = (all(map(re.compile(form).fullmatch, plain)) for form in (_COMMA, _POINT))
    if is_comma and is_point:  # 1,234 or 12,345: a decimal comma, or one between thousands
        is_grouped = all(re.fullmatch(r"[+-]?[1-9]\d{0,2}(?:,\d{3})*", text) for text in plain)
        return NumberForm(thousands=",", is_doubtful=True) if is_grouped else NumberForm(decimal=",")
    if is_comma:
        marks = {mark for text in plain for mark in re.findall(_APART, text)}
        return NumberForm(decimal=",", thousands="".join(marks)) if len(marks) < 2 else None
    return NumberForm(thousands=",") if is_point else None


def collision_evidence(numbers: Ints, n_values: int, n_rows: int) -> str:
    """Why whole numbers are numbers of a series and no measurements; empty where nothing says so; O(values).

    Measurements repeat: among n of them, spread evenly over a range of R, about n²/2R pairs are equal, and
    more where they crowd. If there are none although many are to be expected, somebody has handed the numbers
    out one by one. ``numbers`` may be a sample of the values.
    """
    if len(numbers) < _FEWEST:
        return ""
    # The middle nine tenths: a few numbers far away must not make the range look empty.
    low, high = np.quantile(numbers, [0.05, 0.95])
    reach = max((high - low) / 0.9, 1.0)
    n_twice = n_rows - n_values
    expected = n_rows**2 / (2 * reach)
    if n_twice <= 0.02 * n_rows and expected - n_twice > -np.log(_UNLIKELY) + 4 * np.sqrt(n_twice):
        return f"{n_values:,} different whole numbers in {n_rows:,} rows, where measurements would repeat"
    return ""


def looks_drawn(numbers: Ints) -> bool:
    """Whether numbers of many digits lie evenly between their ends, not rounded; O(values log values).

    Keys that are drawn at random do. Amounts and measurements crowd around some value, and many are rounded.
    The bound is that of Kolmogorov and Smirnov for one error in a hundred.
    """
    n_values = len(numbers)
    if n_values < _FEWEST or numbers.min() < _SIX_DIGITS or (numbers % 10 == 0).mean() > 0.3:
        return False
    place = (np.sort(numbers) - numbers.min()) / max(int(numbers.max() - numbers.min()), 1)
    steps = np.arange(n_values + 1) / n_values
    distance = max(np.abs(place - steps[1:]).max(), np.abs(place - steps[:-1]).max())
    return bool(distance < 1.63 / np.sqrt(n_values))
