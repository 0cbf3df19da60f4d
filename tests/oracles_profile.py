"""A profile, naively: rows as tuples of texts, groups in a dict, one subset of columns after the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

from oracles import equal_distance, ordered_distance
from oracles_persons import values_once

Texts = Mapping[str, Sequence[str]]
"""Columns of texts; the empty one is missing."""


class SlowTable:
    """The columns of a table that were named, and who is behind each row."""

    def __init__(self, texts: Texts, quasi: Sequence[str], persons: Sequence[Hashable] | None = None) -> None:
        self.n_given = len(texts[quasi[0]])
        members = list(range(self.n_given)) if persons is None else list(persons)
        rows = [row for row, member in enumerate(members) if member != ""]  # the others count for nobody
        self.texts = {name: [column[row] for row in rows] for name, column in texts.items()}
        self.members, self.quasi, self.n_rows = [members[row] for row in rows], quasi, len(rows)

    def groups(self, names: Sequence[str]) -> list[list[int]]:
        """The rows of each group."""
        found = defaultdict(list)
        for row in range(self.n_rows):
            found[tuple(self.texts[name][row] for name in names)].append(row)
        return list(found.values())

    def sizes(self, names: Sequence[str]) -> list[int]:
        return sorted(len({self.members[row] for row in group}) for group in self.groups(names))

    def below(self, names: Sequence[str], n: int) -> int:
        """Members who are in any group of fewer than n members."""
        found = set()
        for group in self.groups(names):
            members = {self.members[row] for row in group}
            found |= members if len(members) < n else set()
        return len(found)

    def subset(self, names: Sequence[str]) -> dict[str, Any]:
        sizes, unique = self.sizes(names), self.below(names, 2)
        share = unique / len(set(self.members))
        return {
            "columns": tuple(names),
            "groups": len(sizes),
            "smallest": sizes[0],
            "unique": unique,
            "unique_share": share,
        }

    def subsets(self, largest: int) -> list[dict[str, Any]]:
        every = [self.subset(c) for n in range(1, largest + 1) for c in combinations(self.quasi, n)]
        return sorted(every, key=lambda each: (-each["unique"], -each["groups"], each["smallest"]))

    def sensitive(self, name: str, *, is_numeric: bool) -> tuple[int, int, Fraction]:
        """Different values, l and t."""
        column = self.texts[name]
        rows = [(None, self.members[row], column[row]) for row in range(self.n_rows)]
        table = values_once(rows)
        order: list[Any] = (
            sorted(set(column) - {""}, key=lambda text: (Decimal(text), text)) if is_numeric else []
        )
        fewest, farthest = self.n_rows, Fraction(0)
        for group in self.groups(self.quasi):
            inside = values_once([rows[row] for row in group])
            fewest = min(fewest, len(set(inside)))
            distance = (
                ordered_distance(inside, table, [*order, ""]) if is_numeric else equal_distance(inside, table)
            )
            farthest = max(farthest, distance)
        return len(set(column)), fewest, farthest
