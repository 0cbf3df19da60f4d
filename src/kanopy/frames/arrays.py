"""X and y as scikit-learn hands them over: checked, and as Arrow columns. Messages show no value of them."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.validation import _check_sample_weight, validate_data

from kanopy.data.arrays import Floats
from kanopy.errors import InputError


def array_table(estimator: Any, X: Any, *, reset: bool) -> pa.Table:
    """An array as a table with the columns x0, x1, ..., after scikit-learn's checks; O(rows * columns)."""
    array = _as_two_dimensions(X)
    array = validate_data(estimator, array, reset=reset, dtype=None, ensure_all_finite="allow-nan")
    if array.dtype.kind == "b":
        array = array.astype(np.uint8)  # as scikit-learn's estimators read them: 0 and 1
    names = [f"x{place}" for place in range(array.shape[1])]
    return pa.table([arrow_column(array[:, place]) for place in range(array.shape[1])], names=names)


def checked_labels(y: Any, n_rows: int) -> NDArray[Any]:
    """y as a flat array: one label per row, none missing; O(rows)."""
    _refuse_complex(np.asarray(y))
    labels: NDArray[Any] = column_or_1d(y, warn=True)
    assert_all_finite(labels, input_name="y")
    check_consistent_length(np.empty(n_rows), labels)
    return labels


def checked_weights(sample_weight: Any, n_rows: int) -> Floats:
    """One weight per row, 0 or more and not all 0; one number is for all, and None is 1. O(rows)."""
    try:
        numbers = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        # PRIVACY: the message of NumPy shows a value (tests/unit/learners/test_sample_weight.py).
        raise ValueError("sample_weight must be numbers") from None
    if numbers is not None and not numbers.ndim:
        numbers = np.full(n_rows, numbers)
    weight = _check_sample_weight(numbers, np.empty((n_rows, 0)), dtype=np.float64, ensure_non_negative=True)
    if not weight.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return np.asarray(weight)


def _as_two_dimensions(X: Any) -> Any:
    """Refuse what scikit-learn would refuse too, but with an example of what is in X."""
    array = X
    if not hasattr(X, "dtype"):
        array = np.asarray(X)
        if array.dtype.kind in "US":  # a list of numbers and texts: the numbers shall stay numbers
            array = np.asarray(X, dtype=object)
    n_dimensions = getattr(array, "ndim", 2)
    if n_dimensions != 2:
        # PRIVACY: the message of scikit-learn shows the array (tests/unit/test_estimators.py).
        raise ValueError(
            f"Expected 2D array, got {n_dimensions}D array instead. Reshape your data either using "
            "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains "
            "a single sample."
        )
    _refuse_complex(array)
    return array


def _refuse_complex(array: Any) -> None:
    # PRIVACY: the message of scikit-learn shows the array (tests/unit/test_estimators.py).
    if getattr(getattr(array, "dtype", None), "kind", "") == "c":
        raise ValueError("Complex data not supported")


def arrow_column(column: NDArray[Any]) -> pa.Array:
    """A column of an array; O(rows). Where it holds values of several kinds, their texts count."""
    if column.dtype != object:
        return pa.array(column, from_pandas=True)
    values = [None if _is_missing(value) else value for value in column.tolist()]
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) > 1 and bool not in kinds and all(issubclass(kind, Real) for kind in kinds):
        return pa.array([None if value is None else float(value) for value in values], pa.float64())
    if len(kinds) <= 1:
        try:
            return pa.array(values)
        except (pa.ArrowException, UnicodeEncodeError, OverflowError):
            pass
    try:
        return pa.array([None if value is None else str(value) for value in values], pa.string())
    except UnicodeEncodeError:
        raise InputError("an array holds text that is not Unicode", "clean it") from None


def _is_missing(value: Any) -> bool:
    """None, a number or time that is none, or the missing value of pandas, which cannot be compared."""
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, Real) and value != value)
