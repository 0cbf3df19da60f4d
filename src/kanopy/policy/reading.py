"""How the custodian's table is written: the sections ``[source]``, ``[columns.NAME]`` and ``[derived]``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import date, datetime
from itertools import permutations
from typing import Any, TypeVar

from kanopy.data.calendar import LEVELS, check_format, finest_level
from kanopy.errors import PolicyError, near_name

T = TypeVar("T")

KINDS = ("date", "time", "number", "category")
DIFFERENCES = ("years", "months", "days", "hours")
"""What lies between a date and another."""
PARTS = ("year", "quarter", "month", "weekday", "hour")
"""What a date has by itself."""

_MARKS = (",", ".", " ", "'", "_", "\u2019", "\u00a0", "\u2009", "\u202f")
_PROBES = (
    datetime(2001, 2, 3, 4, 5, 6),
    datetime(2010, 11, 12, 8, 9, 7),
    datetime(2012, 10, 11, 1, 2, 3),
    datetime(1905, 7, 6, 10, 11, 12),
)
"""Moments whose parts can be mistaken for each other."""


@dataclass(frozen=True, slots=True)
class SourceFormat:
    """How a file is written; None: as usual, a comma, UTF-8, a point and quotes, the only sheet."""

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    quote: str | None = None
    sheet: str | None = field(default=None, metadata={"is_later": True})  # of a workbook; see digest.py

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None and (not isinstance(value, str) or not value):
                raise PolicyError(
                    f"{each.name} takes a text", f'for example {each.name} = "{_USUAL[each.name]}"'
                )
        if self.quote is not None and self.quote not in ('"', "'"):
            raise PolicyError("quote is \" or '", 'quote = "\'"')
        _check_marks(self.decimal, self.thousands)


_USUAL = {
    "delimiter": ";",
    "encoding": "cp1252",
    "decimal": ",",
    "thousands": ".",
    "quote": "'",
    "sheet": "Patients",
}


@dataclass(frozen=True, slots=True)
class ColumnFormat:
    """What a column holds, and how it is written."""

    kind: str
    formats: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    zone: str = "refuse"
    decimal: str | None = None
    thousands: str | None = None
    unit: str | None = None
    censored: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            hint = near_name(self.kind, KINDS) if isinstance(self.kind, str) else ""
            raise PolicyError(f"kind is one of {', '.join(KINDS)}", hint)
        for name in ("formats", "levels"):
            value = getattr(self, name)
            listed = [value] if isinstance(value, str) else value
            if not isinstance(listed, list | tuple) or not all(isinstance(item, str) for item in listed):
                raise PolicyError(f"{name} takes a list of texts", f'{name} = ["..."]')
            object.__setattr__(self, name, tuple(dict.fromkeys(listed)))
        if not isinstance(self.censored, bool):
            raise PolicyError("censored takes true or false")
        if self.unit is not None and (not isinstance(self.unit, str) or not re.fullmatch(r"\D+", self.unit)):
            raise PolicyError("unit takes a text without digits", 'for example unit = "€"')
        self._check_kind()
        _check_marks(self.decimal, self.thousands)
        if self.is_date:
            self._check_dates()

    @property
    def is_date(self) -> bool:
        """Whether the values are dates or times."""
        return self.kind in ("date", "time")

    @property
    def level(self) -> str:
        """The finest level that is published."""
        return self.levels[0] if self.levels else self._finest

    @property
    def _finest(self) -> str:
        """The finest level that every format tells; a date has no time of day."""
        told = [LEVELS.index(finest_level(form)) for form in self.formats or (None,)]
        return LEVELS[max(*told, LEVELS.index("day" if self.kind == "date" else "second"))]

    def told(self) -> dict[str, Any]:
        """What the published values are, for the manifest; not how they were written before."""
        more: dict[str, Any] = {"level": self.level} if self.is_date else {}
        return {"kind": self.kind, **more, **({"censored": True} if self.censored else {})}

    def _check_kind(self) -> None:
        usual = {each.name: each.default for each in fields(self)}
        for name, kinds in _BELONGS.items():
            if self.kind not in kinds and getattr(self, name) != usual[name]:
                raise PolicyError(
                    f"a column of kind {self.kind} takes no {name}", f'kind = "{kinds[0]}" does'
                )

    def _check_dates(self) -> None:
        for level in self.levels:
            if level not in LEVELS:
                hint = near_name(level, LEVELS) or f"levels: {', '.join(LEVELS)}"
                raise PolicyError(f"there is no calendar level {level!r}", hint)
        places = [LEVELS.index(level) for level in self.levels]
        if places != sorted(places):
            raise PolicyError("levels go from fine to coarse", 'for example levels = ["month", "year"]')
        told = [check_format(form, ()) for form in self.formats]
        if places and places[0] < LEVELS.index(self._finest):
            known = f"kind {self.kind} and its formats tell no more than the {self._finest}"
            raise PolicyError(f"level {self.levels[0]!r} is too fine", known)
        _check_unambiguous(self.formats)
        if self.zone == "refuse":
            if any("z" in names for names in told):
                hint = 'say to which zone: for example zone = "Europe/Berlin"'
                raise PolicyError("a format has a time zone (%z), and zones are refused", hint)
            return
        import zoneinfo  # slow to load, and most policies name no zone

        try:
            zoneinfo.ZoneInfo(self.zone)
        except (TypeError, ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
            raise PolicyError(
                "zone takes the name of a time zone", 'zone = "Europe/Berlin", or "refuse"'
            ) from None


_BELONGS = {
    "formats": ("date", "time"), "levels": ("date", "time"), "zone": ("time", "date"),
    "decimal": ("number",), "thousands": ("number",), "unit": ("number",), "censored": ("number",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DerivedColumn:
    """A column that is made from a date: what lies between it and another, or a part of it."""

    source: str
    measure: str
    at: date | str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.source, str) or not self.source.strip():
            raise PolicyError("from takes the name of a column")
        known = (*DIFFERENCES, *PARTS)
        if self.measure not in known:
            hint = near_name(self.measure, known) if isinstance(self.measure, str) else ""
            raise PolicyError(f"as is one of {', '.join(known)}", hint)
        if (self.at is None) == (self.measure in DIFFERENCES):
            needs = "needs at, a date or a column" if self.at is None else "takes no at"
            raise PolicyError(f'as = "{self.measure}" {needs}', "for example at = 2024-01-01")
        object.__setattr__(self, "at", _moment(self.at))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it is made from."""
        return (self.source, self.at) if isinstance(self.at, str) else (self.source,)

    def told(self) -> dict[str, str]:
        """The line of the policy, for the manifest."""
        at = {} if self.at is None else {"at": str(self.at)}
        return {"from": self.source, "as": self.measure, **at}


