"""What all learners here have in common: which tables they take, and how they read new rows."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from kanopy.learners.cells import CellTable
from kanopy.learners.reading import read_rows


class ReadsCells:
    """A mixin, named before ``BaseEstimator``: texts, categories and missing values are welcome."""

    _fitted: CellTable
    """The training table without its rows."""

    def _read(self, X: Any) -> CellTable:
        """New rows over the values that training knew."""
        check_is_fitted(self)
        return read_rows(self, X, self._fitted)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags
