"""Attacks again, from their definitions: loops over people and published rows, texts and no codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from kanopy.data.grammar import read_cell

Row = Mapping[str, str]
"""A row as texts; missing is empty."""


def covers(text: str, value: str, *, is_numeric: bool) -> bool:
    """Whether a published text may stand for a value of the source."""
    said = read_cell(text)
    if said.is_suppressed:
        return True
    if value == "":
        return said.with_missing
    if value in said.texts:
        return True
    return is_numeric and any(Fraction(low) <= Fraction(value) <= Fraction(high) for low, high in said.ranges)


def fits(published: Row, person: Row, quasi: Sequence[str], numeric: Sequence[str]) -> bool:
    return all(covers(published[name], person[name], is_numeric=name in numeric) for name in quasi)


def rows_of(person: Row, release: Sequence[Row], quasi: Sequence[str], numeric: Sequence[str]) -> list[Row]:
    """The published rows that could be a person's."""
    return [row for row in release if fits(row, person, quasi, numeric)]


def naive_linking(
    people: Sequence[Row], release: Sequence[Row], quasi: Sequence[str], numeric: Sequence[str]
) -> dict[str, object]:
    """Candidates of everybody, counted one by one."""
    found = [rows_of(person, release, quasi, numeric) for person in people]
    sizes = [len(rows) for rows in found if rows]
    groups = [len({tuple(row[name] for name in quasi) for row in rows}) for rows in found]
    return {
        "smallest": min(sizes, default=0),
        "one_group": Fraction(sum(number == 1 for number in groups), len(people)),
        "expected": sum((Fraction(1, size) for size in sizes), Fraction(0)) / len(people),
        "uncovered": len(people) - len(sizes),
    }


def naive_certain(
    people: Sequence[Row], releases: Sequence[Sequence[Row]], quasi: Sequence[str], numeric: Sequence[str],
    column: str,
) -> Fraction:  # fmt: skip
    """Share of people for whom all releases together leave one value, which is theirs."""
    n_certain = 0
    for person in people:
        left = [{row[column] for row in rows_of(person, release, quasi, numeric)} for release in releases]
        n_certain += set.intersection(*left) == {person[column]}
    return Fraction(n_certain, len(people))


def naive_alone(
    people: Sequence[Row], first: Sequence[Row], second: Sequence[Row], quasi: Sequence[str],
    numeric: Sequence[str],
) -> list[int]:  # fmt: skip
    """How many people fit both groups of each person, in releases whose groups do not overlap."""
    counts = []
    for person in people:
        both = [rows_of(person, release, quasi, numeric)[0] for release in (first, second)]
        counts.append(sum(all(fits(row, other, quasi, numeric) for row in both) for other in people))
    return counts


def naive_exact(release: Sequence[Row], quasi: Sequence[str], k: int) -> tuple[int, int]:
    """Groups, and groups of exactly k rows."""
    sizes = Counter(tuple(row[name] for name in quasi) for row in release)
    return len(sizes), sum(size == k for size in sizes.values())
