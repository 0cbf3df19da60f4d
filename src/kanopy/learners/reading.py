"""Reads X for training and for prediction: a release, a published file, a frame or an array."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from kanopy.codebook import published_reading
from kanopy.data import Hierarchy, PublishedReading
from kanopy.data.arrays import Floats, Ints
from kanopy.errors import InputError, PolicyError, near_name
from kanopy.frames.arrays import array_table, checked_labels, checked_weights
from kanopy.frames.numbers import natural_order
from kanopy.frames.tables import read_table
from kanopy.learners.cells import CellColumn, CellTable, Drawn
from kanopy.learners.manifests import ManifestSource, columns_with_rest
from kanopy.learners.sketched import drawn_rows
from kanopy.learners.words import distinct_cells, new_column, training_column
from kanopy.policy import load_hierarchy, normal_name, shown_name
from kanopy.release import Release

Hierarchies = Mapping[str, Hierarchy | str | os.PathLike[str]]
Labels = NDArray[Any]
_SEED = 0
"""From which rows are drawn from sketches: the same release is read alike by all learners."""


class CodedClasses(NamedTuple):
    """The different classes, sorted, and the place of each row's among them."""

    labels: Labels
    codes: Ints


class ReadsCells:
    """A mixin, named before ``BaseEstimator``: accepts texts, categories and missing values."""

    _fitted: CellTable  # the training table without its rows

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


def read_training(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    hierarchies: Hierarchies | None = None,
    manifest: ManifestSource | None = None,
) -> tuple[CellTable, Labels | None]:
    """Read the training table; O(rows * columns), plus cells times members.

    The estimator notes the columns without the class. The labels are None where y is None and X is no release
    with a target. Arrays that scikit-learn calls invalid are a ValueError or TypeError that shows no value.
    A release brings its hierarchies and its manifest, unless others are given.
    """
    source, labels = _read_source(estimator, X, y)
    table = _cells_of(X, y, source, labels, hierarchies, manifest)
    return table, _copied(labels, table)


def _copied(per_row: NDArray[Any] | None, table: CellTable) -> NDArray[Any] | None:
    """What is known of each row that was read, for each row that was drawn from it."""
    return per_row if per_row is None or table.drawn is None else np.tile(per_row, table.drawn.n_copies)


def _cells_of(
    X: Any,
    y: Any,
    source: pa.Table,
    labels: Labels | None,
    hierarchies: Hierarchies | None,
    manifest: ManifestSource | None,
) -> CellTable:
    if isinstance(X, SharedRows) and not hierarchies and manifest is None and not isinstance(y, str):
        return X.training_table
    loaded = _loaded(hierarchies, source.column_names)
    if isinstance(X, Release):
        loaded, manifest = X.hierarchies | loaded, X.manifest if manifest is None else manifest
    return _training_table(source, loaded, columns_with_rest(manifest), _reading_of(X), labels)


def _reading_of(X: Any) -> PublishedReading | None:
    """How to read sketches: a release and shared rows know it, a file has a codebook beside it."""
    if isinstance(X, Release | SharedRows):
        return X.reading
    return published_reading(X) if isinstance(X, str | os.PathLike) else None


def _training_table(
    source: pa.Table,
    hierarchies: Mapping[str, Hierarchy],
    with_rest: Collection[str],
    reading: PublishedReading | None,
    labels: Labels | None,
) -> CellTable:
    rows = drawn_rows(source, reading, np.random.default_rng(_SEED), classes=labels)
    plain = source if rows is None else rows.table
    columns = tuple(
        training_column(name, column, hierarchies.get(name), has_rest=name in with_rest)
        for name, column in zip(plain.column_names, plain.columns, strict=True)
    )
    drawn = None if rows is None else Drawn(rows.n_copies, rows.group, rows.around)
    return CellTable(columns, plain.num_rows, drawn)


