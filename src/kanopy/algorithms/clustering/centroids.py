"""Centroids of clusters, feature by feature: mean places and most frequent codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.algorithms.clustering.features import Feature, Points

Ints = NDArray[np.int64]
Groups = NDArray[np.int32]
Centroids = list[Ints]
"""For each feature the centre of every cluster: a place, or a code (see ``Feature.centres``)."""

_RUN = 1 << 16
"""The squares of so many distances can be added in 64 bits, even where a feature counts eightfold."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows behind some points, one by one: rows of one point may end in different clusters."""

    features: tuple[Feature, ...]
    codes: list[Ints]
    point: Ints

    @classmethod
    def of(cls, points: Points) -> Rows:
        """Spread points over their rows; O(rows * columns)."""
        point = points.point_of_rows()
        return cls(points.features, [codes[point].astype(np.int64) for codes in points.codes], point)

    def __len__(self) -> int:
        return len(self.point)

    def start(self, seeds: NDArray[np.integer[Any]]) -> Centroids:
        """Some rows as the centroids to begin with: each is the centroid of its own cluster of one row."""
        alone = np.arange(len(seeds), dtype=np.int32)
        return [
            f.centres(codes[seeds], alone, len(seeds))
            for f, codes in zip(self.features, self.codes, strict=True)
        ]

    def centroids(self, group: Groups, former: Centroids) -> Centroids:
        """The centroid of every cluster; where a cluster has no row, its former one. O(rows * columns)."""
        size = np.bincount(group, minlength=len(former[0]))
        filled = np.flatnonzero(size)
        number = (np.cumsum(size > 0) - 1).astype(np.int32)[group]
        found = []
        for feature, codes, centres in zip(self.features, self.codes, former, strict=True):
            moved = centres.copy()
            moved[filled] = feature.centres(codes, number, len(filled))
            found.append(moved)
        return found

    def distances(self, group: Groups, centroids: Centroids) -> Ints:
        """How far every row is from the centroid of its cluster."""
        total = np.zeros(len(group), dtype=np.int64)
        for feature, codes, centres in zip(self.features, self.codes, centroids, strict=True):
            total += feature.distances_of_pairs(codes, centres[group])
        return total

    def square_errors(self, group: Groups, centroids: Centroids) -> list[int]:
        """For each feature, the sum over all rows of squared distances to the centroid; exact."""
        errors = []
        for feature, codes, centres in zip(self.features, self.codes, centroids, strict=True):
            apart = feature.distances_of_pairs(codes, centres[group]).astype(np.int64)
            runs = np.split(apart, range(_RUN, len(apart), _RUN))
            errors.append(sum(int(np.dot(run, run)) for run in runs))
        return errors


def are_equal(one: Centroids, other: Centroids) -> bool:
    return all(np.array_equal(*pair) for pair in zip(one, other, strict=True))
