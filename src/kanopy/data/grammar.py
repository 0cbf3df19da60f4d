r"""How cells are written, and read back without the custodian's data.

The grammar::

    cell   = "*"                                suppressed: any value, or missing
           | ""                                 missing
           | one
           | "{" member {", " member} "}"       one of several
           | means                              numbers of a group: means of chunks of equal size, ascending
           | "{" counted {", " counted} "}"     values of a group, with how many of its rows have each
    member = "" | one                           "" is missing; members are sorted
    counted = ("" | text | means) ": " number   sorted too; means only beside missing
    means  = "~[" end {", " end} "]"
    one    = text                               a value, a mean, or the name of a hierarchy node
           | "[" end ", " end "]"               a range of numbers or dates, both ends included

A text that could be mistaken for something else is written with backslashes. Alone in a cell: one in front,
where the text is ``*`` or begins with ``[``, ``{``, ``~[`` or a backslash. In a set: one in front of every
backslash, comma, bracket and brace, and of the last colon of a text that ends like a count: ``a\\: 3``.
Undoing them gives back exactly the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

# All white space of Unicode, and what takes no space at all: removed around texts.
BLANK = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\u200b\u2060\ufeff"
)

SUPPRESSED_TEXT = "*"
MISSING_TEXT = ""

_COUNT = "[1-9][0-9]{0,17}"
_SPECIAL_IN_SET = re.compile(rf"[\\,\[\]{{}}]|:(?= {_COUNT}\Z)")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_MEMBER = re.compile(rf"~\[[^\]]*\](?:: {_COUNT})?|\[[^\]]*\]|(?:\\.|[^\\,])*", re.DOTALL)
_NUMBER = re.compile(_COUNT)
_COUNTED = re.compile(rf"((?:\\.|[^\\])*): ({_COUNT})", re.DOTALL)
_MEANS = "~["
_LONG = 128  # shorter texts cannot take long to compose
_LAST_MARK = 0x1F000  # beyond it no character combines with the one before
# Of all characters that stand alone, only these are composed of such that do not.
_TAKEN_APART = str.maketrans(
    {mark: unicodedata.normalize("NFD", mark) for mark in ("\u0344", "\u0f73", "\u0f75", "\u0f81")}
)


def write_alone(text: str) -> str:
    """A text as the whole of a published cell."""
    is_special = text == SUPPRESSED_TEXT or text[:1] in ("[", "{", "\\") or text[:2] == _MEANS
    return "\\" + text if is_special else text


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


def write_means(means: Sequence[str]) -> str:
    """Means of the chunks of a group's numbers."""
    return _MEANS + ", ".join(means) + "]"


def write_counts(members: Iterable[tuple[str, int]]) -> str:
    """Written members, ``""`` for missing, each with the number of rows that have it."""
    # PRIVACY: sorted by text, never by row or count (tests/unit/data/test_grammar.py).
    return "{" + ", ".join(f"{member}: {count}" for member, count in sorted(members)) + "}"


Part = str | tuple[str, str]  # a name, or the two ends of a range as they are written


class ReadCell(NamedTuple):
    """What a published cell says, as far as its text alone tells.

    A sketch is read like the set of its values, or the range from its least mean to its largest, and has
    ``means`` or ``counts`` beside that.
    """

    is_suppressed: bool = False
    with_missing: bool = False
    texts: tuple[str, ...] = ()
    ranges: tuple[tuple[str, str], ...] = ()
    means: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()  # rows of each part, and of missing, last, where that is counted

    @property
    def is_sketch(self) -> bool:
        """Whether it says how the values of a whole group are distributed."""
        return bool(self.means or self.counts)

    @property
    def n_missing(self) -> int:
        """How many rows of the group a sketch says to be missing."""
        return self.counts[-1] if self.counts and self.with_missing else 0

    @property
    def parts(self) -> tuple[Part, ...]:
        """The names, then the ranges."""
        return self.texts + self.ranges if self.ranges else self.texts


@lru_cache(maxsize=1 << 19)  # each text of a release is read several times: by judges, losses, codebook
def read_cell(text: str) -> ReadCell:
    """Undo the writing of a cell; a ValueError, which does not show the text, where it is no cell."""
    if text == SUPPRESSED_TEXT:
        return ReadCell(is_suppressed=True)
    if text == MISSING_TEXT:
        return ReadCell(with_missing=True)
    if text[0] == "[":
        return ReadCell(ranges=(_read_range(text),))
    if text[:2] == _MEANS:
        means = _read_means(text)
        return ReadCell(ranges=((means[0], means[-1]),), means=means)
    if text == "\\":
        raise ValueError("a backslash in front of nothing")
    if text[0] != "{":
        return ReadCell(texts=(text.removeprefix("\\"),))
    return _read_simple_set(text) or _read_simple_counts(text) or _read_set(text)


