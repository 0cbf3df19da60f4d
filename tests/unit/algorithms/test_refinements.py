"""What a refinement is worth: distortion with intervals, and a user's own function."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kanopy
from kanopy.algorithms.cut_columns import IntervalColumn
from kanopy.algorithms.refinements import Refinements, less_distortion
from kanopy.data import CodedColumn, Domain
from kanopy.errors import PolicyError

RNG = np.random.default_rng(0)
AGES = RNG.choice(["20", "21", "22", "40", "41", "60"], 120)
TABLE = pa.table(
    {
        "age": AGES,
        "job": RNG.choice(["cook", "nurse", "smith", "tailor"], 120),
        "pay": np.where(AGES == "20", "high", "low"),  # all that a classifier has to know
    }
)
POLICY = kanopy.Policy(quasi_identifiers=["age", "job"], target="pay", k=9)


def share_of_high_pay(given: Refinements) -> Any:
    """Refine first where a part has the largest share of one class."""
    of_high = given.after[:, given.classes.index("high")]
    largest = np.zeros(given.n_candidates)
    np.maximum.at(largest, given.candidate, of_high / given.after.sum(axis=1))
    return largest


def jobs_first(given: Refinements) -> Any:
    return np.full(given.n_candidates, 100.0 if given.column == "job" else 0.01)


def ages_first(given: Refinements) -> Any:
    return np.full(given.n_candidates, 100.0 if given.column == "age" else 0.01)


def released(method: str, utility: Any) -> Any:
    return kanopy.anonymize(TABLE, POLICY, method=method, utility=utility)


# --- Distortion ------------------------------------------------------------------------------------------


def test_an_interval_is_cut_where_most_width_is_saved() -> None:
    """Of 0, 1, 2 and 10 (one, one, one and five rows): eight rows of width 1 become three of width 0.2."""
    numbers = np.array([0.0, 1.0, 2.0, 10.0])
    column = CodedColumn(
        Domain("n", ("0", "1", "2", "10"), numbers), np.array([0, 1, 2, 3, 3, 3, 3, 3], "u1")
    )
    cut = IntervalColumn(column, None, measure=less_distortion)
    assert cut.gain[0] == pytest.approx(8 - 3 * 0.2)
    assert cut.is_beneficial[0]
    cut.refine(0)
    assert [cell.text(column.domain) for cell in cut.cells] == ["*", "[0, 2]", "10"]
    assert cut.gain[1] == pytest.approx(3 * 0.2 - 2 * 0.1)  # [0, 2] into 0 and [1, 2]: the first of equals
    cut.refine(1)
    assert [cell.text(column.domain) for cell in cut.cells[3:]] == ["0", "[1, 2]"]


def test_missing_is_a_part_of_the_first_cut_without_width() -> None:
    domain = Domain("n", ("0", "10"), np.array([0.0, 10.0]))
    column = CodedColumn(domain, np.array([0, 1, 2, 2], "u1"))
    assert IntervalColumn(column, None, measure=less_distortion).gain[0] == 4
    alone = CodedColumn(domain, np.array([0, 0, 2], "u1"))
    assert IntervalColumn(alone, None, measure=less_distortion).gain[0] == 3


def losses(release: Any) -> float:
    lost: float = release.record["losses"]["gcp"]
    return lost


@pytest.mark.parametrize("method", ["tdd", "tds", "tdr"])
def test_distortion_restores_more_than_classification(method: str) -> None:
    assert losses(released(method, "distortion")) < losses(released(method, "classification"))


# --- A function of one's own -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["tdd", "tds", "tdr"])
def test_a_function_decides_what_comes_first(method: str) -> None:
    first, second = released(method, jobs_first), released(method, ages_first)
    assert first.audit.kept
    assert first.manifest["options"]["utility"] == "function"
    assert first.frame.equals(released(method, jobs_first).frame)
    n_cells = [len(release.frame["job"].unique()) for release in (first, second)]
    assert n_cells[0] > n_cells[1]


def test_distortion_by_a_function_is_distortion() -> None:
    def distortion(given: Refinements) -> Any:
        narrower = given.width_before[given.candidate] - given.width_after
        return np.bincount(given.candidate, given.after.sum(axis=1) * narrower)

    assert released("tdd", distortion).frame.equals(released("tdd", "distortion").frame)


def test_what_a_function_is_given() -> None:
    seen: list[Refinements] = []

    def noting(given: Refinements) -> Any:
        seen.append(given)
        with pytest.raises(ValueError, match="read-only"):
            given.before[0, 0] = 7
        return np.ones(given.n_candidates)

    released("tdd", noting)
    assert {each.column for each in seen} == {"age", "job"}
    for each in seen:
        assert each.classes == ("high", "low", "")
        assert len(each.after) == len(each.candidate) == len(each.width_after)
        assert np.array_equal(each.sums(each.after.sum(axis=1)), each.before.sum(axis=1))
        assert (np.diff(each.candidate) >= 0).all()
        assert ((each.width_after >= 0) & (each.width_after <= each.width_before[each.candidate])).all()


@pytest.mark.parametrize(
    ("utility", "message"),
    [
        (lambda _: "much", "must return numbers; it returned str"),
        (lambda _: None, "it returned an array of shape"),
        (lambda given: np.ones(given.n_candidates + 1), "one per candidate; it returned an array of shape"),
        (lambda given: np.full(given.n_candidates, np.nan), "negative or not finite"),
        (lambda given: np.full(given.n_candidates, -1.0), "negative or not finite"),
    ],
)
def test_a_function_that_returns_something_else_is_refused(utility: Any, message: str) -> None:
    with pytest.raises(PolicyError, match=message) as found:
        released("tdd", utility)
    assert "for each candidate" in str(found.value.hint)
    assert not any(value in found.value.message for value in ("cook", "nurse", "20"))


def test_a_function_must_say_the_same_twice() -> None:
    numbers = itertools.count()
    with pytest.raises(PolicyError, match="gives the same candidates different numbers"):
        released("tds", lambda given: np.full(given.n_candidates, next(numbers)))


def test_estimators_take_a_function() -> None:
    frame = TABLE.to_pandas()
    fitted = kanopy.TddAnonymizer(k=9, utility=share_of_high_pay).fit(frame[["age", "job"]], frame["pay"])
    assert fitted.release_.audit.kept
    assert fitted.release_.manifest["options"]["utility"] == "function"


def test_a_policy_file_cannot_name_a_function(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(
        'quasi_identifiers = ["age", "job"]\ntarget = "pay"\n[privacy]\nk = 6\n'
        '[method]\nname = "tdd"\nutility = "share_of_high_pay"\n'
    )
    with pytest.raises(PolicyError, match="takes one of classification, distortion"):
        kanopy.anonymize(TABLE, kanopy.Policy.load(path))
