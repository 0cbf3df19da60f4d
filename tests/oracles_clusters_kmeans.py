"""k-means with clusters of at least k rows, and weighted-feature C-means, again: rows, lists and loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from oracles import Tree, hierarchy_of
from oracles_tree_methods import Quasi

from kanopy.algorithms.clustering.features import Points, feature_of
from kanopy.data import CodedColumn, Domain

PARTS = 720_720
Clusters = list[list[int]]
"""The rows of every cluster."""
Centre = tuple[int | None, ...]
"""For each column the place of a number (None: all are missing), or a code."""


class FixedStart:
    """Stands for a generator: the first rows are given, and orders of chance are the order of the table."""

    def __init__(self, *seeds: int, is_reversed: bool = False) -> None:
        self._seeds = np.array(seeds)
        self._is_reversed = is_reversed

    def choice(self, n_rows: int, n_clusters: int, *, replace: bool) -> np.ndarray:
        assert n_clusters == len(self._seeds) <= n_rows
        assert not replace
        return self._seeds

    def permutation(self, n_rows: int) -> np.ndarray:
        return np.arange(n_rows)[::-1] if self._is_reversed else np.arange(n_rows)


def points_from(columns: Sequence[Quasi]) -> Points:
    """What the fast code takes."""
    coded = []
    for place, column in enumerate(columns):
        numbers = None if column.numbers is None else np.array(column.numbers, dtype=float)
        hierarchy = None if column.taxonomy is None else hierarchy_of(column.taxonomy, f"q{place}")
        labels = (
            tuple(f"{code}" for code in range(column.n_values)) if hierarchy is None else hierarchy.leaves
        )
        domain = Domain(f"q{place}", labels, numbers, hierarchy=hierarchy)
        coded.append(CodedColumn(domain, np.array(column.codes, dtype=np.uint8)))
    return Points.of(tuple(map(feature_of, coded)), [column.codes for column in coded])


@dataclass(frozen=True)
class Table:
    columns: Sequence[Quasi]

    def __len__(self) -> int:
        return len(self.columns[0].codes)

    def seed(self, row: int) -> Centre:
        return self.centre([row])

    def centre(self, rows: Sequence[int]) -> Centre:
        found: list[int | None] = []
        for column in self.columns:
            codes = [column.codes[row] for row in rows]
            if column.numbers is not None:
                places = [_place(column, code) for code in codes if code < column.n_values]
                found.append(round(Fraction(sum(places), len(places))) if places else None)
            else:
                counts = Counter(codes)
                found.append(min(counts, key=lambda code: (-counts[code], code)))
        return tuple(found)

    def apart(self, row: int, centre: Centre) -> list[int]:
        """For each column, how far a row is from a centroid."""
        return self.centres_apart(self.seed(row), centre)

    def centres_apart(self, one: Centre, other: Centre) -> list[int]:
        return [_apart(*each) for each in zip(self.columns, one, other, strict=True)]

    def distance(self, row: int, centre: Centre) -> int:
        return sum(self.apart(row, centre))

    def closest(self, row: int, centres: Sequence[Centre], among: Sequence[int]) -> int:
        return min(among, key=lambda number: (self.distance(row, centres[number]), number))

    def square_error(self, clusters: Clusters, centres: Sequence[Centre]) -> int:
        return sum(
            distance**2
            for rows, centre in zip(clusters, centres, strict=True)
            for row in rows
            for distance in self.apart(row, centre)
        )

    def centres(self, clusters: Clusters, former: Sequence[Centre]) -> list[Centre]:
        return [self.centre(rows) if rows else old for rows, old in zip(clusters, former, strict=True)]


def _place(column: Quasi, code: int) -> int:
    assert column.numbers is not None
    low, high = min(column.numbers), max(column.numbers)
    return round((column.numbers[code] - low) / (high - low) * PARTS) if high > low else 0


def _apart(column: Quasi, one: int | None, other: int | None) -> int:
    if one == other:
        return 0
    if one is None or other is None:
        return PARTS
    if column.numbers is not None:
        return abs(one - other)
    if column.taxonomy is None or column.n_values in (one, other):
        return PARTS
    return round(_common_height(column.taxonomy, {one, other}) / _height(column.taxonomy) * PARTS)


def _height(tree: Tree) -> int:
    return 0 if isinstance(tree, str) else 1 + max(map(_height, tree))


def _n_leaves(tree: Tree) -> int:
    return 1 if isinstance(tree, str) else sum(map(_n_leaves, tree))


def _common_height(tree: Tree, codes: set[int]) -> int:
    """The height of the smallest subtree with all these leaves, which are numbered from the left."""
    first = 0
    for child in () if isinstance(tree, str) else tree:
        if all(first <= code < first + _n_leaves(child) for code in codes):
            return _common_height(child, {code - first for code in codes})
        first += _n_leaves(child)
    return _height(tree)


def adjust(table: Table, clusters: Clusters, centres: Sequence[Centre], k: int, rng: object) -> Clusters:
    found = [list(rows) for rows in clusters]
    removed: list[int] = []
    for rows, centre in zip(found, centres, strict=True):
        while len(rows) > k:
            farthest = max(rows, key=lambda row: (table.distance(row, centre), row))
            rows.remove(farthest)
            removed.append(farthest)
    removed.sort()
    for turn in rng.permutation(len(removed)):
        short = [number for number, rows in enumerate(found) if len(rows) < k]
        chosen = table.closest(removed[turn], centres, short or range(len(found)))
        found[chosen].append(removed[turn])
    return found


def one_round(table: Table, centres: list[Centre], k: int, rng: object, variant: int) -> Clusters:
    clusters: Clusters = [[] for _ in centres]
    for row in range(len(table)):
        short = [number for number, rows in enumerate(clusters) if len(rows) < k]
        among = short if variant == 2 and short else range(len(centres))
        clusters[table.closest(row, centres, among)].append(row)
    if variant == 1:
        clusters = adjust(table, clusters, table.centres(clusters, centres), k, rng)
    return clusters


def kmeans(columns: Sequence[Quasi], k: int, rng: object, variant: int, max_iter: int = 100) -> Clusters:
    table = Table(columns)
    n_clusters = max(1, len(table) // k)
    centres = [table.seed(row) for row in rng.choice(len(table), n_clusters, replace=False)]
    visited: list[tuple[int, int, Clusters, list[Centre]]] = []
    for _ in range(max_iter):
        clusters = one_round(table, centres, k, rng, variant)
        moved = table.centres(clusters, centres)
        if moved == centres:
            break
        repeats = any(list(map(set, clusters)) == list(map(set, former)) for _, _, former, _ in visited)
        visited.append((table.square_error(clusters, moved), len(visited), clusters, moved))
        centres = moved
        if repeats:
            _, _, clusters, moved = min(visited, key=lambda visit: visit[:2])
            break
    else:
        _, _, clusters, moved = min(visited, key=lambda visit: visit[:2])
    return adjust(table, clusters, moved, k, rng) if variant == 3 else clusters


def wfcmeans(columns: Sequence[Quasi], k: int, rng: object, max_iter: int = 100) -> Clusters:
    table = Table(columns)
    n_clusters = max(1, len(table) // k)
    centres = [table.seed(row) for row in rng.choice(len(table), n_clusters, replace=False)]
    middle = table.centre(range(len(table)))
    weights = [1 / len(columns)] * len(columns)
    visited: list[Clusters] = []
    for _ in range(max_iter):
        clusters: Clusters = [[] for _ in centres]
        for row in range(len(table)):
            costs = [weighted(weights, table.apart(row, centre)) for centre in centres]
            clusters[costs.index(min(costs))].append(row)
        centres = table.centres(clusters, centres)
        if clusters in visited:
            break
        visited.append(clusters)
        weights = new_weights(table, weights, clusters, centres, middle)
    return merge(table, clusters, centres, weights, k)


def weighted(weights: Sequence[float], apart: Sequence[int]) -> int:
    """Weights are counted in whole parts, so that equal costs are equal."""
    return sum(round(weight * PARTS) * distance**2 for weight, distance in zip(weights, apart, strict=True))


def new_weights(
    table: Table, weights: list[float], clusters: Clusters, centres: Sequence[Centre], middle: Centre
) -> list[float]:
    within, between = [0] * len(weights), [0] * len(weights)
    for rows, centre in zip(clusters, centres, strict=True):
        for row in rows:
            for place, distance in enumerate(table.apart(row, centre)):
                within[place] += distance**2
        for place, distance in enumerate(table.centres_apart(centre, middle)):
            between[place] += len(rows) * distance**2
    finite = [b / a for a, b in zip(within, between, strict=True) if a > 0]
    if not finite or max(finite) == 0:
        return weights
    ratios = [b / a if a > 0 else 10 * max(finite) for a, b in zip(within, between, strict=True)]
    halfway = [(w + ratio / sum(ratios)) / 2 for w, ratio in zip(weights, ratios, strict=True)]
    return [w / sum(halfway) for w in halfway]


def merge(
    table: Table, clusters: Clusters, centres: Sequence[Centre], weights: Sequence[float], k: int
) -> Clusters:
    """Beginning with the last cluster, where the fast code begins with the first: it must not matter."""
    found = [list(rows) for rows in clusters]
    while small := [number for number, rows in enumerate(found) if 0 < len(rows) < k]:
        large = [number for number, rows in enumerate(found) if len(rows) >= k]
        if not large:
            break
        costs = [weighted(weights, table.centres_apart(centres[small[-1]], centres[to])) for to in large]
        found[large[costs.index(min(costs))]] += found[small[-1]]
        found[small[-1]] = []
    return [rows for rows in found if rows]


def group_from(clusters: Clusters) -> list[int]:
    """The cluster of every row."""
    owner = {row: number for number, rows in enumerate(clusters) for row in rows}
    return [owner[row] for row in range(len(owner))]
