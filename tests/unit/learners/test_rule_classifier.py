"""PART on cells: rules one after the other, each of what those before it left."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from kanopy.errors import PolicyError
from kanopy.learners import GeneralizedRuleClassifier, find_learner
from kanopy.learners.partial_tree import PartialTree


@parametrize_with_checks([GeneralizedRuleClassifier()])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


WEATHER = pd.DataFrame(
    {
        "outlook": ["sunny"] * 5 + ["overcast"] * 4 + ["rainy"] * 5,
        "humidity": [85, 90, 95, 70, 70, 86, 65, 90, 75, 96, 80, 70, 80, 91],
        "windy": list("FTFFTFTTFFFTFT"),
        "play": list("NNNYYYYYYYYNYN"),
    }
)


def test_rules_of_the_weather() -> None:
    """What Weka 3.6.14 prints for the same rows."""
    model = GeneralizedRuleClassifier().fit(WEATHER, "play")
    rules = [str(rule) for rule in model.rules_]
    assert rules[:2] == ["outlook = overcast: Y (4)", "windy = T: N (4/1)"]
    assert rules[2:] == ["outlook = rainy: Y (3)", "otherwise: N (3/1)"]
    assert model.as_text().splitlines() == rules
    unpruned = GeneralizedRuleClassifier(prune=False).fit(WEATHER, "play")
    assert "windy = T and outlook = rainy: N (2)" in unpruned.as_text().splitlines()


def test_a_rule_takes_its_rows_away() -> None:
    """Every row counts once: the rules cover all rows, and what they cover adds up."""
    model = GeneralizedRuleClassifier().fit(WEATHER.replace("sunny", "{rainy, sunny}"), "play")
    assert len(model.rules_) > 1
    np.testing.assert_allclose(sum(rule.counts for rule in model.rules_), [5, 9])
    assert not model.rules_[-1].tree.n_children[0]


def test_a_cell_that_meets_a_condition_in_part() -> None:
    table = pd.DataFrame({"x": ["p"] * 10 + ["q"] * 30, "class": ["a"] * 10 + ["b"] * 30})
    model = GeneralizedRuleClassifier().fit(table, "class")
    assert model.as_text().splitlines() == ["x = q: b (30)", "otherwise: a (10)"]
    new = pd.DataFrame({"x": ["p", "q", "{p, q}", "*", "", "unseen"]})
    expected = [[1, 0], [0, 1], *[[0.25, 0.75]] * 3, [1, 0]]
    np.testing.assert_allclose(model.predict_proba(new), expected)
    equally = clone(model).set_params(members="uniform").fit(table, "class").predict_proba(new)
    np.testing.assert_allclose(equally, [[1, 0], [0, 1], [0.5, 0.5], *[[0.25, 0.75]] * 2, [1, 0]])


def test_hierarchy_nodes_stand_for_what_is_below(tmp_path: Any) -> None:
    path = tmp_path / "x.csv"
    path.write_text("p;some;*\nr;some;*\nq;other;*\n")
    table = pd.DataFrame({"x": ["some"] * 10 + ["q"] * 30, "class": ["a"] * 10 + ["b"] * 30})
    model = GeneralizedRuleClassifier(hierarchies={"x": path}).fit(table, "class")
    assert model.predict(pd.DataFrame({"x": ["p", "r", "q"]})).tolist() == ["a", "a", "b"]


@pytest.mark.parametrize("seed", range(4))
def test_levels_at_once_give_the_rules_of_subsets_one_by_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is split ahead of its turn saves time and decides nothing."""
    rng = np.random.default_rng(seed)
    codes = pd.DataFrame({f"c{width}": rng.integers(0, width, 400) for width in (2, 5, 12)})
    table = "v" + codes.astype(str)
    table["n"] = rng.integers(0, 60, 400)
    is_one = (codes["c5"] + table["n"] // 20) % 5 > 2
    table["class"] = np.where(is_one ^ (rng.random(400) < 0.1), "yes", "no")
    table.loc[::7, "c12"] = "{v1, v2, v3}"
    found = GeneralizedRuleClassifier().fit(table, "class").as_text()

    def one_by_one(self: PartialTree, node: Any, _subsets: Any) -> None:
        is_here = np.arange(node.below.n_nodes) == node.place[node.last]
        (node.split[node.last],) = self._opened(node.below.of_nodes(is_here), node.tests.of_nodes(is_here))

    monkeypatch.setattr(PartialTree, "_split", one_by_one)
    assert GeneralizedRuleClassifier().fit(table, "class").as_text() == found
    assert len(found.splitlines()) > 3


def test_it_is_a_learner_by_name() -> None:
    learner = find_learner("part")
    assert (learner.name, learner.encoding) == ("part", "cells")
    model = pickle.loads(pickle.dumps(learner)).make(0).fit(WEATHER, "play")
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_proba(WEATHER) == model.predict_proba(WEATHER)).all()
    assert again.as_text() == model.as_text()


@pytest.mark.parametrize(
    "setting", [{"confidence": 0}, {"confidence": 0.6}, {"min_rows": 0}, {"members": "all"}], ids=str
)
def test_settings_that_cannot_be(setting: dict[str, Any]) -> None:
    with pytest.raises(PolicyError):
        GeneralizedRuleClassifier(**setting).fit(WEATHER, "play")


def test_not_fitted() -> None:
    with pytest.raises(NotFittedError):
        GeneralizedRuleClassifier().as_text()
