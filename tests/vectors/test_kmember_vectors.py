"""Worked examples of greedy k-member, each with a near miss. C1: an age and a category. C2: eight numbers."""

from __future__ import annotations

import numpy as np
import pytest
from oracles_clusters_pass import Dealt, clusters_of, points_from
from plain_tables import table_of

from kanopy.algorithms.clustering.kmember import kmember_groups
from kanopy.data import EncodedTable, Partition
from kanopy.utility import measure_losses

SEVEN = table_of({"age": [20, 22, 24, 40, 42, 44, 60], "cat": ["A", "A", "B", "B", "B", "C", "C"]})
EIGHT = table_of({"number": [1, 2, 3, 4, 5, 6, 20, 21]})


def grouped(table: EncodedTable, k: int, start: int, far_from: str = "seed") -> np.ndarray:
    return kmember_groups(points_from(table), k, Dealt(start - 1), far_from=far_from)


def numbered_from_one(group: np.ndarray) -> list[list[int]]:
    return [[row + 1 for row in rows] for rows in clusters_of(group)]


@pytest.mark.parametrize(
    ("table", "k", "start", "expected", "losses"),
    [
        pytest.param(SEVEN, 3, 1, [[4, 5, 6, 7], [1, 2, 3]], (9.3, 3.161875, 25), id="seven, k = 3"),
        pytest.param(SEVEN, 2, 4, [[1, 2], [6, 7], [3, 4, 5]], (2.25, 0.202917, 17), id="seven, k = 2"),
        pytest.param(EIGHT, 3, 1, [[6, 7, 8], [1, 2, 3, 4, 5]], (3.25, 0.376667, 34), id="eight, k = 3"),
    ],
)
def test_worked(
    table: EncodedTable, k: int, start: int, expected: list[list[int]], losses: tuple[float, float, int]
) -> None:
    group = grouped(table, k, start)
    assert numbered_from_one(group) == expected
    found = measure_losses(table, Partition(group, len(expected)).publish(table, "range"), k)
    assert (
        found["total_information_loss"],
        found["square_error"],
        found["discernibility"],
    ) == pytest.approx(losses, abs=5e-7)


def test_another_start() -> None:
    """From the last row, the first is farthest, and its cluster comes first; the rest joins as before."""
    assert numbered_from_one(grouped(SEVEN, 3, 7)) == [[1, 2, 3], [4, 5, 6, 7]]
    assert numbered_from_one(grouped(EIGHT, 3, 8)) == [[1, 2, 3, 4, 5], [6, 7, 8]]


def test_far_from_the_last_row_instead() -> None:
    """A seeds, B joins. From A, the other B is the first of those farthest; from B it is no more."""
    table = table_of({"letter": ["A", "B", "B", "C", "C"]})
    assert numbered_from_one(grouped(table, 2, 2, "seed")) == [[1, 2, 5], [3, 4]]
    assert numbered_from_one(grouped(table, 2, 2, "last")) == [[1, 2, 3], [4, 5]]


def test_the_last_of_rows_that_joined_together() -> None:
    """A missing value makes the cluster as wide as can be, and the next rows of the table join for nothing.

    The last is the fourth row, b, from which the fifth is farthest; from the third, c, the seventh would be.
    """
    table = table_of({"letter": [None, "c", "c", "b", "c", "c", "a", "c", "a", "a", "c"]})
    assert numbered_from_one(grouped(table, 4, 2, "last")) == [[1, 2, 3, 4, 7, 9, 10], [5, 6, 8, 11]]
