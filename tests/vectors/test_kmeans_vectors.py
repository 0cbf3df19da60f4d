"""Worked examples of k-means with clusters of at least k rows, each with a near miss.

C1: seven rows with a number and a category. C2: eight numbers. C3: five numbers for which the first variant
goes round in a circle. C5: how weights of columns change.
"""

from __future__ import annotations

import numpy as np
import pytest
from oracles_clusters_kmeans import FixedStart
from plain_tables import Value, group_of_rows, table_of

from kanopy.algorithms.clustering.assign import Packs, Rows, closest
from kanopy.algorithms.clustering.features import UNIT, Points, feature_of
from kanopy.algorithms.clustering.kmeans import adjust, kmeans_groups
from kanopy.algorithms.clustering.wfcmeans import next_weights, wfcmeans_groups
from kanopy.data import EncodedTable, Partition
from kanopy.utility import discernibility, square_error, total_information_loss

AGES = [20, 22, 24, 40, 42, 44, 60]
LETTERS = ["A", "A", "B", "B", "B", "C", "C"]
C1 = {"age": AGES, "letter": LETTERS}
C2 = {"number": [1, 2, 3, 4, 5, 6, 20, 21]}
C3 = {"number": [12, 16, 18, 19, 28]}


def points(columns: dict[str, list[Value]]) -> Points:
    quasi = table_of(columns).quasi
    return Points.of(tuple(map(feature_of, quasi)), [column.codes for column in quasi])


def clusters(
    columns: dict[str, list[Value]], k: int, start: FixedStart, variant: int, max_iter: int = 100
) -> list[list[int]]:
    """Rows of every cluster, numbered from 1 as in the paper."""
    return listed(kmeans_groups(points(columns), k, start, variant=variant, max_iter=max_iter))


def listed(group: np.ndarray) -> list[list[int]]:
    return [(np.flatnonzero(group == number) + 1).tolist() for number in range(group.max() + 1)]


def losses(table: EncodedTable, found: list[list[int]]) -> list[float]:
    partition = Partition(group_of_rows(table.n_rows, *found), len(found))
    recoding = partition.publish(table, "range")
    return [total_information_loss(table, recoding), square_error(table, recoding)]


# --- C1 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", [1, 2, 3])
def test_c1(variant: int) -> None:
    found = clusters(C1, 3, FixedStart(0, 6), variant)
    assert found == [[1, 2, 6], [3, 4, 5, 7]]
    assert losses(table_of(C1), found) == pytest.approx([12.4, 2.628542], abs=1e-6)
    recoding = Partition(group_of_rows(7, *found), 2).publish(table_of(C1), "range")
    assert discernibility(table_of(C1), recoding, 3) == 25


@pytest.mark.parametrize("variant", [1, 2, 3])
def test_c1_near_miss(variant: int) -> None:
    """Row 3 says A like its neighbours: it stays with them."""
    near = {**C1, "letter": ["A", "A", "A", "B", "B", "C", "C"]}
    assert clusters(near, 3, FixedStart(0, 6), variant) == [[1, 2, 3], [4, 5, 6, 7]]


def centres(found: list[np.ndarray]) -> list[tuple[float, str]]:
    ages = [20 + 40 * place / UNIT for place in found[0].tolist()]
    return [(round(age, 3), "ABC"[code]) for age, code in zip(ages, found[1].tolist(), strict=True)]


def test_c1_step_by_step() -> None:
    rows, packs = Rows.of(points(C1)), Packs(points(C1))
    now = rows.start(np.array([0, 6]))
    steps = []
    for _ in range(3):
        joined = closest(packs, rows.point, now).astype(np.int32)
        moved = rows.centroids(joined, now)
        group = adjust(rows, packs, joined, moved, 3, FixedStart())
        now = rows.centroids(group, moved)
        steps.append((listed(joined), listed(group), centres(now)))
    assert steps[0] == ([[1, 2, 3, 4], [5, 6, 7]], [[1, 2, 3], [4, 5, 6, 7]], [(22, "A"), (46.5, "B")])
    assert steps[1] == ([[1, 2], [3, 4, 5, 6, 7]], [[1, 2, 6], [3, 4, 5, 7]], [(28.667, "A"), (41.5, "B")])
    assert steps[2][1:] == steps[1][1:]


@pytest.mark.parametrize("n_rounds", [1, 2])
def test_c1_stops_where_nothing_moves(n_rounds: int) -> None:
    """After one round the clusters are still others; after two they are the last ones."""
    expected = [[[1, 2, 3], [4, 5, 6, 7]], [[1, 2, 6], [3, 4, 5, 7]]][n_rounds - 1]
    assert clusters(C1, 3, FixedStart(0, 6), 1, max_iter=n_rounds) == expected


