"""Clusters where they could go wrong: too small, with gaps, of other rows at the next run, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

import numpy as np
import pytest
from oracles_clusters_pass import Dealt, clusters_of, points_from
from plain_tables import table_of

from kanopy.algorithms.clustering import oka
from kanopy.algorithms.clustering.assign import Packs, Rows, closest
from kanopy.algorithms.clustering.features import Points
from kanopy.algorithms.clustering.kmember import kmember_groups
from kanopy.algorithms.clustering.loukides import loukides_groups
from kanopy.algorithms.clustering.mdav import mdav_groups
from kanopy.algorithms.clustering.oka import oka_groups, one_pass
from kanopy.algorithms.clustering.pool import Pool
from kanopy.errors import PolicyError

Cluster = Callable[[Points, int, np.random.Generator], np.ndarray]

METHODS: dict[str, Cluster] = {
    "kmember": lambda points, k, rng: kmember_groups(points, k, rng, far_from="seed"),
    "kmember, last": lambda points, k, rng: kmember_groups(points, k, rng, far_from="last"),
    "oka": oka_groups,
    "oka, unsorted": lambda points, k, rng: oka_groups(points, k, rng, sort=False),
    "mdav": lambda points, k, rng: mdav_groups(points, k),
    "loukides": lambda points, k, rng: loukides_groups(points, k, rng, delta=0.7),
    "loukides, reassigned": lambda points, k, rng: loukides_groups(points, k, rng, delta=0.7, reassign=True),
}


def some_points(n_rows: int = 600, n_numbers: int = 40, n_letters: int = 4) -> Points:
    """Rows of three columns with missing values; many rows are equal."""
    rng = np.random.default_rng(n_rows)
    numbers: list = rng.integers(0, n_numbers, n_rows).tolist()
    letters: list = [f"{code:05d}" for code in rng.integers(0, n_letters, n_rows)]
    others: list = rng.choice(["x", "y", "z"], n_rows, p=[0.9, 0.07, 0.03]).tolist()
    for column in (numbers, letters, others):
        for row in rng.integers(0, n_rows, n_rows // 50).tolist():
            column[row] = None
    return points_from(table_of({"number": numbers, "letter": letters, "other": others}))


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@pytest.mark.parametrize("k", [2, 7, 50, 200, 299, 300, 301, 600])
def test_no_cluster_is_too_small(method: Cluster, k: int) -> None:
    points = some_points()
    group = method(points, k, np.random.default_rng(k))
    assert group.dtype == np.int32
    assert group.shape == (600,)
    assert all(len(rows) >= k for rows in clusters_of(group))


@pytest.mark.parametrize("name", [name for name in METHODS if name != "loukides"])
def test_no_row_is_lost(name: str) -> None:
    assert (METHODS[name](some_points(), 7, np.random.default_rng(1)) >= 0).all()


@pytest.mark.parametrize("method", [METHODS[name] for name in METHODS if "loukides" not in name])
@pytest.mark.parametrize(("n_rows", "k"), [(10, 10), (19, 10), (3, 2), (2, 2)])
def test_fewer_than_twice_k_rows_are_one_cluster(method: Cluster, n_rows: int, k: int) -> None:
    group = method(some_points(n_rows), k, np.random.default_rng(0))
    assert group.tolist() == [0] * n_rows


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_all_rows_alike(method: Cluster) -> None:
    points = points_from(table_of({"number": [3] * 25, "letter": ["a"] * 25}))
    sizes = [len(rows) for rows in clusters_of(method(points, 4, np.random.default_rng(0)))]
    assert sum(sizes) == 25
    assert min(sizes) >= 4


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_same_seed_same_clusters(method: Cluster) -> None:
    points = some_points()
    runs = [method(points, 5, np.random.default_rng(3)) for _ in range(2)]
    assert np.array_equal(*runs)


@pytest.mark.parametrize("name", [name for name in METHODS if name != "mdav"])
def test_other_seed_other_clusters(name: str) -> None:
    """k-member soon comes to the same outliers from most starts, but not from all."""
    runs = [METHODS[name](some_points(), 5, np.random.default_rng(seed)) for seed in range(12)]
    assert len({run.tobytes() for run in runs}) > 1


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_points_are_left_as_they_were(method: Cluster) -> None:
    points, again = some_points(), some_points()
    method(points, 5, np.random.default_rng(0))
    assert np.array_equal(points.weight, again.weight)
    assert np.array_equal(points.first, again.first)
    assert np.array_equal(points.rows, again.rows)
    assert all(map(np.array_equal, points.codes, again.codes))


# --- One-pass k-means ------------------------------------------------------------------------------------


def test_as_many_clusters_as_seeds() -> None:
    assert len(clusters_of(oka_groups(some_points(), 7, np.random.default_rng(0)))) == 600 // 7


@pytest.mark.parametrize("sort", [True, False])
def test_distances_in_tables_and_computed_are_the_same(sort: bool) -> None:
    points = some_points(2000, n_numbers=500, n_letters=300)  # more than fit in a table, and fewer
    seeds = np.random.default_rng(0).choice(2000, 200, replace=False)
    usual = one_pass(points, seeds, sort=sort)
    for small in (0, 10, 1000):
        with mock.patch.object(oka, "_SMALL", small):
            assert np.array_equal(one_pass(points, seeds, sort=sort), usual)


def test_a_seed_among_rows_like_it() -> None:
    """Rows 1 to 3 are alike; row 2 is a seed, and the others follow it whether they come before or after."""
    points = points_from(table_of({"number": [0, 5, 5, 5, 9]}))
    assert clusters_of(one_pass(points, np.array([0, 2]), sort=True)) == [[0], [1, 2, 3, 4]]
    # Three seeds at one point: the first of them gets 0, and thereby leaves 9 to the second.
    assert clusters_of(one_pass(points, np.array([3, 1, 2]), sort=True)) == [[0, 3], [1, 4], [2]]


# --- Loukides and Shao -----------------------------------------------------------------------------------


@pytest.mark.parametrize("delta", [0.0, -0.5, float("nan")])
def test_no_diversity_at_all(delta: float) -> None:
    with pytest.raises(PolicyError, match="delta"):
        loukides_groups(some_points(), 5, np.random.default_rng(0), delta=delta)


@pytest.mark.parametrize("reassign", [False, True])
def test_no_cluster_is_large_enough(reassign: bool) -> None:
    points = points_from(table_of({"number": [1, 2, 3, 4, 5, 6]}))
    group = loukides_groups(points, 2, np.random.default_rng(0), delta=0.1, reassign=reassign)
    assert group.tolist() == [-1] * 6


def test_everything_fits_into_one_cluster() -> None:
    group = loukides_groups(some_points(), 5, np.random.default_rng(0), delta=1e9)
    assert group.tolist() == [0] * 600


def test_equal_rows_share_their_cluster_or_are_dropped_together() -> None:
    points = some_points()
    group = loukides_groups(points, 5, np.random.default_rng(0), delta=0.4)
    assert -1 in group
    for first, weight in zip(points.first, points.weight, strict=True):
        assert len(set(group[points.rows[first : first + weight]].tolist())) == 1


@pytest.mark.parametrize("apart", range(1, 16))
def test_as_wide_as_allowed_wherever_it_lies(apart: int) -> None:
    """Places are rounded to whole parts, which must not keep out what is exactly as wide as allowed."""
    numbers = list(range(16))
    points = points_from(table_of({"number": numbers}))
    for seed in range(16 - apart):
        order = [seed, *(row for row in numbers if row > seed), *range(seed)]
        group = loukides_groups(points, 2, Dealt(order=order), delta=apart / 15)
        assert np.count_nonzero(group == 0) == apart + 1


# --- The nearest rows of a pool --------------------------------------------------------------------------


@pytest.mark.parametrize("n_wanted", [1, 2, 5, 30, 99, 100])
def test_the_nearest_rows_are_taken_once(n_wanted: int) -> None:
    points = some_points(100)
    pool = Pool(points)
    distance = np.random.default_rng(0).integers(0, 6, points.n_points).astype(np.int32)
    of_row = np.empty(100, dtype=np.int64)
    of_row[points.rows] = np.repeat(distance, points.weight)
    left = np.lexsort((np.arange(100), of_row)).tolist()
    while pool.n_rows >= n_wanted:
        taken = sorted(pool.take_nearest(distance, n_wanted).tolist())
        assert taken == sorted(left[:n_wanted])
        del left[:n_wanted]
    assert pool.rows_left().tolist() == sorted(left)


# --- The closest centroid --------------------------------------------------------------------------------


@pytest.mark.parametrize("n_numbers", [1, 3, 40, 400])
@pytest.mark.parametrize("n_asked", [None, 3])
def test_closest_is_the_first_of_the_nearest(n_numbers: int, n_asked: int | None) -> None:
    # Few letters and many numbers: most centroids differ in the number alone, and many are equally far.
    points = some_points(900, n_numbers)
    rows, packs = Rows.of(points), Packs(points)
    rng = np.random.default_rng(n_numbers)
    centroids = rows.start(rng.choice(len(rows), 150))
    moved = rows.centroids(rng.integers(0, 150, len(rows)).astype(np.int32), centroids)
    for centres in (centroids, moved):
        asked = np.arange(points.n_points)[:n_asked]
        distances = sum(
            feature.distances_of_pairs(codes[asked].astype(np.int64)[:, None], of_feature[None, :])
            for feature, codes, of_feature in zip(points.features, points.codes, centres, strict=True)
        )
        assert closest(packs, asked, centres).tolist() == distances.argmin(axis=1).tolist()
