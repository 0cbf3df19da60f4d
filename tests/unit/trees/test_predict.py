"""What a tree says about rows, missing values and empty branches included."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles_trees import codes_of, table_of

from kanopy.data import Domain
from kanopy.trees import Tree, TreeBuilder, c45, class_shares, predict

A, B = Domain("a", ("l", "r")), Domain("b", ("u", "v", "w"))


def shares(tree: Tree, *rows: tuple[int, int]) -> list[list[float]]:
    columns = [np.array(codes) for codes in zip(*rows, strict=True)]
    return np.round(class_shares(tree, columns, len(rows)), 12).tolist()


def by_hand(of_missing: list[int]) -> Tree:
    """First a, then on its right side b, of which w has no rows."""
    builder = TreeBuilder([A, B])
    builder.split(0, column=0)
    builder.split(2, column=1)
    counts = np.array([[0, 0], [6, 0], [1, 3], of_missing, [1, 1], [0, 2], [0, 0], [0, 0]])
    counts[0] = counts[1:4].sum(axis=0)
    return builder.tree(counts)


def test_leaves_say_their_shares() -> None:
    assert shares(by_hand([0, 0]), (0, 0), (1, 0), (1, 1)) == [[1, 0], [0.5, 0.5], [0, 1]]


def test_branch_without_rows_says_what_its_parent_says() -> None:
    assert shares(by_hand([0, 0]), (1, 2)) == [[0.25, 0.75]]


def test_missing_takes_all_branches_in_proportion() -> None:
    tree = by_hand([0, 0])
    assert shares(tree, (2, 1)) == [[0.6, 0.4]]  # six tenths left, four tenths right and there v
    assert shares(tree, (1, 3)) == [[0.25, 0.75]]  # u and v, half each
    assert shares(tree, (2, 3)) == [[0.7, 0.3]]


def test_missing_with_rows_of_its_own_is_a_value() -> None:
    assert shares(by_hand([0, 5]), (2, 0)) == [[0, 1]]


def test_missing_at_thresholds_and_groupings() -> None:
    age = Domain("age", ("1", "2"), np.array([1.0, 2.0]))
    for branch, expected in ((None, [0.5, 0.5]), (0, [0.75, 0.25]), (1, [0.25, 0.75])):
        builder = TreeBuilder([age, B])
        builder.split(0, column=0, threshold=0, missing_branch=branch)
        tree = builder.tree(np.array([[4, 4], [3, 1], [1, 3], [0, 0]][: builder.n_nodes]))
        assert shares(tree, (2, 0), (0, 0), (1, 0)) == [expected, [0.75, 0.25], [0.25, 0.75]]
    builder = TreeBuilder([age, B])
    builder.split(0, column=1, branch_of_code=[0, 1, 0, 1])
    tree = builder.tree(np.array([[4, 4], [3, 1], [1, 3]]))
    assert shares(tree, (0, 3), (0, 2)) == [[0.25, 0.75], [0.75, 0.25]]


def test_empty_inner_node() -> None:
    """Grown elsewhere, a tree may have splits that no row came to."""
    builder = TreeBuilder([A, B])
    builder.split(0, column=0)
    builder.split(1, column=1)
    counts = np.zeros((8, 2))
    counts[[0, 2]] = [1, 3]
    assert shares(builder.tree(counts), (0, 0), (0, 3), (2, 0)) == [[0.25, 0.75]] * 3


def test_tree_without_counts_knows_nothing() -> None:
    builder = TreeBuilder([A, B])
    builder.split(0, column=0)
    assert shares(builder.tree(np.zeros((4, 2))), (0, 0), (2, 0)) == [[0.5, 0.5]] * 2


def test_ties_go_to_the_first_class() -> None:
    tree = by_hand([0, 0])
    assert predict(tree, [np.array([1, 1, 0]), np.array([0, 1, 0])], 3).tolist() == [0, 1, 0]
    thirds = TreeBuilder([A]).tree(np.array([[0.1 + 0.2, 0.3]]))
    assert predict(thirds, [np.array([0])], 1).tolist() == [0]
    assert predict(TreeBuilder([A]).tree(np.array([[0.3, 0.1 + 0.2]])), [np.array([0])], 1).tolist() == [0]


def test_no_rows() -> None:
    assert class_shares(by_hand([0, 0]), [np.empty(0, dtype=int)] * 2, 0).shape == (0, 2)


@given(st.integers(0, 2**32), st.booleans())
def test_shares_add_up(seed: int, share_missing: bool) -> None:
    rng = np.random.default_rng(seed)
    columns = {f"c{i}": [(None, "u", "v")[code] for code in rng.integers(0, 3, 40)] for i in range(4)}
    classes = [
        "ab"[(first == "u") ^ (second == "v")]
        for first, second in zip(columns["c0"], columns["c1"], strict=True)
    ]
    table = table_of(columns, classes)
    tree = c45(table, share_missing=share_missing, prune=False)
    found = class_shares(tree, codes_of(table), table.n_rows)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (found >= 0).all()
    if not share_missing:  # rows find themselves again
        leaf = tree.route(codes_of(table), table.n_rows)
        np.testing.assert_allclose(found, tree.counts[leaf] / tree.counts[leaf].sum(axis=1, keepdims=True))
