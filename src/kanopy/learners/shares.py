"""How likely each member of a cell is: equally, or as often as it occurs where it is told exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanopy.learners.cells import CellColumn, Floats

WEIGHTS = ("uniform", "frequency")


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """How often each value, and missing, occurs exactly in a training column."""

    values: Floats
    missing: float

    @classmethod
    def of(cls, column: CellColumn, weights: str) -> Frequencies:
        """What ``weights`` asks for: ``uniform``, or ``frequency`` in the rows of the column; O(rows)."""
        if weights == "uniform":
            return cls(np.ones(column.n_values), 1.0)
        rows = column.rows_of_cell
        exact = column.is_exact
        values = np.bincount(column.members[column.first[:-1][exact]], rows[exact], column.n_values)
        is_missing = column.with_missing & (column.sizes == 0) & ~column.is_suppressed
        return cls(values.astype(np.float64), float(rows[is_missing].sum()))


@dataclass(frozen=True, slots=True, eq=False)
class MemberShares:
    """The probability of each thing that a cell may stand for: together 1, where there is any.

    ``members`` has one entry per entry of ``CellColumn.members``, ``missing`` one per cell.
    """

    members: Floats
    missing: Floats

    @classmethod
    def of(cls, column: CellColumn, frequencies: Frequencies) -> MemberShares:
        """Share each cell among its members, and missing where it may be that; O(members).

        Where none of the members occurs exactly, all are alike, missing too.
        """
        owners = column.cell_of_member
        amounts = frequencies.values[column.members]
        missing = np.where(column.with_missing, frequencies.missing, 0.0)
        totals = np.bincount(owners, amounts, minlength=column.n_cells)
        alike = totals <= 0
        totals = totals + missing
        amounts[alike[owners]] = 1.0
        missing[alike] = column.with_missing[alike]
        totals[alike] = (column.sizes + column.with_missing)[alike]
        totals[totals == 0] = 1.0  # a cell of words that training did not know
        return cls(amounts / totals[owners], missing / totals)


def check_weights(weights: str) -> None:
    """Refuse anything but the names in ``WEIGHTS``."""
    if weights not in WEIGHTS:
        raise ValueError(f"weights must be one of {', '.join(map(repr, WEIGHTS))}, not {weights!r}")
