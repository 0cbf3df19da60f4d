"""How a column is written, and how finely its dates are published: the drafted section ``[columns.NAME]``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from kanopy.content import Content
from kanopy.drafting.name_hints import hints_at

_THOUSANDS = {"\u00a0": " ", "\u202f": " ", "’": "'"}
_ENOUGH = 200  # values, to tell the span of years
_LIFETIMES = 40  # years between the first and the last date of a column that may hold birth dates


def settings_of(name: str, content: Content, sample: Sequence[str]) -> dict[str, Any]:
    """The keys of ``[columns.NAME]``; none where the column is written as usual.

    ``sample`` are some values of the column, from which useless levels are told; O(sample * formats).
    """
    if content.kind in ("date", "time"):
        zone = {"zone": "UTC"} if content.has_zones else {}
        levels = _levels(content, _years(sample, content.formats), is_birth=is_birth(name, content, sample))
        return {"kind": content.kind, "formats": list(content.formats), **zone, "levels": levels}
    is_usual = content.decimal == "." and not (content.thousands or content.unit or content.n_censored)
    if content.kind != "number" or is_usual:
        return {}
    marks: dict[str, Any] = {"decimal": ","} if content.decimal == "," else {}
    if content.thousands:
        marks["thousands"] = _THOUSANDS.get(content.thousands, content.thousands)
    if content.unit:
        marks["unit"] = content.unit
    return {"kind": "number", **marks, **({"censored": True} if content.n_censored else {})}


def is_birth(name: str, content: Content, sample: Sequence[str]) -> bool:
    """Whether dates are, or may be, those of births: by the name, or because they span a lifetime."""
    if content.kind not in ("date", "time"):
        return False
    years = _years(sample, content.formats)
    return hints_at(name, "birth") or (bool(years) and max(years) - min(years) >= _LIFETIMES)


def _levels(content: Content, years: Counter[int], *, is_birth: bool) -> list[str]:
    """Calendar levels from fine to coarse; the first is the finest that is published.

    PRIVACY: no day, no time of day, and of a birth, or of a date that may be misread, no month
    (tests/unit/test_suggest.py). Levels above the first that would put all dates together are left out.
    """
    finest = ["year"] if is_birth or content.certainty == "doubtful" else ["month", "year"]
    n_groups = {"year": len(years), "decade": len({year // 10 for year in years})}
    return [level for place, level in enumerate([*finest, "decade"]) if not place or n_groups[level] > 1]


def _years(sample: Sequence[str], formats: Sequence[str]) -> Counter[int]:
    years: Counter[int] = Counter()
    for text in sample[:: max(1, len(sample) // _ENOUGH)]:
        for form in formats:
            try:
                years[datetime.strptime(text, form).year] += 1
            except ValueError:
                continue
            break
    return years
