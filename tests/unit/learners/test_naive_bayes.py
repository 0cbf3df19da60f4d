"""Naive Bayes on cells equals its slow twin, and on plain values scikit-learn's."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from effort import IS_DEEP
from hypothesis import given
from hypothesis import strategies as st
from oracles_learners import naive_bayes
from sklearn.base import clone
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

import kanopy
from kanopy.learners import GeneralizedNaiveBayes

NUMBERS = ("1", "2", "3", "5", "8", "[1, 3]", "[2, 8]", "{1, 8}", "{, 2}", "{, 3, [5, 8]}", "*", None)
TEXTS = ("a", "b", "c", "!", "{a, b}", "{b, c}", "{, a}", "{, a, c}", "*", None)


@st.composite
def problems(draw: Any) -> tuple[list[str | None], list[str], list[str | None]]:
    pool = draw(st.sampled_from([NUMBERS, TEXTS]))
    # The first cell tells the twin what the others are about.
    training = [pool[0], *draw(st.lists(st.sampled_from(pool), max_size=12))]
    classes = draw(st.lists(st.sampled_from("pqr"), min_size=len(training), max_size=len(training)))
    strange = ("4", "[6, 7]", "{4, 5}") if pool is NUMBERS else ("z", "{a, z}", "{, z}")
    return training, classes, draw(st.lists(st.sampled_from([*pool, *strange]), min_size=1, max_size=8))


def frame_of(texts: list[str | None]) -> pa.Table:
    return pa.table({"c": pa.array(texts, pa.string())})


@given(problems(), st.sampled_from(["uniform", "frequency"]), st.sampled_from([1.0, 0.1]))
def test_same_as_the_slow_twin(
    problem: tuple[list[str | None], list[str], list[str | None]], weights: str, alpha: float
) -> None:
    training, classes, rows = problem
    model = GeneralizedNaiveBayes(alpha=alpha, weights=weights).fit(frame_of(training), classes)
    expected = naive_bayes(training, classes, rows, alpha=alpha, weights=weights)
    np.testing.assert_allclose(model.predict_proba(frame_of(rows)), expected, rtol=1e-7, atol=1e-9)


def people(n_rows: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(11)
    age = rng.integers(18, 80, n_rows)
    town = rng.choice(["north", "south", "west"], n_rows)
    ill = np.where(age + 10 * (town == "west") + rng.normal(0, 5, n_rows) > 50, "yes", "no")
    return pd.DataFrame({"age": age, "town": town, "job": rng.choice(["a", "b"], n_rows), "ill": ill})


class TestPlainValues:
    def test_categories_as_scikit_learn(self) -> None:
        table = people()
        X, y = table[["town", "job"]], table["ill"]
        # The prior of scikit-learn is not smoothed, so it is given ours.
        counts = y.value_counts().sort_index().to_numpy()
        prior = (counts + 1) / (len(y) + 2)
        twin = CategoricalNB(alpha=1.0, class_prior=prior, fit_prior=True)
        codes = OrdinalEncoder().fit_transform(X)
        expected = twin.fit(codes, y).predict_proba(codes)
        np.testing.assert_allclose(GeneralizedNaiveBayes().fit(X, y).predict_proba(X), expected)

    def test_numbers_as_scikit_learn(self) -> None:
        table = people()
        X, y = table[["age"]], table["ill"]
        counts = y.value_counts().sort_index().to_numpy()
        twin = GaussianNB(priors=(counts + 1) / (len(y) + 2), var_smoothing=0).fit(X.to_numpy(), y)
        model = GeneralizedNaiveBayes().fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X), twin.predict_proba(X.to_numpy()))

    def test_probabilities_of_rows_that_nothing_explains(self) -> None:
        """Densities far out are 0 as floats, not as logarithms."""
        model = GeneralizedNaiveBayes().fit(pa.table({"a": [0.0, 0.1, 1e6, 1e6 + 1], "y": list("pppq")}), "y")
        shares = model.predict_proba(pa.table({"a": [5e5, 0.0]}))
        assert np.isfinite(shares).all()
        np.testing.assert_allclose(shares.sum(axis=1), 1)

    @pytest.mark.parametrize("numbers", [[5.0, 5.0, 5.0], [0.0, 0.0, 0.0], [1.7e308, -1.7e308, 1.0]])
    def test_numbers_that_do_not_vary_or_too_much(self, numbers: list[float]) -> None:
        model = GeneralizedNaiveBayes().fit(pa.table({"a": numbers, "y": list("ppq")}), "y")
        assert np.isfinite(model.predict_log_proba(pa.table({"a": numbers}))).all()


class TestCells:
    def test_fractions_by_hand(self) -> None:
        X = frame_of(["F", "F", "M", "{F, M}", "*", None])
        model = GeneralizedNaiveBayes().fit(X, list("ppqqpq"))
        # p: F 2; q: M 1 and halves of both; each plus 1. Priors are alike: 3 rows each.
        shares = model.predict_proba(frame_of(["F", "M", "{F, M}", "*", None, "unheard of"]))
        f, m = np.array([3 / 4, 1.5 / 4]), np.array([1 / 4, 2.5 / 4])
        expected = [f, m, (f + m) / 2, [1, 1], [1, 1], [1, 1]]
        np.testing.assert_allclose(shares, [np.array(line) / np.sum(line) for line in expected])

    def test_published_file_and_release_give_the_same_model(self, tmp_path: Path) -> None:
        raw = people()
        policy = kanopy.Policy(quasi_identifiers=["age", "town", "job"], target="ill", k=5)
        for publish in ("range", "members"):
            release = kanopy.anonymize(raw, policy, method="mondrian", publish=publish)
            expected = GeneralizedNaiveBayes().fit(release).predict_proba(raw)
            for suffix in (".csv", ".parquet"):
                path = release.write(tmp_path / f"{publish}{suffix}")
                found = GeneralizedNaiveBayes().fit(path, "ill").predict_proba(raw)
                np.testing.assert_array_equal(found, expected)
            assert np.mean(GeneralizedNaiveBayes().fit(release).predict(raw) == raw["ill"]) > 0.85

    def test_nothing_but_suppressed_cells(self) -> None:
        model = GeneralizedNaiveBayes().fit(frame_of(["*", "*", None]), ["p", "p", "q"])
        assert model.predict(frame_of(["x", None])).tolist() == ["p", "p"]
        np.testing.assert_allclose(model.predict_proba(frame_of(["x"])), [[0.6, 0.4]])

    def test_pickle_and_clone(self) -> None:
        model = GeneralizedNaiveBayes(alpha=0.5).fit(people(), "ill")
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict_proba(people()), model.predict_proba(people()))
        assert clone(model).alpha == 0.5


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"alpha": 0}, "alpha must be above 0"), ({"weights": "nosuch"}, "weights must be one of")],
)
def test_unusable_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GeneralizedNaiveBayes(**parameters).fit(people(), "ill")


@parametrize_with_checks(
    [GeneralizedNaiveBayes(), *([GeneralizedNaiveBayes(weights="frequency")] if IS_DEEP else [])]
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)