# --- C2 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", [1, 3])
def test_c2(variant: int) -> None:
    found = clusters(C2, 3, FixedStart(0, 7), variant)
    assert found == [[2, 3, 4, 5, 6], [1, 7, 8]]
    assert losses(table_of(C2), found) == pytest.approx([4.0, 0.66])


def test_c2_second_variant() -> None:
    found = clusters(C2, 3, FixedStart(0, 7), 2)
    assert found == [[1, 2, 3], [4, 5, 6, 7, 8]]
    assert losses(table_of(C2), found) == pytest.approx([4.55, 0.732])


@pytest.mark.parametrize("variant", [1, 3])
def test_c2_near_miss(variant: int) -> None:
    """What is given up comes in the other order: 6, which is closer, fills the short cluster, not 1."""
    start = FixedStart(0, 7, is_reversed=True)
    assert clusters(C2, 3, start, variant) == [[1, 2, 3, 4, 5], [6, 7, 8]]


def test_c2_second_variant_near_miss() -> None:
    """In another order of the table, other rows come too late for the first cluster."""
    turned = {"number": C2["number"][::-1]}
    assert clusters(turned, 3, FixedStart(7, 0), 2) == [[3, 4, 5, 7, 8], [1, 2, 6]]


# --- C3 -------------------------------------------------------------------------------------------------

WORSE, BETTER = [[2, 3, 4], [1, 5]], [[1, 2, 3], [4, 5]]


def test_c3() -> None:
    start = FixedStart(1, 4)
    assert clusters(C3, 2, start, 1) == BETTER
    scale = (28 - 12) ** 2
    errors = [losses(table_of(C3), found)[1] * scale for found in (WORSE, BETTER)]
    assert errors == pytest.approx([132.6667, 59.1667], abs=1e-4)


def test_c3_goes_round() -> None:
    """The same two by turns; stopped after any round but the first, the better one is kept."""
    rows, packs = Rows.of(points(C3)), Packs(points(C3))
    now = rows.start(np.array([1, 4]))
    steps = []
    for _ in range(6):
        joined = closest(packs, rows.point, now).astype(np.int32)
        moved = rows.centroids(joined, now)
        group = adjust(rows, packs, joined, moved, 2, FixedStart())
        now = rows.centroids(group, moved)
        steps.append(listed(group))
    assert sorted(steps[:2]) == sorted([WORSE, BETTER])
    assert steps == steps[:2] * 3
    for n_rounds in (2, 3, 4, 100):
        assert clusters(C3, 2, FixedStart(1, 4), 1, max_iter=n_rounds) == BETTER


def test_c3_near_miss() -> None:
    """Stopped before it has seen the better one, it has only the worse; and 13 for 12 comes to rest there."""
    assert clusters(C3, 2, FixedStart(1, 4), 1, max_iter=1) == WORSE
    assert clusters({"number": [13, 16, 18, 19, 28]}, 2, FixedStart(1, 4), 1) == WORSE


# --- C5 -------------------------------------------------------------------------------------------------

C5 = {"x": [0.0, 0.1, 0.9, 1.0], "y": [0.0, 0.8, 0.1, 0.9]}


def test_c5() -> None:
    assert next_weights([0.5, 0.5], [0.01, 0.64], [0.81, 0.01]) == pytest.approx(
        [0.749904, 0.250096], abs=1e-6
    )
    assert listed(wfcmeans_groups(points(C5), 2, FixedStart(0, 3))) == [[1, 2], [3, 4]]


def test_c5_from_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same weights come out of the first round; that y spans 0.9 shortens in the ratio."""
    seen = []

    def recorded(*given: list[float]) -> list[float]:
        seen.append(next_weights(*given))
        return seen[-1]

    monkeypatch.setattr("kanopy.algorithms.clustering.wfcmeans.next_weights", recorded)
    wfcmeans_groups(points(C5), 2, FixedStart(0, 3), max_iter=1)
    assert seen[0] == pytest.approx([0.749904, 0.250096], abs=1e-5)


def test_c5_near_miss() -> None:
    """Turned by a quarter, y tells the clusters apart and comes to count more."""
    weights = next_weights([0.5, 0.5], [0.64, 0.01], [0.01, 0.81])
    assert weights == pytest.approx([0.250096, 0.749904], abs=1e-6)
    turned = {"x": C5["y"], "y": C5["x"]}
    assert listed(wfcmeans_groups(points(turned), 2, FixedStart(0, 1))) == [[1, 3], [2, 4]]
