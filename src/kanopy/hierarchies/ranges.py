"""Groups of numbers: of fixed width, between given cuts, of equally many rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from kanopy.data import Hierarchy
from kanopy.data.intervals import decimal_text, exact_number
from kanopy.errors import PolicyError
from kanopy.hierarchies.rule import ClassCounts, HierarchyRule, listed, refusal, stacked

_MOST_DIGITS = 30


@dataclass(frozen=True)
class Ranges(HierarchyRule):
    """Intervals of equal width.

    Parameters
    ----------
    widths : number or list of numbers
        One level each, from narrow to wide, each a multiple of the one before.
    start : number
        Where an interval begins.

    Examples
    --------
    >>> Ranges([5, 10]).build("age", ["17", "19", "23"]).node_label
    ('*', '15 to 19', '23', '17', '19')
    """

    widths: Any
    start: Any = 0

    def __post_init__(self) -> None:
        widths = _numbers("ranges takes widths", listed(self.widths))
        object.__setattr__(self, "widths", widths)
        object.__setattr__(self, "start", _numbers("the start of ranges takes a number", [self.start])[0])
        if not widths or widths[0] <= 0:
            raise PolicyError("ranges takes widths above 0", "for example ranges = [5, 10, 20]")
        for narrow, wide in pairwise(widths):
            if wide <= narrow or (wide / narrow).denominator != 1:
                raise PolicyError(
                    "every width of ranges must be a multiple of the one before",
                    "for example ranges = [5, 10, 20]",
                )

    def build(self, column: str, labels: Sequence[str], class_counts: ClassCounts | None = None) -> Hierarchy:
        numbers = _read(column, labels)
        is_whole = all(number.denominator == 1 for number in numbers)
        levels = []
        for width in self.widths:
            lows = [self.start + (number - self.start) // width * width for number in numbers]
            levels.append([_name(low, low + width, is_whole=is_whole) for low in lows])
        return stacked(column, labels, levels, _order(labels, numbers))


@dataclass(frozen=True)
class Cuts(HierarchyRule):
    """Intervals between given numbers; a cut belongs to the interval above it.

    Parameters
    ----------
    cuts : list of numbers, or list of such lists
        In rising order. With several lists, one level each; each list leaves out some cuts of the one before.

    Examples
    --------
    >>> Cuts([18, 65]).build("age", ["17", "16", "30", "40", "70", "80"]).node_label
    ('*', '<18', '18 to 64', '>=65', '16', '17', '30', '40', '70', '80')
    """

    cuts: Any

    def __post_init__(self) -> None:
        given = listed(self.cuts)
        lists = given if given and all(isinstance(item, list | tuple) for item in given) else [given]
        levels = tuple(_numbers("cuts takes numbers", level) for level in lists)
        object.__setattr__(self, "cuts", levels)
        if not all(level and list(level) == sorted(set(level)) for level in levels):
            raise PolicyError("cuts takes numbers in rising order", "for example cuts = [18, 30, 65]")
        for fine, coarse in pairwise(levels):
            if not set(coarse) < set(fine):
                raise PolicyError(
                    "every list of cuts must leave out some of the one before, and add none",
                    "for example cuts = [[18, 30, 65], [65]]",
                )

    def build(self, column: str, labels: Sequence[str], class_counts: ClassCounts | None = None) -> Hierarchy:
        numbers = _read(column, labels)
        levels = [_between(numbers, level) for level in self.cuts]
        return stacked(column, labels, levels, _order(labels, numbers))


@dataclass(frozen=True)
class Quantiles(HierarchyRule):
    """Intervals that hold about equally many rows of the table, and pairs of them, and pairs of pairs.

    Parameters
    ----------
    groups : int
        On the lowest level; a value that many rows have may leave fewer of them.
    """

    groups: int
    counts_rows = True

    def __post_init__(self) -> None:
        if type(self.groups) is not int or self.groups < 2:
            raise PolicyError("quantiles takes a whole number of at least 2", "for example quantiles = 8")

    def build(self, column: str, labels: Sequence[str], class_counts: ClassCounts | None = None) -> Hierarchy:
        numbers = _read(column, labels)
        sizes = [1] * len(labels) if class_counts is None else class_counts().sum(axis=1).tolist()
        rows: dict[Fraction, int] = {}
        for number, size in sorted(zip(numbers, sizes, strict=True)):
            rows[number] = rows.get(number, 0) + size
        # A number belongs where its middle row lies, so that pairs of groups are groups of twice the size.
        total, before, groups = max(sum(rows.values()), 1), 0, []
        for size in rows.values():
            groups.append(min(self.groups * (2 * before + size) // (2 * total), self.groups - 1))
            before += size
        levels = []
        while groups[0] != groups[-1]:
            neighbours = zip(list(rows)[1:], pairwise(groups), strict=True)
            firsts = [number for number, (last, group) in neighbours if group != last]
            levels.append(_between(numbers, firsts))
            groups = [group // 2 for group in groups]
        return stacked(column, labels, levels, _order(labels, numbers))


def _numbers(what: str, given: Sequence[Any]) -> tuple[Fraction, ...]:
    """Exact numbers; a float is the decimal that it is printed as."""
    numbers = []
    for number in given:
        is_number = isinstance(number, int | float | Fraction | Decimal) and not isinstance(number, bool)
        try:
            exact = Fraction(str(number)) if is_number else None
        except ValueError:  # nan, inf
            exact = None
        if exact is None:
            raise PolicyError(what, "for example 5 or 0.5")
        if 10**_MOST_DIGITS % exact.denominator or abs(exact) > 10**_MOST_DIGITS:
            raise PolicyError(f"{what} of at most {_MOST_DIGITS} digits", "for example 5 or 0.5")
        numbers.append(exact)
    return tuple(numbers)


def _read(column: str, labels: Sequence[str]) -> list[Fraction]:
    numbers = [exact_number(label) for label in labels]
    read = [number for number in numbers if number is not None]
    if len(read) < len(labels):
        raise refusal(
            column,
            f"its rule takes numbers, but {len(labels) - len(read)} values of the table are none",
            "declare them in missing, or list the groups in a file",
        )
    return read


def _order(labels: Sequence[str], numbers: Sequence[Fraction]) -> Any:
    number_of = dict(zip(labels, numbers, strict=True))
    return lambda label: (number_of[label], label)


def _between(numbers: Sequence[Fraction], cuts: Sequence[Fraction]) -> list[str]:
    """The name of the interval between two cuts that each number lies in."""
    is_whole = all(number.denominator == 1 for number in numbers)
    names = [_name(low, high, is_whole=is_whole) for low, high in pairwise([None, *cuts, None])]
    return [names[bisect_right(cuts, number)] for number in numbers]


def _name(low: Fraction | None, high: Fraction | None, *, is_whole: bool) -> str:
    """An interval in words: no cell of the grammar begins like it, and no spreadsheet makes a date of it."""
    if high is None:
        assert low is not None
        return f">={decimal_text(low)}"
    if low is None:
        return f"<{decimal_text(high)}"
    if is_whole and low.denominator == high.denominator == 1:
        return f"{low} to {high - 1}"
    return f"{decimal_text(low)} to <{decimal_text(high)}"
