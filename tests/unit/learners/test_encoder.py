"""Cells as numbers: expectations equal those of the slow twin; draws come from what cells may stand for."""

from __future__ import annotations

import pickle
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse
from effort import one_in
from hypothesis import given
from hypothesis import strategies as st
from oracles_learners import expected_features
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import kanopy
from kanopy.learners import EncodedClassifier, GeneralizedEncoder
from kanopy.learners.draws import Urn, spread_chances
from kanopy.learners.encoder import ColumnEncoding
from kanopy.learners.words import training_column

WEIGHTS = ("uniform", "frequency")
NUMBERS = (
    "1",
    "2",
    "3",
    "5",
    "8",
    "[1, 3]",
    "[2, 8]",
    "{1, 8}",
    "{, 2}",
    "{, 3, [5, 8]}",
    "*",
    None,
    "[4, 6]",
)
TEXTS = ("a", "b", "c", "d", "{a, b}", "{b, c, d}", "{, a}", "{, a, c}", "*", None)


@st.composite
def columns(draw: Any) -> tuple[list[str | None], list[str | None]]:
    """Cells to train on, and others; of the latter some are about values that are new."""
    pool = draw(st.sampled_from([NUMBERS, TEXTS]))
    training = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=12))
    strange = ("4", "[6, 7]", "-9", "99", "{4, 5}") if pool is NUMBERS else ("z", "{a, z}", "{, z}")
    rows = draw(st.lists(st.sampled_from([*pool, *strange]), min_size=1, max_size=12))
    return training, rows


def frame_of(texts: list[str | None]) -> pa.Table:
    return pa.table({"c": pa.array(texts, pa.string())})


def has_numbers(training: list[str | None]) -> bool:
    return any(text is not None and any(map(str.isdigit, text)) for text in training)


@given(columns(), st.sampled_from(WEIGHTS), st.booleans())
def test_same_as_the_slow_twin(
    cells: tuple[list[str | None], list[str | None]], weights: str, sparse: bool
) -> None:
    training, rows = cells
    if not has_numbers(training):  # only then does the twin know what the new cells are about
        rows = [text for text in rows if text is None or not any(map(str.isdigit, text))] or ["*"]
    encoder = GeneralizedEncoder(weights=weights, sparse_output=sparse).fit(frame_of(training))
    for texts in (training, rows):
        found = encoder.transform(frame_of(texts))
        assert scipy.sparse.issparse(found) == sparse
        found = found.toarray() if sparse else found
        assert found.shape == (len(texts), len(encoder.get_feature_names_out()))
        np.testing.assert_allclose(found, expected_features(training, texts, weights), rtol=1e-9, atol=1e-12)
    again = encoder.fit_transform(frame_of(training))
    again = again.toarray() if sparse else again
    np.testing.assert_array_equal(
        again,
        encoder.transform(frame_of(training)).toarray() if sparse else encoder.transform(frame_of(training)),
    )


class TestEncoder:
    def test_by_hand(self) -> None:
        X = pd.DataFrame({"age": ["[1, 3]", "2", "*"], "sex": ["F", "{F, M}", None]})
        encoder = GeneralizedEncoder().set_output(transform="pandas")
        encoded = encoder.fit_transform(X)
        assert list(encoded.columns) == ["age", "sex=F", "sex=M", "sex="]
        assert encoded["age"].tolist() == [2, 2, 2]
        assert encoded["sex=F"].tolist() == [1, 0.5, 0.75]
        assert encoded["sex="].tolist() == [0, 0, 1]

    def test_frequency(self) -> None:
        X = pd.DataFrame({"sex": ["F", "F", "F", "M", "{F, M}", "{F, X}", "{X, Y}"]})
        encoded = GeneralizedEncoder(weights="frequency").fit_transform(X)
        assert encoded[4].tolist() == [0.75, 0.25, 0, 0]
        assert encoded[5].tolist() == [1, 0, 0, 0]
        assert encoded[6].tolist() == [0, 0, 0.5, 0.5]

    def test_hostile_values(self) -> None:
        X = pd.DataFrame({"t": ["\\*", "\\[1, 2]", "\\{a, b}", "é🙂", "*", "{\\[1\\, 2\\], é🙂}"]})
        encoder = GeneralizedEncoder().fit(X)
        assert list(encoder.get_feature_names_out()) == ["t=*", "t=[1, 2]", "t={a, b}", "t=é🙂"]
        assert encoder.transform(pd.DataFrame({"t": ["é🙂", "[1, 2]"]})).tolist() == [
            [0, 0, 0, 1],
            [0, 1, 0, 0],
        ]

    def test_release_leaves_the_target_out(self, tmp_path: Path) -> None:
        release = kanopy.anonymize(patients(), POLICY, method="mondrian")
        encoder = GeneralizedEncoder().fit(release)
        assert list(encoder.feature_names_in_) == ["age", "sex"]
        path = release.write(tmp_path / "release.csv")
        np.testing.assert_array_equal(
            GeneralizedEncoder().fit_transform(path, "ill"), encoder.transform(release.frame)
        )

    def test_many_values_stay_sparse(self) -> None:
        """20,000 names: a dense table of them would take 3.2 GB."""
        names = pa.table({"name": [f"n{number}" for number in range(20_000)]})
        encoded = GeneralizedEncoder(sparse_output=True).fit_transform(names)
        assert encoded.nnz == 20_000

    def test_nothing_but_suppressed_cells(self) -> None:
        X = pd.DataFrame({"a": ["*", "*", "*"], "b": [None, None, "*"]})
        assert GeneralizedEncoder().fit_transform(X).tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 1]]
        for draws in (0, 3):
            model = EncodedClassifier(DecisionTreeClassifier(), draws=draws).fit(X, ["p", "p", "n"])
            assert model.predict(pd.DataFrame({"a": ["x"], "b": [1.5]})).tolist() == ["p"]

    def test_unknown_weights(self) -> None:
        with pytest.raises(ValueError, match="weights must be one of 'uniform', 'frequency', not 'nosuch'"):
            GeneralizedEncoder(weights="nosuch").fit(frame_of(["a"]))

    def test_in_a_pipeline(self) -> None:
        table = patients()
        pipeline = make_pipeline(GeneralizedEncoder(), StandardScaler(), LogisticRegression())
        assert cross_val_score(pipeline, table[["age", "sex"]], table["ill"], cv=3).min() > 0.9


