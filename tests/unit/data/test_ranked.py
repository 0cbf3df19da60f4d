"""Values are given to the rows of a group by rank, and columns go together as they are told to."""

import numpy as np
import pytest

from kanopy.data.ranked import ChunkMeans, CountedCodes, correlated, ranks_in_groups


def test_ranks_count_within_groups() -> None:
    group, keys = np.array([0, 1, 0, 1, 0]), np.array([0.3, 9.0, 0.1, 8.0, 0.2])
    assert ranks_in_groups(group, np.array([0, 3]), keys).tolist() == [2, 1, 0, 0, 1]


def drawn(means: list[float], n_numbers: int) -> np.ndarray:
    """Of a group beside another one, which lies far out on both sides."""
    every, first = np.array([*means, -900.0, 0.0, 900.0]), np.array([0, len(means), len(means) + 3])
    chunks = ChunkMeans(first, every, np.array([n_numbers, 9]))
    return chunks.at(np.zeros(n_numbers, dtype=int), np.arange(float(n_numbers)))


def test_inner_numbers_lie_on_straight_lines() -> None:
    found = drawn([0.0, 10.0, 20.0, 30.0], 16)  # the middle ranks are 1.5, 5.5, 9.5 and 13.5
    assert found[4:12] == pytest.approx(6.25 + 2.5 * np.arange(8))


def test_outer_numbers_keep_their_mean_and_lie_far_out_one_by_one() -> None:
    found = drawn([10.0, 20.0], 10)
    assert found.reshape(2, 5).mean(axis=1) == pytest.approx([10, 20])
    assert (np.diff(found[5:], n=2) > 0).all()  # the farther out, the fewer
    assert found[:5] == pytest.approx(30 - found[:4:-1])  # the same on both sides


def test_many_outer_numbers_lie_evenly() -> None:
    found = drawn([10.0, 20.0], 50)
    assert found == pytest.approx(15 + 10 * (np.arange(50) - 24.5) / 25)


def test_one_mean_is_all_its_numbers() -> None:
    assert drawn([5.0], 3).tolist() == [5, 5, 5]


def test_groups_without_numbers_are_no_error() -> None:
    chunks = ChunkMeans(np.array([0, 1, 2]), np.array([5.0, 5.0]), np.array([0, 0]))
    assert chunks.at(np.array([0, 1, 1]), np.arange(3.0)).tolist() == [5, 5, 5]


def test_ends_stay_near_the_published_means() -> None:
    chunks = ChunkMeans(np.array([0, 2, 4]), np.array([100.0, 200.0, 100.0, 101.0]), np.array([40, 40]))
    found = chunks.at(np.repeat([0, 1], 40), np.tile(np.arange(40.0), 2))
    assert found.min() == 99  # the second group says that few lie below 100
    assert found.max() == 300


def test_numbers_do_not_change_their_sign() -> None:
    for sign in (1, -1):
        means = sign * np.array([1.0, 9.0])[::sign]
        found = ChunkMeans(np.array([0, 2]), means, np.array([20])).at(np.zeros(20, int), np.arange(20.0))
        assert (sign * found).min() == 0


def test_huge_numbers_do_not_overflow() -> None:
    chunks = ChunkMeans(np.array([0, 2]), np.array([-1.7e308, 1.7e308]), np.array([6]))
    drawn = chunks.at(np.zeros(6, dtype=int), np.arange(6.0))
    assert np.isfinite(drawn).all()
    assert (np.diff(drawn) >= 0).all()


def test_categories_are_drawn_as_often_as_counted() -> None:
    counted = CountedCodes(np.array([0, 2, 3]), np.array([1, 0, 2]), np.array([3, 2, 4]))
    group, ranks = np.array([0] * 5 + [1] * 4), np.array([0, 1, 2, 3, 4, 0, 1, 2, 3], dtype=float)
    assert counted.at(group, ranks).tolist() == [1, 1, 1, 0, 0, 2, 2, 2, 2]


def test_normal_numbers_go_together() -> None:
    matrix = np.array([[1, 0.9, -0.5], [0.9, 1, -0.3], [-0.5, -0.3, 1]])
    found = np.corrcoef(correlated(40_000, matrix, np.random.default_rng(0)).T)
    assert np.abs(found - matrix).max() < 0.02


def test_a_matrix_that_rounding_has_spoiled_will_do() -> None:
    matrix = np.array([[1, 1, 0.99], [1, 1, 1], [0.99, 1, 1.0]])
    assert np.linalg.eigvalsh(matrix).min() < 0
    assert np.isfinite(correlated(10, matrix, np.random.default_rng(0))).all()
