"""Learners read sketches by ranked draws, and linear models as the release tells them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sketching import SKETCHES
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import kanopy
from kanopy.data import PublishedReading
from kanopy.learners import CellSampler, EncodedClassifier, GeneralizedEncoder
from kanopy.learners.reading import SharedRows
from kanopy.learners.registry import find_learner
from kanopy.learners.sketched import drawn_rows
from kanopy_studies.datasets.made import tic_tac_toe_rows

CORRELATED = np.array([[1, 0.95], [0.95, 1]])


def sketches(n_groups: int = 30) -> pa.Table:
    """Groups of ten: numbers around that of the group, and categories that follow them."""
    lines = [
        (f"~[{10 * g}, {10 * g + 40}]", "{a: 5, b: 3, c: 2}") for g in range(n_groups) for _ in range(10)
    ]
    return pa.table({"n": [line[0] for line in lines], "t": [line[1] for line in lines]})


def reading(**changes: Any) -> PublishedReading:
    settings = {
        "names": ("n", "t"),
        "orders": {"t": ("c", "b", "a")},
        "correlation": CORRELATED,
        "linear": "draws",
    }
    return PublishedReading(**(settings | changes))


def drawn(told: PublishedReading | None, seed: int = 0, table: pa.Table | None = None) -> pd.DataFrame:
    rows = drawn_rows(sketches() if table is None else table, told, np.random.default_rng(seed), 1)
    assert rows is not None
    return rows.table.to_pandas().assign(group=rows.group)


def together(frame: pd.DataFrame) -> float:
    """How numbers and the places of categories go together inside groups."""
    places = frame["t"].map({"c": 0, "b": 1, "a": 2}).astype(float)
    numbers = frame["n"].astype(float)
    apart = [each - each.groupby(frame["group"]).transform("mean") for each in (numbers, places)]
    return float(np.corrcoef(*apart)[0, 1])


def test_columns_go_together_as_told() -> None:
    assert together(drawn(reading())) > 0.75
    assert together(drawn(reading(correlation=2 * np.eye(2) - CORRELATED))) < -0.75


def test_without_a_reading_columns_are_drawn_by_themselves() -> None:
    assert abs(together(drawn(None))) < 0.15


def test_a_reading_of_other_columns_is_not_used() -> None:
    other = reading(names=("n", "x"))
    assert abs(together(drawn(other))) < 0.15


def test_every_group_has_its_counts_exactly() -> None:
    frame = drawn(reading())
    for _, group in frame.groupby("group"):
        assert Counter(group["t"]) == {"a": 5, "b": 3, "c": 2}


def test_means_are_kept_nearly() -> None:
    frame = drawn(reading())
    frame["mean"] = [int(text[2:].partition(",")[0]) + 20 for text in sketches()["n"].to_pylist()]
    inner = frame[frame["mean"].between(60, 270)]  # beyond, ends are held within the published means
    assert inner["n"].astype(float).groupby(inner["mean"]).mean().to_numpy() == pytest.approx(
        sorted(set(inner["mean"]))
    )


def test_the_same_seed_draws_the_same() -> None:
    assert drawn(reading(), 1).equals(drawn(reading(), 1))
    assert not drawn(reading(), 1).equals(drawn(reading(), 2))


def test_numbers_have_the_digits_of_their_column() -> None:
    table = pa.table({"n": ["~[1.25, 2.50]"] * 6})
    frame = drawn(None, table=table)
    assert all(len(text.partition(".")[2]) == 2 for text in frame["n"])


def test_dates_are_drawn_as_dates() -> None:
    table = pa.table({"n": ["~[2020-02-27, 2020-03-04]"] * 6 + ["~[2019-01-01, 2021-01-01]"] * 6})
    found = set(drawn(None, table=table)["n"])
    assert "2020-02-29" in found
    assert min(found) == "2019-01-01"
    assert max(found) == "2021-01-01"


def test_some_rows_of_a_group_keep_its_shares() -> None:
    table = sketches(1).take([0, 2, 4, 6, 8])
    assert Counter(drawn(reading(), table=table)["t"]) == {"a": 3, "b": 1, "c": 1}


def test_other_cells_stay_as_they_are() -> None:
    table = pa.table({"n": ["~[3]"] * 3 + ["*", "*", "[1, 2]", None], "t": ["a"] * 7})
    assert drawn(None, table=table)["n"].fillna("").tolist() == ["3", "3", "3", "*", "*", "[1, 2]", ""]


def test_values_that_look_like_cells_stay_values() -> None:
    table = pa.table({"t": [r"{\{a\: 3\}: 2, a\: 3: 1}"] * 3})
    assert Counter(drawn(None, table=table)["t"]) == {r"\{a: 3}": 2, "a: 3": 1}


def test_a_plain_table_is_not_drawn() -> None:
    table = pa.table({"t": ["{a, b}", "a: 3", "\\~[1]"], "n": [1, 2, 3]})
    assert drawn_rows(table, None, np.random.default_rng(0)) is None


# --- A release, from the frame to the prediction ---------------------------------------------------------


@pytest.fixture(scope="module")
def patients() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    age, is_sick = rng.integers(20, 80, 600), rng.random(600) < 0.5
    job = np.where(is_sick ^ (rng.random(600) < 0.2), "miner", np.where(age > 50, "clerk", "nurse"))
    return pd.DataFrame({"age": age + 15 * is_sick, "job": job, "sick": np.where(is_sick, "yes", "no")})


POLICY = kanopy.Policy(quasi_identifiers=["age", "job"], target="sick", k=30)


@pytest.fixture(scope="module")
def release(patients: pd.DataFrame) -> kanopy.Release:
    return kanopy.anonymize(patients.iloc[:300], POLICY, method=SKETCHES)


LEARNERS = ["c45", "id3", "part", "nb", "logistic", HistGradientBoostingClassifier(max_iter=20)]


@pytest.mark.parametrize("learner", LEARNERS, ids=[str(each)[:8] for each in LEARNERS])
def test_every_learner_learns(learner: Any, patients: pd.DataFrame, release: kanopy.Release) -> None:
    model = find_learner(learner).make(0).fit(release)
    test = patients.iloc[300:]
    assert np.mean(model.predict(test[["age", "job"]]) == test["sick"]) > 0.7


def test_a_file_is_read_with_its_codebook(tmp_path: Path, release: kanopy.Release) -> None:
    release.write(tmp_path / "r.csv")
    model = find_learner("nb").make(0).fit(release)
    beside = find_learner("nb").make(0).fit(tmp_path / "r.csv", "sick")
    rows = release.frame[["age", "job"]]
    assert np.array_equal(model.predict_proba(rows), beside.predict_proba(rows))


def test_weights_are_those_of_the_rows(release: kanopy.Release) -> None:
    """Copies of a row weigh together what the row does."""
    model = find_learner("c45").make(0).fit(release)
    assert model.tree_.counts[0].sum() == pytest.approx(300)


@pytest.mark.parametrize(("way", "is_plain"), [("draws", True), ("normal", False)])
def test_linear_models_learn_as_the_release_says(way: str, is_plain: bool, release: kanopy.Release) -> None:
    rows = release.frame.drop(columns="sick")
    told = release.reading
    assert told is not None
    shared = SharedRows(
        pa.Table.from_pandas(rows), reading=PublishedReading(told.names, told.orders, told.correlation, way)
    )
    seen: list[Any] = []

    class Noting(LogisticRegression):  # type: ignore[misc]
        def fit(self, X: Any, y: Any) -> Any:
            seen.append(X)
            return super().fit(X, y)

    EncodedClassifier(Noting(), draws=3, random_state=0).fit(shared, release.frame["sick"])
    (features,) = seen
    assert len(features) == 900
    shares = features[:, 1:]  # of the jobs
    assert np.isin(shares, [0, 1]).all() == is_plain
    assert shares.sum(axis=1) == pytest.approx(1)
    for classifier, settings in (
        (HistGradientBoostingClassifier(max_iter=2, random_state=0), {}),
        (Noting(), {"sparse_output": True}),
    ):
        model = EncodedClassifier(classifier, draws=3, random_state=0, **settings)
        model.fit(shared, release.frame["sick"])


def test_linear_models_learn_what_drawn_rows_have_lost() -> None:
    """Who won is a sum over squares, nearly, and hardly anything of it is left where squares are drawn."""
    boards = pd.DataFrame(tic_tac_toe_rows(), columns=[*"abcdefghi", "end"])
    table = boards.sample(frac=1, random_state=0)
    train, test = table.iloc[:479], table.iloc[479:]
    policy = kanopy.Policy(quasi_identifiers=list("abcdefghi"), target="end", k=20)
    release = kanopy.anonymize(train, policy, method="sketch", spread=0.5)
    assert release.reading is not None
    assert release.reading.linear == "normal"
    reached = {}
    for way in ("draws", "normal"):
        told = replace(release.reading, linear=way)
        shared = SharedRows(pa.Table.from_pandas(release.frame.drop(columns="end")), reading=told)
        model = find_learner("logistic").make(0).fit(shared, release.frame["end"])
        reached[way] = np.mean(model.predict(test.drop(columns="end")) == test["end"])
    assert reached["draws"] < 0.85
    assert reached["normal"] > 0.95


def test_expected_features_are_those_of_the_group(release: kanopy.Release) -> None:
    encoder = GeneralizedEncoder()
    features = encoder.fit_transform(release)
    frame = release.frame.reset_index(drop=True)
    assert len(features) == 300
    names = encoder.get_feature_names_out().tolist()
    for _, rows in frame.groupby(["age", "job"]).groups.items():
        assert np.ptp(features[rows], axis=0).max() < 1e-9
    # Over all rows the shares are those of the source.
    assert features[:, names.index("job=miner")].sum() == pytest.approx(
        sum(
            int(text.split("miner: ")[1].split(",")[0].rstrip("}"))
            for text in _one_of_each(frame)
            if "miner: " in text
        )
        + (frame["job"] == "miner").sum()
    )


def _one_of_each(frame: pd.DataFrame) -> list[str]:
    return frame.drop_duplicates(["age", "job"])["job"].tolist()


def test_a_sampler_draws_plain_rows(release: kanopy.Release) -> None:
    rows, classes = CellSampler(draws=1, random_state=0).fit_resample(release.frame, "sick")
    assert len(rows) == len(classes) == 900
    assert set(rows["job"]) == {"miner", "clerk", "nurse"}
    assert rows["age"].dtype == float


def test_new_rows_stay_as_they_are(patients: pd.DataFrame, release: kanopy.Release) -> None:
    new = patients.iloc[300:310].reset_index(drop=True)
    recoded = release.recode(new)
    assert recoded["age"].astype(int).tolist() == new["age"].tolist()
    assert recoded["job"].tolist() == new["job"].tolist()
