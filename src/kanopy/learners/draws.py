"""Drawing an original for each cell: which of the values it may stand for, by their shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kanopy.learners.cells import Bools, CellColumn, Floats, Ints
from kanopy.learners.encoding import ColumnEncoding
from kanopy.learners.shares import Shares


@dataclass(frozen=True, slots=True, eq=False)
class Urn:
    """The things that each cell of a column may stand for, one after the other.

    Parameters
    ----------
    upper : array of float
        Cell number plus the shares up to and including each thing, ascending.
    codes : array of int
        What it is: a value, ``n_values`` for missing.
    last : array of int, one per cell
        Its last thing.
    is_open : array of bool, one per cell
        Whether there is more than one thing to draw.
    """

    upper: Floats
    codes: Ints
    last: Ints
    is_open: Bools

    @classmethod
    def of(cls, column: CellColumn, encoding: ColumnEncoding) -> Urn:
        """O(members). A cell of which nothing is known at all counts as missing."""
        column, shares = encoding.shares(column)
        things, owners, codes = _likely_things(column, shares)
        ends = np.cumsum(np.bincount(owners, minlength=column.n_cells))
        total = np.cumsum(things)
        before = np.concatenate([[0.0], total])[np.concatenate([[0], ends[:-1]])]
        upper = owners + np.minimum(total - before[owners], 1.0)
        return cls(upper, codes, ends - 1, np.diff(ends, prepend=0) > 1)

    def draw(self, cells: NDArray[np.integer], chances: Floats) -> Ints:
        """For each cell and chance in [0, 1) one code; O(draws * log(members))."""
        place = np.searchsorted(self.upper, cells + chances, side="right")
        # Rounding may leave the last upper end of a cell a little below the next cell.
        drawn: Ints = self.codes[np.minimum(place, self.last[cells])]
        return drawn


def _likely_things(column: CellColumn, shares: Shares) -> tuple[Floats, Ints, Ints]:
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
