"""Fitted scikit-learn trees: our leaves divide the rows as theirs do."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_trees import codes_of, table_of
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.errors import PolicyError
from kanopy.trees.inducers import is_fitted_tree, tree_of_sklearn


def numbers_for_sklearn(table: EncodedTable) -> np.ndarray:
    """As the documentation asks for: numbers as they are, categories by OrdinalEncoder, missing as NaN."""
    given = []
    for column in table.quasi:
        if column.domain.numbers is not None:
            given.append(np.append(column.domain.numbers, np.nan)[column.codes])
        else:
            texts = np.array([*column.domain.labels, np.nan], dtype=object)[column.codes]
            given.append(OrdinalEncoder().fit_transform(texts[:, None])[:, 0])
    return np.column_stack(given)


def assert_same_leaves(table: EncodedTable, fitted, rows: np.ndarray) -> None:
    ours = tree_of_sklearn(fitted, table).route(codes_of(table), table.n_rows).tolist()
    theirs = fitted.apply(rows).tolist()
    assert len(set(zip(ours, theirs, strict=True))) == len(set(ours)) == len(set(theirs))


@st.composite
def tables(draw: st.DrawFn) -> EncodedTable:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = int(rng.integers(2, 60))
    columns: dict[str, list] = {}
    for number in range(int(rng.integers(1, 5))):
        pool = [[0.1, 0.2, 0.3, 1e-9, 16777217.0, 16777216.0], list("zyxwb"), list(range(9))][rng.integers(3)]
        values = [pool[place] for place in rng.integers(0, rng.integers(1, len(pool) + 1), n_rows)]
        values = [float(value) if isinstance(value, int) else value for value in values]
        share = rng.choice([0, 0, 0.2])
        columns[f"c{number}"] = [None if rng.random() < share else value for value in values]
    return table_of(columns, [f"k{code}" for code in rng.integers(0, 3, n_rows)])


@given(tables(), st.sampled_from([DecisionTreeClassifier, ExtraTreeClassifier]), st.sampled_from([1, 5]))
def test_same_partition(table: EncodedTable, kind: type, min_rows: int) -> None:
    rows = numbers_for_sklearn(table)
    fitted = kind(random_state=0, min_samples_leaf=min_rows).fit(rows, table.target.codes)
    assert_same_leaves(table, fitted, rows)


@given(tables(), st.integers(0, 2**32))
def test_same_partition_of_rows_that_were_not_there(table: EncodedTable, seed: int) -> None:
    """Fitted on half of the rows: some values, or all that were missing, are new to the tree."""
    rows = numbers_for_sklearn(table)
    half = np.random.default_rng(seed).permutation(table.n_rows)[: (table.n_rows + 1) // 2]
    fitted = DecisionTreeClassifier(random_state=0).fit(rows[half], table.target.codes[half])
    assert_same_leaves(table, fitted, rows)


def test_rows_of_the_table_may_lie_on_one_side() -> None:
    """Every value beyond the threshold, or every value below it, or nothing but missing."""
    fitted = DecisionTreeClassifier().fit([[1.0], [2.0], [3.0], [np.nan]], [0, 1, 2, 0])
    for values in (
        [5.0, 6.0, None],
        [0.0, 0.5, None],
        [5.0],
        [0.0],
        [None, None],
        [1.5],
        [np.float64(1e300)],
    ):
        table = table_of({"x": values}, ["a"] * len(values))
        rows = np.array([[np.nan if value is None else min(value, 3e38)] for value in values])
        assert_same_leaves(table, fitted, rows)


@pytest.mark.parametrize("goes_left", [False, True])
def test_nothing_but_missing_follows_the_tree(goes_left: bool) -> None:
    """The first column tells the classes 0 and 1 from 2; the second is asked on the side of 0 and 1 only."""
    first = [1.0, 1.0, 2.0, 2.0] if goes_left else [2.0, 2.0, 1.0, 1.0]
    rows = np.array([[*pair] for pair in zip([*first, np.nan, np.nan] * 3, [0.0, 1.0] * 9, strict=True)])
    fitted = DecisionTreeClassifier(max_features=None).fit(rows, [0, 1, 2, 2, 0, 1] * 3)
    table = table_of({"x": [None] * 3, "y": [0.0, 1.0, 0.0]}, list("aba"))
    root = fitted.tree_
    assert root.feature[0] == 0
    assert bool(root.missing_go_to_left[0]) == goes_left
    assert_same_leaves(table, fitted, np.array([[np.nan, 0.0], [np.nan, 1.0], [np.nan, 0.0]]))
    assert tree_of_sklearn(fitted, table).n_nodes == 3


def test_hierarchies_order_values_otherwise() -> None:
    """Codes are then not in the order of the texts, which is what OrdinalEncoder numbers."""
    domain = Domain("x", ("c", "a", "d", "b"))
    codes = np.array([0, 1, 2, 3, 4], dtype=np.uint8)
    table = EncodedTable(5, (CodedColumn(domain, codes),))
    rows = np.array([[2.0], [0.0], [3.0], [1.0], [np.nan]])
    for classes in ([1, 0, 1, 0, 0], [0, 0, 1, 0, 1], [0, 1, 2, 3, 4]):
        assert_same_leaves(table, DecisionTreeClassifier().fit(rows, classes), rows)


def test_single_precision() -> None:
    """scikit-learn compares numbers in single precision, where these two are one."""
    table = table_of({"x": [16777216.0, 16777217.0, 16777218.0]}, list("abb"))
    rows = np.array([[16777216.0], [16777217.0], [16777218.0]])
    fitted = DecisionTreeClassifier().fit(rows, [0, 0, 1])
    assert_same_leaves(table, fitted, rows)


def test_leaf() -> None:
    table = table_of({"x": [1.0, None]}, ["a", "b"])
    fitted = DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert tree_of_sklearn(fitted, table).n_nodes == 1


def test_trees_of_versions_that_know_no_missing() -> None:
    """They have no word on it: missing goes right."""
    inner = DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1]).tree_
    names = ("children_left", "children_right", "feature", "threshold", "n_features")
    old = SimpleNamespace(tree_=SimpleNamespace(**{name: getattr(inner, name) for name in names}))
    table = table_of({"x": [1.0, 2.0, None]}, ["a", "b", "b"])
    leaf = tree_of_sklearn(old, table).route(codes_of(table), 3)
    assert leaf[2] == leaf[1] != leaf[0]


@pytest.mark.parametrize("n_columns", [1, 3])
def test_another_number_of_columns(n_columns: int) -> None:
    fitted = DecisionTreeClassifier().fit(np.eye(4)[:, :n_columns], [0, 1, 0, 1])
    with pytest.raises(PolicyError, match=f"{n_columns} columns, there are 2 quasi-identifiers") as raised:
        tree_of_sklearn(fitted, table_of({"x": list("ab"), "y": list("ab")}, list("ab")))
    assert raised.value.hint


def test_what_is_a_fitted_tree() -> None:
    assert is_fitted_tree(DecisionTreeClassifier().fit([[0], [1]], [0, 1]))
    assert is_fitted_tree(DecisionTreeRegressor().fit([[0], [1]], [0, 1]))
    assert not is_fitted_tree(DecisionTreeClassifier())
    assert not is_fitted_tree(None)
    assert not is_fitted_tree(SimpleNamespace(tree_=3))
