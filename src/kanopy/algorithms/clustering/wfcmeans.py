"""Weighted-feature C-means: columns that tell the clusters apart come to count more; small clusters merge.

Chiu, Tsai, "A k-Anonymity Clustering Method for Effective Data Privacy Preservation" (ADMA 2007); how the
weights change is taken from their later paper on self-adjusting k-means (2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from kanopy.algorithms.clustering.assign import Packs, Rows, closest, most_rounds
from kanopy.algorithms.clustering.features import Centroids, Feature, Points
from kanopy.algorithms.clustering.release import MAX_ITER, cluster_method
from kanopy.data.arrays import Groups

Weights = list[float]

_ROOM = 1 << 62
_FINEST = 1 << 20


def wfcmeans_groups(
    points: Points, k: int, rng: np.random.Generator, *, max_iter: int = 100, share: float = 1.0
) -> Groups:
    """The cluster of every row: at most rows / k of them, each of at least k rows.

    Rounds end when the clusters are as they were in any round before, or after ``most_rounds``. Each costs
    O(points * rows / k) for each pack of features.
    """
    rows, packs = Rows.of(points), Packs(points)
    n_rows = len(rows)
    centroids = rows.start(rng.choice(n_rows, max(1, n_rows // k), replace=False))
    middle = rows.centroids(np.zeros(n_rows, dtype=np.int32), [centres[:1] for centres in centroids])
    weights: Weights = [1 / len(points.features)] * len(points.features)
    seen: set[bytes] = set()
    group = np.zeros(n_rows, dtype=np.int32)
    n_rounds = most_rounds(packs, n_rows, len(centroids[0]), share=share, at_most=max_iter, passes=2)
    for _ in range(n_rounds):
        # Rows of one point are equally far from everything: they join the same cluster.
        every_point = np.arange(points.n_points)
        found = closest(packs, every_point, centroids, whole_weights(weights, points.features))
        group = found.astype(np.int32)[rows.point]
        centroids = rows.centroids(group, centroids)
        digest = blake2b(group.tobytes(), digest_size=16).digest()
        if digest in seen:
            break
        seen.add(digest)
        within = rows.square_errors(group, centroids)
        weights = next_weights(weights, within, _spread(rows, group, centroids, middle))
    return _merged(group, k, centroids, points.features, whole_weights(weights, points.features))


def whole_weights(weights: Weights, features: Sequence[Feature]) -> list[int]:
    """Weights in whole parts, as fine as sums of weighted squares allow in 64 bits: so these are exact."""
    most = sum(feature.unit**2 for feature in features)
    parts = min(_FINEST, 1 << ((_ROOM // most).bit_length() - 1))
    return [round(weight * parts) for weight in weights]


def next_weights(weights: Weights, within: Sequence[float], between: Sequence[float]) -> Weights:
    """Halfway to each feature's share of the spread between clusters over that within them. A feature that
    does not vary within clusters counts ten times as much as the best of the others; without any spread the
    weights stay."""
    ratios = [b / a if a else None for a, b in zip(within, between, strict=True)]
    best = max((ratio for ratio in ratios if ratio is not None), default=0.0)
    known = [10 * best if ratio is None else ratio for ratio in ratios]
    total = sum(known)
    if not total:
        return weights
    moved = [(weight + ratio / total) / 2 for weight, ratio in zip(weights, known, strict=True)]
    return [weight / sum(moved) for weight in moved]


def _spread(rows: Rows, group: Groups, centroids: Centroids, middle: Centroids) -> list[int]:
    """For each feature, the squared distances of the centroids from the middle of all rows, once per row."""
    size = np.bincount(group, minlength=len(centroids[0])).tolist()
    spread = []
    for feature, centres, centre in zip(rows.features, centroids, middle, strict=True):
        apart = feature.distances_between(centres, int(centre[0])).tolist()
        spread.append(sum(n_rows * distance**2 for n_rows, distance in zip(size, apart, strict=True)))
    return spread


def _merged(
    group: Groups, k: int, centroids: Centroids, features: Sequence[Feature], weights: Sequence[int]
) -> Groups:
    """Every cluster below k joins the one with the closest centroid among those of k rows or more, of which
    there is one, as there are at most rows / k clusters. O(clusters below k * clusters)."""
    size = np.bincount(group, minlength=len(centroids[0]))
    target = np.arange(len(size))
    large = np.flatnonzero(size >= k)
    for cluster in np.flatnonzero((size > 0) & (size < k)).tolist() if len(large) else []:
        cost = np.zeros(len(large), dtype=np.int64)
        for feature, centres, weight in zip(features, centroids, weights, strict=True):
            cost += weight * feature.distances_between(centres[large], int(centres[cluster])) ** 2
        target[cluster] = large[int(cost.argmin())]
    # Clusters are numbered anew, in their order, as some have no row any more.
    _, numbers = np.unique(target[group], return_inverse=True)
    return numbers.astype(np.int32)


WFCMEANS = cluster_method(
    "wfcmeans",
    "k-means whose columns weigh more the better they tell clusters apart; small clusters are merged",
    "Chiu, Tsai: A k-Anonymity Clustering Method for Effective Data Privacy Preservation (ADMA 2007)",
    wfcmeans_groups,
    {"max_iter": MAX_ITER},
    block_size=50_000,  # 20,000 cost it some six percent of information on Adult, and others nothing
)
