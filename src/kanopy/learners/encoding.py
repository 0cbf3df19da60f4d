"""Cells as numbers: one line of features per cell, or of a value drawn for it; rows only pick their line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from kanopy.learners.cells import CellColumn, CellTable, Floats, Ints
from kanopy.learners.shares import Frequencies, MemberShares


@dataclass(frozen=True, slots=True, eq=False)
class ColumnEncoding:
    """The features of one column, learned from the training table.

    A value of a categorical column has one feature per value, 1 for itself; a number has itself. Missing has
    the average of the training column, and 1 in a feature of its own where training had missing cells. A
    generalized cell has the expectation over what it may stand for.

    Frequencies decide between the members of a cell. The average, shares of the values, is expected of a cell
    that says nothing; ``missing_share`` of the training column is missing.
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
        shares = MemberShares.of(column, frequencies)
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
    def fits_single_precision(self) -> bool:
        """Whether no number of the column changes in 32 bits; O(values)."""
        if self.numbers is None:
            return True
        with np.errstate(over="ignore"):  # what does not fit becomes infinite, which is not the same
            return bool(np.all(self.numbers.astype(np.float32) == self.numbers))

    def shares(self, column: CellColumn) -> tuple[CellColumn, MemberShares]:
        """What each cell may stand for and how likely; suppressed and unknown ones as the training column.

        O(members).
        """
        says_nothing = column.is_suppressed | ((column.sizes == 0) & ~column.with_missing)
        if (says_nothing & ~column.is_suppressed).any():
            column = replace(column, sets=column.sets.filled(says_nothing))
        shares = MemberShares.of(column, self.frequencies)
        owners = column.cell_of_member
        rest = (1 - self.missing_share) * self.average[column.members]
        members = np.where(says_nothing[owners], rest, shares.members)
        missing = np.where(says_nothing, self.missing_share, shares.missing)
        return column, MemberShares(members, missing)

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


def expected_features(encodings: Sequence[ColumnEncoding], table: CellTable, *, sparse: bool) -> Any:
    """What is expected of each row (down); O(rows * features), sparse O(entries)."""
    pairs = zip(encodings, table.columns, strict=True)
    return stacked([(encoding.of_cells(column), column.ids) for encoding, column in pairs], sparse=sparse)


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


# --- drawing an original for each cell


@dataclass(frozen=True, slots=True, eq=False)
class Urn:
    """The things that each cell of a column may stand for, one after the other.

    ``upper`` has the cell's number plus the shares up to and including each thing, ascending; ``codes`` what
    it is, ``n_values`` for missing; ``last`` the last thing of each cell.
    """

    upper: Floats
    codes: Ints
    last: Ints

    @classmethod
    def of(cls, column: CellColumn, encoding: ColumnEncoding) -> Urn:
        """O(members). A cell of which nothing is known at all counts as missing."""
        column, shares = encoding.shares(column)
        things, owners, codes = _likely_things(column, shares)
        ends = np.cumsum(np.bincount(owners, minlength=column.n_cells))
        total = np.cumsum(things)
        before = np.concatenate([[0.0], total])[np.concatenate([[0], ends[:-1]])]
        upper = owners + np.minimum(total - before[owners], 1.0)
        return cls(upper, codes, ends - 1)

    def draw(self, cells: NDArray[np.integer], chances: Floats) -> Ints:
        """For each cell and chance in [0, 1) one code; O(draws * log(members))."""
        place = np.searchsorted(self.upper, cells + chances, side="right")
        # Rounding may leave the last upper end of a cell a little below the next cell.
        drawn: Ints = self.codes[np.minimum(place, self.last[cells])]
        return drawn


def _likely_things(column: CellColumn, shares: MemberShares) -> tuple[Floats, Ints, Ints]:
    """Shares above 0, their cells and codes, sorted by cell; of each cell at least one, missing last."""
    owners = np.concatenate([column.cell_of_member, np.arange(column.n_cells)])
    codes = np.concatenate([column.members, np.full(column.n_cells, column.n_values)])
    things = np.concatenate([shares.members, shares.missing])
    nothing = np.bincount(owners, things, minlength=column.n_cells) <= 0
    things[len(column.members) :][nothing] = 1.0
    order = np.argsort(owners, kind="stable")
    order = order[things[order] > 0]
    return things[order], owners[order], codes[order]


def spread_chances(n_draws: int, n_columns: int, rng: np.random.Generator) -> Floats:
    """Chances for some draws (down) from each column (across), spread evenly over every column.

    Each of the equal parts of [0, 1) has one (a Latin hypercube), so that few draws represent a cell well.
    """
    parts = np.array([rng.permutation(n_draws) for _ in range(n_columns)]).T
    return (parts + rng.random((n_draws, n_columns))) / n_draws