POLICY = kanopy.Policy(quasi_identifiers=["age", "sex"], target="ill", k=5)


def patients(n_rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    age = rng.integers(18, 80, n_rows)
    sex = rng.choice(["F", "M"], n_rows)
    return pd.DataFrame({"age": age, "sex": sex, "ill": np.where(age > 48, "yes", "no")})


class Spy(ClassifierMixin, BaseEstimator):
    """Remembers what it was trained on, and predicts the class of the first feature's side."""

    def fit(self, X: Any, y: Any) -> Spy:
        self.X_, self.y_, self.classes_ = X, np.asarray(y), np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return self.classes_[(X[:, 0] > 0.5).astype(int)]


class TestDraws:
    def test_copies_are_originals_that_the_cells_cover(self) -> None:
        X = pd.DataFrame({"sex": ["{F, M}", "F", "*", "{, M}"], "age": ["[1, 9]", "5", "1", "9"]})
        spy = EncodedClassifier(Spy(), draws=200, random_state=0).fit(X, ["a", "b", "a", "b"]).classifier_
        assert spy.X_.shape == (800, 4)  # F, M, missing; age
        assert spy.y_.tolist() == [label for label in "abab" for _ in range(200)]
        drawn = spy.X_.reshape(4, 200, 4)
        assert set(np.unique(drawn[0, :, :2])) == {0, 1}
        assert set(drawn[0, :, 3]) == {1, 5, 9}
        assert np.all(drawn[1] == [1, 0, 0, 5])
        assert np.all(drawn[3, drawn[3, :, 2] == 0, :2] == [0, 1])
        # Expected of each cell: half, and for * what the others say on average.
        means = drawn.mean(axis=1)
        np.testing.assert_allclose(means[0, :2], [0.5, 0.5], atol=0.1)
        np.testing.assert_allclose(means[3, 2], 0.5, atol=0.1)
        np.testing.assert_allclose(means[0, 3], 5, atol=0.5)
        encoder = GeneralizedEncoder().fit(X)
        np.testing.assert_allclose(means, encoder.transform(X)[:, [0, 1, 2, 3]], atol=0.5)

    def test_every_share_is_drawn_as_often_as_it_says(self) -> None:
        column = training_column("c", pa.chunked_array([["{a, b, c, d}", "{, a}", "b"]]))
        urn = Urn.of(column, ColumnEncoding.fit(column, "uniform"))
        chances = spread_chances(8, 1, np.random.default_rng(0))[:, 0]
        for text, counts in ((0, [2, 2, 2, 2, 0]), (1, [4, 0, 0, 0, 4]), (2, [0, 8, 0, 0, 0])):
            drawn = urn.draw(np.full(8, column.ids[text]), chances)
            assert np.bincount(drawn, minlength=5).tolist() == counts

    def test_chance_at_its_ends(self) -> None:
        """Ten tenths add up to a little less than 1: what is left over belongs to the last of them."""
        texts = "abcdefghij"
        column = training_column("c", pa.chunked_array([["{" + ", ".join(texts) + "}", "{a, b}"]]))
        urn = Urn.of(column, ColumnEncoding.fit(column, "uniform"))
        ends = np.array([0.0, np.nextafter(1, 0)])
        whole, two = column.ids
        assert urn.draw(np.array([whole, whole]), ends).tolist() == [0, 9]
        assert urn.draw(np.array([two, two]), ends).tolist() == [0, 1]

    def test_a_table_without_generalized_cells_is_used_once(self) -> None:
        table = patients()
        spy = EncodedClassifier(Spy(), draws=5).fit(table[["age", "sex"]], table["ill"]).classifier_
        np.testing.assert_array_equal(spy.X_, GeneralizedEncoder().fit_transform(table[["age", "sex"]]))

    def test_generalized_rows_are_averaged(self) -> None:
        train = pd.DataFrame({"age": ["1", "2", "3", "4"], "y": ["n", "n", "n", "p"]})
        model = EncodedClassifier(DecisionTreeClassifier(random_state=0), draws=4, random_state=0)
        model.fit(train, "y")
        new = pd.DataFrame({"age": ["[1, 4]", "4", "[2, 3]", "{3, 4}"]})
        assert model.predict_proba(new)[:, 1].tolist() == [0.25, 1, 0, 0.5]
        assert model.predict(new).tolist() == ["n", "p", "n", "n"]

    def test_votes_where_there_are_no_shares(self) -> None:
        train = pd.DataFrame({"a": ["F", "F", "M", "{F, M}"], "y": ["p", "p", "n", "p"]})
        model = EncodedClassifier(Spy(), draws=9, random_state=0).fit(train, "y")
        assert not hasattr(model, "predict_proba")
        # The first feature is a=F: drawn for about two thirds of the training column, which decides for *.
        assert model.predict(pd.DataFrame({"a": ["F", "M", "*"]})).tolist() == ["p", "n", "p"]
        assert not hasattr(EncodedClassifier(LinearSVC()), "predict_proba")

    def test_a_prediction_does_not_depend_on_other_rows(self) -> None:
        release = kanopy.anonymize(patients(), POLICY, method="mondrian")
        model = EncodedClassifier(LogisticRegression(max_iter=5000), draws=3, random_state=1).fit(release)
        whole = model.predict_proba(release.frame)
        # Sums of products depend on the shape of a matrix, in the last of their digits.
        same = partial(np.testing.assert_allclose, rtol=1e-4)
        same(model.predict_proba(release.frame[90:99]), whole[90:99])
        same(model.predict_proba(release.frame[::-1]), whole[::-1])
        np.testing.assert_array_equal(clone(model).fit(release).predict_proba(release.frame), whole)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(release.frame), whole)

    @pytest.mark.parametrize("draws", [-1, 1.5, "3", None])
    def test_unusable_draws(self, draws: Any) -> None:
        with pytest.raises(ValueError, match="draws must be a whole number"):
            EncodedClassifier(Spy(), draws=draws).fit(frame_of(["a", "b"]), [0, 1])


