"""Published cells as numbers that any classifier can learn from: what is expected of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kanopy.learners.cells import CellTable
from kanopy.learners.encoding import ColumnEncoding, expected_features
from kanopy.learners.reading import Hierarchies, read_rows, read_training
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
        check_is_fitted(self)
        return self._encoded(read_rows(self, X, self._fitted))

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