def read_classified(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    hierarchies: Hierarchies | None = None,
    manifest: ManifestSource | None = None,
) -> tuple[CellTable, CodedClasses]:
    """As ``read_training``, for a classifier: there must be classes, and not continuous ones."""
    table, labels = read_training(estimator, X, y, hierarchies=hierarchies, manifest=manifest)
    return table, as_classes(estimator, labels)


def read_weighted(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    hierarchies: Hierarchies | None = None,
    manifest: ManifestSource | None = None,
) -> tuple[CellTable, CodedClasses, Floats]:
    """As ``read_classified``, with the weight of each row; rows of weight 0 are as good as absent.

    Without weights every row weighs 1. Weights are checked as scikit-learn does.
    """
    source, labels = _read_source(estimator, X, y)
    weight = checked_weights(sample_weight, source.num_rows)
    kept = np.flatnonzero(weight > 0)
    if len(kept) < len(weight):
        source, weight = source.take(kept), weight[kept]
        labels = None if labels is None else labels[kept]
        X = X.with_rows(source, labels) if isinstance(X, SharedRows) else X
    table = _cells_of(X, y, source, labels, hierarchies, manifest)
    if table.drawn is not None:  # copies of a row weigh together what the row does
        weight = np.tile(weight, table.drawn.n_copies) / table.drawn.n_copies
    return table, as_classes(estimator, _copied(labels, table)), weight


def read_texts(estimator: Any, X: Any, y: Any = None) -> tuple[pa.Table, Labels | None]:
    """As ``read_training``, with the columns as they came: for learners that take cells by their text.

    From sketches plain rows are drawn here too.
    """
    source, labels = _read_source(estimator, X, y)
    rows = drawn_rows(source, _reading_of(X), np.random.default_rng(_SEED), classes=labels)
    if rows is None:
        return source, labels
    return rows.table, None if labels is None else np.tile(labels, rows.n_copies)


def _read_source(estimator: Any, X: Any, y: Any = None) -> tuple[pa.Table, Labels | None]:
    if isinstance(X, Release) and y is None:
        y = X.policy.target
    table = _named_columns(X)
    if table is None:
        if isinstance(y, str):
            raise PolicyError("an array has no column names", "give y as an array, or X as a frame")
        table = array_table(estimator, X, reset=True)
        return table, None if y is None else checked_labels(y, table.num_rows)
    if isinstance(y, str):
        class_name = normal_name(y)
        _check_present([class_name], table.column_names, "the class column")
        class_column = table[class_name]
        table = table.drop_columns([class_name])
    if not table.num_rows:
        raise InputError("the table has no rows", "give the rows to learn from")
    if not table.num_columns:
        raise InputError("the table has no columns besides the class", "give columns to learn from")
    # A table without rows, whose names every version of scikit-learn finds; not so those of polars.
    header = pa.table([pa.nulls(0)] * table.num_columns, names=table.column_names)
    validate_data(estimator, header, reset=True, skip_check_array=True)
    if isinstance(y, str):
        return table, _labels_of(class_name, class_column)
    return table, None if y is None else checked_labels(y, table.num_rows)


def as_classes(estimator: Any, labels: Labels | None) -> CodedClasses:
    """Labels for a classifier: they must be there, and not be continuous. O(rows log rows)."""
    if labels is None:
        name = type(estimator).__name__
        raise ValueError(f"This {name} estimator requires y to be passed, but the target y is None.")
    check_classification_targets(labels)
    different, codes = np.unique(labels, return_inverse=True)
    return CodedClasses(different, codes.astype(np.int64))


def read_rows(estimator: Any, X: Any, fitted: CellTable) -> CellTable:
    """Read new rows over the values that training knew; costs what ``read_training`` costs."""
    source = new_source(estimator, X)
    read = X.new_column if isinstance(X, SharedRows) else new_column
    columns = tuple(read(source.column(place), column) for place, column in enumerate(fitted.columns))
    return CellTable(columns, source.num_rows)


