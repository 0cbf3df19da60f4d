"""Learners by name: each is made, trains on cells, survives a pickle and is the same under the same seed."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import kanopy
from kanopy.errors import PolicyError
from kanopy.learners import EncodedClassifier, GeneralizedEncoder, GeneralizedNaiveBayes, find_learner
from kanopy.learners.registry import NAMES

POLICY = kanopy.Policy(quasi_identifiers=["age", "town"], target="ill", k=5)


def people(n_rows: int = 200) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    age = rng.integers(18, 80, n_rows)
    town = rng.choice(["north", "south", "west"], n_rows)
    return pd.DataFrame({"age": age, "town": town, "ill": np.where(age > 48, "yes", "no")})


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("c45", "cells"),
        ("id3", "cells"),
        ("nb", "cells"),
        ("logistic", "3 draws"),
        ("sklearn:DecisionTreeClassifier", "3 draws"),
        ("sklearn:ExtraTreesClassifier", "3 draws"),
        ("sklearn:GaussianNB", "3 draws"),
    ],
)
@pytest.mark.parametrize("publish", ["range", "members"])
def test_every_learner_learns_from_a_release(name: str, encoding: str, publish: str) -> None:
    raw = people()
    release = kanopy.anonymize(raw, POLICY, method="mondrian", publish=publish)
    learner = pickle.loads(pickle.dumps(find_learner(name)))
    assert (learner.name, learner.encoding) == (name, encoding)
    model = learner.make(7).fit(release)
    found = model.predict(raw)
    assert np.mean(found == raw["ill"]) > 0.75
    again = pickle.loads(pickle.dumps(learner.make(7).fit(release.frame, "ill")))
    assert again.predict(raw).tolist() == found.tolist()
    assert len(model.predict(release.recode(raw.drop(columns="ill")))) == len(raw)


class TestObjects:
    @pytest.mark.parametrize(
        ("classifier", "name", "encoding"),
        [
            (LogisticRegression(), "LogisticRegression", "3 draws"),
            (KNeighborsClassifier(3), "KNeighborsClassifier", "3 draws"),
            (RandomForestClassifier(5), "RandomForestClassifier", "3 draws"),
            (make_pipeline(StandardScaler(), DecisionTreeClassifier()), "DecisionTreeClassifier", "3 draws"),
            (make_pipeline(GeneralizedEncoder(), LogisticRegression()), "LogisticRegression", "expected"),
            (EncodedClassifier(LogisticRegression(), draws=4), "LogisticRegression", "4 draws"),
            (EncodedClassifier(DecisionTreeClassifier()), "DecisionTreeClassifier", "expected"),
            (GeneralizedNaiveBayes(alpha=2), "GeneralizedNaiveBayes", "cells"),
        ],
        ids=repr,
    )
    def test_wrapped_where_they_need_it(self, classifier: Any, name: str, encoding: str) -> None:
        learner = pickle.loads(pickle.dumps(find_learner(classifier)))
        assert (learner.name, learner.encoding) == (name, encoding)
        table = people(60)
        model = learner.make(1).fit(table[["age", "town"]], table["ill"])
        assert len(model.predict(table)) == 60
        assert model is not classifier

    def test_a_pipeline_that_encodes_is_left_alone(self) -> None:
        pipeline = make_pipeline(GeneralizedEncoder(), LogisticRegression())
        assert type(find_learner(pipeline).make(0)) is type(pipeline)

    def test_parameters_and_seeds(self) -> None:
        made = find_learner(RandomForestClassifier(5)).make(3)
        assert made.random_state == made.classifier.random_state == 3
        assert made.classifier.n_estimators == 5
        assert find_learner(RandomForestClassifier(random_state=9)).make(3).classifier.random_state == 9

    def test_a_learner_is_one(self) -> None:
        learner = find_learner("nb")
        assert find_learner(learner) is learner
        assert find_learner("nb") == learner

    @pytest.mark.parametrize("thing", [LinearRegression(), 3, None, LogisticRegression, GeneralizedEncoder()])
    def test_what_is_no_classifier(self, thing: Any) -> None:
        with pytest.raises(PolicyError, match="a learner is a name or a scikit-learn classifier"):
            find_learner(thing)


class TestUnknownNames:
    @pytest.mark.parametrize(
        ("name", "hint"),
        [
            ("c4.5", "did you mean 'c45'"),
            ("logistics", "did you mean 'logistic'"),
            ("sklearn:RandomForestClasifier", "did you mean 'RandomForestClassifier'"),
            ("sklearn:LinearRegression", "Regression"),
            ("sklearn:VotingClassifier", "give it as an object"),
            ("zzz", "known are c45, id3, part, nb, logistic, sklearn:"),
            ("r:glm", "known are"),
        ],
    )
    def test_hint(self, name: str, hint: str) -> None:
        with pytest.raises(PolicyError, match=hint) as refusal:
            find_learner(name)
        assert refusal.value.exit_code == 2

    def test_all_names_are_known(self) -> None:
        for name in NAMES:
            assert find_learner(name).name == name


def test_weka_is_only_loaded_when_it_is_made() -> None:
    learner = find_learner("weka:J48")
    assert (learner.name, learner.encoding) == ("weka:J48", "labels")
    pickle.dumps(learner)
    program = (
        "import sys; from kanopy.learners import find_learner; find_learner('weka:J48'); find_learner('c45');"
        "assert not {'kanopy_weka', 'kanopy.learners.tree_classifier'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_logistic_regression_converges_on_columns_of_any_scale() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(0, 1e9, 300), "b": rng.normal(0, 1e-9, 300), "c": ["x"] * 300})
    model = find_learner("logistic").make(0).fit(table, np.where(table["a"] > 0, 1, 0))
    assert np.mean(model.predict(table) == (table["a"] > 0)) > 0.98
