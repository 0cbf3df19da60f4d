"""C4.5 again, naively: rows as tuples, nodes as objects, recursion, nothing shared with the fast code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log2, sqrt
from statistics import NormalDist

import numpy as np
from hypothesis import strategies as st

from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.trees import Tree

SAME = 1e-6

Row = tuple[tuple[int, ...], int, float]
"""The codes of a row, its class, its weight."""


@dataclass
class Node:
    """A leaf, unless it tests a column."""

    counts: list[float]
    column: int | None = None
    threshold: int | None = None
    children: list[Node] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True)
class NaiveC45:
    """Grows, collapses and prunes; ``n_classes`` is one more than the highest class code."""

    domains: Sequence[Domain]
    n_classes: int
    min_rows: float = 2
    share_missing: bool = False

    def grow(
        self, rows: list[Row], n_all: int | None = None, occurring: list[set[int]] | None = None
    ) -> Node:
        n_all = len(rows) if n_all is None else n_all
        if occurring is None:
            occurring = [{codes[column] for codes, _, _ in rows} for column in range(len(self.domains))]
        node = Node(self.count(rows), rows=rows)
        found = [self._best(rows, column, occurring[column]) for column in range(len(self.domains))]
        valid = [column for column in range(len(self.domains)) if found[column] is not None]
        large = [column for column in valid if self._is_many_valued(column, n_all)]
        all_large = all(self._is_many_valued(column, n_all) for column in range(len(self.domains)))
        gains = [found[column][0] for column in valid if all_large or column not in large]
        average = sum(gains) / len(gains) if gains else 0
        best_ratio = 0.0
        for column in valid:
            gain, ratio, threshold = found[column]
            if gain >= average - 1e-3 and ratio > best_ratio + SAME:
                node.column, node.threshold, best_ratio = column, threshold, ratio
        if node.column is not None:
            parts = self.divide(rows, node)
            node.children = [self.grow(part, n_all, occurring) for part in parts]
        return node

    def divide(self, rows: list[Row], node: Node) -> list[list[Row]]:
        """The rows of every branch; those with a missing value are shared, or have the last branch."""
        parts: list[list[Row]] = [[] for _ in range(self.n_branches(node))]
        missing = []
        for row in rows:
            branch = self.branch(row[0], node)
            if branch is None:
                missing.append(row)
            else:
                parts[branch].append(row)
        if not self.share_missing:
            parts[-1] = missing
            return parts
        weights = [weight_of(part) for part in parts]
        if not any(weights):  # nobody knows: all values alike, and the last branch is that of missing
            weights = [1.0] * (len(parts) - 1) + [0.0]
        for codes, target, weight in missing:
            for part, in_part in zip(parts, weights, strict=True):
                if in_part > 0:
                    part.append((codes, target, weight * in_part / sum(weights)))
        return parts

    def n_branches(self, node: Node) -> int:
        return self.domains[node.column].n_codes if node.threshold is None else 3

    def branch(self, codes: tuple[int, ...], node: Node) -> int | None:
        """None where the value is missing."""
        code = codes[node.column]
        if code == self.domains[node.column].missing_code:
            return None
        return code if node.threshold is None else int(code > node.threshold)

    def count(self, rows: list[Row]) -> list[float]:
        counts = [0.0] * self.n_classes
        for _, target, weight in rows:
            counts[target] += weight
        return counts

    def _is_many_valued(self, column: int, n_all: int) -> bool:
        domain = self.domains[column]
        return not domain.is_numeric and domain.n_values >= 0.3 * n_all - SAME

    def _best(
        self, rows: list[Row], column: int, occurring: set[int]
    ) -> tuple[float, float, int | None] | None:
        """Gain, gain ratio and threshold; None where the column does not split."""
        domain = self.domains[column]
        known = [row for row in rows if row[0][column] != domain.missing_code]
        missing = [row for row in rows if row[0][column] == domain.missing_code]
        if domain.is_numeric:
            return self._best_threshold(known, missing, column, occurring)
        parts = [[row for row in known if row[0][column] == code] for code in range(domain.n_values)]
        branches = parts if self.share_missing else [*parts, missing]
        if sum(bool(part) and weight_of(part) >= self.min_rows - SAME for part in branches) < 2:
            return None
        gain = self._gain(parts, missing)
        return gain, self._ratio(gain, [*parts, missing]), None

    def _best_threshold(
        self, known: list[Row], missing: list[Row], column: int, occurring: set[int]
    ) -> tuple[float, float, int | None] | None:
        numbers = self.domains[column].numbers
        in_known = weight_of(known)
        least = max(self.min_rows, min(25, 0.1 * in_known / self.n_classes))
        values = sorted({float(numbers[codes[column]]) for codes, _, _ in known})
        candidates = []
        for low, high in pairwise(values):
            left = [row for row in known if numbers[row[0][column]] <= low]
            right = [row for row in known if numbers[row[0][column]] > low]
            if min(weight_of(left), weight_of(right)) >= least - SAME:
                candidates.append((self._gain([left, right], missing), left, right, (low + high) / 2))
        if not candidates:
            return None
        n_rows = in_known + weight_of(missing)
        most = max(gain for gain, *_ in candidates)
        gain, left, right, halfway = next(found for found in candidates if found[0] >= most - SAME / n_rows)
        gain -= log2(len(candidates)) / n_rows
        if gain <= SAME:
            return None
        threshold = max(code for code in occurring if code < len(numbers) and numbers[code] <= halfway + SAME)
        return gain, self._ratio(gain, [left, right, missing]), threshold

    def _gain(self, parts: list[list[Row]], missing: list[Row]) -> float:
        """Bits per row, of all rows, that knowing the part saves; missing is a part or stands aside."""
        n_rows = sum(map(weight_of, parts)) + weight_of(missing)
        if not self.share_missing:
            parts = [*parts, missing]
        together = [row for part in parts for row in part]
        return (self._bits(together) - sum(map(self._bits, parts))) / n_rows

    def _bits(self, rows: list[Row]) -> float:
        return entropy(self.count(rows)) * weight_of(rows)

    def _ratio(self, gain: float, parts: list[list[Row]]) -> float:
        information = entropy([weight_of(part) for part in parts])
        return gain / information if information > SAME else 0.0

    def collapse(self, node: Node) -> None:
        if node.column is None:
            return
        if self._mistakes_of_leaves(node) >= mistakes(node) - 1e-3:
            make_leaf(node)
        for child in node.children:
            self.collapse(child)

    def _mistakes_of_leaves(self, node: Node) -> float:
        if node.column is None:
            return mistakes(node)
        return sum(map(self._mistakes_of_leaves, node.children))

    def prune(self, node: Node, confidence: float) -> None:
        for child in node.children:
            self.prune(child, confidence)
        if node.column is not None and as_leaf(node, confidence) <= as_tree(node, confidence) + 0.1:
            make_leaf(node)

    def prune_and_raise(self, node: Node, confidence: float) -> None:
        """As ``prune``, but the largest branch (the last of several) may take the place of the node."""
        if node.column is None:
            return
        for child in node.children:
            self.prune_and_raise(child, confidence)
        weights = [sum(child.counts) for child in node.children]
        largest = max(range(len(weights)), key=lambda branch: (round(weights[branch], 9), branch))
        instead = self.with_rows(node.children[largest], node.rows)
        leaf, tree, branch = (
            as_leaf(node, confidence),
            as_tree(node, confidence),
            as_tree(instead, confidence),
        )
        if leaf <= tree + 0.1 and leaf <= branch + 0.1:
            make_leaf(node)
        elif branch <= tree + 0.1:
            node.column, node.threshold, node.children = instead.column, instead.threshold, instead.children
            self.prune_and_raise(node, confidence)

    def with_rows(self, node: Node, rows: list[Row]) -> Node:
        """A copy of the tree with other rows in it."""
        copy = Node(self.count(rows), node.column, node.threshold, rows=rows)
        if node.column is not None:
            parts = self.divide(rows, node)
            copy.children = [
                self.with_rows(child, part) for child, part in zip(node.children, parts, strict=True)
            ]
        return copy

    def shares(self, node: Node, codes: tuple[int, ...]) -> list[float]:
        """What the tree says about a row."""
        if node.column is None:
            return normalized(node.counts)
        branch = self.branch(codes, node)
        if branch is None and not self.share_missing and sum(node.children[-1].counts) > 0:
            branch = len(node.children) - 1
        if branch is not None:
            child = node.children[branch]
            return self.shares(child, codes) if sum(child.counts) > 0 else normalized(node.counts)
        total = sum(node.counts)
        mixed = [0.0] * self.n_classes
        for child in node.children:
            if sum(child.counts) > 0:
                share = sum(child.counts) / total
                below = self.shares(child, codes)
                mixed = [old + share * new for old, new in zip(mixed, below, strict=True)]
        return mixed


def weight_of(rows: list[Row]) -> float:
    return sum(weight for _, _, weight in rows)


def entropy(amounts: Sequence[float]) -> float:
    total = sum(amounts)
    return -sum(amount / total * log2(amount / total) for amount in amounts if amount > 0)


def mistakes(node: Node) -> float:
    return sum(node.counts) - max(node.counts)


def make_leaf(node: Node) -> None:
    node.column, node.threshold, node.children = None, None, []


def normalized(counts: Sequence[float]) -> list[float]:
    total = sum(counts)
    return [count / total if total else 1 / len(counts) for count in counts]


def as_leaf(node: Node, confidence: float) -> float:
    n_rows = sum(node.counts)
    return mistakes(node) + added_errors(n_rows, mistakes(node), confidence) if n_rows > 0 else 0.0


def as_tree(node: Node, confidence: float) -> float:
    if node.column is None:
        return as_leaf(node, confidence)
    return sum(as_tree(child, confidence) for child in node.children)


def added_errors(n: float, e: float, confidence: float) -> float:
    """The upper limit of the errors, less those seen."""
    if e < 1:
        none = n * (1 - confidence ** (1 / n))
        return none + e * (added_errors(n, 1, confidence) - none) if e > 0 else none
    if e + 0.5 >= n:
        return max(n - e, 0)
    z = NormalDist().inv_cdf(1 - confidence)
    f = (e + 0.5) / n
    upper = (f + z**2 / (2 * n) + z * sqrt(f * (1 - f) / n + z**2 / (4 * n**2))) / (1 + z**2 / n)
    return upper * n - e


def assert_same(one: Node, other: Node) -> None:
    """Alike but for the rounding of counts, which may have been added up in another order."""
    assert (one.column, one.threshold, len(one.children)) == (
        other.column,
        other.threshold,
        len(other.children),
    )
    np.testing.assert_allclose(one.counts, other.counts, atol=1e-9)
    for child, twin in zip(one.children, other.children, strict=True):
        assert_same(child, twin)


def plain(tree: Tree, node: int = 0) -> Node:
    """Our tree as one of these."""
    first, n_children = int(tree.first_child[node]), int(tree.n_children[node])
    column, threshold = int(tree.splits.column[node]), int(tree.splits.threshold[node])
    children = [plain(tree, child) for child in range(first, first + n_children)]
    is_leaf = bool(tree.is_leaf[node])
    return Node(
        [float(count) for count in tree.counts[node]],
        None if is_leaf else column,
        None if is_leaf or threshold < 0 else threshold,
        children,
    )


# --- Tables from plain lists -----------------------------------------------------------------------------


def column_of(name: str, values: Sequence[str | float | None]) -> CodedColumn:
    """Numbers make a numeric column; None is missing."""
    known = sorted({value for value in values if value is not None})
    is_numeric = bool(known) and not isinstance(known[0], str)
    numbers = np.array(known, dtype=np.float64) if is_numeric else None
    code_of = {None: len(known)} | {value: code for code, value in enumerate(known)}
    codes = np.array([code_of[value] for value in values], dtype=np.uint16)
    labels = tuple(f"{value:g}" if is_numeric else value for value in known)
    return CodedColumn(Domain(name, labels, numbers), codes)


def table_of(columns: dict[str, Sequence[str | float | None]], classes: Sequence[str]) -> EncodedTable:
    quasi = tuple(column_of(name, values) for name, values in columns.items())
    return EncodedTable(len(classes), quasi, column_of("class", classes))


def codes_of(table: EncodedTable) -> list[np.ndarray]:
    return [column.codes for column in table.quasi]


def rows_of(table: EncodedTable, weights: Sequence[float] | None = None) -> list[Row]:
    codes = list(zip(*(column.codes.tolist() for column in table.quasi), strict=True))
    classes = table.target.codes.tolist()
    return list(zip(codes, classes, weights or [1.0] * table.n_rows, strict=True))


def random_table(seed: int) -> EncodedTable:
    """A small table whose class follows a rule that chance breaks now and then."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(1, 60))
    n_columns = int(rng.integers(1, 5))
    columns: dict[str, list] = {}
    ranks = []
    for number in range(n_columns):
        n_values = int(rng.integers(1, 6))
        codes = rng.integers(0, n_values, n_rows)
        values = (1.5 * codes**2).tolist() if rng.random() < 0.5 else [f"v{code}" for code in codes]
        is_missing = rng.random(n_rows) < rng.choice([0, 0, 0.1, 0.4])
        columns[f"c{number}"] = [
            None if gone else value for gone, value in zip(is_missing, values, strict=True)
        ]
        ranks.append(codes / n_values)
    rule = (ranks[0] > 0.4).astype(int) + (ranks[-1] > 0.6) + (ranks[n_columns // 2] == 0)
    noise = rng.random(n_rows) < rng.choice([0, 0.1, 0.5])
    classes = np.where(noise, rng.integers(0, 3, n_rows), rule % rng.integers(1, 4))
    return table_of(columns, [f"k{code}" for code in classes])


def tables() -> st.SearchStrategy[EncodedTable]:
    return st.integers(0, 2**32).map(random_table)


WEATHER = """
sunny    85 85 false no
sunny    80 90 true  no
overcast 83 86 false yes
rainy    70 96 false yes
rainy    68 80 false yes
rainy    65 70 true  no
overcast 64 65 true  yes
sunny    72 95 false no
sunny    69 70 false yes
rainy    75 80 false yes
sunny    75 70 true  yes
overcast 72 90 true  yes
overcast 81 75 false yes
rainy    71 91 true  no
"""
"""Quinlan's Saturday mornings: outlook, temperature, humidity, windy, play."""


def weather(names: Sequence[str] = ("outlook", "temperature", "humidity", "windy")) -> EncodedTable:
    outlook, temperature, humidity, windy, play = zip(
        *map(str.split, WEATHER.strip().splitlines()), strict=True
    )
    columns = {
        "outlook": outlook,
        "temperature": [float(number) for number in temperature],
        "humidity": [float(number) for number in humidity],
        "windy": windy,
    }
    return table_of({name: columns[name] for name in names}, play)
