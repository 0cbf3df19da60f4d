"""k-means and weighted C-means: sizes, chance, ends, and the parts they are made of."""

from __future__ import annotations

import numpy as np
import pytest
from oracles_clusters_kmeans import points_from
from plain_tables import Value, table_of
from topdown_tables import KINDS, column_of_chance

from kanopy.algorithms.clustering import assign, kmeans
from kanopy.algorithms.clustering.assign import Packs, Rows, Tables, closest
from kanopy.algorithms.clustering.code_counts import CodeCounts
from kanopy.algorithms.clustering.features import UNIT, FlatFeature, Points, feature_of
from kanopy.algorithms.clustering.kmeans import adjusted, choose_in_turn, kmeans_groups
from kanopy.algorithms.clustering.wfcmeans import next_weights, wfcmeans_groups, whole_weights

CLUSTERINGS = {
    "variant 1": lambda *given: kmeans_groups(*given, variant=1),
    "variant 2": lambda *given: kmeans_groups(*given, variant=2),
    "variant 3": lambda *given: kmeans_groups(*given, variant=3),
    "weighted": wfcmeans_groups,
}


def random_points(seed: int, n_rows: int, kinds: tuple[str, ...] = KINDS) -> Points:
    rng = np.random.default_rng(seed)
    return points_from([column_of_chance(rng, n_rows, kind) for kind in kinds])


def points(**columns: list[Value]) -> Points:
    quasi = table_of(columns).quasi
    return Points.of(tuple(map(feature_of, quasi)), [column.codes for column in quasi])


# --- Whatever the data ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLUSTERINGS)
@pytest.mark.parametrize(("n_rows", "k"), [(4, 4), (7, 4), (8, 4), (5, 1), (97, 3), (200, 20), (120, 50)])
def test_every_cluster_is_large_enough(name: str, n_rows: int, k: int) -> None:
    for seed in range(5):
        found = CLUSTERINGS[name](random_points(seed, n_rows), k, np.random.default_rng(seed))
        assert found.dtype == np.int32
        sizes = np.bincount(found)
        assert len(found) == sizes.sum() == n_rows
        assert sizes.min() >= k
        if name != "weighted":
            assert len(sizes) == n_rows // k


@pytest.mark.parametrize("name", CLUSTERINGS)
def test_rows_that_are_all_alike(name: str) -> None:
    found = CLUSTERINGS[name](points(x=[3] * 11, y=["a"] * 11), 3, np.random.default_rng(0))
    assert np.bincount(found).min() >= 3


@pytest.mark.parametrize("name", CLUSTERINGS)
def test_rows_that_are_all_missing(name: str) -> None:
    found = CLUSTERINGS[name](points(x=[None] * 9 + [1, 2], y=[None] * 11), 3, np.random.default_rng(0))
    assert np.bincount(found).min() >= 3


@pytest.mark.parametrize("name", CLUSTERINGS)
def test_fewer_rows_than_k_are_one_cluster(name: str) -> None:
    found = CLUSTERINGS[name](points(x=[1, 2, 9]), 5, np.random.default_rng(0))
    assert found.tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", CLUSTERINGS)
def test_the_seed_decides(name: str) -> None:
    table = random_points(1, 150)
    found = [CLUSTERINGS[name](table, 4, np.random.default_rng(seed)).tolist() for seed in (7, 7, 8)]
    assert found[0] == found[1]
    assert found[0] != found[2]


