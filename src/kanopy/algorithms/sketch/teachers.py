"""What tells the classes apart, learned from a sample: a forest and a logistic regression."""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from kanopy.data.arrays import Codes, Floats, Ints
from kanopy.data.keys import order_of
from kanopy.errors import ResourceError

MOST_ROWS = 20_000
"""How many rows the teachers learn from."""
_TREES, _ROUNDS = 100, 300
_ROWS_OF_A_TREE = 4_000
"""Each tree draws so many rows at most: what features matter is a mean over all trees."""
_ALIKE = 1e-9


class Lesson(NamedTuple):
    """What was learned about features."""

    importance: Floats  # of each feature; their sum is 1
    coefficients: Floats  # classes (one where there are two) x features, of the logistic regression


def sample_of(classes: Codes, most: int, rng: np.random.Generator) -> Ints:
    """At most about so many rows, of every class the same share and one at least; a sort of the rows."""
    n_rows = len(classes)
    if n_rows <= most:
        return np.arange(n_rows)
    ticket, is_taken = rng.random(n_rows), np.zeros(n_rows, dtype=bool)
    sizes = np.bincount(classes)
    for rows in np.split(order_of(classes.astype(np.int64), len(sizes)), np.cumsum(sizes)[:-1]):
        n_taken = math.ceil(len(rows) * (most / n_rows))
        is_taken[rows[np.argpartition(ticket[rows], n_taken - 1)[:n_taken]] if n_taken else rows] = True
    return np.flatnonzero(is_taken)


def lesson(rows: Floats, classes: Codes, rng: np.random.Generator) -> Lesson:
    """Learn from rows of features; there are two classes or more. O(rows * features * trees), once."""
    check_teachers()
    from sklearn.ensemble import RandomForestClassifier
    from threadpoolctl import threadpool_limits

    seed = int(rng.integers(2**31 - 1))
    most = _ROWS_OF_A_TREE if len(rows) > _ROWS_OF_A_TREE else None
    forest = RandomForestClassifier(_TREES, min_samples_leaf=2, max_samples=most, random_state=seed, n_jobs=1)
    with threadpool_limits(limits=1):
        by_forest = forest.fit(rows.astype(np.float32), classes).feature_importances_
    coefficients = _linear(rows, classes).coef_
    by_logistic = (coefficients**2).mean(axis=0) * rows.var(axis=0)
    return Lesson((_shares(by_forest) + _shares(by_logistic)) / 2, coefficients)


def accuracy_of_linear(rows: Floats, classes: Codes, tested: Floats, truth: Codes) -> float:
    """How often a logistic regression that learns from rows is right about others; O(rows * features)."""
    varies = rows.std(axis=0) > _ALIKE
    if not varies.any():
        return float(np.mean(truth == np.bincount(classes).argmax()))
    centre, spread = rows[:, varies].mean(axis=0), rows[:, varies].std(axis=0)
    model = _linear((rows[:, varies] - centre) / spread, classes)
    return float(np.mean(model.predict((tested[:, varies] - centre) / spread) == truth))


def _linear(rows: Floats, classes: Codes) -> Any:
    """A fitted logistic regression."""
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    # One thread: sums depend on how many there are, and the same seed must give the same bytes.
    with threadpool_limits(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not yet settled after all rounds: good enough to be a teacher
        return LogisticRegression(C=1.0, max_iter=_ROUNDS).fit(rows, classes)


def check_teachers() -> None:
    """Refuse, with what to install, where scikit-learn is missing or too old."""
    try:
        from sklearn.utils.validation import validate_data  # noqa: F401
    except ImportError as error:
        reason = "method 'sketch' needs scikit-learn, version 1.6 or newer"
        raise ResourceError(reason, 'pip install "kanopy[sklearn]"') from error


def _shares(amounts: Floats) -> Floats:
    total = float(amounts.sum())
    return amounts / total if total > 0 else np.full(len(amounts), 1 / len(amounts))
