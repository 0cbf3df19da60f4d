"""What every rule is, and how the groups it wants become a hierarchy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from kanopy.data import Hierarchy
from kanopy.data.arrays import Ints
from kanopy.errors import PolicyError

ClassCounts = Callable[[], Ints]  # rows of each value (down) and class (across), counted when asked for


class HierarchyRule(ABC):
    """How the values of a column are grouped; a small frozen object that a policy can hold."""

    needs_class: ClassVar[bool] = False
    """Whether the groups follow the class, so that there must be one."""
    counts_rows: ClassVar[bool] = False
    """Whether the groups depend on how often values occur: a release with fewer rows has others."""

    @abstractmethod
    def build(self, column: str, labels: Sequence[str], class_counts: ClassCounts | None = None) -> Hierarchy:
        """The hierarchy of a column.

        Parameters
        ----------
        column : str
            For messages.
        labels : sequence of str
            The different values; at least one.
        class_counts : callable, optional
            Gives the rows of each value and class.

        Raises
        ------
        PolicyError
            Naming the column and counts, never a value.
        """


def refusal(column: str, problem: str, hint: str) -> PolicyError:
    return PolicyError(f"hierarchy of column {column!r}: {problem}", hint)


def listed(given: Any) -> tuple[Any, ...]:
    """One option, or a list of them, as a tuple."""
    return tuple(given) if isinstance(given, list | tuple) else (given,)


def stacked(
    column: str, labels: Sequence[str], levels: Iterable[Sequence[str]], order: Callable[[str], Any] = str
) -> Hierarchy:
    """Build a hierarchy from the group that each value has on each level; O(values * levels).

    Levels go from low to high and name each value's group; a group must not be split on a higher level. A
    group that is no larger than one below it keeps that one's name. A name that is taken already, by a value
    or by another group, gets a ``*`` behind it. Values are ordered by ``order``.
    """
    taken = {*labels, "*"}
    columns = [list(labels)]
    for wanted in levels:
        below: dict[str, set[str]] = {}
        for name, lower in zip(wanted, columns[-1], strict=True):
            below.setdefault(name, set()).add(lower)
        names = {}
        for name, lower_names in below.items():
            if len(lower_names) == 1:
                names[name] = lower_names.pop()
                continue
            names[name] = name
            while names[name] in taken:
                names[name] += "*"
            taken.add(names[name])
        columns.append([names[name] for name in wanted])
    columns.append(["*"] * len(labels))
    return Hierarchy.from_paths(column, zip(*columns, strict=True), order)
