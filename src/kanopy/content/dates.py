"""Dates and times: which formats, taken together, read every value of a column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from kanopy.content.sample import Sample

_DAYS = (
    "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d",
    "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%m-%y", "%d %b %Y", "%d-%b-%Y", "%d-%b-%y", "%d %B %Y",
    "%b %d, %Y", "%B %d, %Y", "%d. %m. %Y", "%d%b%Y", "%b %d %Y", "%a %d %b %Y", "%d. %B %Y", "%Y. %m. %d.",
    "%Y. %m. %d", "%Y.%m.%d.",
)  # fmt: skip
_TIMES = (
    "%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p", "%H:%M%z", "%H:%M:%S%z", "%H:%M:%S.%f%z",
    "%H.%M", "%H:%M Uhr", "%Hh%M",
)  # fmt: skip
_LIKE_DATE = re.compile(
    r"\d{1,4}[-/.] ?\d{1,2}[-/.] ?\d{1,4}\.?(?:[T ,].*)?|(?:19|20)\d{6}(?:[T ].*)?"
    r"|\d{1,2}[ .-]?[A-Za-z]{3,9}[ .-]?\d{2,4}(?:[T ,].*)?|[A-Za-z]{3,9} \d{1,2},? \d{4}(?:[T ,].*)?"
    r"|[A-Za-z]{3} \d{2} [A-Za-z]{3} \d{4}|\d{1,2}\. [A-Za-z]{3,9} \d{4}"
)
_TIME = r"[T ,]+(\d{1,2}[:.h]\d{2}.*)$"
_CLOCK = re.compile(
    r"(?:(?:à|at|um|kl\.?|às|a las|alle|om) ?)?(?:[01]?\d|2[0-4])"
    r"(?:[:h][0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?|\.[0-5]\d(?= ?uhr))"
    r" ?(?:uhr|h|am|pm|a\.m\.|p\.m\.)?",
    re.I,
)
_DAY_OF_YEAR = re.compile(r"(?:19|20)\d\d(?:[012]\d\d|3[0-5]\d|36[0-6])")
_SERIAL_DAY = re.compile(r"[2-5]\d{4}[.,]\d{4,}")  # spreadsheets count days since 1900
_UNREADABLE = (
    ("clock", "times of day", _CLOCK),
    ("date", "dates as the day of a year", _DAY_OF_YEAR),
    ("time", "dates as a spreadsheet counts them", _SERIAL_DAY),
)
_OFFSET = r"[+-]\d{2}:?\d{2}$"
_ENOUGH = 0.98
_MOST_FORMATS = 4
_EXAMPLES = 20
_FEW = 24  # as many as full hours
_EARLIEST, _LATEST = 1800, 2200


class DateForm(NamedTuple):
    """The formats of a column's dates; ``is_doubtful`` where day and month may be the other way round."""

    formats: tuple[str, ...]
    has_times: bool
    has_zones: bool
    is_doubtful: bool
    n_others: int  # values of the sample that no format reads


def date_form(texts: Sequence[str]) -> DateForm | None:
    """The fewest formats that read nearly all values; None where these are no dates; O(values * formats)."""
    n_like = sum(_LIKE_DATE.fullmatch(text) is not None for text in texts)
    if not texts or n_like < _ENOUGH * len(texts):
        return None
    rest, is_doubtful, candidates = list(texts), False, _candidates(texts)
    chosen: list[str] = []
    while rest and len(chosen) < _MOST_FORMATS:
        read = {form: [text for text in rest if reads(text, form)] for form in candidates}
        best = max(candidates, key=lambda form: len(read[form]), default="")
        if not best or not read[best]:
            break
        other = _other_way_round(best)
        if other != best and other in read and len(read[other]) == len(read[best]):
            is_doubtful = True
        chosen.append(best)
        done = set(read[best])
        rest = [text for text in rest if text not in done]
    if not chosen or len(rest) > (1 - _ENOUGH) * len(texts):
        return None
    has_times, has_zones = (any(sign in form for form in chosen) for sign in (":%M", "%z"))
    has_times |= any("%H" in form or "%I" in form for form in chosen)
    return DateForm(tuple(chosen), has_times, has_zones, is_doubtful or _is_short(chosen), len(rest))


def unreadable_date(sample: Sample) -> tuple[str, str, str] | None:
    """Kind, evidence and certainty of dates and times that no format reads, such as 07:59.

    As texts or numbers they would tell rows apart; O(values).
    """
    if sample.n_values <= _FEW:
        return None
    for kind, called, form in _UNREADABLE:
        if sample.share(form.fullmatch) >= _ENOUGH:
            return kind, f"{sample.n_values:,} different {called}", "doubtful"
    return None


def reads(text: str, form: str) -> bool:
    """Whether a text is a date of this format, in a year that people live in."""
    try:
        return _EARLIEST < datetime.strptime(text, form).year < _LATEST
    except ValueError:
        return False


def _candidates(texts: Sequence[str]) -> list[str]:
    """Formats that may read some of the values, judged by a few values of every form."""
    by_form: dict[str, list[str]] = {}
    for text in texts:
        by_form.setdefault(re.sub(r"\d", "9", re.sub(r"[A-Za-z]{2,}", "a", text)), []).append(text)
    examples = [text for alike in by_form.values() for text in alike[:: max(1, len(alike) // _EXAMPLES)]]
    has_time = {re.search(_TIME, text) is not None for text in examples}
    days = list(_DAYS) if False in has_time else []
    times = [f"{day}{gap}{time}" for day in _DAYS for gap in (" ", "T", ", ") for time in _TIMES]
    found = days + (times if True in has_time else [])
    # A format is compiled when it is tried, which takes longer than to compare the signs of it.
    signs = {_signs(text) for text in examples} | {_signs(re.sub(_OFFSET, "", text)) for text in examples}
    possible = [form for form in found if _signs(form) in signs]
    return [form for form in possible if any(reads(text, form) for text in examples)]


def _signs(text: str) -> str:
    """What is neither a letter, a digit nor a directive of a format; blanks once."""
    return re.sub(r"\s+", " ", re.sub(r"%?[A-Za-z0-9]", "", text))


def _other_way_round(form: str) -> str:
    swapped = {"d": "m", "m": "d"}
    day = re.match(r"%([dm])([^%]*)%([dm])", form)
    return form if day is None else f"%{swapped[day[1]]}{day[2]}%{swapped[day[3]]}{form[day.end() :]}"


def _is_short(formats: Sequence[str]) -> bool:
    """Years of two digits: nobody is born in 2045."""
    return any("%y" in form for form in formats)
