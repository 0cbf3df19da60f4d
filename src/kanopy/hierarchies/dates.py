"""Groups of dates: days, months, quarters, years, decades."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kanopy.data import Hierarchy
from kanopy.errors import PolicyError, near_name
from kanopy.hierarchies.rule import ClassCounts, HierarchyRule, refusal, stacked

_NAME: dict[str, Callable[[datetime], str]] = {
    "day": lambda date: f"{date.year:04}-{date.month:02}-{date.day:02}",
    "month": lambda date: f"{date.year:04}-{date.month:02}",
    "quarter": lambda date: f"{date.year:04}-Q{(date.month + 2) // 3}",
    "year": lambda date: f"{date.year:04}",
    "decade": lambda date: f"{date.year // 10:03}0s",
}
_DIRECTIVES = "YymdjbBaAHIMSfpzZ%"
_TELLS = {"day": "dj", "month": "mbBj", "quarter": "mbBj", "year": "Yy", "decade": "Yy"}


@dataclass(frozen=True)
class Dates(HierarchyRule):
    """Dates of the same day, month, quarter, year or decade.

    Parameters
    ----------
    units : str or list of str
        One level each, from fine to coarse.
    format : str, optional
        How the dates are written, as ``datetime.strptime`` takes it; without it, ISO dates, with or without
        a time of day.

    Examples
    --------
    >>> Dates(["month", "year"]).build("visit", ["2024-05-01", "2024-05-07", "2024-06-01"]).node_label
    ('*', '2024-05', '2024-06-01', '2024-05-01', '2024-05-07')
    """

    units: Any
    format: str | None = None

    def __post_init__(self) -> None:
        units = tuple(self.units) if isinstance(self.units, list | tuple) else (self.units,)
        object.__setattr__(self, "units", units)
        for unit in units:
            if not isinstance(unit, str) or unit not in _NAME:
                hint = near_name(unit, _NAME) if isinstance(unit, str) else ""
                raise PolicyError(
                    f"dates takes some of {', '.join(_NAME)}", hint or 'dates = ["month", "year"]'
                )
        places = [list(_NAME).index(unit) for unit in units]
        if not places or places != sorted(set(places)):
            raise PolicyError(
                "dates takes units from fine to coarse", 'for example dates = ["month", "year"]'
            )
        if self.format is not None:
            self._check_format(units)

    def _check_format(self, units: Sequence[str]) -> None:
        form = self.format
        directives = re.findall(r"%(.?)", form) if isinstance(form, str) else []
        known = all(directive and directive in _DIRECTIVES for directive in directives)
        names = [directive for directive in directives if directive != "%"]
        if not names or not known or len(names) != len(set(names)) or not {"Y", "y"} & set(names):
            raise PolicyError("the format of dates is not understood", 'for example format = "%d.%m.%Y"')
        for unit in units:
            if not set(_TELLS[unit]) & set(names):
                raise PolicyError(f"the format of dates does not tell the {unit}", "leave the unit out")

    def build(self, column: str, labels: Sequence[str], class_counts: ClassCounts | None = None) -> Hierarchy:
        dates = {label: self._read(label) for label in labels}
        n_others = sum(date is None for date in dates.values())
        if n_others:
            raise refusal(
                column,
                f"{n_others} values of the table are no dates of the expected form",
                'give their format, for example format = "%d.%m.%Y", or declare them in missing',
            )
        read = {label: date for label, date in dates.items() if date is not None}
        levels = [[_NAME[unit](read[label]) for label in labels] for unit in self.units]
        return stacked(column, labels, levels, lambda label: (read[label], label))

    def fits(self, labels: Sequence[str]) -> bool:
        """Whether every value is a date of this form."""
        return all(self._read(label) is not None for label in labels)

    def _read(self, label: str) -> datetime | None:
        """The date and time as written: time zones are not reckoned with."""
        try:
            if self.format is None:
                return datetime.fromisoformat(label).replace(tzinfo=None)
            return datetime.strptime(label, self.format).replace(tzinfo=None)
        except ValueError:
            return None
