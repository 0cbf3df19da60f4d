"""Groups that are listed, of codes that begin alike (zip codes, ICD), and of dates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from kanopy.data import Hierarchy
from kanopy.data.calendar import LEVELS, check_format, read_period, written
from kanopy.data.grammar import clean_text
from kanopy.data.intervals import plain_number
from kanopy.errors import PolicyError, near_name
from kanopy.hierarchies.rule import ClassCounts, HierarchyRule, listed, refusal, stacked

_DEEPEST = 30
_HINT = 'for example Secondary = ["9th", "10th"]'


@dataclass(frozen=True)
class Groups(HierarchyRule):
    """Named groups of values, or of groups; branches may be of different depth.

    Parameters
    ----------
    tree : mapping
        The name of a group to a list of values, or to a mapping of the same kind.

    Examples
    --------
    >>> tree = {"Higher": {"Graduate": ["MSc", "PhD"], "First": ["BSc"]}, "School": ["9th", "10th"]}
    >>> Groups(tree).build("education", []).node_label
    ('*', 'School', 'Higher', '10th', '9th', 'BSc', 'Graduate', 'MSc', 'PhD')
    """

    tree: Mapping[str, Any]
    paths: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.tree, Mapping):
            raise PolicyError("groups are names with lists of values", _HINT)
        chains = _chains(self.tree)
        depth = max((len(chain) for chain in chains), default=0)
        # Short branches repeat the value on the low levels: a level is a distance from the root.
        paths = [(chain[0],) * (depth - len(chain)) + chain for chain in chains]
        n_empty = sum("" in path for path in paths)
        if n_empty:
            raise PolicyError(f"{n_empty} values or groups above them have no name", "name every group")
        object.__setattr__(self, "paths", tuple((*path, "*") for path in paths))

    def build(self, column: str, labels: Sequence[str], class_counts: ClassCounts | None = None) -> Hierarchy:
        """The listed groups, whatever values the table has."""
        numbers = {path[0]: plain_number(path[0]) for path in self.paths}
        if None in numbers.values():
            return Hierarchy.from_paths(column, self.paths)
        return Hierarchy.from_paths(column, self.paths, lambda value: (numbers[value], value))


def _chains(tree: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """From every value up to its outermost group; O(values * depth)."""
    chains = []
    n_odd = n_empty = 0
    waiting: list[tuple[Any, tuple[str, ...]]] = [(tree, ())]
    while waiting:
        inside, above = waiting.pop()
        if len(above) > _DEEPEST:
            raise PolicyError(f"groups are nested deeper than {_DEEPEST} levels", "leave some levels out")
        if isinstance(inside, Mapping):
            n_odd += sum(not isinstance(name, str) for name in inside)
            waiting += [(inner, (clean_text(str(name)), *above)) for name, inner in inside.items()]
        elif isinstance(inside, list | tuple) and all(isinstance(value, str) for value in inside):
            chains += [(clean_text(value), *above) for value in inside]
        else:
            n_odd += 1
        n_empty += isinstance(inside, list | tuple | Mapping) and not inside
    if n_odd:
        raise PolicyError(f"{n_odd} groups are neither a list of texts nor groups themselves", _HINT)
    if n_empty:
        raise PolicyError(f"{n_empty} groups are empty", "list their values, or leave them out")
    return chains


@dataclass(frozen=True)
class Prefix(HierarchyRule):
    """Values that share their first characters.

    Parameters
    ----------
    lengths : int or list of int
        How many characters are kept, one level each, from many to few. Groups are called ``123*``.

    Examples
    --------
    >>> Prefix([3, 2]).build("zip", ["12345", "12399", "12500"]).node_label
    ('*', '123*', '12500', '12345', '12399')
    """

    lengths: Any

    def __post_init__(self) -> None:
        lengths = listed(self.lengths)
        object.__setattr__(self, "lengths", lengths)
        if not all(type(length) is int and length >= 1 for length in lengths):
            raise PolicyError("prefix takes whole numbers of at least 1", "for example prefix = [3, 2, 1]")
        if not lengths or list(lengths) != sorted(set(lengths), reverse=True):
            raise PolicyError("prefix takes lengths in falling order", "for example prefix = [3, 2, 1]")

    def build(self, column: str, labels: Sequence[str], class_counts: ClassCounts | None = None) -> Hierarchy:
        levels = [[f"{label[:length]}*" for label in labels] for length in self.lengths]
        return stacked(column, labels, levels)


@dataclass(frozen=True)
class Dates(HierarchyRule):
    """Dates of the same hour, day, month, quarter, year or decade.

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
        units = listed(self.units)
        object.__setattr__(self, "units", units)
        for unit in units:
            if not isinstance(unit, str) or unit not in LEVELS:
                hint = near_name(unit, LEVELS) if isinstance(unit, str) else ""
                raise PolicyError(
                    f"dates takes some of {', '.join(LEVELS)}", hint or 'dates = ["month", "year"]'
                )
        places = [LEVELS.index(unit) for unit in units]
        if not places or places != sorted(set(places)):
            raise PolicyError(
                "dates takes units from fine to coarse", 'for example dates = ["month", "year"]'
            )
        if self.format is not None:
            check_format(self.format, units)

    def build(self, column: str, labels: Sequence[str], class_counts: ClassCounts | None = None) -> Hierarchy:
        dates = {label: self._read(label) or self._first_moment(label) for label in labels}
        n_others = sum(date is None for date in dates.values())
        if n_others:
            raise refusal(
                column,
                f"{n_others} values of the table are no dates of the expected form",
                'give their format, for example format = "%d.%m.%Y", or declare them in missing',
            )
        read = {label: date for label, date in dates.items() if date is not None}
        levels = [[written(read[label], unit) for label in labels] for unit in self.units]
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

    def _first_moment(self, label: str) -> datetime | None:
        """Of a month or a year, where no unit is finer: dates that a policy has cut down are such."""
        period = None if self.format is not None else read_period(label)
        if period is None or LEVELS.index(period.level) > LEVELS.index(self.units[0]):
            return None
        return period.first
