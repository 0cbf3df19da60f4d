"""Full-domain recoding, naively: every node of the lattice, every row, plain lists and no shortcuts."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from oracles_persons import promise_is_kept

Node = tuple[int, ...]


class PlainRow(NamedTuple):
    """A row: its quasi-identifiers, whose it is, its secret, its class."""

    values: tuple[str | None, ...]
    member: Any
    secret: str | None
    label: str | None


@dataclass
class PlainLattice:
    """Rows, the path of every value of every column from itself to ``*``, and the parts of a promise."""

    names: Sequence[str]
    rows: Sequence[PlainRow]
    paths: Sequence[dict[str | None, list[str]]]
    parts: Sequence[Any]
    limit: int

    @property
    def heights(self) -> Node:
        return tuple(len(next(iter(of_column.values()))) - 1 for of_column in self.paths)

    def nodes(self) -> list[Node]:
        return list(product(*(range(height + 1) for height in self.heights)))

    def printed(self, node: Node, row: int) -> tuple[str, ...]:
        values = self.rows[row].values
        return tuple(of[value][level] for of, value, level in zip(self.paths, values, node, strict=True))

    def _is_kept(self, part: Any, group: Iterable[int], table: Iterable[int]) -> bool:
        def plain(rows: Iterable[int]) -> list[tuple[Any, Any, Any]]:
            return [(0, self.rows[row].member, self.rows[row].secret) for row in rows]

        return promise_is_kept(part, plain(group), plain(table))

    def breaking(self, cells: dict[int, tuple[str, ...]], table: Iterable[int]) -> set[int]:
        """The rows that lie in a group that breaks a part, where rows print so."""
        found: set[int] = set()
        for part in self.parts:
            columns = (
                range(len(self.names)) if part.grouped_by is None else map(self.names.index, part.grouped_by)
            )
            chosen = list(columns)
            groups = defaultdict(list)
            for row, texts in cells.items():
                groups[tuple(texts[column] for column in chosen)].append(row)
            for group in groups.values():
                if not self._is_kept(part, group, table):
                    found |= set(group)
        return found

    def suppressed(self, node: Node) -> set[int]:
        """The rows that must go, until all others keep the promise among themselves."""
        everyone, gone = range(len(self.rows)), set[int]()
        while True:
            cells = {row: self.printed(node, row) for row in everyone if row not in gone}
            more = self.breaking(cells, everyone)
            if not more:
                return gone
            gone |= more

    def release(self, node: Node) -> dict[int, tuple[str, ...]] | None:
        """What is published at a node; None where it is not anonymous."""
        gone = self.suppressed(node)
        if len(gone) > self.limit:
            return None
        stars = ("*",) * len(self.names)
        everyone = range(len(self.rows))
        with_stars = {row: stars if row in gone else self.printed(node, row) for row in everyone}
        if not self.breaking(with_stars, everyone):
            return with_stars
        left = {row: self.printed(node, row) for row in everyone if row not in gone}
        return None if self.breaking(left, left) else left

    def anonymous(self) -> list[Node]:
        return [node for node in self.nodes() if self.release(node) is not None]

    def minimal(self) -> list[Node]:
        found = set(self.anonymous())
        return sorted(node for node in found if not any(other in found for other in _below(node)))

    def loss(self, node: Node, name: str) -> float:
        """What a node loses; suppressed rows lose the most."""
        gone = self.suppressed(node)
        if name in ("discernibility", "classification"):
            return self._loss_of_groups(node, gone, name)
        lost = most = 0.0
        for row in range(len(self.rows)):
            levels = self.heights if row in gone else node
            for column in range(len(self.names)):
                lost += self._cost(name, column, levels[column], row)
                most += self._cost(name, column, self.heights[column], row)
        return lost / most if most else 0.0

    def _loss_of_groups(self, node: Node, gone: set[int], name: str) -> float:
        groups = defaultdict(list)
        for row in set(range(len(self.rows))) - gone:
            groups[self.printed(node, row)].append(row)
        n = len(self.rows)
        if name == "discernibility":
            return (sum(len(group) ** 2 for group in groups.values()) + n * len(gone)) / n**2
        right = sum(max(Counter(self.rows[row].label for row in group).values()) for group in groups.values())
        return (n - right) / n

    def _cost(self, name: str, column: int, level: int, row: int) -> float:
        paths, value = self.paths[column], self.rows[row].values[column]
        text = paths[value][level]
        if name == "precision":
            return level / self.heights[column]
        if name == "loss":
            if text == "*":
                return 1.0
            covered = [other for other in paths if other is not None and paths[other][level] == text]
            n_options = len(paths) - 1 + any(other.values[column] is None for other in self.rows)
            return len(covered) / n_options if len(covered) > 1 else 0.0
        counts = Counter(other.values[column] for other in self.rows)
        inside = sum(n for other, n in counts.items() if paths[other][level] == text)
        return math.log2(inside / counts[value])

    def datafly(self) -> Node:
        """Generalize the column with the most different values until few enough rows break the promise."""
        node = (0,) * len(self.names)
        while self.release(node) is None:
            different = [
                len({self.printed(node, row)[c] for row in range(len(self.rows))})
                if node[c] < self.heights[c]
                else 0
                for c in range(len(self.names))
            ]
            most = different.index(max(different))
            node = (*node[:most], node[most] + 1, *node[most + 1 :])
        return node


def _below(node: Node) -> list[Node]:
    return [(*node[:c], level - 1, *node[c + 1 :]) for c, level in enumerate(node) if level]
