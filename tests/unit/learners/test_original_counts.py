"""Published value statistics in learners: cells stand for their values as often as the originals did."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.tree import DecisionTreeClassifier

import kanopy
from kanopy.errors import PolicyError
from kanopy.learners import EncodedClassifier, GeneralizedEncoder, GeneralizedNaiveBayes
from kanopy.learners.draws import CellSampler
from kanopy.learners.tree_classifier import GeneralizedTreeClassifier

TOLD = {"job": {"values": {"cook": 90, "nurse": 10}, "other": 20, "rounded_to": 10}}
ROWS = pa.table({"job": ["{cook, nurse}", "{priest, smith}", "{cook, priest}", ""]})
LABELS = ["a", "b", "a", "b"]


def test_a_cell_is_what_its_values_were() -> None:
    """Priest and smith, which are not told one by one, share the twenty others."""
    encoder = GeneralizedEncoder(weights=TOLD)
    features = dict(zip(ROWS["job"].to_pylist(), encoder.fit_transform(ROWS), strict=True))
    names = [name.removeprefix("job=") for name in encoder.get_feature_names_out()]
    assert names == ["cook", "nurse", "priest", "smith", ""]
    assert features["{cook, nurse}"] == pytest.approx([0.9, 0.1, 0, 0, 0])
    assert features["{priest, smith}"] == pytest.approx([0, 0, 0.5, 0.5, 0])
    assert features["{cook, priest}"] == pytest.approx([0.9, 0, 0.1, 0, 0])


def test_a_number_that_no_cell_names_counts_for_the_nearest() -> None:
    told = {"age": {"values": {"20": 30, "22": 30, "29": 20}, "other": 0, "rounded_to": 10}}
    rows = pa.table({"age": ["[20, 29]", "[40, 41]"]})
    expected = (60 * 20 + 20 * 29) / 80
    assert GeneralizedEncoder(weights=told).fit_transform(rows)[0, 0] == pytest.approx(expected)


def test_columns_without_statistics_are_uniform() -> None:
    rows = ROWS.append_column("sex", pa.array(["{f, m}", "f", "m", "m"]))
    assert GeneralizedEncoder(weights=TOLD).fit_transform(rows)[0, -2:] == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize(
    "learner",
    [
        GeneralizedNaiveBayes(weights=TOLD),
        EncodedClassifier(DecisionTreeClassifier(random_state=0), draws=3, weights=TOLD, random_state=0),
        GeneralizedTreeClassifier.id3(partition="original_distribution", distributions=TOLD, random_state=0),
    ],
)
def test_learners_take_them(learner: Any) -> None:
    assert set(learner.fit(ROWS, LABELS).predict(ROWS)) <= {"a", "b"}


def test_drawn_values_have_the_original_distribution() -> None:
    rows = pa.table({"job": ["{cook, nurse}"] * 2000})
    drawn, _ = CellSampler(draws=1, weights=TOLD, random_state=0).fit_resample(rows, ["a", "b"] * 1000)
    assert np.mean(np.array(drawn["job"]) == "cook") == pytest.approx(0.9, abs=0.03)


def test_the_tree_uses_those_of_the_release() -> None:
    rng = np.random.default_rng(0)
    job = rng.choice(["cook", "nurse", "smith"], 400, p=[0.8, 0.15, 0.05])
    table = pa.table({"job": job, "age": rng.integers(20, 60, 400), "ill": rng.choice(["y", "n"], 400)})
    asked = {"quasi_identifiers": ["job", "age"], "target": "ill", "k": 40, "categorical": ["age"]}
    with_them = kanopy.anonymize(table, kanopy.Policy(**asked, value_statistics=["job"]), publish="members")
    told = with_them.manifest["value_statistics"]["job"]
    assert (set(told["values"]), told["other"]) == ({"cook"}, 80)
    tree = GeneralizedTreeClassifier.id3(partition="original_distribution", random_state=0).fit(with_them)
    used = next(column for column in tree._columns if column.domain.name == "job")
    assert used.domain.labels == ("cook", "nurse", "smith")
    assert used.frequency.tolist() == [told["values"]["cook"], 40, 40]


@pytest.mark.parametrize(
    "wrong",
    [{"values": {"cook": -1}, "other": 0}, {"values": {"cook": "many"}, "other": 0}, {"values": {"cook": 1}}],
)
def test_statistics_that_cannot_be_used(wrong: Any) -> None:
    with pytest.raises(PolicyError, match="the statistics of 'job' cannot be used"):
        GeneralizedEncoder(weights={"job": wrong}).fit(ROWS)
    with pytest.raises(ValueError, match="value_statistics of a manifest"):
        GeneralizedEncoder(weights={"job": {"cook": 3}}).fit(ROWS)
