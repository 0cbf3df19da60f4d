"""Weights of rows: fractions count, and what is no weight is refused without showing it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from kanopy.frames.numbers import natural_order
from kanopy.learners.naive_bayes import GeneralizedNaiveBayes
from kanopy.learners.reading import SharedRows
from kanopy.learners.tree_classifier import GeneralizedTreeClassifier
from kanopy.policy import load_hierarchy

TABLE = pd.DataFrame({"x": ["p", "p", "q", "q"] * 5, "class": ["a", "b", "b", "b"] * 5})
LEARNERS = [GeneralizedTreeClassifier(), GeneralizedNaiveBayes()]


def test_fractions_are_shares_of_a_leaf() -> None:
    weights = np.where(TABLE["class"] == "a", 1.5, 0.5)
    told = GeneralizedTreeClassifier(prune=False).fit(TABLE, "class", sample_weight=weights)
    np.testing.assert_allclose(told.predict_proba(pd.DataFrame({"x": ["p", "q"]})), [[0.75, 0.25], [0, 1]])


def test_values_of_absent_rows_are_unknown() -> None:
    """A threshold lies where it would without them, and their classes are none."""
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 9.0] * 5, "class": ["a", "z", "z", "b"] * 5})
    weights = np.where(table["class"] == "z", 0, 1)
    tree = GeneralizedTreeClassifier().fit(table, "class", sample_weight=weights)
    assert tree.classes_.tolist() == ["a", "b"]
    assert tree.as_text().splitlines()[0].startswith("x <= 1:")


def test_shared_rows_keep_their_hierarchies(tmp_path: Any) -> None:
    path = tmp_path / "x.csv"
    path.write_text("p;some;*\nq;other;*\nr;some;*\n")
    hierarchy = load_hierarchy("x", path, natural_order)
    rows = SharedRows(TABLE[["x"]].replace("p", "some"), {"x": hierarchy})
    weights = np.where(np.arange(len(TABLE)) < 12, np.where(TABLE["class"] == "a", 2, 1), 0)
    model = GeneralizedTreeClassifier(prune=False).fit(rows, TABLE["class"], sample_weight=weights)
    # Without its hierarchy p would be a word that no row named, which gets the shares of all: 0.4.
    np.testing.assert_allclose(model.predict_proba(pd.DataFrame({"x": ["p"]})), [[2 / 3, 1 / 3]])


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.ones(3), "sample_weight.shape"),
        ([-1.0] * 20, "Negative"),
        ([np.nan] * 20, "NaN"),
        ([0.0] * 20, "non-zero"),
        (["secret"] * 20, "must be numbers"),
        (np.ones((20, 2)), "1D"),
    ],
    ids=str,
)
def test_what_is_no_weight_is_refused(learner: Any, weights: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words) as refusal:
        learner.fit(TABLE, "class", sample_weight=weights)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_one_number_is_the_weight_of_all(learner: Any) -> None:
    one = learner.fit(TABLE, "class", sample_weight=2).predict_proba(TABLE)
    other = learner.fit(TABLE, "class", sample_weight=np.full(20, 2.0)).predict_proba(TABLE)
    assert (one == other).all()
