"""Losses that look at group sizes and classes only."""

from __future__ import annotations

import numpy as np
import pytest
from plain_tables import group_of_rows, published, table_of

from kanopy.data import EncodedTable, Partition, Recoding
from kanopy.errors import PolicyError
from kanopy.utility import average_group_size, classification_metric, discernibility, group_size_histogram


def grouped(*sizes: int, n_dropped: int = 0) -> tuple[EncodedTable, Recoding]:
    """A table whose groups have the given sizes; the class is ``yes`` in every group's first row only."""
    groups = [number for number, size in enumerate(sizes) for _ in range(size)] + [-1] * n_dropped
    target = ["yes" if place == 0 else "no" for size in sizes for place in range(size)] + ["no"] * n_dropped
    table = table_of({"group": [str(group) for group in groups]}, target=target)
    return table, published(table, Partition(np.array(groups, dtype=np.int32), len(sizes)), "members")


def test_small_groups_and_dropped_rows_are_told_from_nobody() -> None:
    table, recoding = grouped(4, 2, n_dropped=3)
    assert discernibility(table, recoding) == 16 + 4 + 3 * 9
    assert discernibility(table, recoding, 2) == 16 + 4 + 3 * 9
    assert discernibility(table, recoding, 3) == 16 + 2 * 9 + 3 * 9


def test_average_size_is_over_published_groups() -> None:
    table, recoding = grouped(4, 2, n_dropped=3)
    assert average_group_size(table, recoding) == 3
    assert average_group_size(table, recoding, 2) == 1.5


def test_average_size_where_nothing_is_published() -> None:
    table, recoding = grouped(n_dropped=6)
    assert average_group_size(table, recoding, 2) == 3


def test_classes_beside_the_majority_are_wrong() -> None:
    table, recoding = grouped(4, 2)
    assert classification_metric(table, recoding) == pytest.approx(2 / 6)


def test_classes_of_small_groups_and_dropped_rows_are_wrong() -> None:
    table, recoding = grouped(4, 2, n_dropped=2)
    assert classification_metric(table, recoding, 3) == pytest.approx((1 + 2 + 2) / 8)


def test_missing_is_a_class() -> None:
    table = table_of({"word": ["a"] * 3}, target=["yes", None, None])
    recoding = Partition(group_of_rows(3, [1, 2, 3]), 1).publish(table, "members")
    assert classification_metric(table, recoding) == pytest.approx(1 / 3)


def test_no_class_no_metric() -> None:
    table = table_of({"word": ["a"]})
    recoding = Partition(group_of_rows(1, [1]), 1).publish(table, "members")
    with pytest.raises(PolicyError) as caught:
        classification_metric(table, recoding)
    assert caught.value.hint


def test_groups_that_print_alike_are_one() -> None:
    table = table_of({"word": ["a", "a", "b", "b"]})
    split_in_vain = Partition(np.array([0, 1, 2, 2], dtype=np.int32), 3).publish(table, "members")
    assert discernibility(table, split_in_vain, 2) == 8


def test_size_bins_double_from_the_smallest_size() -> None:
    _, recoding = grouped(3, 3, 5, 6, 24)
    assert group_size_histogram(recoding) == [(3, 5, 3, 11), (6, 11, 1, 6), (12, 23, 0, 0), (24, 47, 1, 24)]


def test_bins_are_equally_wide_where_sizes_lie_together() -> None:
    _, recoding = grouped(3, 5, 5, 4)
    assert group_size_histogram(recoding) == [(3, 3, 1, 3), (4, 4, 1, 4), (5, 5, 2, 10)]
    _, recoding = grouped(10, 21, 15)
    assert group_size_histogram(recoding) == [
        (10, 11, 1, 10), (12, 13, 0, 0), (14, 15, 1, 15), (16, 17, 0, 0), (18, 19, 0, 0), (20, 21, 1, 21),
    ]  # fmt: skip


def test_no_bins_where_nothing_is_published() -> None:
    assert group_size_histogram(grouped(n_dropped=2)[1]) == []
