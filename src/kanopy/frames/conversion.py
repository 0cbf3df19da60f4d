"""Dates, times and numbers of a table as it came, in the one form in which they are encoded and published.

Everything is done once per different value of a column, and never per row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data import calendar
from kanopy.data.arrays import Bools, Ints
from kanopy.data.grammar import MISSING_TEXT
from kanopy.data.intervals import DECLARED_NUMBER, PLAIN_NUMBER
from kanopy.errors import InputError
from kanopy.frames.derive import Moments, derived_columns
from kanopy.frames.distinct import clean_texts, is_text
from kanopy.frames.from_numpy import as_arrow
from kanopy.policy import Policy, shown_name
from kanopy.policy.reading import ColumnFormat

_SIGNS = {"≤": "<=", "≥": ">=", "=<": "<=", "=>": ">="}
_CENSORED = r"(?s)(<=|>=|=<|=>|[<>≤≥])\s*(.*)"
_ISO = ColumnFormat("date")
_ALIKE = (" \u00a0\u2009\u202f", "'\u2019")
"""Thousands marks that look alike, and mean the same."""

Reader = Callable[[str], datetime | None]


def converted(
    table: pa.Table, policy: Policy, *, is_new: bool = False, weight: Ints | None = None
) -> pa.Table:
    """A table as it was read, with derived columns, and with dates and numbers in their one form.

    O(rows) for every column that the policy says something about, plus O(different values * formats). Where
    it says nothing, the table is returned as it is. ``is_new``: rows after a release, which may lack columns.
    ``weight`` is how many rows each row stands for, where messages shall count these.
    """
    if not policy.reads:
        return table

    def moments(name: str) -> Moments:
        return read_moments(name, table[name], policy.columns.get(name, _ISO), policy.missing, weight)

    made = derived_columns(table, policy, moments, is_new=is_new)
    columns = {name: table[name] for name in table.column_names}
    for name in table.column_names:
        form = policy.columns.get(name)
        if name not in policy.published:
            continue
        if form is not None and form.is_date:
            columns[name] = _dates(moments(name), form)
        elif form is None or form.kind == "number":
            columns[name] = _numbers(name, table[name], policy, weight)
    return pa.table({**columns, **made})


def read_moments(
    name: str,
    column: pa.ChunkedArray,
    form: ColumnFormat,
    missing: Sequence[str],
    weight: Ints | None = None,
) -> Moments:
    """The dates of a column; an InputError with counts where some are none. O(rows + values * formats)."""
    texts, codes = clean_texts(name, column, missing)
    held = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    formats = () if pa.types.is_temporal(held) else form.formats  # typed dates need no format
    readers = [calendar.format_reader(each) for each in formats]
    words = texts.to_pylist()
    read = [None if word == MISSING_TEXT else _moment(word, readers, form.level) for word in words]
    is_lost = np.array([found is None and word != "" for word, found in zip(words, read, strict=True)])
    hint = f"add their format to formats of [columns.{name}], or declare them in missing"
    _refuse(name, is_lost, codes, weight, "are no dates in the formats of the policy", hint)
    from zoneinfo import ZoneInfo  # slow to load, and for times alone

    zone = None if form.zone == "refuse" else ZoneInfo(form.zone)
    has_offset = np.array([found is not None and found.tzinfo is not None for found in read])
    if zone is None:
        hint = f'say to which zone they are converted: [columns.{name}] zone = "Europe/Berlin"'
        _refuse(name, has_offset, codes, weight, "have a time zone", hint)
    local = [found if found is None or found.tzinfo is None else found.astimezone(zone) for found in read]
    return Moments([None if found is None else found.replace(tzinfo=None) for found in local], codes)


def _moment(text: str, readers: Sequence[Reader], level: str) -> datetime | None:
    """The moment that a text names, by the first format that reads it; without any, ISO dates and periods."""
    for read in readers:
        if (found := read(text)) is not None:
            return found
    if readers:
        return None
    period = calendar.read_period(text)
    if period is not None:  # a month is no day, and a year is no month; a minute is its first second
        coarsest = max(calendar.LEVELS.index(level), calendar.LEVELS.index("hour"))
        return period.first if calendar.LEVELS.index(period.level) <= coarsest else None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _dates(moments: Moments, form: ColumnFormat) -> pa.Array:
    words = [None if moment is None else calendar.written(moment, form.level) for moment in moments.values]
    return _column(words, moments.codes)


def _column(words: Sequence[str | None], codes: NDArray[np.int32]) -> pa.Array:
    """The text of each row; equal texts are one in the dictionary."""
    place = {word: number for number, word in enumerate(dict.fromkeys(words))}
    places = np.array([place[word] for word in words], dtype=np.int32)
    values = pa.array(list(place), pa.string())
    return pa.DictionaryArray.from_arrays(as_arrow(places[codes]), values)


class _Marks(NamedTuple):
    """How numbers are written."""

    decimal: str = "."
    thousands: str | None = None

    @property
    def is_usual(self) -> bool:
        return self.decimal == "." and self.thousands is None

    def reader(self) -> Callable[[str], str | None]:
        """From a text to the number with a point and no marks; None where it is no number."""
        alike = [marks for marks in _ALIKE if self.thousands in marks] if self.thousands else []
        between = f"[{alike[0]}]" if alike else re.escape(self.thousands or "")
        grouped = rf"[0-9]{{1,3}}(?:{between}[0-9]{{3}})+|" if self.thousands else ""
        pattern = re.compile(
            rf"([+-]?)({grouped}[0-9]*)(?:{re.escape(self.decimal)}([0-9]*))?((?:[eE][+-]?[0-9]{{1,3}})?)"
        )

        def read(text: str) -> str | None:
            match = pattern.fullmatch(text)
            if match is None or not (match[2] or match[3]):
                return None
            whole = re.sub("[^0-9]", "", match[2]) or "0"
            sign = "-" if match[1] == "-" else ""
            return f"{sign}{whole}{'.' + match[3] if match[3] else ''}{match[4]}"

        return read


def _numbers(
    name: str, column: pa.ChunkedArray, policy: Policy, weight: Ints | None
) -> pa.ChunkedArray | pa.Array:
    """A column of numbers with a point and without marks.

    A column that the policy does not describe is changed where all its values are numbers in the notation of
    ``[source]``, and some are written in another way than usual.
    """
    form = policy.columns.get(name)
    marks = _Marks(policy.source.decimal or ".", policy.source.thousands)
    if form is not None and (form.decimal or form.thousands):
        marks = _Marks(form.decimal or ".", form.thousands)
    if not is_text(column.type) or name in policy.categorical or (form is None and marks.is_usual):
        return column
    texts, codes = clean_texts(name, column, policy.missing)
    words = texts.to_pylist()
    read = marks.reader()
    if form is None:
        plain = [read(word) if word else None for word in words]
        if not all(_is_plain(number) for number, word in zip(plain, words, strict=True) if word):
            return column
        return _column(plain, codes) if plain != [word or None for word in words] else column
    bare = [_without_unit(word, form.unit) for word in words]
    plain = [_with_sign(word, read, is_censored=form.censored) if word else None for word in bare]
    is_lost = np.array([bool(word) and number is None for word, number in zip(words, plain, strict=True)])
    more = "" if form.censored else "; values such as <5 need censored = true, such as 5 € a unit"
    hint = f"correct decimal and thousands of [columns.{name}], or declare them in missing{more}"
    _refuse(name, is_lost, codes, weight, "are no numbers as the policy describes them", hint)
    return _column(plain, codes)


def _is_plain(number: str | None) -> bool:
    """Whether this is a number and no code: it has no leading zeros."""
    return number is not None and PLAIN_NUMBER.fullmatch(number) is not None


def _without_unit(text: str, unit: str | None) -> str:
    """The text without the unit before or behind it; not every cell must have one."""
    return text.removeprefix(unit).removesuffix(unit).strip() if unit else text


def _with_sign(text: str, read: Callable[[str], str | None], *, is_censored: bool) -> str | None:
    match = re.fullmatch(_CENSORED, text) if is_censored else None
    number = read(text if match is None else match[2])
    if number is None or not DECLARED_NUMBER.fullmatch(number) or abs(float(number)) == float("inf"):
        return None
    return number if match is None else _SIGNS.get(match[1], match[1]) + number


def _refuse(
    name: str, is_lost: Bools, codes: NDArray[np.int32], weight: Ints | None, what: str, hint: str
) -> None:
    """PRIVACY: how many cells cannot be read, never which (tests/unit/frames/test_conversion.py)."""
    if not is_lost.any():
        return
    n_cells, n_values = int(is_lost[codes].sum()), int(is_lost.sum())
    n_cells = n_cells if weight is None else int(weight[is_lost[codes]].sum())
    raise InputError(f"column {shown_name(name)}: {n_cells:,} cells ({n_values:,} different) {what}", hint)
