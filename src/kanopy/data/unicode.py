"""Composed Unicode in time that grows with the length of the text, whatever is in it."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_LONG = 128
"""Shorter texts cannot take long."""

_LAST_MARK = 0x1F000
"""Beyond it no character combines with the one before."""

# Of all characters that stand alone, only these are composed of such that do not.
_TAKEN_APART = str.maketrans(
    {mark: unicodedata.normalize("NFD", mark) for mark in ("\u0344", "\u0f73", "\u0f75", "\u0f81")}
)


def composed(text: str) -> str:
    """The text in NFC; O(length), plus a sort of each run of combining marks.

    ``unicodedata.normalize`` sorts runs of combining marks by insertion, so a cell with a hundred thousand of
    them, which is a file of some hundred kilobytes, would take minutes. Marks in the order of their class,
    equal ones as they stood, are the same text to Unicode, and there is nothing left to sort.
    """
    if len(text) > _LONG and not text.isascii():
        text = _run_of_marks().sub(_in_order, text.translate(_TAKEN_APART))
    return unicodedata.normalize("NFC", text)


def _in_order(run: re.Match[str]) -> str:
    return "".join(sorted(run.group(), key=unicodedata.combining))


@cache
def _run_of_marks() -> re.Pattern[str]:
    marks = filter(unicodedata.combining, map(chr, range(_LAST_MARK)))
    return re.compile(f"[{re.escape(''.join(marks))}]{{32,}}")
