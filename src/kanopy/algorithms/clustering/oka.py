"""One-pass k-means: every row joins the closest centroid, which moves at once; then sizes are adjusted.

Lin, Wei, "An Efficient Clustering Method for k-Anonymization" (PAIS 2008).
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from kanopy.algorithms.clustering.features import Feature, Lookup, NumericFeature, Points
from kanopy.algorithms.clustering.kmeans import adjusted
from kanopy.algorithms.clustering.release import cluster_method
from kanopy.algorithms.method import Option
from kanopy.data.arrays import Codes, Groups, Ints

_SMALL = 256
"""Up to so many codes, the distance of each of them to every centroid is kept, and not computed anew."""


def oka_groups(points: Points, k: int, rng: np.random.Generator, *, sort: bool = True) -> Groups:
    """The cluster of every row: rows / k of them, each of at least k rows.

    With ``sort`` rows come in the order of their codes, otherwise in that of the table. O(rows^2 / k *
    columns) at worst; sorted rows share most of it with the row before.
    """
    n_rows = len(points.rows)
    n_clusters = max(1, n_rows // k)
    seeds = rng.choice(n_rows, n_clusters, replace=False)
    return adjusted(points, one_pass(points, seeds, sort=sort), n_clusters, k, rng)


def one_pass(points: Points, seeds: Ints, *, sort: bool) -> Groups:
    """The cluster of every row before any adjustment; cluster i begins with row ``seeds[i]``.

    Equal rows that follow each other take one step together, as all of them would choose alike: the first one
    moves its centroid nearer to itself or not at all, and all other centroids stand still.
    """
    point_of_row = points.point_of_rows()
    group = np.full(len(points.rows), -1, dtype=np.int32)
    group[seeds] = np.arange(len(seeds))
    order = points.rows if sort else np.arange(len(points.rows))
    order = order[group[order] < 0]
    first = np.flatnonzero(np.diff(point_of_row[order], prepend=-1))
    lengths = np.diff(first, append=len(order))
    columns = [codes[point_of_row[order[first]]] for codes in points.codes]
    examples = [codes[point_of_row[seeds]] for codes in points.codes]
    centroids: list[_Centroids] = [
        _Means(feature, seeds) if isinstance(feature, NumericFeature) else _Modes(feature, seeds)
        for feature, seeds in zip(points.features, examples, strict=True)
    ]
    group[order] = np.repeat(_stepwise(centroids, columns, lengths, len(seeds)), lengths)
    return group


def _stepwise(centroids: list[_Centroids], columns: list[Codes], lengths: Ints, n_clusters: int) -> Groups:
    """The cluster that each run of equal rows chooses.

    ``levels[j]`` holds how far every cluster is away in the first j features. Where a row has the same
    leading codes as the one before, these sums are still there.
    """
    n_features, n_runs = len(columns), len(lengths)
    chosen = np.empty(n_runs, dtype=np.int32)
    differs = np.array([np.diff(codes.astype(np.int64), prepend=-1) != 0 for codes in columns])
    changed_from = differs.argmax(axis=0).tolist()
    rows = zip(*(codes.tolist() for codes in columns), strict=True)
    sums = np.zeros((n_features + 1, n_clusters), dtype=np.int32)
    levels = list(sums)
    for step, (codes, length) in enumerate(zip(rows, lengths.tolist(), strict=True)):
        for place in range(changed_from[step], n_features):
            np.add(levels[place], centroids[place].distances(codes[place]), out=levels[place + 1])
        cluster = int(levels[-1].argmin())
        chosen[step] = cluster
        for place, code in enumerate(codes):
            if centroids[place].join(cluster, code, length):
                known = sums[place + 1, cluster] - sums[place, cluster]
                sums[place + 1 :, cluster] += centroids[place].distance(code, cluster) - known
    return chosen


class _Centroids(ABC):
    """One feature of all centroids, which move as rows join."""

    @abstractmethod
    def distances(self, code: int) -> Lookup:
        """From one code to every centroid; O(clusters), and belongs to this object until the next call."""

    @abstractmethod
    def distance(self, code: int, cluster: int) -> int:
        """From one code to one centroid."""

    @abstractmethod
    def join(self, cluster: int, code: int, n_rows: int) -> bool:
        """Let rows with a code into a cluster; whether its centroid moved. O(1), O(codes) where it did."""


class _Means(_Centroids):
    """Means of numbers. Missing lies so far outside that, cut to the unit, everything is wholly apart."""

    def __init__(self, feature: NumericFeature, seeds: Codes) -> None:
        self._unit = feature.unit
        self._missing = feature.domain.missing_code
        places = feature.distances_to_centre(0)  # as seen from the lower end
        places[self._missing] = 3 * feature.unit
        self._centre: Lookup = places[seeds]
        self._row: Lookup = np.empty_like(self._centre)
        self._place: list[int] = places.tolist()
        is_number = seeds != self._missing
        self._n_numbers: list[int] = is_number.astype(np.int64).tolist()
        self._total: list[int] = np.where(is_number, places[seeds], 0).astype(np.int64).tolist()

    def distances(self, code: int) -> Lookup:
        np.subtract(self._centre, self._place[code], out=self._row)
        np.abs(self._row, out=self._row)
        np.minimum(self._row, self._unit, out=self._row)
        return self._row

    def distance(self, code: int, cluster: int) -> int:
        return min(abs(int(self._centre[cluster]) - self._place[code]), self._unit)

    def join(self, cluster: int, code: int, n_rows: int) -> bool:
        if code == self._missing:
            return False
        self._n_numbers[cluster] += n_rows
        self._total[cluster] += n_rows * self._place[code]
        self._centre[cluster] = round(self._total[cluster] / self._n_numbers[cluster])
        return True


class _Modes(_Centroids):
    """Most frequent values, the first of equals; missing is a value."""

    def __init__(self, feature: Feature, seeds: Codes) -> None:
        self._feature = feature
        self._n_codes = feature.domain.n_codes
        self._mode = seeds.astype(np.int64)
        self._count = dict.fromkeys((np.arange(len(seeds)) * self._n_codes + seeds).tolist(), 1)
        self._table: Lookup | None = None
        if self._n_codes <= _SMALL:
            self._between = np.array([feature.distances_to_centre(code) for code in range(self._n_codes)])
            self._table = self._between[self._mode].T.copy()

    def distances(self, code: int) -> Lookup:
        if self._table is None:
            return self._feature.distances_to_centre(code).take(self._mode)
        return np.asarray(self._table[code])

    def distance(self, code: int, cluster: int) -> int:
        return int(self._feature.distances_to_centre(code)[self._mode[cluster]])

    def join(self, cluster: int, code: int, n_rows: int) -> bool:
        start = cluster * self._n_codes
        n_now = self._count.get(start + code, 0) + n_rows
        self._count[start + code] = n_now
        mode = int(self._mode[cluster])
        # The highest count, and of equals the first value, stays.
        if code == mode or (n_now, -code) < (self._count[start + mode], -mode):
            return False
        self._mode[cluster] = code
        if self._table is not None:
            self._table[:, cluster] = self._between[code]
        return True


OKA = cluster_method(
    "oka",
    "one pass of k-means over the sorted rows, then clusters are brought to k rows",
    "Lin, Wei: An Efficient Clustering Method for k-Anonymization (PAIS 2008)",
    oka_groups,
    {"sort": Option(True, "whether rows are taken in the order of their values")},
)
