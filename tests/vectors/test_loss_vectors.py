"""Worked examples with known losses, each with a near miss that must come out differently."""

from __future__ import annotations

import pytest
from plain_tables import group_of_rows, row_penalties, table_of

from kanopy.data import EncodedTable, Partition, Recoding
from kanopy.utility import measure_losses, square_error, total_information_loss

SHAO_BECKFORD = {
    "age": [20, 23, 27, 25, 27, 29],
    "gender": ["M", "M", "F", "F", "F", "M"],
    "postcode": [1032, 2113, 5632, 1023, 1132, 3232],
}
EL_RASHIDY_7 = {"age": [20, 22, 24, 40, 42, 44, 60], "cat": ["A", "A", "B", "B", "B", "C", "C"]}
EL_RASHIDY_8 = {"number": [1, 2, 3, 4, 5, 6, 20, 21]}


def publish(table: EncodedTable, clusters: list[list[int]], style: str = "members") -> Recoding:
    return Partition(group_of_rows(table.n_rows, *clusters), len(clusters)).publish(table, style)


def test_mondrian_sets_of_table_one() -> None:
    table = table_of(SHAO_BECKFORD)
    losses = measure_losses(table, publish(table, [[1, 2, 4], [3, 5, 6]]), 3)
    assert losses["gcp"] == pytest.approx(0.665104, abs=5e-7)
    near_miss = measure_losses(table, publish(table, [[1, 2, 5], [3, 4, 6]]), 3)
    assert near_miss["gcp"] != pytest.approx(0.665104, abs=5e-3)


def test_paper_grouping_of_table_two() -> None:
    table = table_of(SHAO_BECKFORD)
    recoding = publish(table, [[1, 2, 3], [4, 5, 6]])
    assert row_penalties(table, recoding) == pytest.approx([2.775825] * 3 + [1.923724] * 3, abs=5e-7)
    losses = measure_losses(table, recoding, 3)
    assert losses["gcp"] == pytest.approx(0.783258, abs=5e-7)
    assert losses["discernibility"] == 18
    assert losses["average_group_size"] == 1
    # A group of two costs its rows times the table; k = 2 would find nothing wrong with it.
    near_miss = publish(table, [[1, 2], [3, 4, 5, 6]])
    assert measure_losses(table, near_miss, 3)["discernibility"] == 6 * 2 + 4 * 4
    assert measure_losses(table, near_miss, 2)["discernibility"] == 2 * 2 + 4 * 4


def test_sets_of_numbers_are_as_wide_as_their_range() -> None:
    table = table_of(SHAO_BECKFORD)
    clusters = [[1, 2, 3], [4, 5, 6]]
    as_sets = row_penalties(table, publish(table, clusters, "members"))
    as_ranges = row_penalties(table, publish(table, clusters, "range"))
    assert as_sets.tolist() == as_ranges.tolist()


@pytest.mark.parametrize(
    ("clusters", "loss", "error", "discernible", "k"),
    [
        pytest.param([[7, 6, 5, 4], [1, 2, 3]], 9.3, 3.161875, 25, 3, id="k-member, k = 3"),
        pytest.param([[1, 2], [7, 6], [3, 4, 5]], 2.25, 0.202917, 17, 2, id="k-member, k = 2"),
        pytest.param([[1, 2, 6], [5, 4, 3, 7]], 12.4, 2.628542, 25, 3, id="algorithms 1 to 3"),
        pytest.param([[3, 4, 5, 2], [6, 7, 1]], 12.0, 2.711667, 25, 3, id="one-pass k-means"),
    ],
)
@pytest.mark.parametrize("style", ["members", "range"])
def test_seven_rows(
    clusters: list[list[int]], loss: float, error: float, discernible: float, k: int, style: str
) -> None:
    table = table_of(EL_RASHIDY_7)
    losses = measure_losses(table, publish(table, clusters, style), k)
    assert losses["total_information_loss"] == pytest.approx(loss, abs=5e-5)
    assert losses["square_error"] == pytest.approx(error, abs=5e-7)
    assert losses["discernibility"] == discernible


def test_seven_rows_with_one_row_in_the_wrong_cluster() -> None:
    table = table_of(EL_RASHIDY_7)
    recoding = publish(table, [[7, 6, 5], [1, 2, 3, 4]])
    assert total_information_loss(table, recoding) != pytest.approx(9.3, abs=5e-3)
    assert square_error(table, recoding) != pytest.approx(3.161875, abs=5e-3)


@pytest.mark.parametrize(
    ("clusters", "loss", "error"),
    [
        pytest.param([[2, 3, 4, 5, 6], [1, 7, 8]], 4.0, 0.66, id="algorithms 1 and 3"),
        pytest.param([[1, 2, 3], [4, 5, 6, 7, 8]], 4.55, 0.732, id="algorithm 2"),
        pytest.param([[8, 7, 6], [1, 2, 3, 4, 5]], 3.25, 0.376667, id="k-member"),
    ],
)
def test_eight_numbers(clusters: list[list[int]], loss: float, error: float) -> None:
    table = table_of(EL_RASHIDY_8)
    recoding = publish(table, clusters)
    assert total_information_loss(table, recoding) == pytest.approx(loss, abs=5e-7)
    assert square_error(table, recoding) == pytest.approx(error, abs=5e-7)
    near_miss = publish(table, [clusters[0][:-1], clusters[1] + clusters[0][-1:]])
    assert total_information_loss(table, near_miss) != pytest.approx(loss, abs=5e-3)
    assert square_error(table, near_miss) != pytest.approx(error, abs=5e-3)
