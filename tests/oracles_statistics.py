"""Value statistics again, by their definition: a row is a value, what its cell may stand for, a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple


class StatisticsRow(NamedTuple):
    value: str  # missing is the empty text
    stands_for: frozenset[str]
    person: int  # -1: not known, and so nobody


def rounded(number: int, base: int) -> int:
    """To the nearest multiple; from the middle on up."""
    return base * int(Fraction(number, base) + Fraction(1, 2))


def people(rows: Iterable[StatisticsRow]) -> int:
    return len({row.person for row in rows} - {-1})


def is_open(row: StatisticsRow) -> bool:
    return len(row.stands_for) > 1


def blocks(rows: Sequence[StatisticsRow]) -> list[set[str]]:
    """Values of open rows, in one set where a cell may stand for both, or a chain of cells leads from one to
    the other."""
    present = {row.value for row in rows if is_open(row)}
    found = [{value} for value in sorted(present)]
    for cell in {row.stands_for & present for row in rows if is_open(row)}:
        touched = [block for block in found if block & cell]
        found = [block for block in found if not block & cell] + [set().union(*touched)]
    return found


def is_few(rows: Iterable[StatisticsRow], floor: int) -> bool:
    some = list(rows)
    return bool(some) and people(some) < floor


def may_be_told(named: set[str], rows: Sequence[StatisticsRow], floor: int) -> bool:
    """Whether each named value, and all others together, also in each block, are those of enough people."""
    others = [row for row in rows if row.value not in named]
    for value in named:
        with_it = [row for row in rows if row.value == value]
        if people(with_it) < floor or is_few(filter(is_open, with_it), floor):
            return False
    if not named or not others:
        return True
    if people(others) < floor or len({row.value for row in others}) < 2:
        return False
    parts = [[row for row in others if is_open(row) and row.value in block] for block in blocks(rows)]
    return not any(is_few(part, floor) for part in parts)


def statistics(rows: Sequence[StatisticsRow], named: set[str], floor: int) -> dict[str, Any]:
    counts = {value: sum(row.value == value for row in rows) for value in named}
    other = len(rows) - sum(counts.values())
    told = {value: rounded(n_rows, floor) for value, n_rows in counts.items()}
    return {"values": told, "other": rounded(other, floor), "rounded_to": floor}


def told_values(rows: Sequence[StatisticsRow], order: Sequence[str], floor: int) -> set[str]:
    """Which values are told: what few have is merged, and then as little as possible, the rarest first."""

    def rows_of(value: str, *, only_open: bool = False) -> list[StatisticsRow]:
        return [row for row in rows if row.value == value and (is_open(row) or not only_open)]

    present = [value for value in order if rows_of(value)]
    merged = {
        value
        for value in present
        if people(rows_of(value)) < floor or is_few(rows_of(value, only_open=True), floor)
    }
    for block in blocks(rows):
        if is_few((row for row in rows if is_open(row) and row.value in block & merged), floor):
            left = [value for value in present if value in block - merged]
            if not left:
                return set()
            merged.add(min(left, key=lambda value: people(rows_of(value, only_open=True))))
    others = [row for row in rows if row.value in merged]
    if merged and (people(others) < floor or len(merged) < 2):
        left = [value for value in present if value not in merged]
        if not left:
            return set()
        merged.add(min(left, key=lambda value: people(rows_of(value))))
    return set(present) - merged
