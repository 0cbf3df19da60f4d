"""Values are given to the rows of a group by rank, and columns go together as they are told to."""

import numpy as np
import pytest

from kanopy.data.ranked import ChunkMeans, CountedCodes, correlated, ranks_in_groups


def test_ranks_count_within_groups() -> None:
    group, keys = np.array([0, 1, 0, 1, 0]), np.array([0.3, 9.0, 0.1, 8.0, 0.2])
    assert ranks_in_groups(group, np.array([0, 3]), keys).tolist() == [2, 1, 0, 0, 1]


def test_numbers_lie_on_straight_lines() -> None:
    chunks = ChunkMeans(np.array([0, 2, 3, 5]), np.array([10.0, 20.0, 5.0, 0.0, 100.0]), np.array([4, 3, 2]))
    # The middle ranks of the first group are 0.5 and 2.5.
    assert chunks.at(np.zeros(4, dtype=int), np.arange(4.0)) == pytest.approx([7.5, 12.5, 17.5, 22.5])
    assert chunks.at(np.ones(3, dtype=int), np.arange(3.0)).tolist() == [5, 5, 5]
    assert chunks.at(np.full(2, 2), np.arange(2.0)).tolist() == [0, 100]


def test_ends_stay_within_the_published_means() -> None:
    chunks = ChunkMeans(np.array([0, 2]), np.array([10.0, 20.0]), np.array([4]))
    assert chunks.at(np.zeros(4, dtype=int), np.arange(4.0)) == pytest.approx([10, 12.5, 17.5, 20])


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