_SPECIAL = ("*", "[", "{", "~[", "\\")  # how a cell begins that is not simply a value


@lru_cache(maxsize=1 << 17)
def read_any_text(text: str) -> ReadCell:
    """What a text says as a cell; a raw value if cells are not written so: ``{a``, a set of one, ``\\x``."""
    if text and not text.startswith(_SPECIAL):
        return ReadCell(texts=(text,))
    try:
        cell = read_cell(text)
    except ValueError:
        return ReadCell(texts=(text,))
    is_strange_text = text[:1] == "\\" and write_alone(cell.texts[0]) != text
    is_set_of_one = text[:1] == "{" and len(cell.parts) + cell.with_missing < 2
    is_set_of_one &= not cell.is_sketch
    return ReadCell(texts=(text,)) if is_strange_text or is_set_of_one else cell


def _read_simple_set(text: str) -> ReadCell | None:
    """What ``_read_set`` would say, several times faster, of a set without escapes and ranges; else None."""
    if len(text) < 2 or text[0] != "{" or text[-1] != "}" or "\\" in text or "[" in text or ": " in text:
        return None
    members = text[1:-1].split(", ")
    if text.count(",") != len(members) - 1:
        return None
    if "" not in members:
        return ReadCell(texts=tuple(members))
    return ReadCell(with_missing=True, texts=tuple(filter(None, members)))


def _read_simple_counts(text: str) -> ReadCell | None:
    """The same of values with counts, none of them missing."""
    if text[-1] != "}" or "\\" in text or "[" in text:
        return None
    members = text[1:-1].split(", ")
    names, counts = zip(*map(_counted_member, members), strict=True)
    is_simple = all(names) and all(counts) and len(set(names)) == len(names)
    is_simple = is_simple and text.count(",") == len(members) - 1
    return ReadCell(texts=names, counts=counts) if is_simple else None


@lru_cache(maxsize=1 << 16)  # the members of a column are few, and one name serves all cells that have it
def _counted_member(member: str) -> tuple[str, int]:
    """A value and its count; 0 where there is none."""
    name, _, count = member.rpartition(": ")
    return name, int(count) if _NUMBER.fullmatch(count) else 0


def _read_set(text: str) -> ReadCell:
    if text[-1] != "}":
        raise ValueError("a set of cells that does not end")
    members, place, end = list[str](), 1, len(text) - 1
    while True:
        match = _MEMBER.match(text, place, end)
        members.append(match.group() if match else "")
        place += len(members[-1])
        if place == end:
            break
        if not text.startswith(", ", place, end):
            raise ValueError("a set of cells that lacks a separator")
        place += 2
    counted = [_COUNTED.fullmatch(member) for member in members]
    if not any(counted):
        return _of_members(members)
    found = [(match[1], match[2]) for match in counted if match]
    if len(found) < len(members):
        raise ValueError("a set of which only some members have counts")
    return _of_counts(found)


def _of_members(members: Iterable[str]) -> ReadCell:
    texts, ranges, with_missing = list[str](), list[tuple[str, str]](), False
    for member in members:
        if member[:1] == "[":
            ranges.append(_read_range(member))
        elif member[:2] == _MEANS:
            raise ValueError("means in a set without counts")
        elif member:
            texts.append(_unescaped(member))
        else:
            with_missing = True
    return ReadCell(with_missing=with_missing, texts=tuple(texts), ranges=tuple(ranges))


def _of_counts(counted: Sequence[tuple[str, str]]) -> ReadCell:
    """A sketch: values with counts, or the means of numbers and how many they and missing are."""
    texts, means, counts, of_missing = list[str](), tuple[str, ...](), list[int](), tuple[int, ...]()
    for member, count in counted:
        if not member:
            of_missing = (int(count),)
            continue
        counts.append(int(count))
        if member[:2] == _MEANS:
            means = _read_means(member)
        else:
            texts.append(_unescaped(member))
    if means and (texts or not of_missing):
        raise ValueError("means stand alone, or beside missing")
    if not counts or len(set(texts)) + bool(means) + bool(of_missing) < len(counted):
        raise ValueError("a sketch without values, or with one that stands twice")
    ranges = ((means[0], means[-1]),) if means else ()
    return ReadCell(False, bool(of_missing), tuple(texts), ranges, means, (*counts, *of_missing))


def _unescaped(member: str) -> str:
    return _ESCAPED.sub(r"\1", member) if "\\" in member else member


def _read_means(text: str) -> tuple[str, ...]:
    means = tuple(text[2:-1].split(", "))
    if text[-1] != "]" or "" in means:
        raise ValueError("means that do not end, or an empty one")
    return means


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