def _moment(at: Any) -> Any:
    """A date stays one, and so does a text that is one; any other text is the name of a column."""
    if isinstance(at, str) and at.strip():
        try:
            return datetime.fromisoformat(at) if len(at) > len("2024-01-01") else date.fromisoformat(at)
        except ValueError:
            return at.strip()
    if at is None or (isinstance(at, date) and getattr(at, "tzinfo", None) is None):
        return at
    raise PolicyError("at takes a date, or the name of a column with dates", "for example at = 2024-01-01")


def _check_marks(decimal: Any, thousands: Any) -> None:
    for name, mark in (("decimal", decimal), ("thousands", thousands)):
        if mark is not None and mark not in (_MARKS if name == "thousands" else _MARKS[:2]):
            example = '"," or "."' if name == "decimal" else '",", ".", " ", "\'" or "_"'
            raise PolicyError(f"{name} takes {example}")
    if thousands is not None and thousands == (decimal or "."):
        raise PolicyError(
            "decimal and thousands are the same mark", 'for example decimal = ",", thousands = "."'
        )


def _check_unambiguous(formats: tuple[str, ...]) -> None:
    """Refuse formats of which one text could be read by two, with different results."""
    for first, second in permutations(formats, 2):
        for moment in _PROBES:
            text = moment.strftime(first)
            readings = {_parsed(text, first), _parsed(text, second)} - {None}
            if len(readings) > 1:
                raise PolicyError(
                    f"formats {first!r} and {second!r} read the same texts as different dates",
                    "keep the one that the column is written in",
                )


def _parsed(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text, form).replace(tzinfo=None)
    except ValueError:
        return None


_KEYS = {"source": "from", "measure": "as"}
"""Keys of [derived] that are words of Python's own."""


def read_section(where: str, kind: type[T], value: Any) -> T:
    """A section as an object of this kind; a PolicyError names the section."""
    if isinstance(value, kind):
        return value
    known = {_KEYS.get(each.name, each.name): each for each in fields(kind)}  # type: ignore[arg-type]
    if not isinstance(value, Mapping):
        raise PolicyError(f"{where} takes keys and values", f"keys: {', '.join(known)}")
    for key in value:
        if key not in known:
            hint = (near_name(key, known) if isinstance(key, str) else "") or f"keys: {', '.join(known)}"
            raise PolicyError(f"{where} has no key {key!r}", hint)
    for key, each in known.items():
        if each.default is MISSING and key not in value:
            raise PolicyError(f"{where} lacks {key}")
    try:
        return kind(**{known[key].name: item for key, item in value.items()})
    except PolicyError as error:
        raise PolicyError(f"{where}: {error.message}", error.hint) from None


def read_sections(where: str, kind: type[T], value: Any, name_of: Callable[[Any], str]) -> dict[str, T]:
    """One section per column, by the clean name of the column."""
    if not isinstance(value, Mapping):
        raise PolicyError(f"{where} takes names of columns", f"write [{where}.NAME]")
    return {name_of(name): read_section(f"[{where}] {name!r}", kind, value[name]) for name in value}


def check_derived(
    derived: Mapping[str, DerivedColumn], columns: Mapping[str, ColumnFormat], roles: Mapping[str, str]
) -> None:
    """Refuse derived columns without a role, or from anything but columns of the table with dates."""
    for name, column in derived.items():
        for other in (name, *column.columns):
            if other not in roles:
                hint = near_name(other, roles) or "declare its role; identifiers are dropped"
                raise PolicyError(f"[derived] names column {other!r}, which has no role", hint)
        for other in column.columns:
            if other in derived:
                raise PolicyError(
                    f"[derived] {name!r} is made from {other!r}, which is derived itself",
                    "derive it from a column of the table",
                )
            if other in columns and not columns[other].is_date:
                what = f"[derived] {name!r} is made from {other!r}, which is no date"
                raise PolicyError(what, f'[columns.{other}] needs kind = "date"')
