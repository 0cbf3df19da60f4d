"""Learners with weights: a whole weight is so many equal rows, and 0 is no row."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_cell_tree import tables

from kanopy.learners import rule_classifier, tree_classifier
from kanopy.learners.naive_bayes import GeneralizedNaiveBayes
from kanopy.learners.rule_classifier import GeneralizedRuleClassifier
from kanopy.learners.tree_classifier import GeneralizedTreeClassifier

pd = pytest.importorskip("pandas")

LEARNERS = [
    GeneralizedTreeClassifier(),
    GeneralizedTreeClassifier(criterion="gain", members="uniform", unknown="members", prune=False),
    GeneralizedTreeClassifier(partition="highest_frequency", ties="first_seen", min_rows=1),
    GeneralizedTreeClassifier(entropy="own_value"),
    GeneralizedRuleClassifier(),
    GeneralizedNaiveBayes(),
    GeneralizedNaiveBayes(weights="frequency"),
]


@st.composite
def weighted(draw: st.DrawFn) -> tuple[dict[str, list[str]], list[int]]:
    table = draw(tables(max_rows=25))
    n_rows = len(table["class"])
    weights = draw(st.lists(st.integers(0, 3), min_size=n_rows, max_size=n_rows).filter(any))
    return table, weights


@settings(max_examples=n_tables(8), deadline=None)
@given(st.sampled_from(LEARNERS), weighted(), tables(min_rows=1, max_rows=6))
def test_a_weight_is_so_many_rows(
    learner: Any, given_rows: tuple[dict[str, list[str]], list[int]], others: dict[str, list[str]]
) -> None:
    table, weights = pd.DataFrame(given_rows[0]), np.array(given_rows[1])
    inputs, classes, new = table.drop(columns="class"), table["class"].to_numpy(), pd.DataFrame(others)
    repeated = np.repeat(np.arange(len(table)), weights)
    # Few parts, so that their limit matters: it must count a row as often as it weighs.
    with (
        patch.object(tree_classifier, "_PARTS_PER_ROW", 1),
        patch.object(rule_classifier, "_PARTS_PER_ROW", 1),
    ):
        one = learner.fit(inputs, classes, sample_weight=weights)
        told, known = one.predict_proba(new), list(one.classes_)
        other = learner.fit(inputs.iloc[repeated], classes[repeated])
    assert known == list(other.classes_)
    np.testing.assert_allclose(told, other.predict_proba(new), atol=1e-9)
