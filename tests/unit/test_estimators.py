"""The scikit-learn face: conventions kept, rows and classes aligned, nothing of the cells in a message."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from command import run_python
from effort import in_turn, one_in, quick
from imblearn.pipeline import Pipeline as SamplingPipeline
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import kanopy
import kanopy.estimators
from kanopy.algorithms import Method, Option
from kanopy.errors import KanopyError, PolicyError, UnsatisfiableError
from kanopy.estimators import Anonymizer, RecodedClassifier, Recoder
from kanopy.estimators.anonymizer import class_name, estimator_for, option_names
from kanopy.learners import GeneralizedEncoder
from kanopy.privacy import DistinctDiversity

N_ROWS = 240
METHODS = kanopy.methods()
COMMON = {
    "k": 10,
    "quasi_identifiers": None,
    "categorical": (),
    "numeric": (),
    "missing": (),
    "privacy": (),
    "accept": (),
    "hierarchies": None,
    "random_state": 0,
    "preset": "default",
}
ONE_ROW = {"check_fit2d_1sample": "one row is fewer than k: kanopy's UnsatisfiableError, not a ValueError"}


def people(n_rows: int = N_ROWS) -> pd.DataFrame:
    """Ages and sexes; an index that would betray the rows; a measurement of each row that is published."""
    rng = np.random.default_rng(7)
    columns = {
        "age": rng.integers(18, 80, n_rows),
        "sex": rng.choice(["F", "M"], n_rows),
        "row": np.arange(n_rows) + 0.5,
    }
    return pd.DataFrame(columns, index=rng.permutation(n_rows) + 5000)


def incomes(table: pd.DataFrame) -> pd.Series:
    """A class that age tells; its index is not that of the table, and it must not matter."""
    return pd.Series(np.where(table["age"] > 48, "high", "low"), name="income")


def mondrian(**parameters: Any) -> Any:
    return kanopy.MondrianAnonymizer(**{"k": 5, "quasi_identifiers": ["age", "sex"], **parameters})


# --- one class per method


@pytest.mark.usefixtures("hasty_sketch")
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
class TestEveryMethod:
    def test_class(self, method: Any) -> None:
        kind = getattr(kanopy, class_name(method))
        assert kind.__name__ == method.name.capitalize() + "Anonymizer"
        assert issubclass(kind, Anonymizer)
        assert kind is getattr(kanopy.estimators, kind.__name__)
        assert kind.__name__ in dir(kanopy.estimators)
        for text in (method.title, method.paper, *(option.meaning for option in method.options.values())):
            assert text in kind.__doc__

    def test_parameters(self, method: Any) -> None:
        kind = getattr(kanopy, class_name(method))
        options = {name: method.options[option].default for name, option in option_names(method).items()}
        assert sorted(option_names(method).values()) == sorted(method.options)
        assert not COMMON.keys() & options.keys()
        assert kind().get_params() == COMMON | options
        parameters = inspect.signature(kind).parameters
        assert next(iter(parameters)) == "k"
        assert all(p.kind is p.KEYWORD_ONLY for name, p in parameters.items() if name != "k")
        assert kind(3).k == 3
        with pytest.raises(TypeError, match="nosuch"):
            kind(nosuch=1)

    def test_clone_and_set(self, method: Any) -> None:
        estimator = getattr(kanopy, class_name(method))(k=3, missing=["?"])
        twin = clone(estimator).set_params(k=4)
        assert (estimator.k, twin.k, twin.missing) == (3, 4, ["?"])

    def test_same_as_anonymize(self, method: Any) -> None:
        table, keep = people(N_ROWS // 2), [] if method.is_synthetic else ["row"]
        table = table[["age", "sex", *keep]]
        options = quick(method.options)
        kind = getattr(kanopy, class_name(method))
        estimator = kind(k=5, quasi_identifiers=["age", "sex"], random_state=3, **options)
        release = estimator.fit_release(table, incomes(table))
        policy = kanopy.Policy(quasi_identifiers=["age", "sex"], target="income", keep=keep, k=5)
        whole = table.assign(income=incomes(table).to_numpy())
        direct = kanopy.anonymize(whole, policy, method=method.name, seed=3, **options)
        pd.testing.assert_frame_equal(release.frame, direct.frame)
        assert release.manifest == direct.manifest
        assert release.audit.kept

    def test_pickle(self, method: Any) -> None:
        table, kind = people(N_ROWS // 6)[["age", "sex"]], getattr(kanopy, class_name(method))
        fitted = kind(k=5, quasi_identifiers=["age", "sex"], **quick(method.options))
        fitted.fit(table, incomes(table))
        again = pickle.loads(pickle.dumps(fitted))
        pd.testing.assert_frame_equal(again.recode(table), fitted.recode(table))


TREE = DecisionTreeClassifier(random_state=0)
ALL_CHECKED = {"muargus": {"all_columns": True}}  # by itself it would refuse some of the tables


@parametrize_with_checks(
    [
        *(
            getattr(kanopy, class_name(method))(k=2, **ALL_CHECKED.get(method.name, {}))
            for (method,) in one_in(24, METHODS)
        ),
        # The checks calculate with what is transformed and predicted from, so it is published as numbers.
        Recoder(kanopy.MondrianAnonymizer(k=2, publish="mean")),
        RecodedClassifier(kanopy.MondrianAnonymizer(k=2, publish="mean"), TREE),
    ],
    expected_failed_checks=lambda estimator: ONE_ROW,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
@pytest.mark.filterwarnings("ignore:the release says nothing:kanopy.errors.KanopyWarning")
def test_scikit_learn_checks(estimator: Any, check: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most checks have tables of 10 to 21 rows: here ``sketch`` makes one group of them, and no error."""
    monkeypatch.setattr("kanopy.algorithms.sketch.pools.LEAST_ROWS", 2)
    monkeypatch.setattr("kanopy.engines.checks.LEAST_BEHIND_A_SKETCH", 2)
    check(estimator)