class SharedRows:
    """Rows for several learners: their cells are read once, not once per learner.

    ``fit`` and ``predict`` take it like a frame, without a class; its hierarchies and its manifest are for
    learners with none, its reading is for sketched cells, for which it should know the classes too.
    """

    def __init__(
        self,
        table: pa.Table,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        manifest: ManifestSource | None = None,
        reading: PublishedReading | None = None,
        classes: Labels | None = None,
    ) -> None:
        self.table = read_table(table)[1]
        self.reading = reading
        self._classes = classes
        self._hierarchies = dict(hierarchies or {})
        self._manifest = manifest
        self._new: dict[tuple[str, int], tuple[CellColumn, CellColumn]] = {}

    @cached_property
    def training_table(self) -> CellTable:
        with_rest = columns_with_rest(self._manifest)
        return _training_table(self.table, self._hierarchies, with_rest, self.reading, self._classes)

    def with_rows(self, table: pa.Table, classes: Labels | None) -> SharedRows:
        """Other rows, read in the same way."""
        return SharedRows(table, self._hierarchies, self._manifest, self.reading, classes)

    def new_column(self, source: pa.ChunkedArray, fitted: CellColumn) -> CellColumn:
        # Learners that were fitted on the same shared rows have the very same values.
        key = fitted.name, id(fitted.values)
        if key not in self._new:
            self._new[key] = fitted, new_column(source, fitted)
        return self._new[key][1]


def new_source(estimator: Any, X: Any) -> pa.Table:
    """The columns that were fitted: found by name, or in the same order where X is an array."""
    table = _named_columns(X)
    if table is None:
        return array_table(estimator, X, reset=False)
    if not hasattr(estimator, "feature_names_in_"):
        found, wanted, name = table.num_columns, estimator.n_features_in_, type(estimator).__name__
        if found != wanted:
            raise ValueError(f"X has {found} features, but {name} is expecting {wanted} features as input.")
        return table
    names = list(estimator.feature_names_in_)
    _check_present(names, table.column_names, "column")
    return table.select(names)


def _named_columns(X: Any) -> pa.Table | None:
    """X as a table with clean names; None where it has none, as an array or a pandas frame with numbers."""
    if isinstance(X, SharedRows):
        return X.table
    if isinstance(X, Release):
        X = X._published.to_arrow()
    if nw.dependencies.is_pandas_dataframe(X):
        has_names = all(isinstance(name, str) for name in X.columns)
    else:
        is_frame = nw.dependencies.is_into_dataframe(X) or nw.dependencies.is_polars_lazyframe(X)
        has_names = is_frame or isinstance(X, str | os.PathLike)
    return read_table(X)[1] if has_names else None


def _check_present(wanted: list[str], present: list[str], what: str) -> None:
    absent = [name for name in wanted if name not in present]
    if absent:
        more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
        hint = near_name(absent[0], present) or "columns are found by name"
        raise InputError(f"the table lacks {what} {shown_name(absent[0])}{more}", hint)


def _loaded(hierarchies: Hierarchies | None, names: list[str]) -> dict[str, Hierarchy]:
    loaded = {}
    for given, source in (hierarchies or {}).items():
        name = normal_name(given)
        if name not in names:
            hint = near_name(name, names) or "hierarchies are given by column"
            raise PolicyError(f"there is no column {shown_name(name)} for its hierarchy", hint)
        loaded[name] = load_hierarchy(name, source, natural_order)
    return loaded


def _labels_of(name: str, column: pa.ChunkedArray) -> Labels:
    """The classes in a column, in its own type; as texts where some are missing, which is a class too."""
    coded = distinct_cells(name, column)
    kind = coded.values.type
    has_type = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    if has_type and not coded.n_missing:
        labels: Labels = coded.values.to_numpy(zero_copy_only=False)
    else:
        labels = np.array([*coded.texts.to_pylist(), ""])
    return labels[coded.codes]
