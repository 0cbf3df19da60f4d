"""From a table to clusters to a recoding: what all clustering methods share."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from kanopy.algorithms.clustering.assign import Packs, closest
from kanopy.algorithms.clustering.features import UNIT, Feature, FlatFeature, Points, centroids_of, feature_of
from kanopy.algorithms.method import WIDEN, Method, Option, Progress, silent
from kanopy.algorithms.requirements import check_satisfiable, least_members
from kanopy.data import STYLES, EncodedTable, GroupCounts, Partition, Recoding
from kanopy.data.arrays import Bools, Codes, Groups, Ints
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.privacy import PrivacyModel

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
    keeps_all: bool = False,
    publish: str,
    widen: bool,
    features: str,
    class_weight: float,
    block_size: int,
) -> Recoding:
    """Cluster a table block by block, merge what breaks the promise, and print every cluster in a style.

    With ``keeps_all``, rows of blocks that have no cluster join the closest one of another block.
    O(rows * columns) besides what the method costs for each block of at most ``block_size`` rows.
    """
    assert table.weight is None, "equal rows may be released apart: expand the table"
    check_satisfiable(table, promise)
    k = least_members(promise)
    columns, steering = _steering(table, features=features, class_weight=class_weight)
    group = np.full(table.n_rows, -1, dtype=np.int32)
    n_groups = n_done = 0
    for rows in blocks_of(steering, columns, max(block_size, 2 * k), k):
        found = cluster(Points.of(steering, [codes[rows] for codes in columns]), k)
        group[rows] = np.where(found < 0, -1, found + np.int32(n_groups))
        n_groups += int(found.max(initial=-1)) + 1
        n_done += len(rows)
        progress(n_done, table.n_rows)
    if keeps_all and n_groups:
        _join_closest(group, n_groups, columns, steering)
    partition = _merged_until_kept(group, n_groups, table, promise, columns, steering)
    return partition.publish(table, publish, widen=widen)


def _join_closest(group: Groups, n_groups: int, columns: list[Codes], steering: tuple[Feature, ...]) -> None:
    """Rows in no cluster join the closest one, of equals the first. O(rows left * clusters * columns)."""
    left, kept = np.flatnonzero(group < 0), np.flatnonzero(group >= 0)
    if not len(left):
        return
    centroids = centroids_of(steering, [codes[kept] for codes in columns], group[kept], n_groups)
    points = Points.of(steering, [codes[left] for codes in columns])
    found = closest(Packs(points), np.arange(points.n_points), centroids)
    group[left] = found[points.point_of_rows()]


def _steering(
    table: EncodedTable, *, features: str, class_weight: float
) -> tuple[list[Codes], tuple[Feature, ...]]:
    """The codes of the columns that say how far rows are apart, and how each does."""
    columns = [*table.quasi, *(table.others() if features == "published" else ())]
    if len(columns) > _MOST_COLUMNS:
        raise PolicyError(
            f"{len(columns):,} columns are too many for distances", f"use at most {_MOST_COLUMNS:,}"
        )
    steering = [feature_of(column) for column in columns]
    if class_weight and table.target is not None:
        columns.append(table.target)
        steering.append(FlatFeature(table.target, round(UNIT * class_weight)))
    return [column.codes for column in columns], tuple(steering)


def _merged_until_kept(
    group: Groups,
    n_groups: int,
    table: EncodedTable,
    promise: PrivacyModel,
    columns: list[Codes],
    steering: tuple[Feature, ...],
) -> Partition:
    """Merge every cluster that breaks the promise, which must ask for more than k, with the nearest one,
    until none does. Each round costs O(rows), and O(clusters) for every cluster that breaks it."""
    while True:
        # PRIVACY: dropped rows are in no published table, and so not in what clusters are compared with
        # (tests/properties/test_dropped_rows.py).
        holds = promise.holds(GroupCounts.of_published(table, group, n_groups))
        if holds.all() and n_groups:
            return Partition(group, n_groups)
        if n_groups < 2:  # rows were dropped, or all rows together would keep it
            raise UnsatisfiableError(
                "no cluster is left that keeps the promise", "let clusters be more diverse, or reassign rows"
            )
        kept = np.flatnonzero(group >= 0)
        centroids = centroids_of(steering, [codes[kept] for codes in columns], group[kept], n_groups)
        target = np.arange(n_groups)
        for number in np.flatnonzero(~holds).tolist():
            distance = np.zeros(n_groups, dtype=np.int64)
            for feature, centres in zip(steering, centroids, strict=True):
                distance += feature.distances_between(centres, int(centres[number]))
            distance[number] = np.iinfo(np.int64).max
            target[number] = int(distance.argmin())
        numbers, merged = np.unique(_roots(target), return_inverse=True)
        group = np.append(merged, -1).astype(np.int32)[group]
        n_groups = len(numbers)


def _roots(target: Ints) -> Ints:
    """The cluster that each one ends in, if every cluster joins the one it points to."""
    label = np.arange(len(target))
    while True:
        joined = np.minimum(label, label[target])
        np.minimum.at(joined, target, label)
        if np.array_equal(joined, label):
            return label
        label = joined


def blocks_of(
    features: Sequence[Feature], columns: Sequence[Codes], block_size: int, least: int
) -> list[Ints]:
    """The rows of each block: at most ``block_size`` and at least ``least``, which is at most half of it.

    A block is cut along the column whose parts lie farthest apart, of equals along the one with the fewest
    values. No part is smaller than a quarter, and equal values stay together, where that can be helped.
    O(rows * columns * log(rows / block_size)).
    """
    waiting = [np.arange(len(columns[0]))]
    blocks = []
    while waiting:
        rows = waiting.pop()
        if len(rows) <= block_size:
            blocks.append(rows)
            continue
        goes_right = _halves(features, [codes[rows] for codes in columns], least)
        waiting += [rows[goes_right], rows[~goes_right]]
    return blocks


def _halves(features: Sequence[Feature], columns: Sequence[Codes], least: int) -> Bools:
    """Whether each row goes to the second part; by their order where no column can be cut."""
    n_rows = len(columns[0])
    best: tuple[bool, int, int, int] | None = None
    chosen = np.arange(n_rows) >= n_rows // 2
    for feature, codes in zip(features, columns, strict=True):
        counts = np.bincount(codes, minlength=feature.domain.n_codes)
        present = np.flatnonzero(counts)
        if len(present) < 2:
            continue
        below = np.cumsum(counts[present])[:-1]
        place = int(np.abs(2 * below - n_rows).argmin())
        smaller = int(min(below[place], n_rows - below[place]))
        if smaller < least:
            continue
        low, high = present[: place + 1], present[place + 1 :]
        left, right = feature.centre(low, counts[low]), feature.centre(high, counts[high])
        apart = int(feature.distances_between(np.array([left]), right)[0])
        found = (4 * smaller >= n_rows, apart, -len(present), smaller)
        if best is None or found > best:
            best = found
            chosen = codes > low[-1]
    return chosen


CLUSTER_OPTIONS = {
    "publish": Option(
        "range",
        "range: ranges, hierarchy nodes and sets; members: sets; mean: rounded means; "
        "suppress: only what a whole cluster shares",
        tuple(STYLES),
    ),
    "widen": WIDEN,
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

MAX_ITER = Option(
    100,
    "passes after which the best division so far is taken; fewer where rows / k clusters would take minutes",
    at_least=1,
    at_most=10_000,
)


def cluster_method(
    name: str,
    title: str,
    paper: str,
    cluster: Callable[..., Groups],
    options: dict[str, Option],
    block_size: int = 20_000,
    drops: Literal["no rows", "any rows"] = "no rows",
) -> Method:
    """A clustering method: its own options go to the clustering, those that all share to the release."""
    shared_options = dict(CLUSTER_OPTIONS)
    shared_options["block_size"] = replace(CLUSTER_OPTIONS["block_size"], default=block_size)

    def run(
        table: EncodedTable,
        promise: PrivacyModel,
        rng: np.random.Generator,
        progress: Progress = silent,
        **given: Any,
    ) -> Recoding:
        own = {option: given.pop(option) for option in options if option in given}
        shared = {option: given.get(option, made.default) for option, made in shared_options.items()}

        def clustered(points: Points, k: int) -> Groups:
            # Blocks share what a table may cost, where rounds could go on for long.
            effort = {"share": len(points.rows) / table.n_rows} if "max_iter" in options else {}
            return cluster(points, k, rng, **own, **effort)

        keeps_all = bool(own.get("reassign"))
        return release_clusters(table, promise, clustered, progress, keeps_all=keeps_all, **shared)

    return Method(name, title, paper, run, {**options, **shared_options}, drops=drops)