def test_options_reach_the_method() -> None:
    table = people()
    medians = mondrian(cut="median", strict=False).fit_release(table, incomes(table))
    assert medians.manifest["options"] == {
        "cut": "median",
        "strict": False,
        "try_lower_cut": True,
        "width": "range",
        "max_chance": 0.05,
        "publish": "range",
        "widen": False,
    }
    with pytest.raises(PolicyError, match="option 'cut'"):
        mondrian(cut="nosuch").fit(table)


def test_an_option_called_like_a_parameter() -> None:
    given = {}

    def run(*arguments: Any, **options: Any) -> Any:
        given.update(options)
        return METHODS[0].run(*arguments)

    method = Method(
        "taken", "title", "paper", run, {"numeric": Option("mean", "how"), "k": Option(1, "what")}
    )
    kind = estimator_for(method)
    assert set(kind().get_params()) == {*COMMON, "option_numeric", "option_k"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kanopy.engines.local.find_method", lambda name: method)
        kind(k=5, numeric=["age"], option_numeric="range").fit(people())
    assert given == {"numeric": "range", "k": 1}


def test_a_preset_changes_what_is_left_at_its_default() -> None:
    options = {"numbers": Option("range", "how"), "rounds": Option(10, "how many")}
    given: list[dict[str, Any]] = []

    def run(*arguments: Any, **options: Any) -> Any:
        given.append(options)
        return METHODS[0].run(*arguments)

    method = Method(
        "some", "title", "paper", run, options, presets={"paper": {"numbers": "mean", "rounds": 1}}
    )
    kind = estimator_for(method)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kanopy.engines.local.find_method", lambda name: method)
        for parameters in ({}, {"preset": "paper"}, {"preset": "paper", "rounds": 5}):
            kind(k=5, **parameters).fit(people())
    assert [tuple(each.values()) for each in given] == [("range", 10), ("mean", 1), ("mean", 5)]


def test_names_that_do_not_exist() -> None:
    with pytest.raises(AttributeError, match="did you mean 'MondrianAnonymizer'"):
        kanopy.MondriamAnonymizer
    with pytest.raises(AttributeError, match="has no attribute 'nosuch'"):
        kanopy.estimators.nosuch
    assert set(kanopy.estimators.__all__) == set(dir(kanopy.estimators))


# --- rows, classes

FRAMES = {
    "pandas": lambda table: table,
    "polars": lambda table: pl.from_pandas(table),
    "pyarrow": lambda table: pa.Table.from_pandas(table, preserve_index=False),
}
LABELS = {
    "series": lambda y: y,
    "shuffled index": lambda y: y.set_axis(np.random.default_rng(1).permutation(len(y))),
    "no name": lambda y: y.rename(None),
    "category": lambda y: y.astype("category"),
    "array": lambda y: y.to_numpy(dtype="U4"),
    "objects": lambda y: y.to_numpy(dtype=object),
    "list": lambda y: y.tolist(),
    "bool": lambda y: (y == "high").to_numpy(),
    "int8": lambda y: (y == "high").to_numpy().astype(np.int8),
    "float": lambda y: np.where(y == "high", 0.1, 1.0),
    "mixed": lambda y: np.where(y == "high", "1", np.array(2, dtype=object)),
    "blanks": lambda y: np.where(y == "high", " high", "low "),
    "polars": lambda y: pl.Series("income", y.tolist()),
    "pyarrow": lambda y: pa.chunked_array([y.tolist()]),
}


@pytest.mark.parametrize(("labels", "frame"), in_turn(LABELS, [*FRAMES, "array"]))
def test_rows_and_classes_stay_together(frame: str, labels: str) -> None:
    """The kept column tells the source row of each published one, and so the class that it must have."""
    table = people()
    X = table.to_numpy(dtype=object) if frame == "array" else FRAMES[frame](table)
    y = LABELS[labels](incomes(table))
    quasi = ["x0", "x1"] if frame == "array" else ["age", "sex"]
    X_released, y_released = mondrian(quasi_identifiers=quasi).fit_resample(X, y)
    assert type(X_released) is type(X)
    assert type(y_released) is (np.ndarray if labels == "list" else type(y))
    assert getattr(y_released, "dtype", None) == getattr(y, "dtype", getattr(y_released, "dtype", None))
    assert getattr(y_released, "name", None) == getattr(y, "name", None)
    rows = (X_released[:, 2] if frame == "array" else np.asarray(X_released["row"])).astype(int)
    assert sorted(rows) == list(range(N_ROWS))
    assert not np.array_equal(rows, np.arange(N_ROWS))  # else it would not tell
    assert np.asarray(y_released).tolist() == np.asarray(y)[rows].tolist()


def test_no_index_of_the_source() -> None:
    """PRIVACY: an index of pandas would tell which row was which person."""
    table = people()
    X_released, y_released = mondrian().fit_resample(table, incomes(table).set_axis(table.index))
    for part in (X_released, y_released):
        assert part.index.equals(pd.RangeIndex(N_ROWS))


def test_frame_is_that_of_the_release() -> None:
    table = people()
    anonymizer = mondrian()
    X_released, _ = anonymizer.fit_resample(table, incomes(table))
    pd.testing.assert_frame_equal(X_released, anonymizer.release_.frame.drop(columns="income"))
    assert anonymizer.feature_names_in_.tolist() == list(table)
    assert anonymizer.n_features_in_ == 3


def test_without_classes() -> None:
    table = people()
    X_released, y_released = mondrian().fit_resample(table, None)
    assert (list(X_released), y_released) == (list(table), None)
    assert mondrian().fit_release(table).audit.kept


@pytest.mark.parametrize(
    ("name", "expected"), [("age", "age_"), ("AGE", "AGE_"), (" row ", "row_"), ("", "target"), (7, "target")]
)
def test_the_class_gets_a_name_of_its_own(name: Any, expected: str) -> None:
    table = people()
    release = mondrian().fit_release(table, incomes(table).rename(name))
    assert list(release.frame) == ["age", "sex", "row", expected]
    taken = table.rename(columns={"row": "Target"})
    assert list(mondrian().fit_release(taken, incomes(table).tolist()).frame)[-1] == "target_"


def test_missing_labels_come_back() -> None:
    table = people()
    y = incomes(table).mask(table["sex"].to_numpy() == "F", "?")
    anonymizer = mondrian(missing=["?"])
    X_released, y_released = anonymizer.fit_resample(table, y)
    assert y_released.tolist() == y.to_numpy()[X_released["row"].astype(int)].tolist()
    assert anonymizer.release_.frame["income"].isna().sum() == (y == "?").sum() > 0


def test_all_columns_are_quasi_identifiers_by_default() -> None:
    table = people()
    roles = mondrian(quasi_identifiers=None).fit_release(table, incomes(table)).manifest["roles"]
    assert roles == dict.fromkeys(table, "quasi_identifiers") | {"income": "target"}


def test_bounded_columns_are_sensitive() -> None:
    table = people()
    promise = [DistinctDiversity("sex", 2), DistinctDiversity("income", 2)]
    release = mondrian(quasi_identifiers=None, privacy=promise).fit_release(table, incomes(table))
    assert release.manifest["roles"]["sex"] == "sensitive"
    assert release.frame.groupby(["age", "row"])["sex"].nunique().min() == 2
    assert release.frame.groupby(["age", "row"])["income"].nunique().min() == 2
    alone = mondrian(quasi_identifiers=["age"], privacy=promise[0]).fit_release(table)
    assert alone.manifest["roles"] == {"age": "quasi_identifiers", "sex": "sensitive", "row": "keep"}


@pytest.mark.parametrize(
    "parameter", ["quasi_identifiers", "privacy", "missing", "categorical", "hierarchies"]
)
def test_nonsense_is_refused_when_fitted(parameter: str) -> None:
    estimator = mondrian(**{parameter: 5})
    with pytest.raises(PolicyError):
        estimator.fit(people())


# --- arrays


def numbers(n_rows: int = N_ROWS) -> np.ndarray:
    table = people(n_rows)
    return table[["age", "row"]].to_numpy().astype(float)


def test_means_are_floats() -> None:
    X = numbers()
    X[3, 0] = np.nan
    X_released, y_released = kanopy.MondrianAnonymizer(k=5, publish="mean").fit_resample(X, X[:, 1] > 100)
    assert X_released.dtype == np.float64
    assert X_released.shape == X.shape
    assert abs(np.nanmean(X_released[:, 0]) - np.nanmean(X[:, 0])) < 1
    assert y_released.dtype == bool


def test_suppressed_and_missing_are_nan() -> None:
    X = np.repeat([[1.0, 5.5], [np.nan, 7.0]], [3, 3], axis=0)
    X[0, 1] = 6.5
    anonymizer = kanopy.MondrianAnonymizer(k=3, publish="suppress")
    X_released, _ = anonymizer.fit_resample(X, None)
    texts = anonymizer.release_.frame.to_pydict()
    assert [text in (None, "*") for text in texts["x0"]] == np.isnan(X_released[:, 0]).tolist()
    assert [text in (None, "*") for text in texts["x1"]] == np.isnan(X_released[:, 1]).tolist()
    assert "*" in texts["x1"]
    assert None in texts["x0"]
    assert set(X_released[:, 0]) >= {1.0}


def test_ranges_are_texts() -> None:
    X_released, _ = kanopy.MondrianAnonymizer(k=5).fit_resample(numbers(), None)
    assert X_released.dtype == object
    assert all(isinstance(cell, str) for cell in X_released.ravel())


def test_columns_of_objects() -> None:
    """What came as a number comes back as one, what came as text as text, whatever it looks like."""
    X = np.array([[1, 1.5, "07", "7", True, None]] * 6, dtype=object)
    X[0, :2] = [1.0, 2]
    X_released, _ = kanopy.MondrianAnonymizer(k=6, publish="mean").fit_resample(X, None)
    first = X_released[0].tolist()
    assert first[:5] == [1.0, pytest.approx(1.6), "07", "7", "true"]
    assert first[5] is None
    as_text = kanopy.MondrianAnonymizer(k=6, categorical=["x0"]).fit_resample(X, None)[0]
    assert all(isinstance(cell, str) for cell in as_text[:, 0])


def test_lists_and_booleans() -> None:
    X_released, _ = kanopy.MondrianAnonymizer(k=2, publish="mean").fit_resample([[30, "F"], [32, "F"]], None)
    assert X_released.tolist() == [[31.0, "F"], [31.0, "F"]]
    X_released, _ = kanopy.MondrianAnonymizer(k=2).fit_resample(np.array([[True], [True]]), None)
    assert X_released.tolist() == [[1.0], [1.0]]


def test_every_batch_has_the_same_columns_of_numbers() -> None:
    """The release decides, not the rows at hand."""
    X = np.repeat([[1.0], [2.0], [30.0]], [5, 1, 5], axis=0)
    anonymizer = kanopy.MondrianAnonymizer(k=5).fit(X, X[:, 0] > 10)
    assert anonymizer.recode(np.array([[30.0]])).tolist() == [["30"]]
    assert anonymizer.recode(np.array([[1.0]])).tolist() == [["[1, 2]"]]
    kept = mondrian(quasi_identifiers=["x0"]).fit(numbers())
    with pytest.raises(ValueError, match="column 'x1' held numbers") as caught:
        kept.recode(np.array([[30, "secret"]], dtype=object))
    assert "secret" not in str(caught.value)


def test_frames_without_names() -> None:
    table = pd.DataFrame(numbers())
    anonymizer = kanopy.MondrianAnonymizer(k=5).fit(table)
    assert list(anonymizer.release_.frame) == ["x0", "x1"]
    assert not hasattr(anonymizer, "feature_names_in_")
    assert anonymizer.recode(table.to_numpy()).tolist() == anonymizer.recode(table).to_numpy().tolist()


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_arrays_after_a_frame() -> None:
    table = people()[["age", "row"]]
    anonymizer = kanopy.MondrianAnonymizer(k=5, publish="mean").fit(table)
    recoded = anonymizer.recode(table.to_numpy())
    assert recoded.dtype == np.float64
    assert recoded.tolist() == anonymizer.recode(table).to_numpy().astype(float).tolist()


# --- chance


def test_random_state(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = []

    def watched(*arguments: Any, seed: int, **keywords: Any) -> Any:
        seeds.append(seed)
        return kanopy.anonymize(*arguments, seed=seed, **keywords)

    monkeypatch.setattr("kanopy.estimators.anonymizer.anonymize", watched)
    for random_state in (None, 0, 11, np.random.RandomState(5), np.random.RandomState(5)):
        mondrian(random_state=random_state).fit(people())
    assert seeds[:3] == [0, 0, 11]
    assert seeds[3] == seeds[4] != 0
    lots = np.random.RandomState(5)
    mondrian(random_state=lots).fit(people())
    mondrian(random_state=lots).fit(people())
    assert seeds[5] == seeds[3] != seeds[6]
    with pytest.raises(PolicyError, match="seed"):
        mondrian(random_state=-1).fit(people())


# --- refusals

SECRET = 31337.25


def row(*cells: Any) -> Any:
    return np.array([cells] * 6)


BAD = {
    "one dimension": (np.full(6, SECRET), None, "Expected 2D array"),
    "three dimensions": (np.full((6, 2, 2), SECRET), None, "Expected 2D array"),
    "complex": (row(SECRET + 1j), None, "Complex data not supported"),
    "complex classes": (row(SECRET), np.full(6, SECRET + 1j), "Complex data not supported"),
    "infinite": (row(SECRET, np.inf), None, "infinity"),
    "no rows": (np.empty((0, 2)), None, "0 sample"),
    "no columns": (np.empty((6, 0)), None, "0 feature"),
    "ragged": ([[SECRET], [SECRET, 1]], None, "inhomogeneous"),
    "too few classes": (row(SECRET), np.full(5, SECRET), "inconsistent numbers of samples"),
    "missing class": (row(SECRET), np.array([SECRET, np.nan] * 3), "y contains NaN"),
    "two columns of classes": (row(SECRET), row(SECRET, SECRET), "1d array"),
    "frame with too few classes": (
        pd.DataFrame({"a": [SECRET] * 6}),
        [SECRET] * 5,
        "inconsistent numbers of samples",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_scikit_learn_refuses(case: str) -> None:
    """PRIVACY: with a ValueError, as it does, but without showing what is in the arrays, as it may."""
    X, y, message = BAD[case]
    with pytest.raises(ValueError, match=message) as caught:
        kanopy.MondrianAnonymizer(k=2).fit(X, y)
    assert "31337" not in str(caught.value)


def test_what_kanopy_refuses() -> None:
    with pytest.raises(UnsatisfiableError, match="k = 10, but the table has 6 rows"):
        kanopy.MondrianAnonymizer().fit(row(SECRET))
    with pytest.raises(PolicyError, match="collect a lazy frame first"):
        kanopy.MondrianAnonymizer().fit(pl.from_pandas(people()).lazy())
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        kanopy.MondrianAnonymizer(k=2).fit(scipy.sparse.eye(6, format="csr"))
    with pytest.raises(PolicyError, match="did you mean 'age'"):
        mondrian(quasi_identifiers=["agee"]).fit(people())
    with pytest.raises(KanopyError, match="not Unicode"):
        kanopy.MondrianAnonymizer(k=2).fit(np.array([["\ud800"]] * 6, dtype=object))


def test_new_rows_must_be_like_the_old_ones() -> None:
    with pytest.raises(NotFittedError):
        mondrian().recode(people())
    table = people()
    anonymizer = mondrian().fit(table)
    with pytest.raises(ValueError, match="feature names"):
        anonymizer.recode(table[["age", "sex"]])
    with pytest.raises(ValueError, match="order"):
        anonymizer.recode(table[["sex", "age", "row"]])
    with pytest.raises(ValueError, match="2 features, but MondrianAnonymizer is expecting 1") as caught:
        kanopy.MondrianAnonymizer(k=2).fit(row(SECRET)).recode(row(SECRET, SECRET))
    assert "31337" not in str(caught.value)


# --- learning


def one_hot_tree() -> Any:
    return make_pipeline(OneHotEncoder(handle_unknown="ignore"), DecisionTreeClassifier(random_state=0))


def test_grid_search_in_a_sampling_pipeline() -> None:
    """In imbalanced-learn's pipelines samplers act on the rows that are fitted, and on them alone.

    The test rows reach the encoder as they are, and it asks for texts where it was fitted on texts.
    """
    table = people().astype(str)
    y = incomes(people())
    steps = [
        ("anonymize", mondrian()),
        ("encode", OneHotEncoder(handle_unknown="ignore")),
        ("tree", DecisionTreeClassifier(random_state=0)),
    ]
    search = GridSearchCV(SamplingPipeline(steps), {"anonymize__k": [2, 5]}, cv=2, error_score="raise")
    search.fit(table, y)
    assert search.best_params_["anonymize__k"] in (2, 5)
    best = search.best_estimator_
    assert best["anonymize"].release_.audit.k >= search.best_params_["anonymize__k"]
    published = set(best["anonymize"].release_.frame["age"])
    assert set(best["encode"].categories_[0]) == published


@pytest.mark.parametrize("as_array", [False, True])
def test_numeric_columns_in_a_sampling_pipeline(as_array: bool) -> None:
    """The encoder behind the sampler is fitted on cells, and meets numbers when the pipeline predicts."""
    table = people()[["age", "sex"]]
    X = np.column_stack([table["age"], table["sex"] == "F"]).astype(float) if as_array else table
    steps = [
        ("anonymize", mondrian(quasi_identifiers=None)),
        ("encode", GeneralizedEncoder()),
        ("tree", DecisionTreeClassifier(random_state=0)),
    ]
    model = SamplingPipeline(steps)
    assert cross_val_score(model, X, incomes(table), cv=2, error_score="raise").mean() > 0.9


def test_grid_search_over_a_recoded_classifier() -> None:
    """Recoding the test rows gives the learner back what it knows; it still never saw them."""
    table = people()[["age", "sex"]]
    search = GridSearchCV(
        RecodedClassifier(mondrian(), one_hot_tree()),
        {"anonymizer__k": [5, 200], "anonymizer__cut": ["gain", "median"]},
        cv=2,
        error_score="raise",
    )
    assert is_classifier(search)
    with pytest.raises(UnsatisfiableError):  # a fold has 120 rows: the test rows took no part
        search.fit(table, incomes(table))
    search.set_params(param_grid={"anonymizer__k": [5, 120], "anonymizer__cut": ["gain", "median"]})
    search.fit(table, incomes(table))
    assert search.best_params_["anonymizer__k"] == 5
    assert search.best_score_ > 0.9
    raw = SamplingPipeline([("anonymize", mondrian()), *one_hot_tree().steps])
    assert cross_val_score(raw, table.astype(str), incomes(table), cv=2).mean() < search.best_score_ - 0.2


def test_recoded_classifier_learns_from_the_release() -> None:
    table = people()[["age", "sex"]]
    y = incomes(table)
    model = RecodedClassifier(mondrian(), one_hot_tree()).fit(table, y)
    assert not hasattr(model.anonymizer, "release_")
    assert model.classes_.tolist() == ["high", "low"]
    assert model.feature_names_in_.tolist() == ["age", "sex"]
    assert set(model.classifier_[0].categories_[0]) == set(model.anonymizer_.release_.frame["age"])
    recoded = model.anonymizer_.recode(table)
    assert model.predict(table).tolist() == model.classifier_.predict(recoded).tolist()
    assert model.predict_proba(table).tolist() == model.classifier_.predict_proba(recoded).tolist()
    assert not hasattr(RecodedClassifier(mondrian(), Recoder(mondrian())), "predict_proba")


@pytest.mark.parametrize("pipeline", [Pipeline, SamplingPipeline])
def test_recoder_in_a_pipeline(pipeline: Any) -> None:
    table = people()[["age", "sex"]]
    model = pipeline([("recode", Recoder(mondrian())), *one_hot_tree().steps])
    search = GridSearchCV(model, {"recode__anonymizer__k": [5, 120]}, cv=2, error_score="raise")
    search.fit(table, incomes(table))
    assert search.best_score_ > 0.9


@pytest.mark.parametrize("frame", FRAMES)
def test_recoder(frame: str) -> None:
    X = FRAMES[frame](people())
    y = incomes(people())
    recoder = Recoder(mondrian()).fit(X, y)
    recoded = recoder.transform(X)
    assert type(recoded) is type(X)
    assert np.asarray(recoded["row"]).tolist() == (np.arange(N_ROWS) + 0.5).tolist()
    assert set(np.asarray(recoded["age"])) <= set(np.asarray(recoder.anonymizer_.release_.frame["age"]))
    assert recoder.get_feature_names_out().tolist() == ["age", "sex", "row"]
    assert np.asarray(Recoder(mondrian()).fit_transform(X, y)).tolist() == np.asarray(recoded).tolist()


def test_recoder_forgets_names() -> None:
    recoder = Recoder(kanopy.MondrianAnonymizer(k=5)).fit(people())
    assert hasattr(recoder, "feature_names_in_")
    recoder.fit(numbers())
    assert (hasattr(recoder, "feature_names_in_"), recoder.n_features_in_) == (False, 2)


# --- importing

WITHOUT = """
import sys
class Nobody:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "sklearn":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Nobody())
import kanopy
try:
    {}
except kanopy.KanopyError as error:
    print(error.exit_code, type(error).__name__, error.hint)
"""


@pytest.mark.parametrize("use", ["kanopy.MondrianAnonymizer", "import kanopy.estimators"])
def test_without_scikit_learn(use: str) -> None:
    done = run_python(WITHOUT.format(use))
    assert (done.stdout, done.stderr) == ('6 ResourceError pip install "kanopy[sklearn]"\n', "")
