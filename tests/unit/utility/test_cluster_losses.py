"""Distances between original values, spreads of groups, errors to their centres."""

from __future__ import annotations

import numpy as np
import pytest
from plain_tables import column_of, group_of_rows, table_of

from kanopy.data import CodedColumn, Domain, EncodedTable, Hierarchy, Partition, Recoding
from kanopy.utility import distances, square_error, total_information_loss

TREE = Hierarchy.from_paths("place", [("a", "ab"), ("b", "ab"), ("c", "cd"), ("d", "cd")])


def one_group(table: EncodedTable) -> Recoding:
    return Partition(np.zeros(table.n_rows, dtype=np.int32), 1).publish(table, "members")


def test_distance_of_numbers_is_a_share_of_their_range() -> None:
    domain = column_of("age", [20, 30, 60]).domain
    codes = np.array([0, 1, 2, 3])
    assert distances(domain, codes, np.array([1, 1, 0, 3])).tolist() == [0.25, 0, 1, 0]


def test_distance_in_a_tree_is_the_height_of_the_common_node() -> None:
    domain = column_of("place", [], TREE).domain
    left, right = np.array([0, 1, 1, 3, 4], dtype=np.uint8), np.array([0, 0, 2, 4, 4], dtype=np.uint8)
    assert distances(domain, left, right).tolist() == [0, 0.5, 1, 1, 0]


def test_numbers_with_a_hierarchy_are_compared_in_the_tree() -> None:
    tree = Hierarchy.from_paths("age", [("1", "low"), ("2", "low"), ("9", "high"), ("10", "high")], order=int)
    column = CodedColumn(Domain("age", tree.leaves, np.array([1.0, 2, 9, 10]), hierarchy=tree), np.arange(4))
    table = EncodedTable(4, (column,))
    pairs = Partition(group_of_rows(4, [1, 2], [3, 4]), 2).publish(table, "range")
    assert distances(column.domain, np.array([0, 1]), np.array([1, 2])).tolist() == [0.5, 1]
    assert square_error(table, pairs) == 2 * 0.5**2


def test_distance_of_other_values_is_zero_or_one() -> None:
    domain = column_of("word", ["a", "b", None]).domain
    assert distances(domain, np.array([0, 0, 0, 2]), np.array([0, 1, 2, 2])).tolist() == [0, 1, 1, 0]


def test_a_tree_of_one_leaf_has_no_distances() -> None:
    column = column_of("place", ["a", "a"], Hierarchy.from_paths("place", [("a", "*")]))
    assert distances(column.domain, column.codes, column.codes).tolist() == [0, 0]


def test_spread_of_a_tree_column() -> None:
    table = table_of({"place": ["a", "b", "c", "d"]}, hierarchies={"place": TREE})
    pairs = Partition(group_of_rows(4, [1, 2], [3, 4]), 2).publish(table, "range")
    assert total_information_loss(table, pairs) == 4 * 0.5
    assert total_information_loss(table, one_group(table)) == 4


@pytest.mark.parametrize("values", [[1, 2, None], ["a", "b", None], ["a", "a", None]])
def test_a_group_with_missing_values_is_fully_spread(values: list[object]) -> None:
    table = table_of({"column": values})
    assert total_information_loss(table, one_group(table)) == 3


def test_a_group_of_missing_values_is_not_spread() -> None:
    table = table_of({"column": [None, None, 1]})
    recoding = Partition(group_of_rows(3, [1, 2], [3]), 2).publish(table, "members")
    assert total_information_loss(table, recoding) == 0
    assert square_error(table, recoding) == 0


def test_mean_is_over_present_numbers_and_missing_is_one_away() -> None:
    table = table_of({"age": [0, 10, None]})
    assert square_error(table, one_group(table)) == 2 * 0.5**2 + 1


def test_centre_is_the_first_of_the_most_frequent_values() -> None:
    table = table_of({"place": ["a", "c", "d"]}, hierarchies={"place": TREE})
    # From a (first among equals) c and d are 1 away; from c it would be 1 and 0.5.
    assert square_error(table, one_group(table)) == 2
    with_majority = table_of({"place": ["a", "c", "c", "d"]}, hierarchies={"place": TREE})
    assert square_error(with_majority, one_group(with_majority)) == 1 + 0.25


def test_dropped_rows_cost_one_per_column() -> None:
    table = table_of({"age": [1, 1, 2], "sex": ["F", "F", "M"]})
    recoding = Partition(group_of_rows(3, [1, 2]), 1).publish(table, "members")
    assert total_information_loss(table, recoding) == 2
    assert square_error(table, recoding) == 2


def test_huge_numbers_do_not_overflow() -> None:
    table = table_of({"huge": [-1.7e308, 1.7e308]})
    assert total_information_loss(table, one_group(table)) == 2
    assert square_error(table, one_group(table)) == 0.5


def test_losses_are_of_the_original_values_not_of_the_printed_ones() -> None:
    table = table_of({"age": [1, 2, 9]})
    group = Partition(group_of_rows(3, [1, 2], [3]), 2)
    losses = {
        total_information_loss(table, group.publish(table, style)) for style in ("range", "suppress", "mean")
    }
    assert losses == {2 / 8}