class TestExpected:
    @pytest.mark.parametrize("sparse", [False, True])
    def test_same_as_a_pipeline(self, sparse: bool) -> None:
        release = kanopy.anonymize(patients(), POLICY, method="mondrian", publish="members")
        X, y = release.frame[["age", "sex"]], release.frame["ill"]
        model = EncodedClassifier(LogisticRegression(max_iter=5000), sparse_output=sparse).fit(release)
        twin = make_pipeline(GeneralizedEncoder(), LogisticRegression(max_iter=5000)).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X), twin.predict_proba(X), atol=1e-3)
        assert model.predict(X).tolist() == twin.predict(X).tolist()

    @pytest.mark.parametrize("draws", [0, 3])
    def test_published_file_and_release_give_the_same_model(self, tmp_path: Path, draws: int) -> None:
        release = kanopy.anonymize(patients(), POLICY, method="mondrian")
        path = release.write(tmp_path / "release.csv")
        model = EncodedClassifier(DecisionTreeClassifier(random_state=0), draws=draws, random_state=0)
        raw = patients()
        expected = clone(model).fit(release).predict_proba(raw)
        np.testing.assert_array_equal(clone(model).fit(path, "ill").predict_proba(raw), expected)
        np.testing.assert_array_equal(clone(model).fit(path, y="ill").predict_proba(path)[:2].shape, (2, 2))


@pytest.mark.parametrize("draws", [0, 2])
def test_one_class_is_predicted_whatever_the_classifier_thinks_of_it(draws: int) -> None:
    rows = pd.DataFrame({"age": ["[20, 29]", "35", "*"], "sex": ["f", "{f, m}", "m"]})
    model = EncodedClassifier(LogisticRegression(), draws=draws, random_state=0).fit(rows, ["ill"] * 3)
    assert model.predict(rows).tolist() == ["ill"] * 3
    assert model.predict_proba(rows).tolist() == [[1.0]] * 3


def test_numbers_beyond_single_precision_are_no_reason_to_warn() -> None:
    rows = pd.DataFrame({"debt": [1e300, -1e300, 0.0, 1e299] * 5, "sex": ["f", "{f, m}"] * 10})
    model = EncodedClassifier(
        make_pipeline(StandardScaler(), LogisticRegression()), draws=2, random_state=0
    ).fit(rows.assign(debt=rows["debt"] / 1e200), ["a", "b", "b", "a"] * 5)
    assert np.isfinite(model.predict_proba(rows.assign(debt=rows["debt"] / 1e200))).all()


@parametrize_with_checks(
    [
        estimator
        for (estimator,) in one_in(
            2,
            [
                GeneralizedEncoder(),
                GeneralizedEncoder(weights="frequency"),
                EncodedClassifier(DecisionTreeClassifier(random_state=0), draws=3, random_state=0),
                EncodedClassifier(LogisticRegression()),
            ],
        )
    ]
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)
