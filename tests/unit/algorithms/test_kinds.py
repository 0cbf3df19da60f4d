"""What k-means keeps from round to round is what it would find anew, whatever centroids come next."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from oracles_clusters_kmeans import points_from
from oracles_tree_methods import Quasi
from topdown_tables import column_of_chance

from kanopy.algorithms.clustering import kinds as module
from kanopy.algorithms.clustering.assign import Packs, Rows, closest
from kanopy.algorithms.clustering.code_counts import CodeCounts
from kanopy.algorithms.clustering.features import UNIT, Centroids, Points
from kanopy.algorithms.clustering.kinds import Kinds, closest_by_kind

COLUMNS = [
    ("text", "number", "tree", "text"),
    ("text", "tree", "text"),
    ("number", "text"),
]


def random_points(seed: int, n_rows: int, columns: tuple[str, ...]) -> Points:
    rng = np.random.default_rng(seed)
    return points_from([column_of_chance(rng, n_rows, column) for column in columns])


def divisions(rng: np.random.Generator, n_rows: int, n_clusters: int) -> Iterator[np.ndarray]:
    """Groups of rows: wholly new ones, ones that differ a little from the last, and many that are empty."""
    group = rng.integers(0, n_clusters, n_rows)
    for step in range(24):
        if step % 8 == 7:
            group = rng.integers(0, rng.integers(1, n_clusters + 1), n_rows)
        moved = rng.choice(n_rows, rng.integers(0, 20), replace=False)
        group = group.copy()
        group[moved] = rng.integers(0, n_clusters, len(moved))
        yield group.astype(np.int32)


def walks(points: Points, seed: int, n_clusters: int) -> Iterator[tuple[Rows, np.ndarray, Centroids]]:
    rng = np.random.default_rng(seed)
    rows = Rows.of(points)
    centroids = rows.start(rng.choice(len(rows), n_clusters, replace=False))
    for group in divisions(rng, len(rows), n_clusters):
        yield rows, group, centroids
        centroids = rows.centroids(group, centroids)


@pytest.mark.parametrize(("spare", "most_slots"), [(0, 3), (64, 128)])
@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("seed", range(4))
def test_closest_and_distances(
    seed: int, columns: tuple[str, ...], spare: int, most_slots: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where slots are often numbered anew, and where many of them are as low."""
    monkeypatch.setattr(module, "_SPARE", spare)
    monkeypatch.setattr(module, "_MOST_SLOTS", most_slots)
    points = random_points(seed, 300, columns)
    packs, kinds = Packs(points), Kinds.of(points, 40)
    assert kinds is not None
    every_point = np.arange(points.n_points)
    for rows, group, centroids in walks(points, seed, 40):
        expected = closest(packs, every_point, centroids)
        assert closest_by_kind(kinds, packs, centroids).tolist() == expected.tolist()
        assert kinds.costs(every_point).argmin(axis=1).tolist() == expected.tolist()
        assert kinds.distances(rows.point, group).tolist() == rows.distances(group, centroids).tolist()


def test_a_whole_step_away_another_level_is_as_close() -> None:
    """From 0 and a: the second centroid is wholly away in the number, the first in the text: they tie."""
    points = points_from([Quasi([0, 1, 0], 2, (0.0, 9.0)), Quasi([0, 0, 1], 2, None)])
    kinds, packs = Kinds.of(points, 2), Packs(points)
    assert kinds is not None
    place = {row: int(point) for row, point in enumerate(points.point_of_rows())}
    for number, text, nearest in [([0, UNIT], [1, 0], 0), ([UNIT, 0], [0, 1], 0)]:
        centroids = [np.array(number), np.array(text)]
        assert closest_by_kind(kinds, packs, centroids)[place[0]] == nearest
        assert kinds.lowest.found()[1][place[0]], "so it is looked at again"


def test_many_clusters_need_more_bits() -> None:
    points = random_points(0, 9000, ("number", "text", "text"))
    kinds, packs = Kinds.of(points, 4000), Packs(points)
    assert kinds is not None
    assert UNIT * 4000 > 1 << 31
    centroids = Rows.of(points).start(np.random.default_rng(0).choice(9000, 4000, replace=False))
    expected = closest(packs, np.arange(points.n_points), centroids)
    assert closest_by_kind(kinds, packs, centroids).tolist() == expected.tolist()


def test_tables_that_kinds_do_not_pay_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Kinds.of(random_points(0, 50, ("number", "number", "text")), 5) is None
    assert Kinds.of(random_points(0, 50, ("number",)), 5) is None
    many = points_from([Quasi([code % 200 for code in range(400)], 200, None)])
    assert Kinds.of(many, 5) is not None
    monkeypatch.setattr(module, "_MOST_PAIRS", 200 * 200)  # there is missing, too
    assert Kinds.of(many, 5) is None
    numbers = random_points(0, 50, ("text", "number"))
    assert Kinds.of(numbers, 5) is not None
    monkeypatch.setattr(module, "_MOST_APART", 5)
    assert Kinds.of(numbers, 5) is None
    assert Kinds.of(random_points(0, 50, ("text",) * 3), 5) is not None
    assert Kinds.of(random_points(0, 50, ("text",) * 255), 5) is None, "a level fits into a byte"


def test_memory_does_not_grow_with_the_rounds() -> None:
    """In each of many rounds all centroids are other rows."""
    points = random_points(0, 3000, ("text",) * 8)
    kinds = Kinds.of(points, 50)
    assert kinds is not None
    rows, rng = Rows.of(points), np.random.default_rng(0)
    for _ in range(60):
        kinds.visit(rows.start(rng.choice(3000, 50, replace=False)))
    assert kinds.levels.shape[1] < 400


@pytest.mark.parametrize("columns", [*COLUMNS, ("number", "number")])
@pytest.mark.parametrize("seed", range(3))
def test_centroids_and_errors_from_counts(seed: int, columns: tuple[str, ...]) -> None:
    points = random_points(seed, 300, columns)
    counts = CodeCounts(Rows.of(points), 40)
    for rows, group, former in walks(points, seed, 40):
        expected = rows.centroids(group, former)
        found = counts.centroids(group, former)
        assert [each.tolist() for each in found] == [each.tolist() for each in expected]
        assert counts.square_error(found) == sum(rows.square_errors(group, expected))
