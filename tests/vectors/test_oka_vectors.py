"""Worked examples of one-pass k-means, rows in the order of the table, each with a near miss.

C1: seven rows of an age and a category. C2: eight numbers. Rows that are adjusted come back in table order.
"""

from __future__ import annotations

import numpy as np
import pytest
from oracles_clusters_pass import Dealt, clusters_of, points_from
from plain_tables import table_of

from kanopy.algorithms.clustering.oka import oka_groups, one_pass
from kanopy.data import EncodedTable, Partition
from kanopy.utility import measure_losses

AGES = [20, 22, 24, 40, 42, 44, 60]
CATEGORIES = ["A", "A", "B", "B", "B", "C", "C"]
NUMBERS = [1, 2, 3, 4, 5, 6, 20, 21]


def numbered_from_one(group: np.ndarray) -> list[list[int]]:
    return [[row + 1 for row in rows] for rows in clusters_of(group)]


def one_pass_from(table: EncodedTable, *seeds: int, sort: bool = False) -> list[list[int]]:
    return numbered_from_one(one_pass(points_from(table), np.array(seeds) - 1, sort=sort))


def losses(table: EncodedTable, group: np.ndarray) -> tuple[float, float, float]:
    recoding = Partition(group, int(group.max()) + 1).publish(table, "range")
    found = measure_losses(table, recoding, 3)
    return found["total_information_loss"], found["square_error"], found["discernibility"]


def test_seven_rows() -> None:
    table = table_of({"age": AGES, "cat": CATEGORIES})
    assert one_pass_from(table, 1, 7) == [[1, 2, 3, 4, 5], [6, 7]]
    group = oka_groups(points_from(table), 3, Dealt(0, 6), sort=False)
    assert numbered_from_one(group) == [[2, 3, 4, 5], [1, 6, 7]]
    assert losses(table, group) == pytest.approx((12, 2.711667, 25), abs=5e-7)


def test_seven_rows_from_elsewhere() -> None:
    table = table_of({"age": AGES, "cat": CATEGORIES})
    assert one_pass_from(table, 7, 1) == [[6, 7], [1, 2, 3, 4, 5]]
    assert one_pass_from(table, 1, 6) == [[1, 2, 3], [4, 5, 6, 7]]
    # More B, and the sixth row is a B as well: 0.35 from the first centroid, not 1.4 from the last row.
    other = table_of({"age": AGES, "cat": ["A", "B", "B", "B", "B", "B", "C"]})
    assert one_pass_from(other, 1, 7) == [[1, 2, 3, 4, 5, 6], [7]]


def test_eight_numbers() -> None:
    table = table_of({"number": NUMBERS})
    assert one_pass_from(table, 1, 8) == [[1, 2, 3, 4, 5, 6], [7, 8]]
    group = oka_groups(points_from(table), 3, Dealt(0, 7), sort=False)
    assert numbered_from_one(group) == [[2, 3, 4, 5, 6], [1, 7, 8]]
    assert losses(table, group) == pytest.approx((4, 0.66, 8 * 8 - 30), abs=5e-7)


def test_eight_numbers_whose_rows_come_back_in_another_order() -> None:
    """The first who comes back fills the short cluster: here the sixth row, not the first."""
    points = points_from(table_of({"number": NUMBERS}))
    backwards = Dealt(0, 7, order=range(7, -1, -1))
    assert numbered_from_one(oka_groups(points, 3, backwards, sort=False)) == [[1, 2, 3, 4, 5], [6, 7, 8]]


def test_a_centroid_moves_at_once() -> None:
    """12 ties with the seeds, but 8 has drawn the first centroid to 4; then 12 draws it on, towards 13."""
    table = table_of({"number": [0, 24, 8, 12, 13]})
    assert one_pass_from(table, 1, 2) == [[1, 3, 4, 5], [2]]
    # In the other order, 13 draws the second centroid to 18.5, and 12 follows.
    table = table_of({"number": [0, 24, 13, 12, 8]})
    assert one_pass_from(table, 1, 2) == [[1, 5], [2, 3, 4]]
    # Alone, it goes to the first of equals.
    assert one_pass_from(table_of({"number": [0, 24, 12]}), 1, 2) == [[1, 3], [2]]
    assert one_pass_from(table_of({"number": [0, 24, 12]}), 2, 1) == [[2, 3], [1]]


def test_rows_in_the_order_of_their_codes() -> None:
    table = table_of({"number": [0, 24, 13, 12, 8]})
    assert one_pass_from(table, 1, 2, sort=True) == [[1, 3, 4, 5], [2]]
