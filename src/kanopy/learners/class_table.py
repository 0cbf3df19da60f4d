"""X and y for learners that take cells by their text: the columns as they came, and the classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.utils.multiclass import check_classification_targets

from kanopy.learners.reading import Classes, checked_labels, labels_of, new_source, training_source
from kanopy.release import Release


def read_class_table(estimator: Any, X: Any, y: Any = None) -> tuple[pa.Table, Classes]:
    """The columns to learn from, and the class of each row; forms and errors are those of ``reading``.

    O(rows), plus a sort of the classes.
    """
    if isinstance(X, Release) and y is None:
        y = X.policy.target
    source, column = training_source(estimator, X, y if isinstance(y, str) else None)
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None."
        )
    labels = checked_labels(y, source.num_rows) if column is None else labels_of(*column)
    check_classification_targets(labels)
    different, codes = np.unique(labels, return_inverse=True)
    return source, Classes(different, codes.astype(np.int64))


def read_new_table(estimator: Any, X: Any) -> pa.Table:
    """The columns of new rows, as many and in the same order as when they were fitted."""
    return new_source(estimator, X)
