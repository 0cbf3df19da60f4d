"""X on its way in and out: frames stay frames, arrays become Arrow tables and arrays again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from kanopy.data.grammar import SUPPRESSED_TEXT
from kanopy.frames.arrays import array_table
from kanopy.frames.native import kind_of
from kanopy.frames.numbers import is_declared_number
from kanopy.policy import normal_name


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """X as kanopy's tables.

    Parameters
    ----------
    frame : frame
        Of the kind that came in; of an array, a pyarrow table.
    names : list of str
        Of the columns, as the release calls them.
    is_array : bool
        Whether X was an array.
    """

    frame: Any
    names: list[str]
    is_array: bool

    @property
    def n_rows(self) -> int:
        return len(nw.from_native(self.frame, eager_only=True))

    @property
    def holds_numbers(self) -> list[bool]:
        """For every column: are its values numbers, and not texts that look like some?"""
        schema = nw.from_native(self.frame, eager_only=True).schema
        return [kind.is_numeric() for kind in schema.values()]


def checked_features(estimator: Any, X: Any, *, reset: bool) -> Features:
    """X as a table, after scikit-learn's checks; O(rows * columns).

    Parameters
    ----------
    estimator : BaseEstimator
    X : frame or array
    reset : bool
        Whether X is fitted, so that the estimator notes its width and names, or must agree with them.

    Raises
    ------
    ValueError, TypeError
        As scikit-learn's own estimators do, but without showing what is in X.
    """
    if nw.dependencies.is_into_dataframe(X) or nw.dependencies.is_polars_lazyframe(X):
        kind_of(X)
        wide = nw.from_native(X, eager_only=True)
        validate_data(estimator, _header(X, wide.columns), reset=reset, skip_check_array=True)
        names = _names(estimator, len(wide.columns))
        if list(wide.columns) != names:
            wide = wide.rename(dict(zip(wide.columns, names, strict=True)))
        return Features(wide.to_native(), [normal_name(name) for name in names], is_array=False)
    table = array_table(estimator, X, reset=reset)
    names = _names(estimator, table.num_columns)
    return Features(table.rename_columns(names), [normal_name(name) for name in names], is_array=True)


def _header(X: Any, names: list[str]) -> Any:
    """A table without rows, whose names every version of scikit-learn finds; not so those of polars."""
    if not all(isinstance(name, str) for name in names):
        return X  # of pandas; scikit-learn takes it for nameless, or refuses names that are half texts
    return pa.table([pa.nulls(0)] * len(names), names=names)


def _names(estimator: Any, n_columns: int) -> list[str]:
    """The names X had when it was fitted; of arrays, and of frames without any, x0, x1, ..."""
    return list(getattr(estimator, "feature_names_in_", [f"x{place}" for place in range(n_columns)]))


def as_array(frame: Any, published: pa.Table, may_be_numbers: Sequence[bool]) -> NDArray[Any]:
    """The columns of a frame as an array; O(rows * columns).

    Parameters
    ----------
    frame : frame
        Published rows, or new ones that were recoded.
    published : pa.Table
        The release that decides which columns are numbers, so that they are in every batch of new rows.
    may_be_numbers : sequence of bool
        The columns that are to be numbers if all their published texts are.
    """
    table = nw.from_native(frame, eager_only=True).to_arrow()
    columns: list[NDArray[Any]] = []
    for name, may_be in zip(table.column_names, may_be_numbers, strict=True):
        if may_be and _numbers_of(published[name])[1]:
            values, is_numeric = _numbers_of(table[name])
            if not is_numeric:
                raise ValueError(f"column {name!r} held numbers when it was fitted, now it holds texts")
        else:
            values = np.empty(table.num_rows, dtype=object)
            values[:] = table[name].to_pylist()
        columns.append(values)
    are_numbers = all(values.dtype != object for values in columns)
    out = np.empty((table.num_rows, len(columns)), dtype=np.float64 if are_numbers else object)
    for place, values in enumerate(columns):
        out[:, place] = values
    return out


def _numbers_of(column: pa.ChunkedArray) -> tuple[NDArray[np.float64], bool]:
    """The numbers that a column prints, NaN where it prints none; whether all it prints are numbers."""
    coded = pc.cast(column, pa.string()).combine_chunks().dictionary_encode()
    words = coded.dictionary.to_pylist()
    are_numbers = [is_declared_number(word) for word in words]
    numbers = [float(word) if is_one else np.nan for word, is_one in zip(words, are_numbers, strict=True)]
    is_numeric = all(
        is_one or word == SUPPRESSED_TEXT for word, is_one in zip(words, are_numbers, strict=True)
    )
    # The last entry answers code -1, which stands for missing.
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return np.array([*numbers, np.nan])[codes], is_numeric
