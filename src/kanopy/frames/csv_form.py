"""How kanopy writes a CSV file: as programs expect it, or as a spreadsheet of a country does."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from typing import NamedTuple

from kanopy.errors import PolicyError, near_name
from kanopy.frames.csv_text import as_before_disarming, spreadsheet_safe_word

_POINT = re.compile(r"(?<=[0-9])\.(?=[0-9])")
_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")
_DELIMITERS = (",", ";")


class CsvForm(NamedTuple):
    """Delimiter, byte order mark, the columns whose numbers have a decimal comma, and whether formulas have a
    ``'`` in front."""

    delimiter: str = ","
    has_mark: bool = False
    decimal: str = "."
    comma_columns: tuple[str, ...] = ()
    is_disarmed: bool = False

    @property
    def mark(self) -> bytes:
        """What the file begins with."""
        return codecs.BOM_UTF8 if self.has_mark else b""

    @property
    def encoding(self) -> str:
        """The name by which programs know the encoding."""
        return "utf-8-sig" if self.has_mark else "utf-8"

    def in_header(self, name: str) -> str:
        """How the name of a column is written."""
        return spreadsheet_safe_word(name) if self.is_disarmed else name

    def named(self, names: Iterable[str]) -> list[str]:
        """The columns that these names of a header are of; O(names)."""
        return [as_before_disarming(name) if self.is_disarmed else name for name in names]


PLAIN_FORM = CsvForm()

_POINTS = CsvForm(",", has_mark=True)
_COMMAS = CsvForm(";", has_mark=True, decimal=",")
EXCEL_LOCALES = {
    **dict.fromkeys(("en", "en-GB", "en-US", "ja", "ko", "zh"), _POINTS),
    **dict.fromkeys(("de", "de-AT", "es", "fr", "it", "nl", "pl", "pt", "pt-BR", "sv"), _COMMAS),
    **dict.fromkeys(("de-CH", "it-CH"), CsvForm(";", has_mark=True)),
}
"""How Excel reads a CSV file that is opened by a double click, by the regional settings of the system."""


def excel_form(locale: str) -> CsvForm:
    """The form for a spreadsheet with these regional settings."""
    known = {name.lower(): form for name, form in EXCEL_LOCALES.items()}
    found = known.get(str(locale).lower().replace("_", "-"))
    if found is None:
        hint = near_name(str(locale), EXCEL_LOCALES) or f"choose one of {', '.join(sorted(EXCEL_LOCALES))}"
        raise PolicyError("no such regional settings of a spreadsheet are known", hint)
    return found


def with_comma(word: str) -> str:
    """A word of a column of numbers, with decimal commas."""
    return _POINT.sub(",", word)


def with_point(word: str) -> str:
    """The word that ``with_comma`` was given."""
    return _COMMA.sub(".", word)


def takes_commas(words: Iterable[str]) -> bool:
    """Whether decimal commas can be undone in a column of numbers: every point is a decimal point between
    digits, and there is no such comma yet; O(words)."""
    return all(not _COMMA.search(word) and "." not in _POINT.sub("", word) for word in words)


def is_form(delimiter: object, decimal: object) -> bool:
    """Whether a file may be written like this."""
    return delimiter in _DELIMITERS and decimal in (".", ",")
