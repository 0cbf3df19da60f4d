"""k-means with clusters of at least k rows, in the three variants of one paper.

El-Rashidy, Taha, Ayad, Sroor, "An Effective K-Anonymity Clustering Method" (IJARCS 2011), algorithms 1 to 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from kanopy.algorithms.clustering.adjust import adjust, choose_in_turn
from kanopy.algorithms.clustering.assign import Centroids, Packs, Rows, are_equal, closest, most_rounds
from kanopy.algorithms.clustering.features import Points
from kanopy.data.arrays import Groups


def kmeans_groups(
    points: Points,
    k: int,
    rng: np.random.Generator,
    *,
    variant: int = 1,
    max_iter: int = 100,
    share: float = 1.0,
) -> Groups:
    """The cluster of every row: rows / k of them, each of at least k rows.

    Rounds end when no centroid moves any more. As sizes are adjusted on the way, clusters may come back
    instead; then, or after ``max_iter`` rounds, those of the round with the lowest square error are taken.
    Each round costs O(points * rows / k) for each pack of features.

    Variant 1 adjusts sizes in every round. In every round of variant 2, rows in the order of the table choose
    among the clusters below k while there are any. Variant 3 adjusts sizes once, at the end. There are at
    most ``max_iter`` rounds, fewer where they would take long (``most_rounds``).
    """
    rows = Rows.of(points)
    n_clusters = max(1, len(rows) // k)
    centroids = rows.start(rng.choice(len(rows), n_clusters, replace=False))
    packs = Packs(points)
    rounds = _Rounds(rows, packs, k, rng, variant)
    passes = 2 if variant == 1 else 1
    n_rounds = most_rounds(packs, len(rows), n_clusters, share=share, at_most=max_iter, passes=passes)
    found = rounds.run(centroids, n_rounds)
    return rounds.adjusted(found) if variant == 3 else found.group


@dataclass(frozen=True, slots=True, eq=False)
class _Clusters:
    """The clusters of a round, with their centroids."""

    group: Groups
    centroids: Centroids


@dataclass(frozen=True, slots=True, eq=False)
class _Rounds:
    """What all rounds share."""

    rows: Rows
    packs: Packs
    k: int
    rng: np.random.Generator
    variant: int

    def run(self, centroids: Centroids, max_iter: int) -> _Clusters:
        """Rounds until centroids stand still, clusters come back, or there were enough."""
        seen: set[bytes] = set()  # a few bytes per round, not all its rows
        best: _Clusters | None = None
        least = 0
        for _ in range(max_iter):
            found = self.next(centroids)
            if are_equal(found.centroids, centroids):
                return found
            error = sum(self.rows.square_errors(found.group, found.centroids))
            if best is None or error < least:
                best, least = found, error
            digest = blake2b(found.group.tobytes(), digest_size=16).digest()
            if digest in seen:
                break
            seen.add(digest)
            centroids = found.centroids
        assert best is not None
        return best

    def next(self, centroids: Centroids) -> _Clusters:
        """One round: every row joins a cluster, and the centroids move there."""
        found = self._moved(self._joined(centroids), centroids)
        if self.variant != 1:
            return found
        return self._moved(self.adjusted(found), found.centroids)

    def adjusted(self, clusters: _Clusters) -> Groups:
        return adjust(self.rows, self.packs, clusters.group, clusters.centroids, self.k, self.rng)

    def _moved(self, group: Groups, former: Centroids) -> _Clusters:
        return _Clusters(group, self.rows.centroids(group, former))

    def _joined(self, centroids: Centroids) -> Groups:
        n_clusters = len(centroids[0])
        if self.variant != 2:
            # Rows of one point are equally far from everything: they join the same cluster.
            every_point = np.arange(len(self.packs.packs[0].of_point))
            return closest(self.packs, every_point, centroids).astype(np.int32)[self.rows.point]
        n_seats = n_clusters * self.k
        seated, rest = self.rows.point[:n_seats], self.rows.point[n_seats:]
        room = np.full(n_clusters, self.k)
        chosen = choose_in_turn(self.packs, seated, centroids, room)
        return np.append(chosen, closest(self.packs, rest, centroids)).astype(np.int32)
