"""Figures beside accuracy: as scikit-learn has them, and defined where it refuses."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from sklearn.metrics import balanced_accuracy_score, brier_score_loss, log_loss, roc_auc_score
from sklearn.svm import LinearSVC

from kanopy.evaluation import evaluate
from kanopy.evaluation.exam import Exam
from kanopy.evaluation.figures import FIGURES, beside_accuracy
from kanopy.policy import Policy

NAMES = np.array(["a", "b", "c"])


def drawn(n_classes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes, and probabilities that say something about them; many are tied."""
    rng = np.random.default_rng(n_classes)
    truth = rng.integers(0, n_classes, 80)
    shares = np.round(rng.random((80, n_classes)) + np.eye(n_classes)[truth], 1) + 0.05
    return NAMES[truth], NAMES[shares.argmax(axis=1)], shares / shares.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_as_scikit_learn_has_them(n_classes: int) -> None:
    truth, predicted, shares = drawn(n_classes)
    names = NAMES[:n_classes]
    found = beside_accuracy(names, truth, predicted, names, shares)
    scores = {"y_score": shares[:, 1]} if n_classes == 2 else {"y_score": shares, "multi_class": "ovr"}
    assert found["auc"] == pytest.approx(roc_auc_score(truth, **scores))
    assert found["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(truth, predicted))
    assert found["log_loss"] == pytest.approx(log_loss(truth, shares))
    proba = shares[:, 1] if n_classes == 2 else shares
    brier = brier_score_loss(truth, proba, **({"pos_label": "b"} if n_classes == 2 else {}))
    assert found["brier"] == pytest.approx(brier)


def test_a_class_that_the_training_half_lacks_has_the_probability_0() -> None:
    truth, predicted = np.array(["a", "a", "b", "c"]), np.array(["a", "b", "b", "b"])
    shares = np.array([[0.8, 0.2], [0.4, 0.6], [0.3, 0.7], [0.5, 0.5]])
    found = beside_accuracy(NAMES, truth, predicted, NAMES[:2], shares)
    # Of a: 0.8 and 0.4 against 0.3 and 0.5. Of b: 0.7 against 0.2, 0.6 and 0.5. Of c: all tie.
    assert found["auc"] == pytest.approx((3 / 4 + 1 + 1 / 2) / 3)
    assert found["balanced_accuracy"] == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert found["log_loss"] == pytest.approx(-np.log([0.8, 0.4, 0.7, 1e-15]).mean())
    assert found["brier"] == pytest.approx((0.08 + 0.72 + 0.18 + 1.5) / 4)


def test_what_is_not_defined_is_none() -> None:
    one_class = np.array(["a", "a"])
    found = beside_accuracy(NAMES[:2], one_class, one_class, NAMES[:2], np.array([[0.5, 0.5], [1, 0]]))
    assert found == {"auc": None, "balanced_accuracy": 1.0, "log_loss": pytest.approx(np.log(2) / 2),
                     "brier": 0.125}  # fmt: skip
    for shares in (None, np.full((2, 2), np.nan)):
        found = beside_accuracy(NAMES[:2], one_class, one_class, NAMES[:2], shares)
        assert [name for name in FIGURES if found[name] is None] == ["auc", "log_loss", "brier"]


def test_guessing_tells_nothing_apart() -> None:
    exam = Exam(np.array(["a", "b", "b", "b"]), NAMES[:2], in_full=True)
    accuracy, figures = exam.guessing(np.array(["b", "b", "a", "b"]))
    assert (accuracy, figures["auc"], figures["balanced_accuracy"]) == (0.75, 0.5, 0.5)
    assert figures["brier"] == pytest.approx(3 / 16)


@pytest.mark.usefixtures("few_folds")
def test_a_learner_without_probabilities_has_what_it_can_have(people: pa.Table, policy: Policy) -> None:
    (score,) = evaluate(people, policy, ks=[5], learners=[LinearSVC()], jobs=1).scores
    assert score.balanced_accuracy is not None
    assert score.balanced_accuracy > score.majority_balanced_accuracy == 0.5
    assert (score.auc, score.auc_low, score.log_loss, score.original_brier) == (None,) * 4
    assert score.majority_log_loss is not None
