"""A suppressed cell that stands for all that its column does not show is a value of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kanopy
from kanopy.errors import InputError, ResourceError
from kanopy.learners import (
    CellSampler,
    EncodedClassifier,
    GeneralizedEncoder,
    GeneralizedNaiveBayes,
    find_learner,
)
from kanopy.learners.cells import CellColumn
from kanopy.learners.words import new_column, training_column

MANIFEST = {"suppressed": {"town": "not shown"}}
TABLE = pa.table({"town": ["a"] * 10 + ["*"] * 10, "ill": ["n"] * 10 + ["y"] * 10})
RAW = pa.table({"town": ["a", "c", None, "*", "{a, c}"]})


def members(column: CellColumn, row: int) -> tuple[list[str], bool, bool]:
    """The values of a row's cell, whether it may be missing, and whether it is suppressed."""
    cell = column.ids[row]
    codes = column.members[column.first[cell] : column.first[cell + 1]].tolist()
    return (
        [column.values[code] for code in codes],
        bool(column.with_missing[cell]),
        bool(column.is_suppressed[cell]),
    )


def test_what_is_not_shown_is_the_last_value() -> None:
    fitted = training_column("town", pa.chunked_array([["a", "*", r"\*", "{a, b}"]]), has_rest=True)
    assert fitted.values == ("*", "a", "b", "*")
    assert fitted.members[fitted.first[fitted.ids[1]]] == 3
    new = new_column(pa.chunked_array([["b", "never", "*", None, "{b, never}", r"\*"]]), fitted)
    read = [members(new, row) for row in range(6)]
    assert read[:5] == [(["b"], False, False), *[(["*"], False, False)] * 3, (["b", "*"], False, False)]
    assert new.members[new.first[new.ids[5]]] == 0  # the text, not the symbol


def test_missing_stands_for_itself_where_it_is_shown() -> None:
    fitted = training_column("town", pa.chunked_array([["a", "*", None]]), has_rest=True)
    new = new_column(pa.chunked_array([["a", "b", None]]), fitted)
    assert [members(new, row) for row in range(3)] == [
        (["a"], False, False), (["*"], False, False), ([], True, False)
    ]  # fmt: skip


def test_numbers_that_are_not_shown_are_read_as_the_symbol_is() -> None:
    for column in (pa.chunked_array([["3", "4.5", "9"]]), pa.chunked_array([[3.0, 4.5, 9.0]])):
        fitted = training_column("age", pa.chunked_array([["3", "*", "9.0"]]), has_rest=True)
        assert [members(new_column(column, fitted), row) for row in range(3)] == [
            (["3"], False, False), (["3", "9.0"], True, True), (["9.0"], False, False)
        ]  # fmt: skip


def test_without_the_manifest_it_may_be_any_value() -> None:
    fitted = training_column("town", pa.chunked_array([["a", "*", "b"]]))
    assert fitted.values == ("a", "b")
    assert members(fitted, 1) == (["a", "b"], True, True)


@pytest.mark.parametrize("name", ["c45", "nb", "logistic"])
def test_learners_use_the_manifest(name: str, tmp_path: Path) -> None:
    path = tmp_path / "told.json"
    path.write_text(json.dumps({"manifest": MANIFEST, "audit": {}}), "utf-8")
    for manifest in (MANIFEST, path, str(path)):
        model = find_learner(name).make(0).set_params(manifest=manifest).fit(TABLE, "ill")
        assert model.predict(RAW)[:4].tolist() == ["n", "y", "y", "y"]
    blind = find_learner(name).make(0).fit(TABLE, "ill").predict_proba(RAW)
    assert np.allclose(blind[0], blind[1]), "nothing is known about a value that was never published"


def test_encoders_use_the_manifest() -> None:
    encoder = GeneralizedEncoder(manifest=MANIFEST).fit(TABLE, "ill")
    assert encoder.get_feature_names_out().tolist() == ["town=a", "town=*"]
    assert encoder.transform(RAW).tolist() == [[1, 0], [0, 1], [0, 1], [0, 1], [0.5, 0.5]]
    rows, _ = CellSampler(manifest=MANIFEST).fit_resample(TABLE, "ill")
    assert rows["town"].to_pylist() == TABLE["town"].to_pylist()


@pytest.mark.usefixtures("few_folds")
def test_a_release_brings_its_manifest_and_an_evaluation_uses_it() -> None:
    rng = np.random.default_rng(0)
    town = rng.choice(list("abcdefghijkl"), 400, p=[0.45, *[0.05] * 11])
    ill = np.where((town == "a") ^ (rng.random(400) < 0.1), "n", "y")
    table = pa.table({"town": town, "ill": ill})
    policy = kanopy.Policy(quasi_identifiers=["town"], target="ill", k=30)
    release = kanopy.anonymize(table, policy, method="tdd")
    assert set(release.frame["town"].to_pylist()) == {"a", "*"}
    for learner in (find_learner("c45").make(0), GeneralizedNaiveBayes()):
        assert np.mean(learner.fit(release).predict(table) == ill) > 0.85
    found = kanopy.evaluate(table, policy, methods=["tdd"], ks=[20], learners=["c45", "nb"], jobs=1).table
    assert min(found["accuracy"].to_pylist()) > 0.85
    assert found["accuracy"].to_pylist() == found["accuracy_recoded"].to_pylist()


@pytest.mark.parametrize("told", [{}, {"suppressed": "any"}, {"manifest": []}])
def test_what_is_no_manifest_is_refused(told: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not say"):
        EncodedClassifier(None, manifest=told).fit(TABLE, "ill")
    with pytest.raises(ResourceError, match="cannot be read"):
        GeneralizedNaiveBayes(manifest=tmp_path / "absent.json").fit(TABLE, "ill")
    (tmp_path / "no.json").write_text("town", "utf-8")
    with pytest.raises(InputError, match="no JSON"):
        GeneralizedNaiveBayes(manifest=tmp_path / "no.json").fit(TABLE, "ill")
