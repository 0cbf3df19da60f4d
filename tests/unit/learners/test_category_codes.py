"""Categories for classifiers that take them: one feature per column. Sparse features, and one thread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info, threadpool_limits

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


def test_without_draws_where_nothing_is_generalized() -> None:
    rows, classes = table()
    model = EncodedClassifier(boosting(), random_state=0).fit(rows, classes)
    # The town is one code; colors are sometimes sets, and so shares: three values, and missing.
    assert model.classifier_.is_categorical_.tolist() == [True, False, False, False, False, False]
    assert np.mean(model.predict(rows) == classes) > 0.95
    suppressed = rows.assign(town=["*", *rows["town"][1:]])
    assert EncodedClassifier(boosting()).fit(suppressed, classes).classifier_.n_features_in_ == 40 + 4 + 1
    many, classes = table(n_towns=300)
    n_towns = many["town"].nunique()
    assert n_towns > 255
    assert EncodedClassifier(boosting()).fit(many, classes).classifier_.n_features_in_ == n_towns + 4 + 1


def test_a_set_of_coded_values_is_predicted_as_their_average() -> None:
    rows = pd.DataFrame({"color": ["red", "blue", "green", ""] * 60})
    classes = np.where(rows["color"] == "red", "y", "n")
    model = EncodedClassifier(boosting(), random_state=0).fit(rows, classes)
    assert model.classifier_.is_categorical_.tolist() == [True]
    cells = ["red", "blue", "{blue, red}", "{blue, green}", "*", ""]
    red, blue, either, neither, nothing, missing = model.predict_proba(pd.DataFrame({"color": cells}))[:, 1]
    assert red > 0.9
    assert max(blue, neither, missing) < 0.1
    assert either == pytest.approx((red + blue) / 2)
    assert blue < nothing < either, "suppressed is as the training column"
    # What is predicted for a row does not depend on the others.
    assert model.predict_proba(pd.DataFrame({"color": cells[2:3]}))[0, 1] == either
    assert model.predict(pd.DataFrame({"color": ["{blue, green}"]})).tolist() == ["n"]


class CountsThreads(DecisionTreeClassifier):
    """Remembers how many threads it could have used."""

    def fit(self, X: Any, y: Any) -> Any:
        self.threads_ = {pool["num_threads"] for pool in threadpool_info()}
        return super().fit(X, y)

    def predict(self, X: Any) -> Any:
        self.threads_ |= {pool["num_threads"] for pool in threadpool_info()}
        return super().predict(X)

    def predict_proba(self, X: Any) -> Any:
        self.threads_ |= {pool["num_threads"] for pool in threadpool_info()}
        return super().predict_proba(X)


@pytest.mark.parametrize("predicts", ["predict", "predict_proba"])
@pytest.mark.parametrize("draws", [0, 2])
def test_one_thread(draws: int, predicts: str) -> None:
    rows, classes = table()
    with threadpool_limits(limits=2):
        before = threadpool_info()
        model = EncodedClassifier(CountsThreads(), draws=draws, random_state=0).fit(rows, classes)
        getattr(model, predicts)(rows)
        assert threadpool_info() == before, "afterwards it is as it was"
    assert 2 in {pool["num_threads"] for pool in before}
    assert model.classifier_.threads_ == {1}


@pytest.mark.parametrize(
    ("classifier", "draws"),
    [
        (boosting(categorical_features=[0]), 0),
        (boosting(categorical_features=[0]), 2),
        (DecisionTreeClassifier(), 2),
    ],
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
