"""Giving every cluster at least k rows: the large ones hand over what lies far out, the small ones take it.

El-Rashidy, Taha, Ayad, Sroor, "An Effective K-Anonymity Clustering Method" (IJARCS 2011), the adjustment.
"""

from __future__ import annotations

import numpy as np

from kanopy.algorithms.clustering.assign import Centroids, Packs, Rows, Tables, closest
from kanopy.algorithms.clustering.features import Points
from kanopy.data.arrays import Bools, Codes, Groups, Ints

_NEVER = np.iinfo(np.int32).max


def adjusted(points: Points, group: Groups, n_clusters: int, k: int, rng: np.random.Generator) -> Groups:
    """Clusters, none of them empty, adjusted to at least k rows each by their own centroids: ``adjust``."""
    rows = Rows.of(points)
    centroids = rows.centroids(group, [np.zeros(n_clusters, dtype=np.int64) for _ in points.features])
    return adjust(rows, Packs(points), group, centroids, k, rng)


def adjust(
    rows: Rows, packs: Packs, group: Groups, centroids: Centroids, k: int, rng: np.random.Generator
) -> Groups:
    """The clusters after the adjustment: all have at least k rows, and all but one or few exactly so many.

    Clusters above k give up the rows farthest from their centroid, the later of equals first. In random
    order these go to the closest of the clusters below k while there are any, then, fewer than k of them,
    to the closest of all. The centroids do not move. Needs k rows for every cluster.

    O(rows log rows), and for each pack of features O(rows that are given up * clusters below k).
    """
    sizes = np.bincount(group, minlength=len(centroids[0]))
    handed_over = np.flatnonzero(_beyond(rows.distances(group, centroids), group, sizes, k))
    handed_over = handed_over[rng.permutation(len(handed_over))]
    deficits = np.maximum(k - sizes, 0)
    n_needed = int(deficits.sum())
    found = group.copy()
    needed, rest = handed_over[:n_needed], handed_over[n_needed:]
    found[needed] = choose_in_turn(packs, rows.point[needed], centroids, deficits)
    found[rest] = closest(packs, rows.point[rest], centroids)
    return found


def _beyond(distances: Ints, group: Groups, sizes: Ints, k: int) -> Bools:
    """Whether k rows of the same cluster are closer to the centroid, or as close and earlier."""
    order = np.lexsort((distances, group))  # stable: equals stay in the order of the table
    rank = np.empty(len(group), dtype=np.int64)
    rank[order] = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return rank >= k


def choose_in_turn(packs: Packs, points: Ints, centroids: Centroids, room: Ints) -> Ints:
    """Row after row chooses the closest cluster that still has places, the first of equals.

    There must be places for all. O(points * clusters with places) for each pack of features; chunks of points
    look at all clusters that had places before the chunk.
    """
    room = room.copy()
    chosen = np.empty(len(points), dtype=np.int64)
    offered = np.flatnonzero(room)
    if not len(points):
        return chosen
    tables = Tables(packs, [centres[offered] for centres in centroids])
    start = 0
    while start < len(points):
        has_room = room[offered] > 0
        if 8 * np.count_nonzero(has_room) <= 7 * len(offered):
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
    """The column of each row, if they choose from the top and a column can be chosen as often as it has
    places.

    All rows ask at once. A column keeps the first rows that ask, as many as it has places, and the others ask
    again. A row that a column rejects gave way to earlier rows, and only rows that are earlier still can take
    their places: no row needs to ask the same column twice. In every round the first row that asks finds a
    place for good, so there are at most as many rounds as rows, and few where rows want different columns.
    """
    n_rows = len(costs)
    with_room = np.flatnonzero(room)
    if _is_all_the_same(costs[:1, with_room]) and _is_all_the_same(costs[:, with_room]):
        # Where all columns cost the same, every row takes the first that still has places.
        return np.repeat(with_room, room[with_room])[:n_rows]
    held = np.empty(n_rows, dtype=np.int64)
    last = np.full(len(room), n_rows)  # the last row that is kept by a column without places left
    asking = np.arange(n_rows)
    wanted = costs
    while len(asking):
        held[asking] = wanted.argmin(axis=1)
        order = np.argsort(held, kind="stable")
        column = held[order]
        count = np.bincount(column, minlength=len(room))
        turn = np.arange(n_rows) - (np.cumsum(count) - count)[column]
        is_last = turn == room[column] - 1
        last[column[is_last]] = order[is_last]
        asking = np.sort(order[turn >= room[column]])
        wanted = np.where(last < asking[:, None], _NEVER, costs[asking])
    return held


def _is_all_the_same(costs: Codes) -> bool:
    return bool((costs == costs[:, :1]).all())
