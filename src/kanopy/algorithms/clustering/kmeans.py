"""k-means with clusters of at least k rows, in the three variants of one paper.

El-Rashidy, Taha, Ayad, Sroor, "An Effective K-Anonymity Clustering Method" (IJARCS 2011), algorithms 1 to 3.
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from kanopy.algorithms.clustering.assign import Packs, Rows, Tables, closest, most_rounds
from kanopy.algorithms.clustering.code_counts import CodeCounts
from kanopy.algorithms.clustering.features import Centroids, Points
from kanopy.algorithms.clustering.kinds import Kinds, closest_by_kind
from kanopy.algorithms.clustering.release import MAX_ITER, cluster_method
from kanopy.algorithms.method import Option
from kanopy.data.arrays import Codes, Groups, Ints

_NEVER = np.int32(np.iinfo(np.int32).max)


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

    Variant 1 adjusts sizes in every round, variant 3 at the end. In variant 2, rows choose in the order of
    the table, among the clusters below k while there are any. Rounds end when no centroid moves, or when
    clusters come back or after ``most_rounds``: then the round with the lowest square error counts. A round
    costs O(points * rows / k) for each pack of features at worst; where rows join the closest cluster and one
    column at most is numeric, much of it is kept from round to round (``Kinds``).
    """
    rows = Rows.of(points)
    packs = Packs(points)
    n_clusters = max(1, len(rows) // k)
    centroids = rows.start(rng.choice(len(rows), n_clusters, replace=False))
    passes = 2 if variant == 1 else 1
    n_rounds = most_rounds(packs, len(rows), n_clusters, share=share, at_most=max_iter, passes=passes)
    counts = tuple(CodeCounts(rows, n_clusters) for _ in range(passes))
    kinds = None if variant == 2 else Kinds.of(points, n_clusters)
    rounds = _Rounds(rows, packs, kinds, counts, k, rng, variant)
    found = rounds.run(centroids, n_rounds)
    return rounds.adjusted(found) if variant == 3 else found.group


class _Clusters(NamedTuple):
    """The clusters of a round, with their centroids."""

    group: Groups
    centroids: Centroids


@dataclass(frozen=True, slots=True, eq=False)
class _Rounds:
    """What all rounds share."""

    rows: Rows
    packs: Packs
    kinds: Kinds | None
    counts: tuple[CodeCounts, ...]  # of clusters before they are adjusted, and after
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
            if all(map(np.array_equal, found.centroids, centroids)):
                return found
            error = self.counts[-1].square_error(found.centroids)
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
        group = self._joined(centroids)
        found = _Clusters(group, self.counts[0].centroids(group, centroids))
        if self.variant != 1:
            return found
        group = self.adjusted(found)
        return _Clusters(group, self.counts[1].centroids(group, found.centroids))

    def adjusted(self, clusters: _Clusters) -> Groups:
        return adjust(self.rows, self.packs, clusters.group, clusters.centroids, self.k, self.rng, self.kinds)

    def _joined(self, centroids: Centroids) -> Groups:
        n_clusters = len(centroids[0])
        if self.variant != 2:
            # Rows of one point are equally far from everything: they join the same cluster.
            if self.kinds is not None:
                return closest_by_kind(self.kinds, self.packs, centroids)[self.rows.point]
            every_point = np.arange(len(self.packs.packs[0].of_point))
            return closest(self.packs, every_point, centroids).astype(np.int32)[self.rows.point]
        n_seats = n_clusters * self.k
        seated, rest = self.rows.point[:n_seats], self.rows.point[n_seats:]
        chosen = choose_in_turn(self.packs, seated, centroids, np.full(n_clusters, self.k))
        return np.append(chosen, closest(self.packs, rest, centroids)).astype(np.int32)


def adjusted(points: Points, group: Groups, n_clusters: int, k: int, rng: np.random.Generator) -> Groups:
    """Clusters, none of them empty, adjusted to at least k rows each by their own centroids: ``adjust``."""
    rows = Rows.of(points)
    centroids = rows.centroids(group, [np.zeros(n_clusters, dtype=np.int64) for _ in points.features])
    return adjust(rows, Packs(points), group, centroids, k, rng)


def adjust(
    rows: Rows,
    packs: Packs,
    group: Groups,
    centroids: Centroids,
    k: int,
    rng: np.random.Generator,
    kinds: Kinds | None = None,
) -> Groups:
    """The clusters after the adjustment, all of at least k rows; there must be k rows for every cluster.

    Clusters above k give up the rows farthest from their centroid, the later of equals first. In random order
    these go to the closest of the clusters below k while there are any, then to the closest of all. The
    centroids do not move. O(rows log rows), and O(given up * clusters below k) for each pack of features.
    """
    sizes = np.bincount(group, minlength=len(centroids[0]))
    above = np.flatnonzero((sizes > k)[group])
    if kinds is None:
        apart = rows.distances(group, centroids)[above]
    else:
        kinds.visit(centroids)
        apart = kinds.distances(rows.point[above], group[above])
    handed_over = _beyond(above, apart, group[above], sizes, k)
    handed_over = handed_over[rng.permutation(len(handed_over))]
    deficits = np.maximum(k - sizes, 0)
    n_needed = int(deficits.sum())
    found = group.copy()
    needed, rest = handed_over[:n_needed], handed_over[n_needed:]
    found[needed] = choose_in_turn(packs, rows.point[needed], centroids, deficits)
    if kinds is None:
        found[rest] = closest(packs, rows.point[rest], centroids)
    else:
        found[rest] = kinds.costs(rows.point[rest]).argmin(axis=1)
    return found


def _beyond(above: Ints, apart: Ints, owner: Groups, sizes: Ints, k: int) -> Ints:
    """Of the rows of all clusters above k, those to which k rows of their cluster are closer, or as close and
    earlier; in order."""
    counts = sizes[sizes > k]
    rank = np.arange(len(above)) - np.repeat(np.cumsum(counts) - counts, counts)
    keys = owner * (apart.max(initial=0) + np.int64(1)) + apart
    return np.sort(above[_stable_order(keys)[rank >= k]])


def _stable_order(keys: Ints) -> Ints:
    """The order of some keys; equals stay in theirs."""
    n_bits = len(keys).bit_length()
    if int(keys.max(initial=0)) >> (62 - n_bits):
        return np.argsort(keys, kind="stable")
    # With their numbers in the last bits no two are equal: a plain sort, which is faster.
    numbered: Ints = np.sort(keys << n_bits | np.arange(len(keys)))
    return numbered & ((1 << n_bits) - 1)


def choose_in_turn(packs: Packs, points: Ints, centroids: Centroids, room: Ints) -> Ints:
    """Row after row chooses the closest cluster that still has places, the first of equals; there must be
    places for all. O(points * clusters with places) for each pack of features."""
    room = room.copy()
    chosen = np.empty(len(points), dtype=np.int64)
    offered = np.flatnonzero(room)
    if not len(points):
        return chosen
    tables = Tables(packs, [centres[offered] for centres in centroids], len(points))
    start = 0
    while start < len(points):
        has_room = room[offered] > 0
        if 3 * np.count_nonzero(has_room) <= 2 * len(offered):
            offered = offered[has_room]
            tables.keep(has_room)
            has_room = np.ones(len(offered), dtype=bool)
        chunk = slice(start, start + tables.chunk_size)
        costs = tables.costs(points[chunk])
        costs[:, ~has_room] = _NEVER
        chosen[chunk] = offered[_served(costs, room[offered])]
        room -= np.bincount(chosen[chunk], minlength=len(room))
        start = chunk.stop
    return chosen


def _served(costs: Codes, room: Ints) -> Ints:
    """The column of each row, if they choose in order, each column as often as it has places.

    All rows ask at once. A column keeps the first rows that ask, as many as it has places; the others ask
    again. What a column keeps are ever earlier rows: it would also send away the row it sent away once, and
    all later ones, so these never ask it. In every round the first row that asks finds a place for good: at
    most as many rounds as rows, few where rows want different columns.
    """
    n_rows = len(costs)
    with_room = np.flatnonzero(room)
    if _is_all_the_same(costs[:1, with_room]) and _is_all_the_same(costs[:, with_room]):
        # Where all columns cost the same, every row takes the first that still has places.
        return np.repeat(with_room, room[with_room])[:n_rows]
    rows = np.arange(n_rows)
    n_bits = n_rows.bit_length()
    first_away = np.full(len(room), n_rows, dtype=np.int32)  # the first row that each column sent away
    before = np.full(int(room.max()), -1)  # the rows before the first one are in no column
    held: Ints = costs.argmin(axis=1)
    while True:
        keys = np.sort(held << n_bits | rows)
        column = keys >> n_bits
        # A row comes too late where the row so many places before it, among those that ask, is in its column.
        places_before = np.concatenate([before, column]).take(rows + len(before) - room[column])
        away = np.flatnonzero(places_before == column)
        if not len(away):
            return held
        asking = keys[away] & ((1 << n_bits) - 1)
        asking = asking.astype(np.int32)  # halves what is compared
        np.minimum.at(first_away, column[away], asking)
        wanted = costs.take(asking, axis=0)
        wanted |= (first_away <= asking[:, None]) * _NEVER  # has all bits
        held[asking] = wanted.argmin(axis=1)


def _is_all_the_same(costs: Codes) -> bool:
    return bool((costs == costs[:, :1]).all())


KMEANS = cluster_method(
    "kmeans",
    "k-means whose clusters are brought to k rows: in every pass (1), while assigning (2), at the end (3)",
    "El-Rashidy, Taha, Ayad, Sroor: An Effective K-Anonymity Clustering Method for Less Effectiveness on "
    "Accuracy of Data Mining Results (IJARCS 2011)",
    kmeans_groups,
    {
        "variant": Option(1, "1, 2 or 3: when clusters are brought to k rows", at_least=1, at_most=3),
        "max_iter": MAX_ITER,
    },
)
