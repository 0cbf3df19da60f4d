"""The tree that reads cells again, naively: rows of sets, recursion, nothing shared with the fast code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log2
from typing import Any

from hypothesis import strategies as st

SAME = 1e-6

Cell = frozenset[int] | None
"""The values a cell may stand for; None for any."""
Row = tuple[tuple[Cell, ...], int, float]
"""The cells of a row, its class, its weight."""


@dataclass
class Node:
    """A leaf, unless it tests a column."""

    counts: list[float]
    column: int | None = None
    threshold: int | None = None
    children: dict[int, Node] = field(default_factory=dict)
    bounds: tuple[tuple[int, int], ...] = ()


@dataclass
class NaiveCellTree:
    """Settings as the estimator has them; ``numbers`` is None for a categorical column."""

    numbers: Sequence[Sequence[float] | None]
    n_values: Sequence[int]
    n_classes: int
    n_rows: int
    criterion: str = "gain_ratio"
    partition: str = "fractional"
    members: str = "frequency"
    unknown: str = "known_share"
    min_rows: float = 2
    table_frequency: list[dict[int, float]] = field(default_factory=list)
    kinds: list[dict[int, int]] = field(default_factory=list)

    def fit(self, rows: list[Row]) -> Node:
        bounds = tuple((0, n_values - 1) for n_values in self.n_values)
        return self._grow(self.merged(rows), bounds, frozenset())

    def merged(self, rows: list[Row]) -> list[Row]:
        """Equal rows as one; how frequent each value is in the table is noted."""
        merged: dict[Any, float] = defaultdict(float)
        for cells, target, weight in rows:
            merged[cells, target] += weight
        for column in range(len(self.n_values)):
            frequency: dict[int, float] = defaultdict(float)
            for cells, _, weight in rows:
                for value in cells[column] or ():
                    frequency[value] += weight / len(cells[column] or ())
            rounded = {value: round(amount, 9) for value, amount in frequency.items()}
            self.table_frequency.append(defaultdict(float, rounded))
            self.kinds.append(self._kinds([cells[column] for cells, _, _ in rows], column))
        return [(*key, weight) for key, weight in merged.items()]

    def _kinds(self, cells: list[Cell], column: int) -> dict[int, int]:
        """The branch of each value: one for all that stand in the same cells, where rows go on in parts."""
        values = range(self.n_values[column])
        if self.partition != "fractional" or self.numbers[column] is not None:
            return {value: value for value in values}
        inside = {v: tuple(cell is not None and v in cell for cell in cells) for v in values}
        number = {kind: place for place, kind in enumerate(dict.fromkeys(inside.values()))}
        return {value: number[inside[value]] for value in values}

    def _grow(self, rows: list[Row], bounds: tuple[tuple[int, int], ...], tested: frozenset[int]) -> Node:
        node = self._tested(rows, bounds, tested)
        if node.column is None:
            return node
        for branch, part in self._divide(rows, node).items():
            node.children[branch] = self._grow(part, *self._below(node, branch, tested))
        return node

    def _tested(self, rows: list[Row], bounds: tuple[tuple[int, int], ...], tested: frozenset[int]) -> Node:
        """A node without its children."""
        node = Node(self._count(rows), bounds=bounds)
        if sum(count > 0 for count in node.counts) < 2 or sum(node.counts) < 2 * self.min_rows - SAME:
            return node
        found = {
            column: split
            for column in range(len(self.n_values))
            if column not in tested and (split := self._best(rows, column, bounds)) is not None
        }
        few = [column for column in range(len(self.n_values)) if self._is_few(column)]
        averaged = [found[column][0] for column in found if not few or column in few]
        average = sum(averaged) / len(averaged) if averaged else 0
        best = -1.0 if self.criterion == "gain" else 0.0
        for column, (gain, ratio, threshold) in sorted(found.items()):
            score, slack = (gain, 1e-9) if self.criterion == "gain" else (ratio, SAME)
            is_average = self.criterion == "gain" or gain >= average - 1e-3
            if is_average and score > best + slack:
                best, node.column, node.threshold = score, column, threshold
        return node

    def _below(self, node: Node, branch: int, tested: frozenset[int]) -> Any:
        bounds = list(node.bounds)
        if node.threshold is None:
            return tuple(bounds), tested | {node.column}
        low, high = bounds[node.column]
        bounds[node.column] = (low, node.threshold) if branch == 0 else (node.threshold + 1, high)
        return tuple(bounds), tested

    def _is_few(self, column: int) -> bool:
        n_branches = len(set(self.kinds[column].values()))
        return self.numbers[column] is not None or n_branches < 0.3 * self.n_rows - SAME

    def _count(self, rows: list[Row]) -> list[float]:
        counts = [0.0] * self.n_classes
        for _, target, weight in rows:
            counts[target] += weight
        return counts

    def members_here(self, cell: Cell, bounds: tuple[int, int]) -> list[int]:
        return sorted(value for value in cell or () if bounds[0] <= value <= bounds[1])

    def _spread(self, rows: list[Row], column: int, bounds: tuple[int, int]) -> Any:
        """The share of each row for each value; None for unknown; the frequency and size of each value."""
        frequency: dict[int, float] = defaultdict(float)
        for cells, _, weight in rows:
            members = self.members_here(cells[column], bounds)
            for value in members:
                frequency[value] += weight / len(members)
        shares: list[dict[int, float] | None] = []
        size: dict[int, float] = defaultdict(float)
        for cells, _, weight in rows:
            members = self.members_here(cells[column], bounds)
            if not members:
                shares.append(None)
                continue
            amount = {value: frequency[value] if self.members == "frequency" else 1 for value in members}
            shares.append({value: amount[value] / sum(amount.values()) for value in members})
            for value in members:
                size[value] += weight * amount[value] / sum(amount.values())
        return shares, size

    def _of_anything(self, size: dict[int, float]) -> dict[int, float]:
        """The shares of a cell that may be anything."""
        amount = {value: size[value] if self.members == "frequency" else 1 for value in size}
        return {value: amount[value] / sum(amount.values()) for value in size}

    def _best(self, rows: list[Row], column: int, bounds: Any) -> tuple[float, float, int | None] | None:
        shares, size = self._spread(rows, column, bounds[column])
        if not size:
            return None
        if self.unknown == "members":
            shares = [self._of_anything(size) if share is None else share for share in shares]
        by_value: dict[int, list[float]] = {value: [0.0] * self.n_classes for value in sorted(size)}
        aside = 0.0
        for (_, target, weight), share in zip(rows, shares, strict=True):
            if share is None:
                aside += weight
            for value, part in (share or {}).items():
                by_value[value][target] += weight * part
        if self.numbers[column] is not None:
            cuts = self._cuts(rows, column, bounds[column], sorted(size))
            return self._best_threshold(by_value, aside, cuts, self.numbers[column])
        by_kind: dict[int, list[float]] = defaultdict(lambda: [0.0] * self.n_classes)
        for value, counts in by_value.items():
            kind = self.kinds[column][value]
            by_kind[kind] = [a + b for a, b in zip(by_kind[kind], counts, strict=True)]
        if sum(sum(counts) >= self.min_rows - SAME for counts in by_kind.values()) < 2:
            return None
        gain, ratio = self._gain(list(by_kind.values()), aside)
        return gain, ratio, None

    def _cuts(
        self, rows: list[Row], column: int, bounds: tuple[int, int], values: list[int]
    ) -> list[tuple[int, int]]:
        """Neighbours between which a cell begins or ends."""
        cells = [frozenset(self.members_here(cells[column], bounds)) for cells, _, _ in rows]
        return [
            (low, high)
            for low, high in pairwise(values)
            if high > low + 1 or any((low in cell) != (high in cell) for cell in cells)
        ]

    def _best_threshold(
        self, by_value: dict[int, list[float]], aside: float, cuts: list[tuple[int, int]], numbers: Any
    ) -> tuple[float, float, int | None] | None:
        known = sum(map(sum, by_value.values()))
        least = max(self.min_rows, min(25, 0.1 * known / self.n_classes))
        candidates = []
        for low, high in cuts:
            sides = [
                [sum(column) for column in zip(*counts, strict=True)]
                for counts in (
                    [counts for value, counts in by_value.items() if value <= low],
                    [counts for value, counts in by_value.items() if value > low],
                )
            ]
            if min(map(sum, sides)) >= least - SAME:
                candidates.append((*self._gain(sides, aside), low, high, sides))
        if not candidates:
            return None
        n_rows = known + aside
        most = max(candidate[0] for candidate in candidates)
        gain, _, low, high, sides = next(found for found in candidates if found[0] >= most - SAME / n_rows)
        gain -= log2(len(candidates)) / n_rows
        if gain <= SAME:
            return None
        halfway = (numbers[low] + numbers[high]) / 2
        threshold = max(value for value in range(len(numbers)) if numbers[value] <= halfway + SAME)
        information = self._information([*map(sum, sides), aside])
        return gain, gain / information if information > SAME else 0.0, threshold

    def _gain(self, parts: list[list[float]], aside: float) -> tuple[float, float]:
        """Bits per row, of all rows, that the part tells about the class; and per bit it costs."""
        before = [sum(counts) for counts in zip(*parts, strict=True)]
        n_rows = sum(before) + aside
        gain = (bits(before) - sum(map(bits, parts))) / n_rows
        information = self._information([*map(sum, parts), aside])
        return gain, gain / information if information > SAME else 0.0

    @staticmethod
    def _information(sizes: list[float]) -> float:
        return bits(sizes) / sum(sizes)

    def _divide(self, rows: list[Row], node: Node) -> dict[int, list[Row]]:
        assert node.column is not None
        shares, size = self._spread(rows, node.column, node.bounds[node.column])
        frequency = self.table_frequency[node.column]
        parts: dict[int, list[Row]] = defaultdict(list)
        for (cells, target, weight), share in zip(rows, shares, strict=True):
            by_value = self._of_anything(size) if share is None else share
            if self.partition == "highest_frequency":
                by_value = {min(by_value, key=lambda value: (-frequency[value], value)): 1.0}
            by_branch: dict[int, float] = defaultdict(float)
            for value, part in by_value.items():
                by_branch[self._branch(node, value)] += part
            for branch, part in by_branch.items():
                parts[branch].append((cells, target, weight * part))
        return dict(sorted(parts.items()))

    def _branch(self, node: Node, value: int) -> int:
        assert node.column is not None
        return self.kinds[node.column][value] if node.threshold is None else int(value > node.threshold)

    def ask(self, node: Node, cells: tuple[Cell, ...]) -> list[float]:
        """The class shares of a new row."""
        here = [count / sum(node.counts) for count in node.counts]
        if node.column is None:
            return here
        weight = self.open_branches(node, cells)
        if not sum(weight.values()):
            return here
        told = [0.0] * self.n_classes
        for branch, amount in weight.items():
            below = self.ask(node.children[branch], cells) if branch in node.children else here
            told = [a + amount / sum(weight.values()) * b for a, b in zip(told, below, strict=True)]
        return told

    def open_branches(self, node: Node, cells: tuple[Cell, ...]) -> dict[int, float]:
        """How much each branch weighs for a new row."""
        assert node.column is not None
        members = self.members_here(cells[node.column], node.bounds[node.column])
        weight: dict[int, float] = defaultdict(float)
        if not members:
            weight |= {branch: sum(child.counts) for branch, child in node.children.items()}
        elif self.members == "uniform":
            for value in members:
                weight[self._branch(node, value)] += 1
        elif node.threshold is None:
            for branch in (self._branch(node, value) for value in members):
                width = sum(kind == branch for kind in self.kinds[node.column].values())
                weight[branch] += (
                    sum(node.children[branch].counts) / width if branch in node.children else 0.0
                )
        else:
            for value in members:
                weight[self._branch(node, value)] += self.table_frequency[node.column][value]
        return weight


def bits(counts: Sequence[float]) -> float:
    """Rows times entropy."""
    total = sum(counts)
    return -sum(count * log2(count / total) for count in counts if count > 0)


TEXTS = ("a", "b", "c", "d")
NUMBERS = ("1", "2", "3", "5", "8", "9")


@st.composite
def category(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["exact"] * 4 + ["set"] * 2 + ["node"] * 2 + ["*", ""]))
    if kind == "exact":
        return draw(st.sampled_from(TEXTS))
    if kind == "node":  # of a global recoding: nothing tells its values apart
        return draw(st.sampled_from(["{e, f}", "{g, h, i}"]))
    if kind == "set":
        return "{" + ", ".join(sorted(draw(st.sets(st.sampled_from(TEXTS), min_size=2, max_size=3)))) + "}"
    return kind


@st.composite
def number(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["exact"] * 4 + ["range"] * 2 + ["set", "*", ""]))
    if kind == "exact":
        return draw(st.sampled_from(NUMBERS))
    if kind == "range":
        low, high = sorted(draw(st.lists(st.integers(0, 5), min_size=2, max_size=2, unique=True)))
        return f"[{NUMBERS[low]}, {NUMBERS[high]}]"
    if kind == "set":
        return "{" + ", ".join(sorted(draw(st.sets(st.sampled_from(NUMBERS), min_size=2, max_size=4)))) + "}"
    return kind


@st.composite
def tables(draw: st.DrawFn, min_rows: int = 2, max_rows: int = 40) -> dict[str, list[str]]:
    """Two categorical columns, two numeric ones, and a class; rows repeat."""
    kinds = draw(st.lists(st.tuples(category(), category(), number(), number()), min_size=1, max_size=12))
    rows = draw(
        st.lists(
            st.tuples(st.sampled_from(kinds), st.sampled_from(["n", "y", "z"])),
            min_size=min_rows,
            max_size=max_rows,
        )
    )
    columns = {name: [cells[place] for cells, _ in rows] for place, name in enumerate("stuv")}
    return columns | {"class": [target for _, target in rows]}
