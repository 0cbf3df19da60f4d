"""Maximum distance to average vector: clusters of k rows around those that lie farthest out.

Domingo-Ferrer, Torra, "Ordinal, Continuous and Heterogeneous k-Anonymity Through Microaggregation" (2005).
"""

from __future__ import annotations

import numpy as np

from kanopy.algorithms.clustering.features import Points
from kanopy.algorithms.clustering.pool import Costs, Pool
from kanopy.algorithms.clustering.release import cluster_method
from kanopy.data.arrays import Groups, Ints
from kanopy.data.keys import counted


def mdav_groups(points: Points, k: int) -> Groups:
    """The cluster of every row. Nothing here is random.

    While there are 3k rows: the k nearest to r, the row farthest from the centroid of all that are left, then
    the k nearest to s, the row farthest from r among those left. With fewer, one cluster around r; the last k
    to 2k - 1 rows are one cluster. Of equals the first row counts. O(rows * points * columns / k).
    """
    pool = Pool(points)
    point_of_row = points.point_of_rows()
    pairs = zip(points.features, points.codes, strict=True)
    left = [counted(codes, feature.domain.n_codes, points.weight) for feature, codes in pairs]
    group = np.full(len(points.rows), -1, dtype=np.int32)
    n_clusters = 0
    while pool.n_rows >= 2 * k:
        distances = _from_centroid(pool, left)
        for _ in range(2 if pool.n_rows >= 3 * k else 1):
            distances = pool.distances_from(pool.codes_of(pool.farthest(distances)))
            rows = pool.take_nearest(distances, k)
            for counts, codes in zip(left, points.codes, strict=True):
                counts -= np.bincount(codes[point_of_row[rows]], minlength=len(counts))
            group[rows] = n_clusters
            n_clusters += 1
        pool.forget()
    group[group < 0] = n_clusters
    return group


def _from_centroid(pool: Pool, left: list[Ints]) -> Costs:
    """From the centroid of the rows that are left, counted by code, to every point; O(points * columns)."""
    lookups = []
    for feature, counts in zip(pool.features, left, strict=True):
        present = np.flatnonzero(counts)
        lookups.append(feature.distances_to_centre(feature.centre(present, counts[present])))
    return pool.summed(lookups)


MDAV = cluster_method(
    "mdav",
    "clusters of k rows around those that lie farthest out: the standard of microaggregation",
    "Domingo-Ferrer, Torra: Ordinal, Continuous and Heterogeneous k-Anonymity Through Microaggregation "
    "(DMKD 2005)",
    lambda points, k, rng: mdav_groups(points, k),
    {},
)
