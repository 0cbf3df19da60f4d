"""The clustering methods that take rows one by one again, naively: rows as numbers, every distance anew.

Distances are whole parts of a unit, as in the methods, so that what ties here ties there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from oracles import Tree as Taxonomy
from oracles import hierarchy_of
from oracles_topdown import leaves_of

from kanopy.algorithms.clustering.features import UNIT, Feature, FlatFeature, Points, feature_of
from kanopy.data import CodedColumn, Domain, EncodedTable

Clusters = list[list[int]]


class Dealt:
    """Chance as a test wants it: which rows to start from, and in which order to go through all of them."""

    def __init__(self, *starts: int, order: Sequence[int] | None = None) -> None:
        self._starts = list(starts)
        self._order = order

    def integers(self, n_rows: int) -> int:
        assert 0 <= self._starts[0] < n_rows
        return self._starts[0]

    def choice(self, n_rows: int, size: int, *, replace: bool) -> np.ndarray:
        assert not replace
        assert len(set(self._starts)) == size <= n_rows
        return np.array(self._starts, dtype=np.int64)

    def permutation(self, n_rows: int) -> np.ndarray:
        """As they are, unless there is another order; of fewer rows, as these come in it."""
        order = range(n_rows) if self._order is None else [row for row in self._order if row < n_rows]
        assert sorted(order) == list(range(n_rows))
        return np.array(order, dtype=np.int64)


# --- Tables ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column as plain codes, missing being the last; how far they are apart, and what lies between them."""

    codes: list[int]
    n_values: int
    numbers: tuple[float, ...] | None = None
    taxonomy: Taxonomy | None = None
    unit: int = UNIT

    def place(self, code: int) -> int:
        assert self.numbers is not None
        low, high = Fraction(min(self.numbers)), Fraction(max(self.numbers))
        return round((Fraction(self.numbers[code]) - low) / (high - low) * self.unit) if high > low else 0

    def width(self, codes: set[int]) -> int:
        """How wide a set of codes is; of two codes, how far they are apart."""
        if self.n_values in codes:
            return 0 if len(codes) == 1 else self.unit
        if self.numbers is not None:
            places = [self.place(code) for code in codes]
            return max(places) - min(places)
        if self.taxonomy is None:
            return 0 if len(codes) == 1 else self.unit
        leaves = leaves_of(self.taxonomy)
        node = self.taxonomy
        while below := [child for child in node if {leaves[code] for code in codes} <= set(leaves_of(child))]:
            (node,) = below
            if isinstance(node, str):
                break
        return round(Fraction(height(node), height(self.taxonomy)) * self.unit)

    def centre(self, codes: Sequence[int]) -> int | None:
        """The mean place of the numbers, None without any; or the most frequent code, the first of equals."""
        if self.numbers is None:
            counts = Counter(codes)
            return min(counts, key=lambda code: (-counts[code], code))
        places = [self.place(code) for code in codes if code < self.n_values]
        return round(Fraction(sum(places), len(places))) if places else None

    def from_centre(self, centre: int | None, code: int) -> int:
        if self.numbers is None:
            assert centre is not None
            return self.width({centre, code})
        if centre is None or code == self.n_values:
            return 0 if centre is None and code == self.n_values else self.unit
        return abs(self.place(code) - centre)

    def coded(self, name: str) -> CodedColumn:
        hierarchy = None if self.taxonomy is None else hierarchy_of(self.taxonomy, name)
        labels = leaves_of(self.taxonomy) if self.taxonomy else [f"v{code}" for code in range(self.n_values)]
        numbers = None if self.numbers is None else np.array(self.numbers)
        domain = Domain(name, tuple(labels), numbers, hierarchy=hierarchy)
        return CodedColumn(domain, np.array(self.codes, dtype=np.uint8))

    def feature(self, name: str) -> Feature:
        if self.unit == UNIT:
            return feature_of(self.coded(name))
        return FlatFeature(self.coded(name), self.unit)


def height(tree: Taxonomy) -> int:
    return 0 if isinstance(tree, str) else 1 + max(height(child) for child in tree)


@dataclass(frozen=True)
class Rows:
    """A table, and how far its rows are apart."""

    columns: list[Column]

    @property
    def n_rows(self) -> int:
        return len(self.columns[0].codes)

    def points(self) -> Points:
        features = tuple(column.feature(f"q{place}") for place, column in enumerate(self.columns))
        return Points.of(features, [column.coded("q").codes for column in self.columns])

    def width(self, rows: Sequence[int]) -> int:
        return sum(column.width({column.codes[row] for row in rows}) for column in self.columns)

    def loss(self, rows: Sequence[int]) -> int:
        return len(rows) * self.width(rows)

    def centroid(self, rows: Sequence[int]) -> list[int | None]:
        return [column.centre([column.codes[row] for row in rows]) for column in self.columns]

    def from_centroid(self, centroid: list[int | None], row: int) -> int:
        pairs = zip(self.columns, centroid, strict=True)
        return sum(column.from_centre(centre, column.codes[row]) for column, centre in pairs)

    def codes(self, row: int) -> list[int]:
        return [column.codes[row] for column in self.columns]


