"""Where trees come from: names, fitted trees, functions, and things that are none of these."""

from __future__ import annotations

import doctest
from collections import Counter

import numpy as np
import pytest
from oracles_trees import assert_same, codes_of, plain, table_of, weather
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from kanopy.data import EncodedTable
from kanopy.errors import PolicyError
from kanopy.trees import Tree, TreeBuilder, c45, id3, inducers
from kanopy.trees.inducers import induce, is_inducer

TABLE = table_of({"x": list("llrr"), "y": list("uvuv")}, list("aabb"))


def documented_stump():
    """The function that the documentation shows, as it stands there."""
    names: dict = {}
    for example in doctest.DocTestParser().get_examples(inducers.__doc__):
        exec(example.source, names)
    return names["stump"]


def test_the_documented_stump() -> None:
    stump = documented_stump()
    assert is_inducer(stump)
    tree = induce(stump, TABLE, 2)
    assert tree.route(codes_of(TABLE), 4).tolist() == [1, 1, 2, 2]


def test_names() -> None:
    assert_same(plain(induce("c45", weather(), 2)), plain(c45(weather(), min_rows=2)))
    assert_same(plain(induce("c45", weather(), 6)), plain(c45(weather(), min_rows=6)))
    assert induce("c45", weather(), 6).n_nodes < induce("c45", weather(), 2).n_nodes
    assert_same(plain(induce("id3", TABLE, 2)), plain(id3(TABLE, min_rows=2)))
    assert induce("id3", TABLE, 3).n_nodes == 1


def test_fitted_tree() -> None:
    fitted = DecisionTreeClassifier(random_state=0).fit([[0, 0], [0, 1], [1, 0], [1, 1]], list("aabb"))
    assert is_inducer(fitted)
    assert Counter(induce(fitted, TABLE, 2).route(codes_of(TABLE), 4).tolist()) == {1: 2, 2: 2}


def test_tree_that_is_not_fitted_yet() -> None:
    unfitted = DecisionTreeClassifier(random_state=0)
    assert is_inducer(unfitted)
    tree = induce(unfitted, TABLE, 2)
    assert Counter(tree.route(codes_of(TABLE), 4).tolist()) == {1: 2, 2: 2}
    assert not hasattr(unfitted, "tree_")  # a copy was fitted


def test_nothing_but_missing_in_a_column() -> None:
    table = table_of({"x": [None] * 4, "y": list("llrr")}, list("aabb"))
    tree = induce(DecisionTreeClassifier(random_state=0), table, 2)
    assert tree.splits.column[0] == 1


def test_estimator_that_is_no_tree() -> None:
    with pytest.raises(PolicyError, match="no single decision tree"):
        induce(GaussianNB(), TABLE, 2)


@pytest.mark.parametrize("other", [None, 3, "c45", DecisionTreeClassifier, dict])
def test_no_inducers(other: object) -> None:
    assert not is_inducer(other)


def over_fewer_columns(table: EncodedTable, min_rows: int) -> Tree:
    return TreeBuilder([table.quasi[0].domain]).tree()


def over_another_table(table: EncodedTable, min_rows: int) -> Tree:
    return c45(table_of({"x": list("pqrs"), "y": list("uvuv")}, list("aabb")))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda table, min_rows: None,
        lambda table, min_rows: np.zeros(4),
        over_fewer_columns,
        over_another_table,
    ],
)
def test_what_is_no_tree_over_the_table_is_refused(wrong) -> None:
    with pytest.raises(PolicyError, match="inducer gave no tree") as raised:
        induce(wrong, TABLE, 2)
    assert raised.value.hint
