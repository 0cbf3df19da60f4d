"""Many cells at once: for each, the set of values that it may stand for, as runs of codes in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from kanopy.data.cell import Cell

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class ValueSets:
    """A set of values per cell. A range is one run, however many values it has.

    Parameters
    ----------
    n_values : int
        Values of the column; codes are ``0 .. n_values - 1``, and ``n_values`` means missing.
    first : array of int, one more than there are cells
        Cell ``c`` has the runs ``first[c]`` to before ``first[c + 1]``.
    begin, end : arrays of int
        First and last code of each run, both included. Inside a cell runs ascend, and a code that is not
        covered lies between any two.
    with_missing : array of bool, one per cell
        Whether the original may have been missing.
    """

    n_values: int
    first: Ints
    begin: Ints
    end: Ints
    with_missing: Bools

    @classmethod
    def of_members(cls, n_values: int, sizes: Ints, members: Ints, with_missing: Bools) -> ValueSets:
        """Cells of so many members each; members ascend inside a cell. O(members)."""
        cell = np.repeat(np.arange(len(sizes)), sizes)
        begins = np.ones(len(members), dtype=bool)
        begins[1:] = (np.diff(cell) != 0) | (np.diff(members) != 1)
        ends = np.ones(len(members), dtype=bool)
        ends[:-1] = begins[1:]
        first = np.searchsorted(cell[begins], np.arange(len(sizes) + 1))
        return cls(n_values, first, members[begins], members[ends], with_missing)

    @classmethod
    def of_runs(cls, n_values: int, cell: Ints, begin: Ints, end: Ints, with_missing: Bools) -> ValueSets:
        """Runs in any order that may touch, overlap or be empty; O(runs * log(runs))."""
        used = begin <= end
        if not used.all():
            cell, begin, end = (array[used] for array in (cell, begin, end))
        keys = cell * (n_values + 2) + begin
        if (keys[1:] < keys[:-1]).any():
            order = np.argsort(keys, kind="stable")
            cell, begin, end = (array[order] for array in (cell, begin, end))
        # How far the runs so far reach, in codes that go on counting from cell to cell.
        base = cell * (n_values + 2)
        reach = np.maximum.accumulate(base + end) if len(cell) else base
        begins = np.ones(len(cell), dtype=bool)
        begins[1:] = base[1:] + begin[1:] > reach[:-1] + 1
        ends = np.ones(len(cell), dtype=bool)
        ends[:-1] = begins[1:]
        first = np.searchsorted(cell[begins], np.arange(len(with_missing) + 1))
        return cls(n_values, first, begin[begins], (reach - base)[ends], with_missing)

    @classmethod
    def of_cells(cls, n_values: int, cells: Sequence[Cell]) -> ValueSets:
        """The values of published cells; O(cells + members of sets)."""
        runs = [cell.runs(n_values) for cell in cells]
        begin, end = (
            np.fromiter(chain.from_iterable(run[side] for run in runs), np.int64) for side in (0, 1)
        )
        n_runs = np.array([len(run[0]) for run in runs], dtype=np.int64)
        with_missing = np.array([cell.with_missing for cell in cells], dtype=bool)
        return cls.of_runs(n_values, np.repeat(np.arange(len(runs)), n_runs), begin, end, with_missing)

    @property
    def n_cells(self) -> int:
        return len(self.with_missing)

    @property
    def cell_of_run(self) -> Ints:
        """The cell of each run; O(runs)."""
        return np.repeat(np.arange(self.n_cells), np.diff(self.first))

    @property
    def sizes(self) -> Ints:
        """How many values each cell may stand for, missing aside; O(runs)."""
        before = np.concatenate([[0], np.cumsum(self.end - self.begin + 1)])
        return np.diff(before[self.first])

    @property
    def members(self) -> Ints:
        """The values of the first cell, then those of the second, and so on; O(members)."""
        return numbers_from(self.begin, self.end - self.begin + 1)

    def filled(self, is_whole: Bools) -> ValueSets:
        """The same sets, but all values in the cells that are marked; O(runs * log(runs))."""
        whole = np.flatnonzero(is_whole)
        if not len(whole):
            return self
        return ValueSets.of_runs(
            self.n_values,
            np.concatenate([self.cell_of_run, whole]),
            np.concatenate([self.begin, np.zeros_like(whole)]),
            np.concatenate([self.end, np.full_like(whole, self.n_values - 1)]),
            self.with_missing,
        )

    def covers(self, cells: NDArray[Any], codes: NDArray[Any]) -> Bools:
        """May each cell stand for the code beside it? O(pairs * log(runs))."""
        width = self.n_values + 1
        keys = np.asarray(cells, dtype=np.int64) * width + codes
        base = self.cell_of_run * width
        place = np.searchsorted(base + self.begin, keys, side="right") - 1
        covered: Bools = np.append(base + self.end, -1)[place] >= keys
        return np.asarray(covered | ((codes == self.n_values) & self.with_missing[cells]))


def numbers_from(begin: Ints, n_numbers: Ints) -> Ints:
    """The numbers ``begin .. begin + n_numbers - 1`` of every entry, one entry after the other."""
    before = np.cumsum(n_numbers) - n_numbers
    return np.repeat(begin - before, n_numbers) + np.arange(n_numbers.sum())
