"""What all learners here tell scikit-learn about the tables they take."""

from __future__ import annotations

from typing import Any


class ReadsCells:
    """A mixin, named before ``BaseEstimator``: texts, categories and missing values are welcome."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags
