"""Naive Bayes on cells: the values that a cell may stand for are counted in fractions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from kanopy.data.arrays import Floats, Ints
from kanopy.learners.cells import CellColumn, Weights, check_weights, member_counts, member_shares
from kanopy.learners.manifests import ManifestSource
from kanopy.learners.reading import CodedClasses, Hierarchies, ReadsCells, read_weighted


class GeneralizedNaiveBayes(ReadsCells, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes that reads published cells.

    In training a cell is counted for each value that it may stand for, in fractions that add up to one row;
    missing and suppressed cells are not counted. In prediction it has the mean likelihood of the values that
    it may stand for; missing and suppressed cells, and words that training did not know, are left out. Values
    have relative frequencies, smoothed by Laplace's rule; numbers have a normal density in each class, with
    the expected mean and variance, as in John and Langley, "Estimating continuous distributions in Bayesian
    classifiers" (UAI 1995), without kernels. Numbers that no training cell tells apart have their mean
    density: where every number has one range, a raw row is predicted as the same row with ranges is.

    Parameters
    ----------
    alpha : float, default=1.0
        What is added to every count, also of classes; above 0.
    weights, hierarchies, manifest
        See ``GeneralizedEncoder``.

    Attributes
    ----------
    classes_ : array
    class_log_prior_ : array of float
    n_features_in_, feature_names_in_
        The latter where X has names.

    Notes
    -----
    Training costs O(rows * columns + cells * members * classes), prediction the same. The standard deviation
    of numbers is at least a sixth of their mean distance, as in Weka.
    """

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        weights: Weights = "uniform",
        hierarchies: Hierarchies | None = None,
        manifest: ManifestSource | None = None,
    ) -> None:
        self.alpha = alpha
        self.weights = weights
        self.hierarchies = hierarchies
        self.manifest = manifest

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> GeneralizedNaiveBayes:
        """Count the values in each class.

        Parameters
        ----------
        X : Release, frame, path of a CSV or Parquet file, or array
        y : array, str or None
            The classes, or the name of their column in X; of a release the target by default.
        sample_weight : array of float, optional
            What each row counts for: 3 is the row three times, and 0 leaves it out.
        """
        check_weights(self.weights)
        if not self.alpha > 0:
            raise ValueError(f"alpha must be above 0, not {self.alpha!r}")
        table, classes, weight = read_weighted(
            self, X, y, sample_weight, hierarchies=self.hierarchies, manifest=self.manifest
        )
        self.classes_ = classes.labels
        n_rows = np.bincount(classes.codes, weight, minlength=len(self.classes_)) + self.alpha
        self.class_log_prior_ = np.log(n_rows) - np.log(n_rows.sum())
        self._models = [self._model(column, classes, weight) for column in table.columns]
        self._fitted = table.without_rows()
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest class of each row."""
        likeliest = self._joint(X).argmax(axis=1)
        return np.asarray(self.classes_[likeliest])

    def predict_log_proba(self, X: Any) -> Floats:
        """The logarithm of the probability of every class for each row."""
        joint = self._joint(X)
        return joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> Floats:
        """The probability of every class for each row."""
        return np.asarray(np.exp(self.predict_log_proba(X)))

    def _joint(self, X: Any) -> Floats:
        table = self._read(X)
        joint = np.tile(self.class_log_prior_, (table.n_rows, 1))
        for model, column in zip(self._models, table.columns, strict=True):
            joint += _cell_scores(column, *model)[column.ids]
        return joint

    def _model(self, column: CellColumn, classes: CodedClasses, weight: Floats) -> tuple[Floats, Floats]:
        """How values count in a cell, and the log-likelihood of each (down) under each class (across)."""
        counts = member_counts(column, self.weights, weight)
        rows = _fractional_rows(column, classes, counts, weight)
        if column.numbers is not None:
            return counts, _averaged(_normal_densities(column.numbers, rows), column.stretches())
        smoothed = rows + self.alpha
        return counts, np.log(smoothed / smoothed.sum(axis=0))


def _averaged(logarithms: Floats, begins: Ints) -> Floats:
    """Densities averaged over stretches of numbers that no cell tells apart."""
    if not len(begins):
        return logarithms
    n_values = np.diff(begins, append=len(logarithms))
    means = np.logaddexp.reduceat(logarithms, begins) - np.log(n_values)[:, None]
    return np.asarray(np.repeat(means, n_values, axis=0))


def _cell_scores(column: CellColumn, counts: Floats, logarithms: Floats) -> Floats:
    """Log mean likelihood of each cell's members (down) by class, plus a constant; 0 if it says nothing."""
    scores = np.zeros((column.n_cells, logarithms.shape[1]))
    # Cells without members have no place among the runs that are added up.
    filled = np.flatnonzero(column.sizes)
    if len(filled):
        shares, _ = member_shares(column, counts)
        with np.errstate(divide="ignore"):
            terms = logarithms[column.members] + np.log(shares)[:, None]
        scores[filled] = np.logaddexp.reduceat(terms, column.first[filled])
        scores[column.is_suppressed] = 0
    return scores


def _fractional_rows(column: CellColumn, classes: CodedClasses, counts: Floats, weight: Floats) -> Floats:
    """Rows of each value (down) and class (across), in fractions; O(rows + members * classes)."""
    n_classes = len(classes.labels)
    keys: Ints = column.ids.astype(np.int64) * n_classes + classes.codes
    rows = np.bincount(keys, weight, minlength=column.n_cells * n_classes).reshape(column.n_cells, n_classes)
    rows[column.is_suppressed] = 0
    amounts = rows[column.cell_of_member] * member_shares(column, counts)[0][:, None]
    return np.stack([np.bincount(column.members, part, column.n_values) for part in amounts.T], axis=1)


def _normal_densities(numbers: Floats, counts: Floats) -> Floats:
    """Log density at each number (down) by class (across); a class without numbers has those of all."""
    if not len(numbers):
        return np.zeros_like(counts)
    scale = float(np.abs(numbers).max()) or 1.0  # squares of large numbers may not fit into a float
    points = (numbers / scale)[:, None]
    amounts = np.where(counts.sum(axis=0) > 0, counts, counts.sum(axis=1, keepdims=True))
    amounts = np.where(amounts.sum(axis=0) > 0, amounts, 1.0)
    shares = amounts / amounts.sum(axis=0)
    means = (shares * points).sum(axis=0)
    variances = (shares * (points - means) ** 2).sum(axis=0)
    gap = float(points[-1, 0] - points[0, 0]) / max(len(numbers) - 1, 1)
    deviations = np.maximum(np.sqrt(variances), gap / 6 or 1.0)
    densities: Floats = -(((points - means) / deviations) ** 2) / 2 - np.log(deviations * np.sqrt(2 * np.pi))
    return densities
