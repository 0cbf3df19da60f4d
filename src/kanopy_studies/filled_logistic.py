"""Logistic regression as Weka's: an unknown cell is filled with the mode of its column, or the mean.

Suppression leaves few cells of some columns. Filling puts one value into all others, so that the column says
almost nothing, and test rows are unlike what was learned from. Our own ``logistic`` draws values instead.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

from kanopy.data.arrays import Floats, Groups, Ints
from kanopy.data.grammar import SUPPRESSED_TEXT
from kanopy.data.keys import group_rows
from kanopy.learners.reading import ReadsCells, as_classes, new_source, read_texts
from kanopy.learners.registry import Learner
from kanopy.learners.words import distinct_cells

RIDGE = 1e-8
"""Weka's: as good as none."""


class FilledLogistic(ReadsCells, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Every text is a label, missing and suppressed cells are filled; equal rows are learned from once."""

    def __init__(self, ridge: float = RIDGE, max_iter: int = 100) -> None:
        self.ridge = ridge
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any = None) -> FilledLogistic:
        """Learn from a release or a table; O(rows * columns), and some steps of Newton's on distinct rows."""
        table, labels = read_texts(self, X, y)
        classes = as_classes(self, labels)
        self.classes_ = classes.labels
        self.columns_ = [_Filling.of(name, table[name]) for name in table.column_names]
        group, rows = self._distinct(table)
        counts = np.zeros((len(rows), len(classes.labels)))
        np.add.at(counts, (group, classes.codes), 1)
        row, code = np.nonzero(counts)
        # scikit-learn halves the penalty and multiplies the loss by C.
        model = LogisticRegression(C=1 / (2 * self.ridge), solver="newton-cholesky", max_iter=self.max_iter)
        if not rows.shape[1]:  # no column has two values: the majority is all there is to learn
            model = DummyClassifier()
        self.model_ = model.fit(rows[row], code, sample_weight=counts[row, code])
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The most likely class of each row."""
        check_is_fitted(self)
        group, rows = self._distinct(new_source(self, X))
        return np.asarray(self.classes_[self.model_.predict(rows)[group]])

    def _distinct(self, table: pa.Table) -> tuple[Groups, Floats]:
        """The distinct rows as numbers, and which of them each row is."""
        read = [one.read(table.column(place)) for place, one in enumerate(self.columns_)]
        sizes = [len(values) for _, values in read]
        group, n_groups = group_rows([codes for codes, _ in read], sizes, table.num_rows)
        example = np.zeros(n_groups, dtype=np.int64)
        example[group] = np.arange(table.num_rows)
        return group, np.concatenate([values[codes[example]] for codes, values in read], axis=1)


class _Filling:
    """What a training column tells: its labels and the commonest, or mean and deviation of its numbers."""

    def __init__(self, name: str, labels: list[str], scale: tuple[float, float] | None) -> None:
        self.name, self.labels, self.scale = name, labels, scale

    @classmethod
    def of(cls, name: str, column: pa.ChunkedArray) -> _Filling:
        if _is_number(column):
            numbers = _numbers(column)
            deviation = float(np.nanstd(numbers))
            return cls(name, [], (float(np.nanmean(numbers)), deviation or 1.0))
        coded = distinct_cells(name, column)
        texts = coded.texts.to_pylist()
        counts = np.bincount(coded.codes, minlength=len(texts) + 1)
        by_count = sorted(range(len(texts)), key=lambda place: -counts[place])
        return cls(name, [texts[place] for place in by_count if texts[place] != SUPPRESSED_TEXT], None)

    def read(self, column: pa.ChunkedArray) -> tuple[Ints, Floats]:
        """The code of each row, and the numbers that every code stands for: the mode is all zeros."""
        if self.scale is not None:
            mean, deviation = self.scale
            numbers, codes = np.unique(np.nan_to_num(_numbers(column), nan=mean), return_inverse=True)
            return codes, ((numbers - mean) / deviation)[:, None]
        coded = distinct_cells(self.name, column)
        place = {label: number for number, label in enumerate(self.labels)}
        codes = np.array([*(place.get(text, 0) for text in coded.texts.to_pylist()), 0])[coded.codes]
        return codes, np.eye(max(1, len(self.labels)))[:, 1:]


def _is_number(column: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_integer(column.type) or pa.types.is_floating(column.type))


def _numbers(column: pa.ChunkedArray) -> Floats:
    numbers: Floats = column.cast(pa.float64()).to_numpy()
    return numbers


def _made(seed: int) -> FilledLogistic:
    del seed  # nothing is drawn
    return FilledLogistic()


FILLED_LOGISTIC = Learner("logistic-mode", partial(_made), "unknown cells filled with the mode")
