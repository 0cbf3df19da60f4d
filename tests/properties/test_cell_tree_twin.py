"""The tree that reads cells, level by level, against its naive twin."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_cell_tree import Cell, NaiveCellTree, Node, tables

from kanopy.learners import tree_classifier, tree_division
from kanopy.learners.cells import CellTable
from kanopy.learners.reading import read_rows
from kanopy.learners.tree_classifier import GeneralizedTreeClassifier
from kanopy.trees import Tree

pd = pytest.importorskip("pandas")

SETTINGS = st.fixed_dictionaries(
    {
        "criterion": st.sampled_from(["gain", "gain_ratio"]),
        "partition": st.sampled_from(["fractional", "highest_frequency"]),
        "members": st.sampled_from(["uniform", "frequency"]),
        "unknown": st.sampled_from(["known_share", "members"]),
        "min_rows": st.sampled_from([0, 1, 2]),
    }
)


def cells_of(table: CellTable) -> list[tuple[Cell, ...]]:
    """Every row as sets of values."""
    columns = []
    for column in table.columns:
        sets: list[Cell] = []
        for cell in range(column.n_cells):
            members = column.members[column.first[cell] : column.first[cell + 1]].tolist()
            sets.append(frozenset(members) if members and not column.is_suppressed[cell] else None)
        columns.append([sets[cell] for cell in column.ids.tolist()])
    return list(zip(*columns, strict=True))


def same(tree: Tree, number: int, node: Node) -> None:
    """Whether node and twin agree, and all below."""
    np.testing.assert_allclose(tree.counts[number], node.counts, atol=1e-6)
    if node.column is None:
        assert tree.is_leaf[number]
        return
    assert tree.splits.column[number] == node.column
    assert tree.splits.threshold[number] == (-1 if node.threshold is None else node.threshold)
    first = int(tree.first_child[number])
    for branch in range(int(tree.n_children[number])):
        if branch in node.children:
            same(tree, first + branch, node.children[branch])
        else:
            assert tree.counts[first + branch].sum() == 0


def fitted(table: dict[str, list[str]], **parameters: Any) -> GeneralizedTreeClassifier:
    """Without anything that would make the tree smaller."""
    with (
        patch.object(tree_classifier, "_LEAST_PART", 0.0),
        patch.object(tree_classifier, "_PARTS_PER_ROW", 10**6),
        patch.object(tree_classifier, "collapsed", lambda tree: tree),
        patch("kanopy.trees.inducers.collapsed", lambda tree: tree),
    ):
        return GeneralizedTreeClassifier(prune=False, **parameters).fit(pd.DataFrame(table), "class")


def twin_of(learner: GeneralizedTreeClassifier, **parameters: Any) -> NaiveCellTree:
    columns = learner._vocabulary.columns
    return NaiveCellTree(
        [None if column.numbers is None else column.numbers.tolist() for column in columns],
        [column.n_values for column in columns],
        len(learner.classes_),
        **parameters,
    )


@settings(max_examples=n_tables(20), deadline=None)
@given(tables(), SETTINGS, tables(min_rows=1, max_rows=6))
def test_same_tree_and_same_answers(
    table: dict[str, list[str]], parameters: dict[str, Any], others: dict[str, list[str]]
) -> None:
    learner = fitted(table, **parameters)
    twin = twin_of(learner, n_rows=len(table["class"]), **parameters)
    rows = cells_of(read_rows(learner, pd.DataFrame(table), learner._vocabulary))
    classes = {label: code for code, label in enumerate(learner.classes_)}
    root = twin.fit([(cells, classes[label], 1.0) for cells, label in zip(rows, table["class"], strict=True)])
    same(learner.tree_, 0, root)
    with patch.object(tree_division, "_LEAST_PART", 0.0):
        told = learner.predict_proba(pd.DataFrame(others))
    new = read_rows(learner, pd.DataFrame(others), learner._vocabulary)
    is_unseen = np.zeros(new.n_rows, dtype=bool)  # the twin knows no words that training did not
    for column in new.columns:
        is_unseen |= ((column.sizes == 0) & ~column.with_missing & ~column.is_suppressed)[column.ids]
    expected = [twin.ask(root, cells) for cells in cells_of(new)]
    np.testing.assert_allclose(told[~is_unseen], np.array(expected)[~is_unseen], atol=1e-6)
