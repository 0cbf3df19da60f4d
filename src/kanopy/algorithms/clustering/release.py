"""From a table to clusters to a recoding: what all clustering methods share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kanopy.algorithms.clustering.blocks import blocks_of
from kanopy.algorithms.clustering.features import UNIT, Feature, FlatFeature, Points, feature_of
from kanopy.algorithms.limits import check_satisfiable, least_members
from kanopy.algorithms.method import Option, Progress
from kanopy.data import STYLES, CodedColumn, EncodedTable, GroupCounts, Partition, Recoding
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.privacy import PrivacyModel

Ints = NDArray[np.int64]
Groups = NDArray[np.int32]

_MOST_COLUMNS = 1000
"""Distances are summed in 32 bits."""

Cluster = Callable[[Points, int], Groups]
"""From points and k to the cluster of every row; -1 for rows that are dropped."""


def release_clusters(
    table: EncodedTable,
    promise: PrivacyModel,
    cluster: Cluster,
    progress: Progress,
    *,
    publish: str,
    features: str,
    class_weight: float,
    block_size: int,
) -> Recoding:
    """Cluster a table block by block, merge what breaks the promise, and print every cluster in a style.

    Up to ``block_size`` rows are one block, and the result is that of the method as printed. O(rows *
    columns) besides what the method costs for each block.
    """
    assert table.weight is None, "equal rows may be released apart: expand the table"
    check_satisfiable(table, promise)
    k = least_members(promise)
    columns, steering = _steering(table, features=features, class_weight=class_weight)
    group = np.full(table.n_rows, -1, dtype=np.int32)
    n_groups = n_done = 0
    for rows in blocks_of(steering, [column.codes for column in columns], max(block_size, 2 * k), k):
        points = Points.of(steering, [column.codes[rows] for column in columns])
        found = cluster(points, k)
        group[rows] = np.where(found < 0, -1, found + np.int32(n_groups))
        n_groups += int(found.max(initial=-1)) + 1
        n_done += len(rows)
        progress(n_done, table.n_rows)
    group, n_groups = _merged_until_kept(group, n_groups, table, promise, columns, steering)
    return Partition(group, n_groups).publish(table, publish)


def _steering(
    table: EncodedTable, *, features: str, class_weight: float
) -> tuple[list[CodedColumn], tuple[Feature, ...]]:
    """The columns that say how far rows are apart, and how."""
    columns = list(table.quasi)
    if features == "published":
        columns += table.others()
    if len(columns) > _MOST_COLUMNS:
        raise PolicyError(
            f"{len(columns):,} columns are too many for distances", f"use at most {_MOST_COLUMNS:,}"
        )
    steering = [feature_of(column) for column in columns]
    if class_weight and table.target is not None:
        columns.append(table.target)
        steering.append(FlatFeature(table.target, round(UNIT * class_weight)))
    return columns, tuple(steering)


def _merged_until_kept(
    group: Groups,
    n_groups: int,
    table: EncodedTable,
    promise: PrivacyModel,
    columns: list[CodedColumn],
    steering: tuple[Feature, ...],
) -> tuple[Groups, int]:
    """Merge every cluster that breaks the promise with the nearest one, until none does.

    Clusters have k rows each, so this happens only where more than k is promised. Each round costs O(rows),
    and O(clusters) for every cluster that breaks it.
    """
    while True:
        kept = np.flatnonzero(group >= 0)
        # PRIVACY: dropped rows are in no published table, and so not in what clusters are compared with
        # (tests/properties/test_dropped_rows.py).
        counts = GroupCounts.of_published(table, group, n_groups)
        broken = np.flatnonzero(~promise.holds(counts))
        if not len(broken) and n_groups:
            return group, n_groups
        if n_groups < 2:  # rows were dropped, or all rows together would keep it
            raise UnsatisfiableError(
                "no cluster is left that keeps the promise", "let clusters be more diverse, or reassign rows"
            )
        target = np.arange(n_groups)
        centres = [
            feature.centres(column.codes[kept].astype(np.int64), group[kept], n_groups)
            for feature, column in zip(steering, columns, strict=True)
        ]
        for number in broken.tolist():
            distance = np.zeros(n_groups, dtype=np.int64)
            for feature, of_groups in zip(steering, centres, strict=True):
                distance += feature.distances_between(of_groups, int(of_groups[number]))
            distance[number] = np.iinfo(np.int64).max
            target[number] = int(distance.argmin())
        root = _roots(target)
        numbers, merged = np.unique(root, return_inverse=True)
        group = np.append(merged, -1).astype(np.int32)[group]
        n_groups = len(numbers)


def _roots(target: Ints) -> Ints:
    """The cluster that each one ends in, if everybody joins the one it points to."""
    label = np.arange(len(target))
    while True:
        joined = np.minimum(label, label[target])
        np.minimum.at(joined, target, label)
        if np.array_equal(joined, label):
            return label
        label = joined


CLUSTER_OPTIONS = {
    "publish": Option(
        "range",
        "range: ranges, hierarchy nodes and sets; members: sets; mean: rounded means; "
        "suppress: only what a whole cluster shares",
        tuple(STYLES),
    ),
    "features": Option(
        "quasi",
        "which columns say how far rows are apart: the quasi-identifiers, or all published columns",
        ("quasi", "published"),
    ),
    "class_weight": Option(
        0.0, "how much another class counts as distance, where a column counts 1", at_least=0, at_most=8
    ),
    "block_size": Option(
        20_000, "larger tables are cut into blocks of at most so many rows, clustered one by one", at_least=2
    ),
}
