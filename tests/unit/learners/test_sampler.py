"""Drawn copies: every cell an original that it may stand for; plain tables stay as they are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from imblearn.pipeline import make_pipeline as sampling_pipeline
from sklearn.linear_model import LogisticRegression

import kanopy
from kanopy.datasets import patients
from kanopy.learners import CellSampler, GeneralizedEncoder

PUBLISHED = {
    "age": ["[20, 29]", "25", "*", "31"],
    "city": ["{Bonn, Ulm}", "Kiel", "\\*", "{, Ulm}"],
}
CLASSES = np.array(["a", "b", "b", "a"])
MAY_BE = {
    "age": [{20.0, 25.0, 29.0}, {25.0}, {20.0, 25.0, 29.0, 31.0}, {31.0}],
    "city": [{"Bonn", "Ulm"}, {"Kiel"}, {"\\*"}, {None, "Ulm"}],
}


def test_every_cell_becomes_an_original_that_it_may_stand_for() -> None:
    rows, classes = CellSampler(draws=200, random_state=0).fit_resample(pa.table(PUBLISHED), CLASSES)
    assert classes.tolist() == np.repeat(CLASSES, 200).tolist()
    for name, originals in MAY_BE.items():
        drawn = rows[name].to_pylist()
        for row, expected in enumerate(originals):
            assert set(drawn[200 * row : 200 * (row + 1)]) == expected


def test_members_are_equally_likely_unless_frequencies_are_asked_for() -> None:
    table = pa.table({"city": ["{Bonn, Ulm}"] * 50 + ["Ulm"] * 30 + ["Bonn"] * 10})
    shares = {}
    for weights in ("uniform", "frequency"):
        sampler = CellSampler(draws=100, weights=weights, random_state=1)
        rows, _ = sampler.fit_resample(table, np.arange(90) % 2)
        shares[weights] = np.mean(np.array(rows["city"].to_pylist()[:5000]) == "Ulm")
    assert shares["uniform"] == pytest.approx(0.5, abs=0.03)
    assert shares["frequency"] == pytest.approx(0.75, abs=0.03)


def test_the_same_seed_draws_the_same_and_frames_stay_what_they_are() -> None:
    frame = pd.DataFrame(PUBLISHED)
    one, two, other = (CellSampler(random_state=seed).fit_resample(frame, CLASSES)[0] for seed in (3, 3, 4))
    assert isinstance(one, pd.DataFrame)
    pd.testing.assert_frame_equal(one, two)
    assert not one.equals(other)


def test_a_plain_table_comes_out_once_and_as_it_is() -> None:
    table = pa.table({"age": [1.5, None, 3.0], "city": ["Ulm", "Bonn", None]})
    rows, classes = CellSampler(draws=5).fit_resample(table, ["a", "b", "a"])
    assert rows.to_pydict() == table.to_pydict()
    assert classes.tolist() == ["a", "b", "a"]


def test_in_a_pipeline_of_imbalanced_learn_it_works_in_training_only() -> None:
    policy = kanopy.Policy(
        quasi_identifiers=["age", "sex", "zip", "bmi"], target="readmitted", keep=["smoker", "diagnosis"],
        identifiers=["patient_id", "name", "admission_type", "length_of_stay"], k=10,
    )  # fmt: skip
    release = kanopy.anonymize(patients(600, seed=2), policy)
    frame = release.frame
    classes = frame["readmitted"].to_numpy(zero_copy_only=False)
    pipeline = sampling_pipeline(
        CellSampler(random_state=0), GeneralizedEncoder(), LogisticRegression(max_iter=2000)
    )
    pipeline.fit(frame.drop_columns(["readmitted"]), classes)
    new = patients(300, seed=5).drop_columns(["readmitted"])
    assert len(pipeline.predict(new)) == 300


@pytest.mark.parametrize("draws", [0, -1, 1.5, "3"])
def test_copies_are_counted_in_whole_numbers(draws: object) -> None:
    with pytest.raises(ValueError, match="draws"):
        CellSampler(draws=draws).fit_resample(pa.table(PUBLISHED), CLASSES)
