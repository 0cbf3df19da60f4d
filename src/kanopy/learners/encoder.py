"""Published cells as numbers: an encoder, and any scikit-learn classifier on top of such numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, TransformerMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from kanopy.learners.cells import Bools, CellTable, Floats
from kanopy.learners.encoding import ColumnEncoding, Urn, expected_features, spread_chances, stacked
from kanopy.learners.reading import Hierarchies, read_classified, read_training
from kanopy.learners.shares import check_weights
from kanopy.learners.tags import ReadsCells


class GeneralizedEncoder(ReadsCells, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Cells to features: the expected number, or the share of each value.

    A column of numbers becomes one feature, the mean of what the cell may stand for; any other column one
    feature per value, the shares of what it may stand for. Where training has missing cells, one more
    feature tells how likely the cell was missing. A cell that says nothing (suppressed, missing, a word that
    training did not know) has the average of the training column.

    Parameters
    ----------
    weights : {"uniform", "frequency"}, default="uniform"
        Whether the members of a cell are equally likely, or as often as each occurs exactly in the training
        column (equally, where none does). A missing member counts like any other.
    hierarchies : dict, default=None
        Column to a Hierarchy, or to a file with one line ``value;parent;...;*`` per value: its nodes then
        stand for the values below them.
    sparse_output : bool, default=False
        Whether to return a sparse matrix, which columns with many values ask for.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X has names.

    Notes
    -----
    New numbers are read as the nearest that training named, see ``kanopy.learners.reading``. Fitting and
    transforming cost O(rows * features), sparse O(rows * columns + cells * members).
    """

    def __init__(
        self,
        *,
        weights: str = "uniform",
        hierarchies: Hierarchies | None = None,
        sparse_output: bool = False,
    ) -> None:
        self.weights = weights
        self.hierarchies = hierarchies
        self.sparse_output = sparse_output

    def fit(self, X: Any, y: Any = None) -> GeneralizedEncoder:
        """Learn the values of X.

        Parameters
        ----------
        X : Release, frame, path of a CSV or Parquet file, or array
        y : array or str, optional
            Where it is the name of a column of X, that column is left out; of a release the target is.
        """
        self._fit(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn the values of X and encode it, reading it once."""
        return self._encoded(self._fit(X, y))

    def transform(self, X: Any) -> Any:
        """Encode rows, published or not."""
        return self._encoded(self._read(X))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """``age`` for a column of numbers, ``sex=F`` for the value of another, ``sex=`` for missing."""
        check_is_fitted(self)
        names = [name for encoding in self._encodings for name in encoding.feature_names]
        return np.array(names, dtype=object)

    def _fit(self, X: Any, y: Any) -> CellTable:
        check_weights(self.weights)
        table, _ = read_training(self, X, y, hierarchies=self.hierarchies)
        self._fitted = table.without_rows()
        self._encodings = [ColumnEncoding.fit(column, self.weights) for column in table.columns]
        return table

    def _encoded(self, table: CellTable) -> Any:
        return expected_features(self._encodings, table, sparse=self.sparse_output)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_encodings")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags


def _can_tell_shares(estimator: EncodedClassifier) -> bool:
    return hasattr(estimator.classifier, "predict_proba")


class EncodedClassifier(ReadsCells, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Trains a classifier on cells that are turned into numbers.

    Cells become features as in ``GeneralizedEncoder``. Without draws the classifier is trained on what is
    expected of each cell and predicts from it, which suits linear models. With draws it is trained on several
    copies of each row in which every cell is an original drawn from what it may stand for, which suits
    learners that ask for thresholds, such as trees and forests; a generalized row is then predicted by
    averaging over as many drawn copies of it, a row of plain values as it is.

    Parameters
    ----------
    classifier : classifier
        Of scikit-learn or like one; it is cloned.
    draws : int, default=0
        Copies of each row; 0 is none, but expectations.
    weights : {"uniform", "frequency"}, default="uniform"
        See ``GeneralizedEncoder``.
    hierarchies : dict, default=None
        See ``GeneralizedEncoder``.
    sparse_output : bool, default=False
        Whether the classifier gets a sparse matrix.
    random_state : int, RandomState or None, default=None
        For the draws; the classifier has its own.

    Attributes
    ----------
    classifier_ : classifier
        Fitted; where there was one class, a ``DummyClassifier``.
    classes_ : array
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X has names.

    Notes
    -----
    A training table in which nothing is generalized is used once, not in equal copies. In prediction all rows
    share the same chances, spread evenly: what is predicted for a row does not depend on the other rows.
    """

    def __init__(
        self,
        classifier: Any,
        *,
        draws: int = 0,
        weights: str = "uniform",
        hierarchies: Hierarchies | None = None,
        sparse_output: bool = False,
        random_state: Any = None,
    ) -> None:
        self.classifier = classifier
        self.draws = draws
        self.weights = weights
        self.hierarchies = hierarchies
        self.sparse_output = sparse_output
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> EncodedClassifier:
        """Encode and train; costs O(rows * features * max(draws, 1)) and what the classifier costs.

        Parameters
        ----------
        X : Release, frame, path of a CSV or Parquet file, or array
        y : array, str or None
            The classes, or the name of their column in X; of a release the target by default.
        """
        check_weights(self.weights)
        if not isinstance(self.draws, int | np.integer) or self.draws < 0:
            raise ValueError(f"draws must be a whole number, 0 or more, not {self.draws!r}")
        table, classes = read_classified(self, X, y, hierarchies=self.hierarchies)
        self._fitted = table.without_rows()
        self._encodings = [ColumnEncoding.fit(column, self.weights) for column in table.columns]
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        rng, self._predict_seed = np.random.default_rng(seed), seed + 1
        labels = classes.labels[classes.codes]
        if self.draws:
            n_copies = self.draws if self._open_rows(table).any() else 1
            cells = [np.repeat(column.ids, n_copies) for column in table.columns]
            chances = rng.random((table.n_rows * n_copies, len(cells)))
            encoded = self._drawn(self._urns(table), cells, chances)
            labels = np.repeat(labels, n_copies)
        else:
            encoded = self._expected(table)
        # With one class there is nothing to learn, and some classifiers refuse to, showing its name.
        chosen = DummyClassifier() if len(classes.labels) == 1 else clone(self.classifier)
        self.classifier_ = chosen.fit(encoded, labels)
        self.classes_ = self.classifier_.classes_
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row; among drawn copies the likeliest on average, or the most frequent one."""
        table = self._read(X)
        predicted: NDArray[Any] = np.empty(table.n_rows, dtype=self.classes_.dtype)
        by_vote = not hasattr(self.classifier_, "predict_proba")
        for rows, part, is_drawn in self._parts(table):
            if is_drawn:
                predicted[rows] = self.classes_[self._average(part, by_vote=by_vote).argmax(axis=1)]
            else:
                predicted[rows] = self.classifier_.predict(self._expected(part))
        return predicted

    @available_if(_can_tell_shares)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """The probability of every class for each row."""
        table = self._read(X)
        shares: Floats = np.empty((table.n_rows, len(self.classes_)))
        for rows, part, is_drawn in self._parts(table):
            if is_drawn:
                shares[rows] = self._average(part, by_vote=False)
            else:
                shares[rows] = self.classifier_.predict_proba(self._expected(part))
        return shares

    def _parts(self, table: CellTable) -> Iterator[tuple[Bools, CellTable, bool]]:
        """The rows that are predicted as they are, and those that are predicted from drawn copies."""
        is_open = self._open_rows(table)
        for rows, is_drawn in ((~is_open, False), (is_open, True)):
            if rows.any():
                yield rows, table.take(rows), is_drawn

    def _open_rows(self, table: CellTable) -> Bools:
        """The rows of which something must be drawn."""
        return table.is_open if self.draws else np.zeros(table.n_rows, dtype=bool)

    def _expected(self, table: CellTable) -> Any:
        return expected_features(self._encodings, table, sparse=self.sparse_output)

    def _urns(self, table: CellTable) -> list[Urn]:
        pairs = zip(self._encodings, table.columns, strict=True)
        return [Urn.of(column, encoding) for encoding, column in pairs]

    def _drawn(self, urns: list[Urn], cells: list[NDArray[np.int32]], chances: Floats) -> Any:
        """Rows with originals in the place of their cells; chances per row, or one for all, and column."""
        parts = [
            (encoding.of_values(), urn.draw(ids, chances[..., place]))
            for place, (encoding, urn, ids) in enumerate(zip(self._encodings, urns, cells, strict=True))
        ]
        # Copies are large, and half as large where no number is lost by it.
        fits = all(encoding.fits_single_precision for encoding in self._encodings)
        return stacked(parts, sparse=self.sparse_output, kind=np.float32 if fits else np.float64)

    def _average(self, table: CellTable, *, by_vote: bool) -> Floats:
        """Shares of the classes over drawn copies, one copy of all rows at a time."""
        rng = np.random.default_rng(self._predict_seed)
        urns, cells = self._urns(table), [column.ids for column in table.columns]
        shares = np.zeros((table.n_rows, len(self.classes_)))
        for chances in spread_chances(self.draws, len(cells), rng):
            drawn = self._drawn(urns, cells, chances)
            if by_vote:
                votes = np.searchsorted(self.classes_, self.classifier_.predict(drawn))
                shares[np.arange(table.n_rows), votes] += 1
            else:
                shares += self.classifier_.predict_proba(drawn)
        return shares / self.draws