# --- How it ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("max_iter", [1, 3, 8])
@pytest.mark.parametrize("variant", [1, 2, 3])
def test_rounds_are_counted(variant: int, max_iter: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []
    one_round = kmeans._Rounds.next

    def counted(self: kmeans._Rounds, centroids: list[np.ndarray]) -> kmeans._Clusters:
        rounds.append(one_round(self, centroids))
        return rounds[-1]

    monkeypatch.setattr(kmeans._Rounds, "next", counted)
    rng = np.random.default_rng(0)
    kmeans_groups(random_points(2, 300), 3, rng, variant=variant, max_iter=max_iter)
    assert 1 <= len(rounds) <= max_iter
    assert max_iter > 1 or len(rounds) == 1


@pytest.mark.parametrize("variant", [1, 2])
def test_the_best_round_is_taken(variant: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped by the number of rounds, no round that was seen has a lower square error."""
    errors: list[int] = []
    square_error = CodeCounts.square_error

    def recorded(self: CodeCounts, centroids: list[np.ndarray]) -> int:
        errors.append(square_error(self, centroids))
        return errors[-1]

    monkeypatch.setattr(CodeCounts, "square_error", recorded)
    table = random_points(3, 400)
    found = kmeans_groups(table, 5, np.random.default_rng(0), variant=variant, max_iter=9)
    assert len(errors) == 9
    rows = Rows.of(table)
    centroids = rows.centroids(found, [np.zeros(80, dtype=np.int64) for _ in table.features])
    assert sum(rows.square_errors(found, centroids)) == min(errors) < errors[0]


def test_of_equally_good_rounds_the_first_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CodeCounts, "square_error", lambda self, centroids: 5)
    first, last = (
        kmeans_groups(random_points(3, 400), 5, np.random.default_rng(0), max_iter=n_rounds).tolist()
        for n_rounds in (1, 9)
    )
    assert first == last


@pytest.mark.parametrize(("max_iter", "n_rounds"), [(1, 1), (2, 2), (100, 3)])
def test_weighted_rounds_end_where_nothing_changes(
    max_iter: int, n_rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From 0 and 2, first 2 is with 9 and 10, then with 0; the third round finds the same clusters."""
    rounds = []

    def counted(*given: object) -> np.ndarray:
        rounds.append(closest(*given))
        return rounds[-1]

    class Start:
        def choice(self, n_rows: int, n_clusters: int, *, replace: bool) -> np.ndarray:
            return np.array([0, 1])

    monkeypatch.setattr("kanopy.algorithms.clustering.wfcmeans.closest", counted)
    wfcmeans_groups(points(x=[0, 2, 9, 10]), 2, Start(), max_iter=max_iter)
    assert len(rounds) == n_rounds


# --- The parts ------------------------------------------------------------------------------------------


def all_costs(rows: Rows, centroids: list[np.ndarray]) -> np.ndarray:
    """From every row to every centroid, by the lookups that other methods use."""
    total = np.zeros((len(rows), len(centroids[0])), dtype=np.int64)
    for feature, codes, centres in zip(rows.features, rows.codes, centroids, strict=True):
        total += np.stack([feature.distances_to_centre(centre)[codes] for centre in centres.tolist()], axis=1)
    return total


@pytest.mark.parametrize("table_size", [0, 1 << 24], ids=["computed", "looked up"])
@pytest.mark.parametrize("chunk", [1, 1000, 1 << 17])
def test_closest_centroids(table_size: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assign, "_TABLE", table_size)
    monkeypatch.setattr(assign, "_CHUNK", chunk)
    table = random_points(4, 600, ("text", "number", "tree", "text", "number"))
    rows, packs = Rows.of(table), Packs(table)
    assert len(packs.packs) < 5  # several features share a pack
    seeds = np.random.default_rng(0).choice(600, 60, replace=False)
    group = np.random.default_rng(1).integers(0, 60, 600).astype(np.int32)
    for centroids in (rows.start(seeds), rows.centroids(group, rows.start(seeds))):
        costs = all_costs(rows, centroids)
        assert (Tables(packs, centroids, len(rows)).costs(rows.point) == costs).all()
        assert (closest(packs, rows.point, centroids) == costs.argmin(axis=1)).all()


def test_equal_centroids_the_first_is_taken() -> None:
    table = points(x=[1, 5, 5, 9], y=["a", "b", "b", "a"])
    rows = Rows.of(table)
    assert closest(Packs(table), rows.point, rows.start(np.array([3, 2, 1, 0]))).tolist() == [3, 1, 1, 0]


@pytest.mark.parametrize("seed", range(8))
def test_choosing_in_turn_is_choosing_one_by_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assign, "_CHUNK", 30 * 40)  # 40 rows or more at a time
    rng = np.random.default_rng(seed)
    table = random_points(seed, 400)
    rows = Rows.of(table)
    centroids = rows.start(rng.choice(400, 30, replace=False))
    room = rng.multinomial(300, rng.dirichlet([0.7] * 30)) + (rng.random(30) < 0.5)
    turns = rng.permutation(400)[:300]
    costs = all_costs(rows, centroids)
    left, expected = room.copy(), []
    for row in turns.tolist():
        expected.append(int(np.where(left > 0, costs[row], 1 << 40).argmin()))
        left[expected[-1]] -= 1
    assert choose_in_turn(Packs(table), rows.point[turns], centroids, room).tolist() == expected


def test_centroids_of_empty_clusters_stay() -> None:
    table = points(x=[0, 2, 10, None], y=["b", "a", "a", "a"])
    rows = Rows.of(table)
    former = [np.array([7, 7, 7, 7]), np.array([1, 1, 1, 1])]
    places, codes = rows.centroids(np.array([0, 0, 2, 0], dtype=np.int32), former)
    assert places.tolist() == [round(UNIT / 10), 7, UNIT, 7]
    assert codes.tolist() == [0, 1, 0, 1]


def test_adjusting_trims_even_where_nobody_is_short() -> None:
    """The outermost row of each cluster is given up, and goes where the centroid is closest."""
    table = points(x=[0, 1, 9, 10, 11, 20])
    group = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
    assert adjusted(table, group, 2, 3, np.random.default_rng(0)).tolist() == [0, 0, 0, 1, 1, 1]
    assert adjusted(table, group, 2, 2, np.random.default_rng(0)).tolist() == [0, 0, 1, 1, 1, 1]


def test_squares_are_added_exactly() -> None:
    """More than 64 bits can hold: 200 000 rows, each as far away as a class that counts eightfold can be."""
    n_rows = 200_000
    table = table_of({"x": ["a"] * n_rows}, target=["n"] * (n_rows - 1) + ["y"])
    assert table.target is not None
    feature = FlatFeature(table.target, 8 * UNIT)
    rows = Rows.of(Points.of((feature,), [table.target.codes]))
    group = np.zeros(n_rows, dtype=np.int32)
    assert rows.square_errors(group, [np.array([1])]) == [(n_rows - 1) * (8 * UNIT) ** 2]


# --- Weights --------------------------------------------------------------------------------------------


def test_a_column_that_does_not_vary_within_counts_ten_times_the_best() -> None:
    assert next_weights([0.5, 0.5], [4, 0], [8, 5]) == pytest.approx(
        [(0.5 + 1 / 11) / 2, (0.5 + 10 / 11) / 2]
    )


@pytest.mark.parametrize(("within", "between"), [([0, 0], [3, 4]), ([2, 3], [0, 0]), ([0, 3], [5, 0])])
def test_weights_stay_where_there_is_nothing_to_compare(within: list[int], between: list[int]) -> None:
    assert next_weights([0.3, 0.7], within, between) == [0.3, 0.7]


def test_weights_add_up_to_one() -> None:
    assert sum(next_weights([0.2, 0.3, 0.5], [3, 5, 0], [7, 1, 0])) == pytest.approx(1)


@pytest.mark.parametrize("heaviest", [1, 8])
def test_weighted_squares_fit(heaviest: int) -> None:
    table = table_of({f"q{place}": ["a", "b"] for place in range(20)}, target=["n", "y"])
    assert table.target is not None
    features = [*map(feature_of, table.quasi), FlatFeature(table.target, heaviest * UNIT)]
    most = max(
        sum(whole * feature.unit**2 for whole, feature in zip(weights, features, strict=True))
        for weights in (
            whole_weights([1 / 21] * 21, features),
            whole_weights([0.0] * 20 + [1.0], features),
        )
    )
    assert 2**50 < most < 2**63


def test_a_column_of_noise_comes_to_count_less() -> None:
    """Two groups far apart in x, of which y knows nothing: they are found in spite of y."""
    rng = np.random.default_rng(0)
    x = [*rng.normal(0, 0.5, 20).round(3), *rng.normal(10, 0.5, 20).round(3)]
    y = rng.random(40).round(3).tolist()
    found = wfcmeans_groups(points(x=x, y=y), 20, np.random.default_rng(1))
    assert sorted(np.bincount(found[:20], minlength=2).tolist()) == [0, 20]
    assert sorted(np.bincount(found[20:], minlength=2).tolist()) == [0, 20]


def test_small_clusters_join_the_closest_large_one() -> None:
    """Three values of x, the middle one too rare for a cluster of its own."""
    table = points(x=[0.0] * 5 + [4.0] + [10.0] * 6)

    class Start:
        def choice(self, n_rows: int, n_clusters: int, *, replace: bool) -> np.ndarray:
            return np.array([0, 5, 6])

    assert wfcmeans_groups(table, 4, Start()).tolist() == [0] * 6 + [1] * 6
