"""Clusters that grow from random rows until they would become too diverse; those too small are dropped.

Loukides, Shao, "Capturing Data Usefulness and Privacy Protection in K-Anonymisation" (SAC 2007); diversity is
measured by information loss alone.
"""

import numpy as np

from kanopy.algorithms.clustering.features import UNIT, Points, centroids_of
from kanopy.algorithms.clustering.pool import NEVER, Box, Pool
from kanopy.algorithms.clustering.release import cluster_method
from kanopy.algorithms.method import Option
from kanopy.data.arrays import Groups, Ints
from kanopy.errors import PolicyError


def loukides_groups(
    points: Points, k: int, rng: np.random.Generator, *, delta: float, reassign: bool = False
) -> Groups:
    """The cluster of every row, -1 where it is dropped; all are, where no cluster reaches k rows.

    ``delta`` says how wide a cluster may be, summed over the features; a unit of rounding for each is
    allowed. With ``reassign`` dropped rows go to the kept cluster with the closest centroid. Equal rows are
    always in one cluster. O(points * columns) for every cluster, at worst O(points^2 * columns).
    """
    if not delta > 0:
        raise PolicyError("delta must be above 0", "0.5 lets clusters span half of one column, for instance")
    limit = min(int(delta * UNIT) + len(points.features), int(NEVER) - 1)
    pool = Pool(points)
    known = np.arange(points.n_points, dtype=np.int32)  # the points of the pool, which forgets some
    cluster_of_point = np.full(points.n_points, -1, dtype=np.int32)
    is_free = np.ones(points.n_points, dtype=bool)
    n_kept = 0
    for seed in _in_random_order(points, rng).tolist():
        if not is_free[seed]:
            continue
        members = known[_grown(pool, int(np.searchsorted(known, seed)), limit)]
        is_free[members] = False
        if points.weight[members].sum() >= k:
            cluster_of_point[members] = n_kept
            n_kept += 1
        (known,) = pool.forget(known)
    if reassign and n_kept:
        _reassign(cluster_of_point, points, n_kept)
    group = np.empty(len(points.rows), dtype=np.int32)
    group[points.rows] = np.repeat(cluster_of_point, points.weight)
    return group


def _in_random_order(points: Points, rng: np.random.Generator) -> Ints:
    """Points in the order in which they are met when rows are drawn one after the other: a row that has gone
    is passed over."""
    turn = np.empty(len(points.rows), dtype=np.int64)
    turn[rng.permutation(len(points.rows))] = np.arange(len(points.rows))
    return np.argsort(np.minimum.reduceat(turn[points.rows], points.first))


def _grown(pool: Pool, seed: int, limit: int) -> Ints:
    """Take the points of one cluster out of the pool.

    A cluster never gets narrower: what is too far from the seed cannot join. O(points) for the seed, and for
    every growth O(points near it).
    """
    box = Box(pool, seed)
    near = np.flatnonzero(box.costs <= limit)
    around = box.narrow(near)
    members = []
    while (least := int(box.costs.min())) <= limit:
        nearest = (box.costs == least).nonzero()[0]
        if least > box.width:
            nearest = np.array([around.first_of(nearest)])
            box.grow(int(nearest[0]), least)
        around.take_all(nearest)
        box.costs[nearest] = NEVER
        members.append(near[nearest])
    found = np.concatenate(members)
    pool.take_all(found)
    return found


def _reassign(cluster_of_point: Groups, points: Points, n_kept: int) -> None:
    """Send dropped points to the closest centroid, of equals the first; O(points * clusters * columns)."""
    kept = np.repeat(np.flatnonzero(cluster_of_point >= 0), points.weight[cluster_of_point >= 0])
    dropped = np.flatnonzero(cluster_of_point < 0)
    columns = [codes[kept] for codes in points.codes]
    centroids = centroids_of(points.features, columns, cluster_of_point[kept], n_kept)
    codes_of_dropped = [codes[dropped] for codes in points.codes]
    shortest = np.full(len(dropped), NEVER)
    for cluster in range(n_kept):
        distances = np.zeros(len(dropped), dtype=np.int32)
        for feature, centres, codes in zip(points.features, centroids, codes_of_dropped, strict=True):
            distances += feature.distances_to_centre(centres[cluster]).take(codes)
        is_closer = distances < shortest
        cluster_of_point[dropped[is_closer]] = cluster
        shortest[is_closer] = distances[is_closer]


def _with_default(
    points: Points, k: int, rng: np.random.Generator, *, delta: float = 0.0, reassign: bool = False
) -> Groups:
    """The more columns, the wider clusters are in all; so by default they are given so much for each."""
    by_default = max(1.0, 0.3 * len(points.features))
    return loukides_groups(points, k, rng, delta=delta or by_default, reassign=reassign)


LOUKIDES = cluster_method(
    "loukides",
    "grows clusters from random rows until they are too diverse; drops rows whose cluster stays below k",
    "Loukides, Shao: Capturing Data Usefulness and Privacy Protection in K-Anonymisation (SAC 2007)",
    _with_default,
    {
        "delta": Option(
            0.0,
            "how diverse a cluster may be: its width, summed over columns; 0: 0.3 for each column, 1 or more",
            at_least=0,
        ),
        "reassign": Option(False, "whether rows go to the closest cluster instead of being dropped"),
    },
    drops="any rows",
)
