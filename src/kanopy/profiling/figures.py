"""The figures of a profile: plain numbers and column names."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from kanopy._display import Plotted, number_of
from kanopy.auditing import Risks


@dataclass(frozen=True, slots=True)
class SmallGroups:
    """How many members (rows, or persons) are in groups of fewer than ``below``, and their share of all."""

    below: int
    members: int
    share: float


@dataclass(frozen=True, slots=True)
class SensitiveFigures:
    """What the groups tell about a sensitive column.

    - ``values``: different values in the table; missing is one.
    - ``l``: the fewest different values in a group.
    - ``t``: the largest distance between the distribution of a group and that of the table, from 0 to 1.
    - ``distance``: ``"ordered"`` for numbers; otherwise ``"equal"``: all values are equally far apart.
    """

    column: str
    values: int
    l: int  # noqa: E741 (its name everywhere)
    t: float
    distance: str


@dataclass(frozen=True, slots=True)
class SubsetFigures:
    """What some of the quasi-identifiers tell by themselves.

    - ``groups``: their different combinations. ``smallest``: members of the smallest group.
    - ``unique``: members that are alone in a group, and ``unique_share``, their share of all.
    """

    columns: tuple[str, ...]
    groups: int
    smallest: int
    unique: int
    unique_share: float


@dataclass(frozen=True, slots=True, repr=False)
class Profile(Plotted):
    """A table as it is, measured; nothing is promised and nothing is changed.

    Parameters
    ----------
    rows : int
    persons : int or None
        Different persons; None where no column tells persons apart.
    unit : str
        What a member of a group is: ``"rows"`` or ``"persons"``.
    quasi_identifiers : tuple of str
    other_columns : int
        Columns of the table that were not named, and not looked at.
    groups : int
        Different combinations of all quasi-identifiers.
    k : int
        Members of the smallest group.
    smallest_groups : tuple of int
        The sizes of the ten smallest groups.
    unique, unique_share : int and float
        Members that are alone in a group, and their share of all. A person counts once, and counts if any of
        their groups is meant.
    small_groups : tuple of SmallGroups
        The same for groups of fewer than 3, 5 and 10 members.
    sensitive : tuple of SensitiveFigures
    subsets : tuple of SubsetFigures
        Every one, two and three of the quasi-identifiers; what tells most comes first.
    largest_subset : int
        How many columns such a subset has at most: 3, or fewer where there are many quasi-identifiers.
    risks : Risks
        How likely an attacker is to find the right row.
    notes : tuple of str
        Remarks on the figures.
    """

    rows: int
    persons: int | None
    unit: str
    quasi_identifiers: tuple[str, ...]
    other_columns: int
    groups: int
    k: int
    smallest_groups: tuple[int, ...]
    unique: int
    unique_share: float
    small_groups: tuple[SmallGroups, ...]
    sensitive: tuple[SensitiveFigures, ...]
    subsets: tuple[SubsetFigures, ...]
    largest_subset: int
    risks: Risks
    notes: tuple[str, ...]

    @property
    def members(self) -> int:
        """All rows, or all persons where these are counted."""
        return self.rows if self.persons is None else self.persons

    def __repr__(self) -> str:
        counted = f"{number_of(self.rows, 'rows')} in {number_of(self.groups, 'groups')}"
        return f"<Profile k = {self.k:,}: {counted}, {number_of(self.unique, f'unique {self.unit}')}>"

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data, ready for JSON."""
        return asdict(self)
