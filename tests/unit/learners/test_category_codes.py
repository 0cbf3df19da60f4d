"""Drawn categories for classifiers that take them: one feature per column; and sparse features for trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from kanopy.learners import EncodedClassifier

N_ROWS = 600


def table(n_towns: int = 40) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    town = rng.choice([f"t{number:03}" for number in range(n_towns)], N_ROWS)
    color = rng.choice(["red", "blue", "{blue, red}", "green", ""], N_ROWS)
    age = rng.choice(["20", "35", "[20, 35]", "50", "*"], N_ROWS)
    rows = pd.DataFrame({"town": town, "color": color, "age": age})
    return rows, np.where((color == "green") | (age == "50"), "y", "n")


def boosting(**settings: Any) -> Any:
    return HistGradientBoostingClassifier(max_iter=20, random_state=0, **settings)


def test_one_feature_per_column() -> None:
    rows, classes = table()
    model = EncodedClassifier(boosting(), draws=3, random_state=0).fit(rows, classes)
    assert model.classifier_.is_categorical_.tolist() == [True, True, False]
    assert model.classifier.categorical_features == "from_dtype", "what was given stays as it is"
    assert np.mean(model.predict(rows) == classes) > 0.95
    new = pd.DataFrame(
        {"town": ["never"] * 4, "color": ["green", "blue", "", "*"], "age": ["20", "50", "21", "*"]}
    )
    assert model.predict(new)[:3].tolist() == ["y", "y", "n"]
    assert np.allclose(model.predict_proba(new).sum(axis=1), 1)


def test_more_categories_than_bins_are_numbers() -> None:
    rows, classes = table(n_towns=300)
    model = EncodedClassifier(boosting(), draws=2, random_state=0).fit(rows, classes)
    assert model.classifier_.is_categorical_.tolist() == [False, True, False]
    few = EncodedClassifier(boosting(max_bins=2), draws=2, random_state=0).fit(rows, classes)
    assert few.classifier_.is_categorical_ is None


@pytest.mark.parametrize(
    ("classifier", "draws"),
    [(boosting(), 0), (boosting(categorical_features=[0]), 2), (DecisionTreeClassifier(), 2)],
)
def test_features_where_codes_will_not_do(classifier: Any, draws: int) -> None:
    rows, classes = table()
    model = EncodedClassifier(classifier, draws=draws, random_state=0).fit(rows, classes)
    assert model.classifier_.n_features_in_ == 40 + 4 + 1


@pytest.mark.parametrize("draws", [0, 3])
def test_trees_take_sparse_features(draws: int) -> None:
    rows, classes = table()
    settings: dict[str, Any] = {"draws": draws, "random_state": 0}
    sparse, dense = (
        EncodedClassifier(DecisionTreeClassifier(random_state=0), sparse_output=is_sparse, **settings)
        for is_sparse in (True, False)
    )
    assert sparse.fit(rows, classes).predict(rows).tolist() == dense.fit(rows, classes).predict(rows).tolist()
