"""Published cells as numbers: one line of features per cell, which its rows pick."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kanopy.data.arrays import Floats, Ints
from kanopy.learners.cells import CellColumn, CellTable, Weights, check_weights, member_counts, member_shares
from kanopy.learners.manifests import ManifestSource
from kanopy.learners.reading import Hierarchies, ReadsCells, read_training


@dataclass(frozen=True, slots=True, eq=False)
class ColumnEncoding:
    """The features of one column, learned from the training table.

    A value of a categorical column has one feature per value, 1 for itself; a number has itself. Missing has
    the average of the training column, and 1 in a feature of its own where training had missing cells. A
    generalized cell has the expectation over what it may stand for.
    """

    name: str
    values: tuple[str, ...]
    numbers: Floats | None
    counts: Floats  # of ``member_counts``
    average: Floats  # shares of the values in the training column, expected of a cell that says nothing
    missing_share: float  # of the training column
    has_missing: bool

    @classmethod
    def fit(cls, column: CellColumn, weights: Weights) -> ColumnEncoding:
        """Learn averages from the cells that say something; O(rows + members)."""
        counts = member_counts(column, weights)
        members, missing_shares = member_shares(column, counts)
        rows = np.where(column.is_suppressed, 0, column.rows_of_cell).astype(np.float64)
        amounts = members * rows[column.cell_of_member]
        totals = np.bincount(column.members, amounts, minlength=column.n_values)
        known, missing = float(totals.sum()), float((rows * missing_shares).sum())
        average = totals / known if known > 0 else np.full(column.n_values, 1 / max(column.n_values, 1))
        # A column that names no value becomes one feature that is always 0: no table is without any.
        numbers = column.numbers if column.values else np.zeros(0)
        missing_share = missing / (known + missing) if missing else 0.0
        has_missing = bool(column.with_missing[rows > 0].any())
        return cls(column.name, column.values, numbers, counts, average, missing_share, has_missing)

    @property
    def feature_names(self) -> list[str]:
        """``age`` for numbers, ``sex=F`` for each value, ``sex=`` for missing."""
        names = [f"{self.name}={value}" for value in self.values] if self.numbers is None else [self.name]
        return [*names, f"{self.name}="] if self.has_missing else names

    @property
    def fits_single_precision(self) -> bool:
        """Whether no number of the column changes in 32 bits; O(values)."""
        if self.numbers is None:
            return True
        with np.errstate(over="ignore"):  # what does not fit becomes infinite, which is not the same
            return bool(np.all(self.numbers.astype(np.float32) == self.numbers))

    def shares(self, column: CellColumn) -> tuple[CellColumn, Floats, Floats]:
        """``member_shares``; a cell that says nothing has the shares of the training column. O(members)."""
        says_nothing = column.is_suppressed | ((column.sizes == 0) & ~column.with_missing)
        if (says_nothing & ~column.is_suppressed).any():
            column = replace(column, sets=column.sets.filled(says_nothing))
        members, missing = member_shares(column, self.counts)
        rest = (1 - self.missing_share) * self.average[column.members]
        members = np.where(says_nothing[column.cell_of_member], rest, members)
        return column, members, np.where(says_nothing, self.missing_share, missing)

    def of_cells(self, column: CellColumn) -> sp.csr_array:
        """The expected features of each cell (down); O(members)."""
        column, shares, missing = self.shares(column)
        shape = column.n_cells, column.n_values
        return self._mixed(sp.csr_array((shares, column.members, column.first), shape=shape), missing)

    def of_values(self) -> sp.csr_array:
        """The features of each value (down), and of missing (last); O(values)."""
        n_values = len(self.values)
        missing = np.append(np.zeros(n_values), 1.0)
        return self._mixed(sp.csr_array(sp.eye_array(n_values + 1, n_values, format="csr")), missing)

    def _mixed(self, members: sp.csr_array, missing: Floats) -> sp.csr_array:
        """Features, given the probability of each value (across) and of missing."""
        parts = [members, missing[:, None]] if self.has_missing else [members]
        mean = self.average[None, :]
        if self.numbers is not None:
            values = self.numbers[:, None]
            parts[0] = members @ values + missing[:, None] * (mean @ values)
        elif missing.any():
            parts[0] = members + sp.csr_array(missing[:, None]) @ sp.csr_array(mean)
        return sp.csr_array(sp.hstack([sp.csr_array(part) for part in parts], format="csr"))


class CategoryCodes(ColumnEncoding):
    """One feature for a categorical column, the number of the value, for classifiers that take categories.

    What is no single value, or none that training knew, is NaN.
    """

    @classmethod
    def of(cls, encoding: ColumnEncoding) -> CategoryCodes:
        return cls(*(getattr(encoding, field.name) for field in fields(encoding)))

    @property
    def feature_names(self) -> list[str]:
        """The name of the column."""
        return [self.name]

    def of_cells(self, column: CellColumn) -> sp.csr_array:
        """The code of each cell that says one value; O(cells)."""
        codes = np.full(column.n_cells, np.nan)
        codes[column.is_exact] = column.members[column.first[:-1][column.is_exact]]
        return sp.csr_array(codes[:, None])

    def of_values(self) -> sp.csr_array:
        """The code of each value, and of missing (last); O(values)."""
        return sp.csr_array(np.append(np.arange(len(self.values)), np.nan)[:, None])


def stacked(parts: list[tuple[sp.csr_array, NDArray[Any]]], *, sparse: bool, kind: type = np.float64) -> Any:
    """The lines that the rows pick from each column, side by side; O(rows * features), sparse O(entries)."""
    if sparse:
        rows = sp.csr_array(sp.hstack([lines[picked] for lines, picked in parts], format="csr"), dtype=kind)
        if max(rows.nnz, *rows.shape) <= np.iinfo(np.int32).max:  # the trees of scikit-learn want them short
            rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
        return rows
    ends = np.cumsum([lines.shape[1] for lines, _ in parts])
    out = np.empty((len(parts[0][1]), ends[-1]), dtype=kind)
    for (lines, picked), block in zip(parts, np.split(out, ends[:-1], axis=1), strict=True):
        block[:] = lines.toarray().astype(kind, copy=False)[picked]
    return out


def group_averages(features: Any, group: Ints) -> Any:
    """For each row the average over the rows of its group; O(rows * features), sparse O(entries)."""
    n_rows = np.bincount(group)
    owners = sp.csr_array(
        (1 / n_rows[group], (group, np.arange(len(group)))), shape=(len(n_rows), len(group))
    )
    averages = owners @ features
    return averages[group]


class EncodesCells(ReadsCells):
    """A mixin of estimators that turn cells into features."""

    weights: Weights
    sparse_output: bool

    def _learn_features(self, table: CellTable) -> None:
        self._fitted = table.without_rows()
        self._encodings = [ColumnEncoding.fit(column, self.weights) for column in table.columns]

    def _expected(self, table: CellTable) -> Any:
        """The expected features of each row (down); O(rows * features), sparse O(entries).

        Of rows that were drawn from sketches, one copy, with the averages of their groups.
        """
        if table.drawn is not None:
            rows = np.arange(len(table.drawn.group))
            return group_averages(self._expected(table.take(rows)), table.drawn.group)
        pairs = zip(self._encodings, table.columns, strict=True)
        parts = [(encoding.of_cells(column), column.ids) for encoding, column in pairs]
        return stacked(parts, sparse=self.sparse_output)


class GeneralizedEncoder(EncodesCells, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Cells to features: the expected number, or the share of each value.

    A column of numbers becomes one feature, the mean of what the cell may stand for; any other column one
    feature per value, the shares of what it may stand for. Where training has missing cells, one more
    feature tells how likely the cell was missing. A cell that says nothing (suppressed, missing, a word that
    training did not know) has the average of the training column.

    Parameters
    ----------
    weights : {"uniform", "frequency"} or mapping, default="uniform"
        Whether the members of a cell are equally likely, or as often as each occurs exactly in the training
        column (equally, where none does), or as often as in the original, by the ``value_statistics`` of a
        manifest. A missing member counts like any other.
    hierarchies : dict, default=None
        Column to a Hierarchy, or to a file with one line ``value;parent;...;*`` per value: its nodes then
        stand for the values below them. A ``Release`` brings its own.
    manifest : mapping or path, default=None
        What the release is published with, or the JSON file that holds it: it says in which columns ``*`` is
        a value of its own. A ``Release`` brings its own.
    sparse_output : bool, default=False
        Whether to return a sparse matrix, which columns with many values ask for.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        The latter where X has names.

    Notes
    -----
    New numbers are read as the nearest that training named. Fitting and transforming cost
    O(rows * features), sparse O(rows * columns + cells * members).
    """

    def __init__(
        self,
        *,
        weights: Weights = "uniform",
        hierarchies: Hierarchies | None = None,
        manifest: ManifestSource | None = None,
        sparse_output: bool = False,
    ) -> None:
        self.weights = weights
        self.hierarchies = hierarchies
        self.manifest = manifest
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
        return self._expected(self._fit(X, y))

    def transform(self, X: Any) -> Any:
        """Encode rows, published or not."""
        return self._expected(self._read(X))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """``age`` for a column of numbers, ``sex=F`` for the value of another, ``sex=`` for missing."""
        check_is_fitted(self)
        return np.array([name for each in self._encodings for name in each.feature_names], dtype=object)

    def _fit(self, X: Any, y: Any) -> CellTable:
        check_weights(self.weights)
        table, _ = read_training(self, X, y, hierarchies=self.hierarchies, manifest=self.manifest)
        self._learn_features(table)
        return table

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_encodings")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
