"""Cells as numbers: one line of features per cell, per column; rows then only pick their line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from kanopy.learners.cells import CellColumn, Floats, Ints
from kanopy.learners.shares import Frequencies, Shares


@dataclass(frozen=True, slots=True, eq=False)
class ColumnEncoding:
    """The features of one column, learned from the training table.

    A value of a categorical column has one feature per value, 1 for itself; a number has itself. Missing has
    the average of the training column, and 1 in a feature of its own where training had missing cells. A
    generalized cell has the expectation over what it may stand for.

    Parameters
    ----------
    name : str
    values : tuple of str
    numbers : array of float or None
    frequencies : Frequencies
        What decides between the members of a cell.
    average : array of float
        What is expected of a cell that says nothing: shares of the values.
    missing_share : float
        How much of the training column is missing.
    has_missing : bool
        Whether missing has a feature of its own.
    """

    name: str
    values: tuple[str, ...]
    numbers: Floats | None
    frequencies: Frequencies
    average: Floats
    missing_share: float
    has_missing: bool

    @classmethod
    def fit(cls, column: CellColumn, weights: str) -> ColumnEncoding:
        """Learn averages from the cells that say something; O(rows + members)."""
        frequencies = Frequencies.of(column, weights)
        shares = Shares.of(column, frequencies)
        rows = np.where(column.is_suppressed, 0, column.rows_of_cell).astype(np.float64)
        amounts = shares.members * rows[column.cell_of_member]
        totals = np.bincount(column.members, amounts, minlength=column.n_values)
        known, missing = float(totals.sum()), float((rows * shares.missing).sum())
        average = totals / known if known > 0 else np.full(column.n_values, 1 / max(column.n_values, 1))
        return cls(
            column.name,
            column.values,
            # A column that names no value becomes one feature that is always 0: no table is without any.
            column.numbers if column.values else np.zeros(0),
            frequencies,
            average,
            missing / (known + missing) if missing else 0.0,
            bool(column.with_missing[(column.rows_of_cell > 0) & ~column.is_suppressed].any()),
        )

    @property
    def feature_names(self) -> list[str]:
        """``age`` for numbers, ``sex=F`` for each value, ``sex=`` for missing."""
        names = [f"{self.name}={value}" for value in self.values] if self.numbers is None else [self.name]
        return [*names, f"{self.name}="] if self.has_missing else names

    @property
    def n_features(self) -> int:
        return (len(self.values) if self.numbers is None else 1) + self.has_missing

    @property
    def fits_single_precision(self) -> bool:
        """Whether no number of the column changes in 32 bits; O(values)."""
        if self.numbers is None:
            return True
        with np.errstate(over="ignore"):  # what does not fit becomes infinite, which is not the same
            return bool(np.all(self.numbers.astype(np.float32) == self.numbers))

    def shares(self, column: CellColumn) -> tuple[CellColumn, Shares]:
        """What each cell may stand for and how likely; suppressed and unknown ones as the training column.

        O(members).
        """
        says_nothing = column.is_suppressed | ((column.sizes == 0) & ~column.with_missing)
        if (says_nothing & ~column.is_suppressed).any():
            column = _with_all_members(column, says_nothing)
        shares = Shares.of(column, self.frequencies)
        owners = column.cell_of_member
        rest = (1 - self.missing_share) * self.average[column.members]
        members = np.where(says_nothing[owners], rest, shares.members)
        missing = np.where(says_nothing, self.missing_share, shares.missing)
        return column, Shares(members, missing)

    def of_cells(self, column: CellColumn) -> sp.csr_array:
        """The expected features of each cell (down); O(members)."""
        column, shares = self.shares(column)
        members = sp.csr_array(
            (shares.members, column.members, column.first), shape=(column.n_cells, column.n_values)
        )
        return self._mixed(members, shares.missing)

    def of_values(self) -> sp.csr_array:
        """The features of each value (down), and of missing (last); O(values)."""
        n_values = len(self.values)
        members = sp.csr_array(sp.eye_array(n_values + 1, n_values, format="csr"))
        missing = np.zeros(n_values + 1)
        missing[-1] = 1.0
        return self._mixed(members, missing)

    def _mixed(self, members: sp.csr_array, missing: Floats) -> sp.csr_array:
        """Features of what is so likely each of the values (across), or missing."""
        parts = [members, missing[:, None]] if self.has_missing else [members]
        mean = self.average[None, :]
        if self.numbers is not None:
            values = self.numbers[:, None]
            parts[0] = members @ values + missing[:, None] * (mean @ values)
        elif missing.any():
            parts[0] = members + sp.csr_array(missing[:, None]) @ sp.csr_array(mean)
        return sp.csr_array(sp.hstack([sp.csr_array(part) for part in parts], format="csr"))


def _with_all_members(column: CellColumn, is_open: NDArray[np.bool_]) -> CellColumn:
    """The column with all values as members of the open cells; O(members + open cells * values)."""
    is_kept = ~is_open[column.cell_of_member]
    sizes = np.where(is_open, column.n_values, column.sizes)
    first = np.concatenate([[0], np.cumsum(sizes)])
    members: Ints = np.empty(first[-1], dtype=np.int64)
    is_filled = np.repeat(is_open, sizes)
    members[is_filled] = np.tile(np.arange(column.n_values), int(is_open.sum()))
    members[~is_filled] = column.members[is_kept]
    return replace(column, first=first, members=members)


def stacked(parts: list[tuple[sp.csr_array, NDArray[Any]]], *, sparse: bool, kind: type = np.float64) -> Any:
    """For every column the lines that its rows pick, side by side; O(rows * features), sparse O(entries)."""
    if sparse:
        return sp.csr_array(sp.hstack([lines[picked] for lines, picked in parts], format="csr"))
    widths = [lines.shape[1] for lines, _ in parts]
    out = np.empty((len(parts[0][1]), sum(widths)), dtype=kind)
    end = 0
    for (lines, picked), width in zip(parts, widths, strict=True):
        out[:, end : end + width] = lines.toarray().astype(kind, copy=False)[picked]
        end += width
    return out
