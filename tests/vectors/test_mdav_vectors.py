"""MDAV computed by hand on a few numbers, with near misses."""

from __future__ import annotations

import pytest
from oracles_clusters_pass import clusters_of, points_from
from plain_tables import table_of

from kanopy.algorithms.clustering.mdav import mdav_groups


def clusters(k: int, **columns: list) -> list[list[int]]:
    return clusters_of(mdav_groups(points_from(table_of(columns)), k))


@pytest.mark.parametrize(
    ("numbers", "k", "expected"),
    [
        # The mean is 6.6: r is 20, with 11; s is 1, with 2. Three rows are fewer than 2k, and stay together.
        pytest.param([1, 2, 3, 4, 5, 11, 20], 2, [[5, 6], [0, 1], [2, 3, 4]], id="seven, k = 2"),
        # After 21 with 20 and 1 with 2, the mean is 4.5: 3 and 6 tie for r, and 3 comes first.
        pytest.param([1, 2, 3, 4, 5, 6, 20, 21], 2, [[6, 7], [0, 1], [2, 3], [4, 5]], id="eight, k = 2"),
        # Eight are fewer than 3k: one cluster around 21, the rest is one.
        pytest.param([1, 2, 3, 4, 5, 6, 20, 21], 3, [[5, 6, 7], [0, 1, 2, 3, 4]], id="eight, k = 3"),
        # Nine are not: the mean is 8, r is 21 with 20 and 10, s is 1 with 2 and 3.
        pytest.param([1, 2, 3, 4, 5, 6, 20, 21, 10], 3, [[6, 7, 8], [0, 1, 2], [3, 4, 5]], id="nine, k = 3"),
        pytest.param([1, 2, 3, 4, 5, 6, 20, 21], 4, [[4, 5, 6, 7], [0, 1, 2, 3]], id="twice k"),
        pytest.param([1, 2, 3, 4, 5, 6, 20, 21], 5, [[0, 1, 2, 3, 4, 5, 6, 7]], id="fewer than twice k"),
        pytest.param([5, 3, 4], 3, [[0, 1, 2]], id="k rows"),
        # All alike: r is the first row; s could be as well, and is the first that is left.
        pytest.param([7] * 6, 2, [[0, 1], [2, 3], [4, 5]], id="all alike"),
    ],
)
def test_numbers(numbers: list[int], k: int, expected: list[list[int]]) -> None:
    assert clusters(k, number=numbers) == expected


def test_the_centroid_is_that_of_the_rows_that_are_left() -> None:
    """Without 118, 117, -10 and -9 the mean is 18.5, from which 0 is as far as 37, and comes first."""
    numbers = [0, 1, 36, 37, 118, 117, -10, -9]
    assert clusters(2, number=numbers) == [[4, 5], [6, 7], [0, 1], [2, 3]]
    # Now it is 14.75, from which 37 is farther; by the mean of all, 34.4, it would be 0 again.
    numbers = [0, 1, 21, 37, 118, 117, -10, -9]
    assert clusters(2, number=numbers) == [[4, 5], [6, 7], [2, 3], [0, 1]]


def test_the_centroid_of_categories_is_the_most_frequent() -> None:
    assert clusters(2, cat=["b", "a", "b", "a", "b", "c"]) == [[1, 3], [0, 2], [4, 5]]
    # As frequent as b, and before it in the alphabet: now the rows with b lie out.
    assert clusters(2, cat=["b", "a", "b", "a", "a", "b"]) == [[0, 2], [1, 3], [4, 5]]


def test_columns_add_up() -> None:
    """From the mean of 2.7 and the mode a, the last row is 0.67 away, but the second 1.21."""
    numbers, letters = [0, 1, 2, 2, 3, 8], ["a", "b", "a", "a", "a", "a"]
    assert clusters(2, number=numbers, cat=letters) == [[0, 1], [4, 5], [2, 3]]
    assert clusters(2, number=numbers, cat=["a"] * 6) == [[4, 5], [0, 1], [2, 3]]
