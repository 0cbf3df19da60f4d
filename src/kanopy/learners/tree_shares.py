"""Which branches a cell may take, and how much of it takes each: all of them, one drawn, or the likeliest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.learners.tree_columns import spans

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FRACTIONAL, RANDOM = "fractional", "random"
HIGHEST_FREQUENCY, ORIGINAL_DISTRIBUTION = "highest_frequency", "original_distribution"
"""How a row with a generalized cell goes on: in parts, or as one value, found in one of three ways."""


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """For every cell (or pair of node and cell) its branches, and the share of each.

    Parameters
    ----------
    first : array of int
        Where the branches of every cell begin, and the end of the last.
    branch : array of int
        Ascending for every cell.
    share : array of float
        Positive; of every cell they add up to 1.
    """

    first: Ints
    branch: Ints
    share: Floats

    @classmethod
    def of(cls, cell: Ints, branch: Ints, amount: Floats, n_cells: int) -> Shares:
        """In proportion to amounts; equal where all amounts of a cell are 0. O(n log n)."""
        amount = np.where(np.bincount(cell, amount, minlength=n_cells)[cell] > 0, amount, 1.0)
        kept = np.flatnonzero(amount > 0)
        order = kept[np.lexsort((branch[kept], cell[kept]))]
        cell, branch, amount = cell[order], branch[order], amount[order]
        begins = np.ones(len(cell), dtype=bool)
        begins[1:] = (np.diff(cell) != 0) | (np.diff(branch) != 0)
        start = np.flatnonzero(begins)
        if len(start) < len(cell):  # several runs of a cell may lie on one side of a threshold
            amount = np.add.reduceat(amount, start)
            cell, branch = cell[start], branch[start]
        total = np.bincount(cell, amount, minlength=n_cells)
        first = np.searchsorted(cell, np.arange(n_cells + 1))
        return cls(first, branch, amount / total[cell])

    @classmethod
    def of_highest(cls, cell: Ints, branch: Ints, amount: Floats, n_cells: int) -> Shares:
        """All to the branch with the highest amount; ties: the lowest branch. O(n log n)."""
        order = np.lexsort((branch, -amount, cell))
        cell, branch = cell[order], branch[order]
        is_best = np.ones(len(cell), dtype=bool)
        is_best[1:] = np.diff(cell) != 0
        first = np.searchsorted(cell[is_best], np.arange(n_cells + 1))
        return cls(first, branch[is_best], np.ones(int(is_best.sum())))

    def parts(self, cells: NDArray[Any]) -> tuple[Ints, Ints, Floats]:
        """Of things with these cells: which thing (by its place), to which branch, with which share."""
        n_parts = np.diff(self.first)[cells]
        place = np.repeat(np.arange(len(cells)), n_parts)
        entry = spans(self.first[cells], n_parts)
        return place, self.branch[entry], self.share[entry]

    def drawn(self, cells: NDArray[Any], rng: np.random.Generator) -> Ints:
        """One branch for each thing with these cells, all of which have branches; O(n log n)."""
        up_to = np.append(0.0, np.cumsum(self.share))
        begin, end = self.first[cells], self.first[np.add(cells, 1)]
        aim = up_to[begin] + rng.random(len(cells)) * (up_to[end] - up_to[begin])
        entry = np.searchsorted(up_to, aim, side="right") - 1
        return np.asarray(self.branch[np.clip(entry, begin, end - 1)])


class RangeMaximum:
    """The highest amount between two places: O(n log n) once, then O(1) for each question."""

    def __init__(self, amounts: Floats) -> None:
        self._levels = [amounts]
        width = 1
        while 2 * width <= len(amounts):
            last = self._levels[-1]
            self._levels.append(np.maximum(last[:-width], last[width:]))
            width *= 2

    def __call__(self, low: Ints, high: Ints) -> Floats:
        """Between ``low`` and ``high``, both included; nothing in between is less than everything."""
        highest = np.full(len(low), -1.0)
        length = np.maximum(high - low + 1, 0)
        level = np.frexp(length)[1] - 1
        for number, amounts in enumerate(self._levels):
            mine = np.flatnonzero((level == number) & (length > 0))
            highest[mine] = np.maximum(amounts[low[mine]], amounts[high[mine] - (1 << number) + 1])
        return highest
