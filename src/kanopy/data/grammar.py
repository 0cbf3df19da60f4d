r"""How cells are written, and read back without the custodian's data.

The grammar::

    cell   = "*"                                suppressed: any value, or missing
           | ""                                 missing
           | one
           | "{" member {", " member} "}"       one of several
    member = "" | one                           "" is missing; members are sorted
    one    = text                               a value, a mean, or the name of a hierarchy node
           | "[" end ", " end "]"               a range of numbers or dates, both ends included

A text that could be mistaken for something else is written with backslashes. Alone in a cell: one in front,
where the text is ``*`` or begins with ``[``, ``{`` or a backslash. In a set: one in front of every backslash,
comma, bracket and brace. Undoing them gives back exactly the text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

# All white space of Unicode, and what takes no space at all: removed around texts.
BLANK = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\u200b\u2060\ufeff"
)

SUPPRESSED_TEXT = "*"
MISSING_TEXT = ""

_SPECIAL_IN_SET = re.compile(r"[\\,\[\]{}]")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_MEMBER = re.compile(r"\[[^\]]*\]|(?:\\.|[^\\,])*", re.DOTALL)
_LONG = 128  # shorter texts cannot take long to compose
_LAST_MARK = 0x1F000  # beyond it no character combines with the one before
# Of all characters that stand alone, only these are composed of such that do not.
_TAKEN_APART = str.maketrans(
    {mark: unicodedata.normalize("NFD", mark) for mark in ("\u0344", "\u0f73", "\u0f75", "\u0f81")}
)


def write_alone(text: str) -> str:
    """A text as the whole of a published cell."""
    return "\\" + text if text == SUPPRESSED_TEXT or text[:1] in ("[", "{", "\\") else text


def write_range(low: str, high: str) -> str:
    return f"[{low}, {high}]"


def clean_text(text: str) -> str:
    """A text as it is read from a table: composed Unicode, nothing blank around it."""
    return composed(text.strip(BLANK))


@lru_cache(maxsize=1 << 16)
def write_member(text: str) -> str:
    """A text as a member of a set."""
    return _SPECIAL_IN_SET.sub(r"\\\g<0>", text)


def write_set(members: list[str]) -> str:
    """A set of written members, ``""`` for missing."""
    # PRIVACY: sorted by text, never in row order (tests/unit/data/test_grammar.py).
    return "{" + ", ".join(sorted(members)) + "}"


Part = str | tuple[str, str]  # a name, or the two ends of a range as they are written


class ReadCell(NamedTuple):
    """What a published cell says, as far as its text alone tells."""

    is_suppressed: bool = False
    with_missing: bool = False
    texts: tuple[str, ...] = ()
    ranges: tuple[tuple[str, str], ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The names, then the ranges."""
        return self.texts + self.ranges if self.ranges else self.texts


def read_cell(text: str) -> ReadCell:
    """Undo the writing of a cell; a ValueError, which does not show the text, where it is no cell."""
    if text == SUPPRESSED_TEXT:
        return ReadCell(is_suppressed=True)
    if text == MISSING_TEXT:
        return ReadCell(with_missing=True)
    if text[0] == "[":
        return ReadCell(ranges=(_read_range(text),))
    if text == "\\":
        raise ValueError("a backslash in front of nothing")
    if text[0] != "{":
        return ReadCell(texts=(text.removeprefix("\\"),))
    return _read_simple_set(text) or _read_set(text)


def _read_simple_set(text: str) -> ReadCell | None:
    """What ``_read_set`` would say, several times faster, of a set without escapes and ranges; else None."""
    if len(text) < 2 or text[0] != "{" or text[-1] != "}" or "\\" in text or "[" in text:
        return None
    members = text[1:-1].split(", ")
    if text.count(",") != len(members) - 1:
        return None
    if "" not in members:
        return ReadCell(texts=tuple(members))
    return ReadCell(with_missing=True, texts=tuple(filter(None, members)))


def _read_set(text: str) -> ReadCell:
    if text[-1] != "}":
        raise ValueError("a set of cells that does not end")
    texts, ranges, with_missing, place, end = [], [], False, 1, len(text) - 1
    while True:
        match = _MEMBER.match(text, place, end)
        member = match.group() if match else ""
        if member[:1] == "[":
            ranges.append(_read_range(member))
        elif member:
            texts.append(_ESCAPED.sub(r"\1", member) if "\\" in member else member)
        else:
            with_missing = True
        place += len(member)
        if place == end:
            return ReadCell(with_missing=with_missing, texts=tuple(texts), ranges=tuple(ranges))
        if not text.startswith(", ", place, end):
            raise ValueError("a set of cells that lacks a separator")
        place += 2


def _read_range(text: str) -> tuple[str, str]:
    low, separator, high = text[1:-1].partition(", ")
    if not separator or text[-1] != "]":
        raise ValueError("a range without two ends")
    return low, high


def plain_number(number: float, decimals: int) -> str:
    """A number with a fixed count of decimals, never as a negative zero."""
    text = f"{number:.{decimals}f}"
    return text[1:] if text[0] == "-" and not text.strip("-0.") else text


def has_half_character(text: str) -> bool:
    """Whether a text has a lone surrogate, which no file and no cell can hold; O(length)."""
    return not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)


def composed(text: str) -> str:
    """The text in NFC; O(length), plus a sort of each run of combining marks.

    ``unicodedata.normalize`` sorts runs of combining marks by insertion, so a cell with a hundred thousand of
    them, which is a file of some hundred kilobytes, would take minutes. Marks in the order of their class,
    equal ones as they stood, are the same text to Unicode, and there is nothing left to sort.
    """
    if len(text) > _LONG and not text.isascii():
        apart = text.translate(_TAKEN_APART)
        text = _run_of_marks().sub(lambda run: "".join(sorted(run[0], key=unicodedata.combining)), apart)
    return unicodedata.normalize("NFC", text)


@cache
def _run_of_marks() -> re.Pattern[str]:
    marks = filter(unicodedata.combining, map(chr, range(_LAST_MARK)))
    return re.compile(f"[{re.escape(''.join(marks))}]{{32,}}")
