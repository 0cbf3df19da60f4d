"""Maximum distance to average vector: clusters of k rows around those that lie farthest out.

Domingo-Ferrer, Torra, "Ordinal, Continuous and Heterogeneous k-Anonymity Through Microaggregation" (2005).
"""

from __future__ import annotations

import numpy as np

from kanopy.algorithms.clustering.features import Points
from kanopy.algorithms.clustering.pool import Costs, Pool
from kanopy.data.arrays import Groups, Ints


def mdav_groups(points: Points, k: int) -> Groups:
    """The cluster of every row. Nothing here is random.

    While there are 3k rows: the k nearest to r, the row farthest from the centroid of all that are left, then
    the k nearest to s, the row farthest from r. With fewer, one cluster around r; the last k to 2k - 1 rows
    are one cluster. Of equals the first row counts. The row s is sought after the cluster of r has been
    taken, which makes a difference only where s is as near to r as others are, and could be in both.

    A row counts with the other rows of its point, as all are equally far; only a cluster's last place is
    disputed between rows. O(rows / k) passes over the points, O(rows * points * columns / k).
    """
    pool = Pool(points)
    left = _RowsLeft(points)
    group = np.full(len(points.rows), -1, dtype=np.int32)
    n_clusters = 0
    while pool.n_rows >= 2 * k:
        distances = left.distances(pool)
        for _ in range(2 if pool.n_rows >= 3 * k else 1):
            centre = pool.codes_of(pool.farthest(distances))
            distances = pool.summed([f.distances(c) for f, c in zip(pool.features, centre, strict=True)])
            rows = pool.take_nearest(distances, k)
            left.leave(rows)
            group[rows] = n_clusters
            n_clusters += 1
        pool.forget()
    group[group < 0] = n_clusters
    return group


class _RowsLeft:
    """The centroid of the rows that are left: how many of them have each code."""

    def __init__(self, points: Points) -> None:
        self._codes = points.codes
        self._point_of_row = points.point_of_rows()
        self._counts = [
            np.bincount(codes, points.weight, feature.domain.n_codes).astype(np.int64)
            for feature, codes in zip(points.features, points.codes, strict=True)
        ]

    def leave(self, rows: Ints) -> None:
        """Rows go; O(rows + codes)."""
        gone = self._point_of_row[rows]
        for counts, codes in zip(self._counts, self._codes, strict=True):
            counts -= np.bincount(codes[gone], minlength=len(counts))

    def distances(self, pool: Pool) -> Costs:
        """From the centroid to every point of the pool; O(points * columns)."""
        lookups = []
        for feature, counts in zip(pool.features, self._counts, strict=True):
            present = np.flatnonzero(counts)
            lookups.append(feature.distances_to_centre(feature.centre(present, counts[present])))
        return pool.summed(lookups)
