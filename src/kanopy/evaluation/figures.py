"""What a learner is worth beside its accuracy: AUC, balanced accuracy, log loss and Brier score.

On a table where one class is rare, always predicting the other one is accurate and useless. These figures
tell the two apart. They need the probabilities that a learner gives; those that give none have a balanced
accuracy alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from kanopy.data.arrays import Bools, Floats

Labels = NDArray[Any]
Figures = dict[str, float | None]  # by name; None where the learner gives no probabilities

FIGURES = ("auc", "balanced_accuracy", "log_loss", "brier")
LEAST = 1e-15
"""The smallest probability in a log loss: a class that a learner rules out, and that occurs, costs 34.5."""
_DECIMALS = 12  # probabilities that differ by less are the same: that is the rounding of the machine


def beside_accuracy(
    names: Labels, truth: Labels, predicted: Labels, known: Labels, shares: Floats | None
) -> Figures:
    """Every figure of ``FIGURES`` on some test rows; O(rows * classes * log rows).

    ``names`` are the classes of the whole table, sorted. ``shares`` are the probabilities of the ``known``
    classes; a class that the training rows lack has the probability 0.

    - AUC: of each class against all others, then the mean over the classes that the test rows have. None
      where they have one class.
    - Balanced accuracy: the share of each class that is predicted, then the mean over these classes.
    - Log loss: mean of the negative natural logarithm of the probability of the true class, which counts as
      ``LEAST`` where it is smaller.
    - Brier score: mean squared distance of the probabilities from 1 for the true class and 0 for the others,
      summed over the classes; for two classes half of that, as usual.
    """
    codes = np.searchsorted(names, truth)
    n_rows = np.bincount(codes, minlength=len(names))
    occurs = n_rows > 0
    n_right = np.bincount(codes[predicted == truth], minlength=len(names))
    figures: Figures = dict.fromkeys(FIGURES)
    figures["balanced_accuracy"] = float(np.mean(n_right[occurs] / n_rows[occurs]))
    if shares is None or not np.isfinite(shares).all():
        return figures
    probabilities = np.zeros((len(truth), len(names)))
    probabilities[:, np.searchsorted(names, known)] = np.round(shares, _DECIMALS)
    is_true = codes[:, None] == np.arange(len(names))
    if occurs.sum() > 1:
        figures["auc"] = _auc(probabilities[:, occurs], is_true[:, occurs])
    own = np.clip(probabilities[is_true], LEAST, 1.0)
    figures["log_loss"] = float(-np.log(own).mean())
    scale = 1.0 if len(names) > 2 else 0.5
    figures["brier"] = float(scale * ((probabilities - is_true) ** 2).sum(axis=1).mean())
    return figures


def _auc(probabilities: Floats, is_true: Bools) -> float:
    """Of each column, how often a true row has a higher probability than another one; the mean of all.

    By ranks, ties in the middle: scikit-learn's function takes a second where there are many classes.
    """
    n_true, n_all = is_true.sum(axis=0), len(is_true)
    n_below = (rankdata(probabilities, axis=0) * is_true).sum(axis=0) - n_true * (n_true + 1) / 2
    return float(np.mean(n_below / (n_true * (n_all - n_true))))


def probabilities_of(model: Any, rows: Any) -> Floats | None:
    """The probabilities that a fitted classifier gives; None where it gives none."""
    if not hasattr(model, "predict_proba") or not hasattr(model, "classes_"):
        return None
    return np.asarray(model.predict_proba(rows), dtype=np.float64)
