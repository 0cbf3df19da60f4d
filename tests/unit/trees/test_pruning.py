"""Pruning: the error estimates of the book, and which splits they undo."""

from __future__ import annotations

import numpy as np
import oracles_trees
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import Domain
from kanopy.trees import Tree, TreeBuilder
from kanopy.trees.inducers import added_errors, collapsed, pruned_by_estimated_errors

X = Domain("x", ("l", "r"))


def added(n_rows: float, mistakes: float, confidence: float = 0.25) -> float:
    return float(added_errors(np.array([n_rows]), np.array([mistakes]), confidence)[0])


@pytest.mark.parametrize(
    ("n_rows", "errors"),
    [(6, 1.238), (9, 1.285), (1, 0.75), (0, 0)],  # the book: 6 * 0.206, 9 * 0.143, 1 * 0.750
)
def test_without_mistakes(n_rows: float, errors: float) -> None:
    assert added(n_rows, 0) == pytest.approx(errors, abs=1e-3)


def test_nodes_without_rows_make_no_errors() -> None:
    assert added(0, 0) == 0  # and not nearly so: a tree may have very many of them


def test_one_mistake_in_sixteen_rows() -> None:
    """The book's leaf in the place of the three above: 16 * 0.157 by the exact limit, 2.51."""
    z = 0.6744897501960817
    f, n = 1.5 / 16, 16
    upper = (f + z * z / (2 * n) + z * (f / n - f * f / n + z * z / (4 * n * n)) ** 0.5) / (1 + z * z / n)
    assert 1 + added(16, 1) == pytest.approx(16 * upper)
    assert 1 + added(16, 1) == pytest.approx(2.51, abs=0.1)


def test_parts_of_a_mistake_lie_in_between() -> None:
    assert added(10, 0.25) == pytest.approx(0.75 * added(10, 0) + 0.25 * added(10, 1))


@pytest.mark.parametrize(("n_rows", "mistakes", "errors"), [(3, 2.5, 0.5), (3, 2.75, 0.25), (2, 2, 0)])
def test_no_more_mistakes_than_rows(n_rows: float, mistakes: float, errors: float) -> None:
    assert added(n_rows, mistakes) == pytest.approx(errors)


@given(st.floats(0.01, 1000), st.floats(0, 0.75), st.sampled_from([0.001, 0.05, 0.25, 0.5]))
def test_estimates_as_the_naive_twin(n_rows: float, share: float, confidence: float) -> None:
    mistakes = n_rows * share
    expected = oracles_trees.added_errors(n_rows, mistakes, confidence)
    assert added(n_rows, mistakes, confidence) == pytest.approx(expected, abs=1e-9)


# --- trees -----------------------------------------------------------------------------------------------


def stump(left: list[float], right: list[float], missing: list[float]) -> Tree:
    builder = TreeBuilder([X])
    builder.split(0, column=0)
    counts = np.array([left, right, missing])
    return builder.tree(np.vstack([counts.sum(axis=0), counts]))


def two_levels(*leaves: list[float]) -> Tree:
    """A root with two branches, each of which has two; no missing."""
    builder = TreeBuilder([Domain("a", ("l", "r")), Domain("b", ("l", "r"))])
    left, right, _ = builder.split(0, column=0)
    builder.split(left, column=1)
    builder.split(right, column=1)
    counts = np.zeros((10, 2))
    counts[[4, 5, 7, 8]] = leaves
    counts[1], counts[2] = counts[4] + counts[5], counts[7] + counts[8]
    counts[0] = counts[1] + counts[2]
    return builder.tree(counts)


def test_split_without_fewer_mistakes_is_undone() -> None:
    assert collapsed(stump([8, 2], [6, 4], [0, 0])).n_nodes == 1
    assert collapsed(stump([8, 2], [4, 5], [0, 0])).n_nodes == 4
    assert collapsed(stump([8, 2], [0, 0], [1, 1])).n_nodes == 1


def test_split_that_only_makes_a_useful_one_possible_stays() -> None:
    """The upper split alone does not help, but what is below it does."""
    assert collapsed(two_levels([5, 0], [0, 5], [5, 0], [0, 5])).n_nodes == 10
    assert collapsed(two_levels([5, 0], [0, 5], [6, 1], [6, 0])).n_nodes == 7


def test_the_book_prunes_its_vote() -> None:
    """16 rows, of which one is of another class, in leaves of 6, 9 and 1 rows: 3.27 errors against 2.51."""
    assert pruned_by_estimated_errors(stump([6, 0], [9, 0], [0, 1]), 0.25).n_nodes == 1


def test_split_that_pays_is_kept() -> None:
    assert pruned_by_estimated_errors(stump([9, 0], [0, 9], [0, 0]), 0.25).n_nodes == 4


def test_less_confidence_prunes_more() -> None:
    tree = stump([20, 3], [4, 5], [0, 0])
    n_nodes = [pruned_by_estimated_errors(tree, level).n_nodes for level in (0.5, 0.001)]
    assert n_nodes == [4, 1]


@pytest.mark.parametrize(
    ("left", "right", "saved", "n_nodes"), [([3, 0], [2, 3], 0.1158, 4), ([3, 0], [3, 4], 0.0850, 1)]
)
def test_a_tenth_of_an_error_is_not_worth_a_split(
    left: list[float], right: list[float], saved: float, n_nodes: int
) -> None:
    n_left, n_right = sum(left), sum(right)
    mistakes = min(left[0] + right[0], right[1])
    as_leaf = mistakes + added(n_left + n_right, mistakes)
    as_tree = added(n_left, 0) + min(right) + added(n_right, min(right))
    assert as_leaf - as_tree == pytest.approx(saved, abs=1e-4)
    assert pruned_by_estimated_errors(stump(left, right, [0, 0]), 0.25).n_nodes == n_nodes


def test_pruning_goes_bottom_up() -> None:
    """The right half is pruned first; the root is compared with what is left of it."""
    tree = two_levels([30, 0], [0, 30], [4, 1], [5, 1])
    assert pruned_by_estimated_errors(tree, 0.25).is_leaf.tolist() == [False, False, *[True] * 5]
    assert pruned_by_estimated_errors(two_levels([4, 1], [5, 1], [4, 1], [5, 0]), 0.25).n_nodes == 1


def test_leaf_stays_leaf() -> None:
    leaf = TreeBuilder([X]).tree(np.array([[3, 1]]))
    assert pruned_by_estimated_errors(collapsed(leaf), 0.25).n_nodes == 1
