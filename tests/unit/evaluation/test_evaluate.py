"""``kanopy.evaluate``: one row per method, k and learner, the same numbers however it is run."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from effort import few_folds
from sklearn.neighbors import RadiusNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import kanopy
from kanopy.errors import InputError, PolicyError
from kanopy.evaluation import Evaluation, evaluate
from kanopy.evaluation.trial import ORIGINAL
from kanopy.hierarchies import Quantiles
from kanopy.policy import Policy
from kanopy.release.floor import round_number


@pytest.fixture(scope="module")
def found_in_pandas(people: pa.Table, policy: Policy) -> Evaluation:
    """Of two methods, two ks and two learners."""
    methods = ["mondrian", "kactus"]
    return kanopy.evaluate(
        people.to_pandas(), policy, methods=methods, ks=[10, 5], learners=["c45", "nb"], jobs=1
    )


@pytest.fixture(scope="module")
def found_of_two(people: pa.Table, policy: Policy) -> Evaluation:
    return evaluate(people, policy, methods=["mondrian", "kactus"], ks=[5], learners=["nb"], jobs=1)


@pytest.fixture(scope="module")
def found_quickly(people: pa.Table, policy: Policy) -> Evaluation:
    with few_folds():
        return evaluate(people, policy, methods=["mondrian", "kactus"], ks=[5], learners=["nb"], jobs=1)


def test_one_row_per_method_k_and_learner(found_in_pandas: Evaluation) -> None:
    found, table = found_in_pandas, found_in_pandas.table
    assert isinstance(table, pd.DataFrame)
    assert list(zip(table["method"], table["k"], table["learner"], strict=True)) == [
        (method, k, learner)
        for method in ("mondrian", "kactus")
        for k in (5, 10)
        for learner in ("c45", "nb")
    ]
    assert (table["low"] <= table["accuracy"]).all()
    assert (table["accuracy"] <= table["high"]).all()
    assert (table["original"] > table["majority"]).all()
    assert set(table["n_folds"]) == {10}
    assert set(table["encoding"]) == {"cells"}
    for score in found.scores:
        folds = found.folds(score.method, score.k, score.learner)
        assert folds is not None
        assert folds.shape == (5, 2)
        assert score.accuracy == pytest.approx(folds.mean())
    assert json.loads(json.dumps(found.to_dict()))["rows"] == 240


def test_every_pair_is_compared_also_with_rows_as_they_are(found_of_two: Evaluation) -> None:
    found = found_of_two
    pairs = [(comparison.first, comparison.second) for comparison in found.comparisons]
    assert pairs == [("mondrian", "kactus"), ("mondrian", ORIGINAL), ("kactus", ORIGINAL)]
    first, second = (found.folds(name, 5, "nb") for name in ("mondrian", "kactus"))
    assert found.comparisons[0].difference == pytest.approx(np.mean(first - second))
    assert found.areas == []
    assert found.ranks is None


def test_areas_and_ranks(found_in_pandas: Evaluation) -> None:
    found = found_in_pandas
    assert [(area.method, area.learner) for area in found.areas] == [
        ("mondrian", "c45"), ("mondrian", "nb"), ("kactus", "c45"), ("kactus", "nb"),
    ]  # fmt: skip
    of_first = ("mondrian", "c45")
    scores = [score.accuracy for score in found.scores if (score.method, score.learner) == of_first]
    assert found.areas[0].area == pytest.approx(100 * 5 * sum(scores) / 2)
    assert found.ranks is not None
    assert found.ranks.n_cases == 4


@pytest.mark.usefixtures("few_folds")
def test_the_same_numbers_in_one_process_and_in_two(
    people: pa.Table, policy: Policy, found_quickly: Evaluation
) -> None:
    request = {"methods": ["mondrian", "kactus"], "ks": [5], "learners": ["nb"]}
    assert found_quickly.to_dict() == evaluate(people, policy, jobs=2, **request).to_dict()


@pytest.mark.usefixtures("few_folds")
def test_another_seed_gives_other_numbers(
    people: pa.Table, policy: Policy, found_quickly: Evaluation
) -> None:
    request = {"methods": ["mondrian"], "ks": [5], "learners": ["nb"]}
    (other,) = evaluate(people, policy, jobs=1, seed=1, **request).scores
    assert other.accuracy != found_quickly.scores[0].accuracy


@pytest.mark.usefixtures("few_folds")
def test_what_cannot_be_kept_is_told_and_the_rest_is_measured(people: pa.Table, policy: Policy) -> None:
    found = evaluate(people, policy, methods=["mondrian"], ks=[5, 130], learners=["nb"], jobs=1)
    fine, refused = found.scores
    assert fine.refused is None
    assert refused.accuracy is None
    assert refused.refused is not None
    assert "130" in refused.refused
    assert found.table["accuracy"].null_count == 1


@pytest.mark.usefixtures("few_folds")
def test_without_ks_the_promise_is_that_of_the_policy(
    people: pa.Table, policy: Policy, found_quickly: Evaluation
) -> None:
    (score,) = evaluate(people, policy, learners=["nb"], jobs=1).scores
    same = found_quickly.scores[0]
    assert score.k == 5
    assert score.method == "mondrian"
    assert score.accuracy == same.accuracy


@pytest.mark.usefixtures("few_folds")
def test_any_classifier_of_scikit_learn(people: pa.Table, policy: Policy) -> None:
    (score,) = evaluate(people, policy, ks=[5], learners=[DecisionTreeClassifier(max_depth=3)], jobs=1).scores
    assert score.accuracy is not None
    assert score.accuracy > score.majority


@pytest.mark.usefixtures("few_folds")
@pytest.mark.parametrize("kind", ["bool", "int", "float"])
def test_classes_of_any_type(people: pa.Table, policy: Policy, kind: str, found_quickly: Evaluation) -> None:
    is_ill = np.array(people["ill"].to_pylist()) == "yes"
    classes = {"bool": is_ill, "int": is_ill.astype(np.int64), "float": is_ill + 0.5}[kind]
    typed = people.set_column(3, "ill", pa.array(classes))
    (score,) = evaluate(typed, policy, ks=[5], learners=["nb"], jobs=1).scores
    as_text = found_quickly.scores[0]
    assert score.accuracy == as_text.accuracy
    assert score.original == as_text.original


@pytest.mark.usefixtures("few_folds")
def test_learners_by_names_of_ones_own(people: pa.Table, policy: Policy) -> None:
    learners = {"deep": DecisionTreeClassifier(), "flat": DecisionTreeClassifier(max_depth=1), "ours": "nb"}
    found = evaluate(people, policy, ks=[5], learners=learners, jobs=1)
    assert [score.learner for score in found.scores] == ["deep", "flat", "ours"]
    assert found.scores[0].accuracy != found.scores[1].accuracy
    with pytest.raises(PolicyError, match="twice"):
        evaluate(people, policy, ks=[5], learners=list(learners.values()), jobs=1)


@pytest.mark.usefixtures("few_folds")
def test_a_half_may_lack_the_text_that_makes_a_column_categorical(people: pa.Table, policy: Policy) -> None:
    ages = people["age"].to_pylist()
    ages[17] = "unknown"
    odd = people.set_column(0, "age", pa.array(ages))
    (score,) = evaluate(odd, policy, ks=[5], learners=["nb"], jobs=1).scores
    assert score.refused is None


@pytest.mark.usefixtures("few_folds")
def test_rows_without_a_class_are_left_out(people: pa.Table, policy: Policy) -> None:
    classes = people["ill"].to_pylist()
    classes[:40] = [None] * 40
    found = evaluate(people.set_column(3, "ill", pa.array(classes)), policy, ks=[5], learners=["nb"], jobs=1)
    assert found.n_rows == 200


@pytest.mark.parametrize(
    ("request_", "word"),
    [
        ({"methods": ["mondrain"]}, "mondrian"),
        ({"methods": ["kmeans:varient=2"]}, "variant"),
        ({"methods": ["kmeans:variant"]}, "NAME=VALUE"),
        ({"methods": ["mondrian", "mondrian"]}, "named twice"),
        ({"methods": [3]}, "strings"),
        ({"ks": [1]}, "at least 2"),
        ({"ks": []}, "at least 2"),
        ({"ks": [5.5]}, "at least 2"),
        ({"learners": ["c54"]}, "c45"),
        ({"learners": []}, "learner"),
        ({"learners": ["nb", "nb"]}, "twice"),
        ({"jobs": 0}, "jobs"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_makes_no_sense_is_refused_before_any_work(
    people: pa.Table, policy: Policy, request_: dict[str, object], word: str
) -> None:
    with pytest.raises(PolicyError, match=word):
        evaluate(people, policy, **{"learners": ["nb"], "jobs": 1, **request_})


def test_without_a_class_nothing_can_be_evaluated(people: pa.Table) -> None:
    policy = Policy(quasi_identifiers=["age", "city"], identifiers=["serial", "ill"], k=5)
    with pytest.raises(PolicyError, match="class"):
        evaluate(people, policy, jobs=1)
    tiny = people.slice(0, 3)
    with pytest.raises(InputError, match="four"):
        evaluate(tiny, Policy(quasi_identifiers=["age", "city"], identifiers=["serial"], target="ill", k=2))


@pytest.mark.usefixtures("few_folds")
@pytest.mark.parametrize("method", ["mondrian", "tds"])
def test_who_is_given_nodes_of_a_hierarchy_knows_what_is_below_them(
    people: pa.Table, policy: Policy, method: str
) -> None:
    """A raw 27 would otherwise say nothing to a learner that was told of "20 to 29"."""
    with_hierarchy = replace(policy, hierarchies={"age": Quantiles(6)})
    # Few missing values are a group too small for tds to tell apart from the others.
    complete = people.set_column(0, "age", pc.fill_null(people["age"], "50"))
    learners = ["c45", "nb", "logistic"]
    for score in evaluate(complete, with_hierarchy, methods=[method], learners=learners, jobs=1).scores:
        assert score.accuracy is not None
        assert score.accuracy > score.original - 0.1 > score.majority


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_classifier_that_fails_is_named_and_shows_nothing(
    people: pa.Table, policy: Policy, jobs: int
) -> None:
    lonely = RadiusNeighborsClassifier(radius=1e-9)
    with pytest.raises(InputError, match="lonely") as failure:
        evaluate(people, policy, learners={"nb": "nb", "lonely": lonely}, jobs=jobs)
    assert "outlier" not in str(failure.value)


@pytest.mark.usefixtures("few_folds")
def test_many_classes_are_no_reason_to_warn(people: pa.Table, policy: Policy) -> None:
    many = people.set_column(3, "ill", pa.array([f"c{number % 75}" for number in range(240)]))
    found = evaluate(many, policy, learners=["nb", "c45"], jobs=1)
    assert all(score.refused is None for score in found.scores)


@pytest.mark.usefixtures("few_folds")
def test_a_learner_that_cannot_travel_is_refused(people: pa.Table, policy: Policy) -> None:
    class Local(DecisionTreeClassifier):  # type: ignore[misc]
        pass

    with pytest.raises(PolicyError, match="one job"):
        evaluate(people, policy, learners=[Local()], jobs=2)
    assert evaluate(people, policy, learners=[Local(max_depth=2)], jobs=1).scores[0].refused is None


def test_what_is_told_is_round(found_of_two: Evaluation) -> None:
    """Exact losses are measured against the source and give hidden numbers back."""
    told, exact = found_of_two.told(), found_of_two.to_dict()
    assert told.keys() == exact.keys()
    assert (told["rows"], exact["rows"]) == (240, 240)
    assert round_number(48_842) == 49_000
    for score, precise in zip(told["scores"], exact["scores"], strict=True):
        assert precise["gcp"] != round(precise["gcp"], 2)
        for name in ("gcp", "dropped", "suppressed"):
            assert score[name] == round(precise[name], 2)
        for name in ("accuracy", "low", "high_recoded", "majority", "original"):
            assert score[name] == round(precise[name], 3)
    for comparison, precise in zip(told["comparisons"], exact["comparisons"], strict=True):
        assert comparison["difference"] == round(precise["difference"], 3)
        assert comparison["p_value"] == float(f"{precise['p_value']:.3g}")
    assert json.loads(json.dumps(told)) == json.loads(json.dumps(told, allow_nan=False))