def points_from(table: EncodedTable) -> Points:
    """The points of a table's quasi-identifiers."""
    return Points.of(tuple(map(feature_of, table.quasi)), [column.codes for column in table.quasi])


def clusters_of(group: np.ndarray) -> Clusters:
    """The rows of every cluster, in order; rows in none are left out, and no number may be."""
    n_clusters = int(group.max()) + 1
    assert set(group.tolist()) - {-1} == set(range(n_clusters))
    return [np.flatnonzero(group == number).tolist() for number in range(n_clusters)]


def in_order(clusters: Clusters) -> Clusters:
    return [sorted(rows) for rows in clusters]


# --- Methods ---------------------------------------------------------------------------------------------


def naive_kmember(table: Rows, k: int, start: int, far_from: str) -> Clusters:
    left = list(range(table.n_rows))
    previous = start
    clusters: Clusters = []
    while len(left) >= k:
        seed = max(left, key=lambda row: (table.width([previous, row]), -row))
        left.remove(seed)
        cluster = [seed]
        while len(cluster) < k:
            joins = min(left, key=lambda row: (table.loss([*cluster, row]) - table.loss(cluster), row))
            left.remove(joins)
            cluster.append(joins)
        clusters.append(cluster)
        previous = seed if far_from == "seed" else cluster[-1]
    for row in left:
        min(clusters, key=lambda cluster: table.loss([*cluster, row]) - table.loss(cluster)).append(row)
    return clusters


def naive_one_pass(table: Rows, seeds: Sequence[int], *, sort: bool) -> Clusters:
    order = list(range(table.n_rows))
    if sort:
        order.sort(key=table.codes)
    clusters = [[seed] for seed in seeds]
    for row in order:
        if row not in seeds:
            distances = [table.from_centroid(table.centroid(cluster), row) for cluster in clusters]
            clusters[distances.index(min(distances))].append(row)
    return clusters


def naive_adjust(table: Rows, clusters: Clusters, k: int) -> Clusters:
    """Rows that were taken out come back in the order of the table."""
    centroids = [table.centroid(cluster) for cluster in clusters]
    adjusted: Clusters = []
    waiting: list[int] = []
    for cluster, centroid in zip(clusters, centroids, strict=True):
        by_distance = sorted(cluster, key=lambda row: (table.from_centroid(centroid, row), row))
        adjusted.append(by_distance[:k])
        waiting += by_distance[k:]
    for row in sorted(waiting):
        short = [number for number, cluster in enumerate(adjusted) if len(cluster) < k]
        among = short or range(len(adjusted))
        adjusted[min(among, key=lambda number: table.from_centroid(centroids[number], row))].append(row)
    return adjusted


def naive_loukides(table: Rows, k: int, order: Sequence[int], delta: Fraction, *, reassign: bool) -> Clusters:
    """Wider than allowed is what is so by more than rounding, half a part for each end of each column."""
    left = list(range(table.n_rows))
    kept: Clusters = []
    dropped: list[int] = []
    for seed in order:
        if seed not in left:
            continue
        cluster = [seed]
        left.remove(seed)
        while left:
            joins = min(left, key=lambda row: (table.width([*cluster, row]), row))
            if table.width([*cluster, joins]) - len(table.columns) > delta * UNIT:
                break
            left.remove(joins)
            cluster.append(joins)
        if len(cluster) >= k:
            kept.append(cluster)
        else:
            dropped += cluster
    if reassign and kept:
        centroids = [table.centroid(cluster) for cluster in kept]
        for row in dropped:
            distances = [table.from_centroid(centroid, row) for centroid in centroids]
            kept[distances.index(min(distances))].append(row)
    return kept


def naive_mdav(table: Rows, k: int) -> Clusters:
    left = list(range(table.n_rows))
    clusters: Clusters = []

    def form_around(middle: int) -> None:
        nearest = sorted(left, key=lambda row: (table.width([middle, row]), row))[:k]
        assert middle in nearest
        clusters.append(nearest)
        for row in nearest:
            left.remove(row)

    def outermost() -> int:
        centroid = table.centroid(left)
        return max(left, key=lambda row: (table.from_centroid(centroid, row), -row))

    def farthest_from(other: int) -> int:
        return max(left, key=lambda row: (table.width([other, row]), -row))

    while len(left) >= 3 * k:
        one = outermost()
        as_printed = farthest_from(one)
        form_around(one)
        other = farthest_from(one)
        assert other == as_printed or as_printed in clusters[-1]
        form_around(other)
    if len(left) >= 2 * k:
        form_around(outermost())
    if left:
        clusters.append(left)
    return clusters
