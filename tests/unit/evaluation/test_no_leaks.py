"""No test row reaches an anonymizer, an encoder or a learner before it is predicted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kanopy.evaluation.trial as trial_module
from kanopy.evaluation.evaluate import evaluate
from kanopy.evaluation.halves import Halves
from kanopy.evaluation.trial import Trial, contenders_of, run
from kanopy.learners.reading import SharedRows
from kanopy.learners.registry import Learner
from kanopy.policy import Policy


class Spy:
    """A classifier that notes which rows it is shown, and always says the same."""

    def __init__(self) -> None:
        self.fitted: list[set[str]] = []
        self.asked: list[set[str]] = []

    def fit(self, X: SharedRows, y: np.ndarray) -> Spy:
        self.fitted.append(set(X.table["serial"].to_pylist()))
        return self

    def predict(self, X: SharedRows) -> np.ndarray:
        self.asked.append(set(X.table["serial"].to_pylist()))
        return np.full(X.table.num_rows, "yes")


@pytest.mark.parametrize("discretize", [False, True])
@pytest.mark.parametrize("method", ["mondrian", "kactus", None])
def test_only_training_rows_are_anonymized_and_learned_from(
    people: pa.Table, method: str | None, discretize: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = Policy(quasi_identifiers=["age", "city"], target="ill", keep=["serial"], k=5)
    seen: list[set[str]] = []
    real = trial_module.anonymize

    def spying(table: pa.Table, *arguments: Any, **options: Any) -> Any:
        seen.append(set(table["serial"].to_pylist()))
        return real(table, *arguments, **options)

    monkeypatch.setattr(trial_module, "anonymize", spying)
    halves = Halves.of(people, policy)
    spy = Spy()
    contender = None if method is None else contenders_of([method], policy)[0]
    run(
        Trial(2, 1, contender, 5),
        halves,
        [Learner("spy", lambda seed: spy, "cells")],
        3,
        discretize=discretize,
    )
    divided = halves.fold(3, 2, 1)
    serials = np.array(people["serial"].to_pylist())
    train, test = set(serials[divided.train]), set(serials[divided.test])
    assert not train & test
    assert seen == ([] if method is None else [train])
    assert all(rows <= train for rows in spy.fitted)
    assert len(spy.fitted) == 1
    assert all(rows == test for rows in spy.asked)
    assert len(spy.asked) == (1 if method is None else 2)


@pytest.mark.usefixtures("few_folds")
def test_nothing_is_learned_from_classes_that_were_dealt_out_anew(people: pa.Table, policy: Policy) -> None:
    big = pa.concat_tables([people] * 4)
    found = evaluate(
        big, policy, methods=["mondrian"], ks=[10], learners=["nb"], jobs=1, permute_classes=True
    )
    honest = evaluate(big, policy, methods=["mondrian"], ks=[10], learners=["nb"], jobs=1)
    (score,), (learned,) = found.scores, honest.scores
    for accuracy in (score.accuracy, score.accuracy_recoded, score.original):
        assert accuracy is not None
        assert abs(accuracy - score.majority) < 0.06
    # The same test must be able to fail: with the true classes everybody is far above the majority.
    assert learned.accuracy is not None
    assert learned.accuracy > learned.majority + 0.1
