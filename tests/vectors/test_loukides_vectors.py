"""Worked example of clusters that grow up to a diversity (C4), with near misses around the bound."""

from __future__ import annotations

import numpy as np
import pytest
from oracles_clusters_pass import Dealt, clusters_of, points_from
from plain_tables import table_of

from kanopy.algorithms.clustering.loukides import loukides_groups

NUMBERS = [1, 2, 3, 4, 5, 6, 20, 21]


def values_of_clusters(delta: float, seeds: list[int], *, reassign: bool = False) -> list[list[int]]:
    """Seeds are values; the rest follows in the order of the table."""
    order = [NUMBERS.index(value) for value in dict.fromkeys([*seeds, *NUMBERS])]
    points = points_from(table_of({"number": NUMBERS}))
    group = loukides_groups(points, 3, Dealt(order=order), delta=delta, reassign=reassign)
    assert np.count_nonzero(group < 0) == (0 if reassign else 8 - sum(map(len, clusters_of(group))))
    return [[NUMBERS[row] for row in rows] for rows in clusters_of(group)]


@pytest.mark.parametrize(
    ("delta", "seeds", "kept"),
    [
        pytest.param(0.15, [2, 20, 5], [[1, 2, 3, 4]], id="three apart"),
        pytest.param(0.20, [2, 20, 6], [[1, 2, 3, 4, 5]], id="four apart"),
        pytest.param(0.199, [2, 20, 6], [[1, 2, 3, 4]], id="not quite four apart"),
        pytest.param(0.25, [2, 20], [[1, 2, 3, 4, 5, 6]], id="five apart"),
        pytest.param(0.15, [5, 20], [[2, 3, 4, 5]], id="from the other side; of equals the first"),
        pytest.param(0.05, [2, 20, 5], [], id="one apart: no cluster is large enough"),
        pytest.param(0.95, [2], [[1, 2, 3, 4, 5, 6, 20]], id="all but one"),
        pytest.param(1.0, [2], [NUMBERS], id="all"),
    ],
)
def test_eight_numbers(delta: float, seeds: list[int], kept: list[list[int]]) -> None:
    assert values_of_clusters(delta, seeds) == kept


def test_dropped_rows_go_to_the_closest_kept_cluster() -> None:
    assert values_of_clusters(0.15, [2, 20, 5], reassign=True) == [NUMBERS]
    # 1, 2, 3 and 4, 5, 6 are kept; 20 and 21 are closer to the latter.
    assert values_of_clusters(0.10, [2, 5], reassign=True) == [[1, 2, 3], [4, 5, 6, 20, 21]]
    assert values_of_clusters(0.10, [5, 2], reassign=False) == [[3, 4, 5]]


def test_with_a_second_column_the_widths_add_up() -> None:
    table = table_of({"number": [0, 1, 2, 10], "cat": ["a", "b", "a", "a"]})
    points = points_from(table)
    kept = {
        delta: clusters_of(loukides_groups(points, 2, Dealt(order=range(4)), delta=delta))
        for delta in (0.2, 1.1, 1.2)
    }
    assert kept == {0.2: [[0, 2]], 1.1: [[0, 2, 3]], 1.2: [[0, 2, 3]]}
