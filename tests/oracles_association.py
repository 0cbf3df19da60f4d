"""Association rules again, naively: every set of items counted in every row, nothing shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from math import prod

Item = tuple[str, str]
"""A column and a value."""
Cell = frozenset[str]
"""The values that a cell may stand for, equally likely."""


def supports(rows: Sequence[Mapping[str, Cell]], domains: Mapping[str, Sequence[str]]) -> dict:
    """The expected share of rows that have each set of up to three items, none of the same column."""
    found = {}
    for size in (1, 2, 3):
        for names in combinations(sorted(domains), size):
            for values in product(*(domains[name] for name in names)):
                items = frozenset(zip(names, values, strict=True))
                chances = [
                    prod((value in row[name]) / len(row[name]) for name, value in items) for row in rows
                ]
                found[items] = sum(chances) / len(rows)
    return found


def rules(supports: Mapping[frozenset[Item], float], support: float, confidence: float) -> set:
    """All implications with enough of both."""
    return {
        (items - {item}, item)
        for items, share in supports.items()
        if len(items) > 1 and share >= support - 1e-9
        for item in items
        if share >= confidence * supports[items - {item}] - 1e-9
    }


def figures(first: Mapping, second: Mapping, support: float, confidence: float) -> dict[str, float | None]:
    """As the evaluation has them."""
    wanted, found = (rules(each, support, confidence) for each in (first, second))
    both, either = len(wanted & found), len(wanted) + len(found)
    frequent = [items for items in first if max(first[items], second[items]) >= support - 1e-9]
    errors = [abs(first[items] - second[items]) for items in frequent]
    return {
        "precision": both / len(found) if found else None,
        "recall": both / len(wanted) if wanted else None,
        "f1": 2 * both / either if either else None,
        "support_error": sum(errors) / len(errors) if errors else None,
        "found": float(len(found)),
    }
