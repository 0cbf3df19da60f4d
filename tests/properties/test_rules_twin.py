"""PART against its naive twin, on tables of sets, ranges, missing and suppressed cells."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_cell_tree import Cell, tables
from oracles_rules import NaiveRules
from test_cell_tree_twin import cells_of

from kanopy.learners import rule_classifier
from kanopy.learners.reading import read_rows
from kanopy.learners.rule_classifier import GeneralizedRuleClassifier

pd = pytest.importorskip("pandas")

SETTINGS = st.fixed_dictionaries(
    {
        "members": st.sampled_from(["uniform", "frequency"]),
        "min_rows": st.sampled_from([1, 2]),
        "prune": st.booleans(),
    }
)


def fitted(table: dict[str, list[str]], **parameters: Any) -> GeneralizedRuleClassifier:
    """Without leaving light parts to heavier ones."""
    with (
        patch.object(rule_classifier, "_LEAST_PART", 0.0),
        patch.object(rule_classifier, "_PARTS_PER_ROW", 10**6),
    ):
        return GeneralizedRuleClassifier(**parameters).fit(pd.DataFrame(table), "class")


def rows_of(learner: GeneralizedRuleClassifier, table: dict[str, list[str]]) -> list[tuple[Cell, ...]]:
    return cells_of(read_rows(learner, pd.DataFrame(table), learner._vocabulary))


@settings(max_examples=n_tables(8), deadline=None)
@given(tables(max_rows=25), SETTINGS, tables(min_rows=1, max_rows=6))
def test_same_rules_and_same_answers(
    table: dict[str, list[str]], parameters: dict[str, Any], others: dict[str, list[str]]
) -> None:
    learner = fitted(table, **parameters)
    columns, n_rows = learner._vocabulary.columns, len(table["class"])
    numbers = [None if column.numbers is None else column.numbers.tolist() for column in columns]
    n_values, n_classes = [column.n_values for column in columns], len(learner.classes_)
    confidence = learner.confidence if parameters.pop("prune") else None
    twin = NaiveRules(numbers, n_values, n_classes, n_rows, confidence=confidence, **parameters)
    code = {label: place for place, label in enumerate(learner.classes_)}
    pairs = zip(rows_of(learner, table), table["class"], strict=True)
    rules = twin.rules([(cells, code[label], 1.0) for cells, label in pairs])
    assert len(rules) == len(learner.rules_)
    for rule, (way, counts) in zip(learner.rules_, rules, strict=True):
        tests = [(node.column, -1 if node.threshold is None else node.threshold) for node, _ in way]
        inner = ~rule.tree.is_leaf
        splits = rule.tree.splits
        assert list(zip(splits.column[inner], splits.threshold[inner], strict=True)) == tests
        np.testing.assert_allclose(rule.counts, counts, atol=1e-6)
    new = rows_of(learner, others)
    expected = np.array([twin.answer(rules, cells) for cells in new])
    told = learner.predict_proba(pd.DataFrame(others))
    texts = zip(*(others[name] for name in "stuv"), strict=True)
    is_seen = [  # the twin knows no words that training did not
        all(cell or text in ("*", "") for cell, text in zip(*pair, strict=True))
        for pair in zip(new, texts, strict=True)
    ]
    np.testing.assert_allclose(told[is_seen], expected[is_seen], atol=1e-6)
