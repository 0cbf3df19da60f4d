"""Greedy k-member clustering: grow one cluster at a time by the row that widens it least.

Byun, Kamra, Bertino, Li, "Efficient k-Anonymization Using Clustering Techniques" (DASFAA 2007).
"""

from __future__ import annotations

import numpy as np

from kanopy.algorithms.clustering.features import Points
from kanopy.algorithms.clustering.pool import Box, Pool
from kanopy.algorithms.clustering.release import cluster_method
from kanopy.algorithms.method import Option
from kanopy.data.arrays import Groups, Ints


def kmember_groups(points: Points, k: int, rng: np.random.Generator, *, far_from: str) -> Groups:
    """The cluster of every row.

    A cluster is a box; costs are looked up anew only for the columns in which it grew. O(points) for every
    growth, at worst O(rows * points * columns); memory is O(rows * columns).
    """
    pool = Pool(points)
    group = np.full(len(points.rows), -1, dtype=np.int32)
    boxes: list[Box] = []  # what they span; what it would cost to join one is forgotten
    distances = pool.distances_from(points.codes_of_row(int(rng.integers(len(points.rows)))))
    while pool.n_rows >= k:
        seed = pool.farthest(distances)
        box = Box(pool, seed)
        distances = box.costs.copy()
        members = [np.array([pool.take(seed, box.costs)])]
        while (n_lacking := k - sum(map(len, members))) > 0:
            least = int(box.costs.min())
            tied = np.flatnonzero(box.costs == least)
            if least == box.width:
                members.append(pool.take_first(tied, n_lacking, box.costs))
            else:
                point = pool.first_of(tied)
                members.append(np.array([pool.take(point, box.costs)]))
                box.grow(point, least)
        group[np.concatenate(members)] = len(boxes)
        box.close()
        boxes.append(box)
        if far_from == "last":
            distances = pool.distances_from(points.codes_of_row(int(members[-1].max())))
        (distances,) = pool.forget(distances)
    _add_rest(pool.rows_left(), points, group, boxes)
    return group


def _add_rest(rows: Ints, points: Points, group: Groups, boxes: list[Box]) -> None:
    """Fewer than k rows are left: each goes where the information loss, size times width, grows least."""
    sizes = np.bincount(group[group >= 0], minlength=len(boxes))
    states = [[box.states[place] for box in boxes] for place in range(len(points.features))]
    widths = np.array([box.width for box in boxes], dtype=np.int64)
    for row in rows.tolist():
        codes = points.codes_of_row(row)
        wider = np.zeros(len(boxes), dtype=np.int64)
        for feature, of_boxes, code in zip(points.features, states, codes, strict=True):
            wider += feature.widths_with(of_boxes, np.array([code]))
        chosen = int(((sizes + 1) * wider - sizes * widths).argmin())
        group[row] = chosen
        sizes[chosen] += 1
        widths[chosen] = wider[chosen]
        for feature, of_boxes, code in zip(points.features, states, codes, strict=True):
            of_boxes[chosen] = feature.add(of_boxes[chosen], code)


KMEMBER = cluster_method(
    "kmember",
    "grows clusters of k rows, one after the other, by the row that widens the cluster least",
    "Byun, Kamra, Bertino, Li: Efficient k-Anonymization Using Clustering Techniques (DASFAA 2007)",
    kmember_groups,
    {
        "far_from": Option(
            "seed", "start the next cluster far from the last one's seed, or its last row", ("seed", "last")
        )
    },
)
