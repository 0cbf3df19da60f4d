"""Texts that mean missing: those that stand among numbers or dates, and those that may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.auditing.text import TextColumn
from kanopy.content import MISSING_MARKS, Content

_ALWAYS = ("?", "*")  # refused in a quasi-identifier unless they are declared
_CODES = ("-9", "-99", "-999")
NUMBERS = (*_CODES, "-1", "99", "999", "9999")
_FAR_AWAY = 3  # times the largest of the other numbers


@dataclass(frozen=True, slots=True)
class MissingMarks:
    """``sure`` are written into the policy; ``maybe``, with how often they occur, into comments.

    ``elsewhere`` are sure ones that also occur in columns of texts, with the names of these.
    """

    sure: tuple[str, ...] = ()
    maybe: Mapping[str, int] = field(default_factory=dict)
    elsewhere: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def missing_marks(
    columns: Mapping[str, TextColumn], contents: Mapping[str, Content], published: set[str]
) -> MissingMarks:
    """Find them in the columns that are published; O(values).

    A mark is sure where it stands in a column whose other values are all numbers, or all dates. Numbers may
    be marks where they lie far from the others (999 among ages).
    """
    sure: dict[str, None] = {}
    among_texts: dict[str, tuple[str, ...]] = {}
    maybe: Counter[str] = Counter()
    for name in (name for name in columns if name in published):
        column, content = columns[name], contents[name]
        found = _counted(column, sorted(MISSING_MARKS))
        if content.kind in ("number", "date", "time"):
            sure |= dict.fromkeys(content.marks)
            maybe.update(_far_numbers(column) if content.kind == "number" else {})
            continue
        for mark in found:
            among_texts[mark] = (*among_texts.get(mark, ()), name)
        maybe.update({**found, **_counted(column, _CODES)})
    sure |= {mark: None for mark in _ALWAYS if mark in maybe}
    left = {mark: n_times for mark, n_times in maybe.items() if mark not in sure}
    elsewhere = {mark: among_texts[mark] for mark in sure if mark in among_texts and mark != "?"}
    return MissingMarks(tuple(sure), left, elsewhere)


def _counted(column: TextColumn, marks: list[str] | tuple[str, ...]) -> dict[str, int]:
    """How many rows have each of these texts, whatever its case; O(values)."""
    words = pc.utf8_trim_whitespace(column.words)
    is_mark = pc.is_in(pc.utf8_lower(words), value_set=pa.array(marks, pa.string()))
    places = np.flatnonzero(is_mark.to_numpy(zero_copy_only=False))
    sizes = column.counts
    counted: Counter[str] = Counter()
    for place in places.tolist():
        counted[words[place].as_py()] += int(sizes[place])
    return dict(counted)


def _far_numbers(column: TextColumn) -> dict[str, int]:
    """-9 among numbers that are not negative, 999 among much smaller ones."""
    found = _counted(column, NUMBERS)
    if not found:
        return {}
    is_plain = pc.match_substring_regex(column.words, r"^[+-]?[0-9]{1,15}(\.[0-9]*)?$")
    numbers = pc.cast(pc.utf8_ltrim(column.words.filter(is_plain), characters="+"), pa.float64())
    others = np.asarray(numbers.to_numpy(zero_copy_only=False))
    others = others[~np.isin(others, [float(mark) for mark in found])]
    if not len(others) or others.min() < 0:
        return {}
    return {
        mark: n_times
        for mark, n_times in found.items()
        if float(mark) < 0 or float(mark) > _FAR_AWAY * others.max()
    }
