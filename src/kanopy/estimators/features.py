"""X and y on their way in and out: frames stay frames, arrays become Arrow tables and arrays again."""

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

from kanopy.data.grammar import SUPPRESSED_TEXT, clean_text
from kanopy.errors import VerificationError
from kanopy.frames.arrays import array_table, arrow_column, checked_labels
from kanopy.frames.distinct import distinct_column
from kanopy.frames.numbers import is_declared_number
from kanopy.frames.tables import kind_of
from kanopy.policy import normal_name

_UNNAMED = "target"


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """X as a table: a frame of the kind that came in, or a pyarrow table for an array."""

    frame: Any
    names: list[str]
    is_array: bool

    @property
    def holds_numbers(self) -> list[bool]:
        """Whether the values of each column are numbers, and not texts that look like some."""
        schema = nw.from_native(self.frame, eager_only=True).schema
        return [kind.is_numeric() for kind in schema.values()]


def checked_features(estimator: Any, X: Any, *, reset: bool) -> Features:
    """X as a table, after scikit-learn's checks; with ``reset`` the estimator notes its width and names.

    Messages show nothing of X. O(rows * columns).
    """
    if nw.dependencies.is_into_dataframe(X) or nw.dependencies.is_polars_lazyframe(X):
        kind_of(X)
        wide = nw.from_native(X, eager_only=True)
        header = X  # of pandas; scikit-learn takes it for nameless, or refuses names that are half texts
        if all(isinstance(name, str) for name in wide.columns):
            # Without rows; every version of scikit-learn finds these names, but not those of polars.
            header = pa.table([pa.nulls(0)] * len(wide.columns), names=wide.columns)
        validate_data(estimator, header, reset=reset, skip_check_array=True)
        names = _names(estimator, len(wide.columns))
        if list(wide.columns) != names:
            wide = wide.rename(dict(zip(wide.columns, names, strict=True)))
        return Features(wide.to_native(), [normal_name(name) for name in names], is_array=False)
    table = array_table(estimator, X, reset=reset)
    names = _names(estimator, table.num_columns)
    return Features(table.rename_columns(names), [normal_name(name) for name in names], is_array=True)


def _names(estimator: Any, n_columns: int) -> list[str]:
    """The names X had when it was fitted; of arrays, and of frames without any, x0, x1, ..."""
    return list(getattr(estimator, "feature_names_in_", [f"x{place}" for place in range(n_columns)]))


def as_array(frame: Any, published: pa.Table, may_be_numbers: Sequence[bool]) -> NDArray[Any]:
    """Published or recoded rows as an array; O(rows * columns).

    A column that may hold numbers does so if all its texts in the release are numbers: so all batches agree.
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
    return np.column_stack(columns)


def _numbers_of(column: pa.ChunkedArray) -> tuple[NDArray[np.float64], bool]:
    """The numbers that a column prints, NaN where it prints none; whether all it prints are numbers."""
    coded = pc.cast(column, pa.string()).combine_chunks().dictionary_encode()
    words = coded.dictionary.to_pylist()
    numbers = [float(word) if is_declared_number(word) else np.nan for word in words]
    is_numeric = all(is_declared_number(word) or word == SUPPRESSED_TEXT for word in words)
    # The last entry answers code -1, which stands for missing.
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return np.array([*numbers, np.nan])[codes], is_numeric


@dataclass(frozen=True, slots=True, eq=False)
class ClassColumn:
    """The class of every row: as it came in, as a flat array, and the column of the table that holds it."""

    given: Any
    labels: NDArray[Any]
    name: str

    @classmethod
    def of(cls, y: Any, features: Features) -> ClassColumn:
        """Check y as scikit-learn does; its column has the name of the series, made different from X's."""
        labels = checked_labels(y, len(nw.from_native(features.frame, eager_only=True)))
        name = normal_name(getattr(y, "name", None)) or _UNNAMED
        name = name if isinstance(name, str) else _UNNAMED
        taken = {taken_name.casefold() for taken_name in features.names}
        while name.casefold() in taken:
            name += "_"
        return cls(y, labels, name)

    def added_to(self, frame: Any) -> Any:
        """A frame of the same kind with the classes as its last column, whatever its index says."""
        wide = nw.from_native(frame, eager_only=True)
        backend: Any = kind_of(frame)
        column = nw.from_arrow(pa.table({self.name: arrow_column(self.labels)}), backend=backend)
        return wide.with_columns(column.get_column(self.name)).to_native()

    def as_given(self, published: Any, missing: Sequence[str]) -> Any:
        """The labels of published rows, of the kind and type in which y came in; O(rows)."""
        tokens = [clean_text(text) for text in missing]
        given = distinct_column(self.name, pa.chunked_array([arrow_column(self.labels)]), tokens)
        chunks = published.chunks if isinstance(published, pa.ChunkedArray) else [published]
        shown = distinct_column(self.name, pa.chunked_array(chunks, published.type), ())
        place = pc.index_in(shown.texts, value_set=given.texts)
        if place.null_count:
            raise VerificationError("the classes that go in and come out do not add up", "please report this")
        place = np.append(place.to_numpy(zero_copy_only=False), len(given.texts))
        example = np.zeros(len(given.texts) + 1, dtype=np.int64)
        example[given.codes[::-1]] = np.arange(len(self.labels))[::-1]
        rows = example[place[shown.codes]]
        if not nw.dependencies.is_into_series(self.given):
            return self.labels[rows]
        # PRIVACY: the index of pandas would tell the source rows (tests/unit/test_estimators.py).
        return nw.maybe_reset_index(nw.from_native(self.given, series_only=True)[rows]).to_native()
