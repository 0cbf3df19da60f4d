"""Many cells, or many published texts, at once: the values that each may stand for, as runs of codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from kanopy.data.arrays import Bools, Codes, Ints
from kanopy.data.cell import Cell
from kanopy.data.grammar import Part, ReadCell
from kanopy.data.table import Domain

Run = tuple[int, int]  # first and last code of values that follow each other in the order of their column


class ValueSets(NamedTuple):
    """A set of values per cell, in runs: a range is one run, however many values it has.

    Inside a cell runs ascend, and a code that is not covered lies between any two.
    """

    n_values: int  # of the column; codes are 0 .. n_values - 1, and n_values means missing
    first: Ints  # cell c has the runs first[c] to before first[c + 1]
    begin: Ints  # first code of each run
    end: Ints  # last code of each run, included
    with_missing: Bools  # per cell: the original may have been missing

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
        """How many cells there are."""
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

    def covers(self, cells: Codes, codes: Codes) -> Bools:
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


class CellTexts(NamedTuple):
    """Many texts, taken apart. ``{a, [1, 2]}`` has two parts: the name ``a`` and a range.

    What a part stands for is decided once, however many texts have it; who reads a table decides it.
    """

    parts: list[Part]  # the different names and ranges
    first: Ints  # text t has the parts of numbers part[first[t]:first[t + 1]]
    part: Ints  # per text, names before ranges
    is_suppressed: Bools
    with_missing: Bools

    @classmethod
    def of(cls, cells: Sequence[ReadCell]) -> CellTexts:
        """Number the parts of texts that were read; O(parts)."""
        parts_of_cell = [cell.parts for cell in cells]
        flat: list[Part] = list(chain.from_iterable(parts_of_cell))
        number = {part: place for place, part in enumerate(dict.fromkeys(flat))}
        return cls(
            list(number),
            np.cumsum([0, *map(len, parts_of_cell)]),
            np.fromiter(map(number.__getitem__, flat), dtype=np.int64, count=len(flat)),
            np.array([cell.is_suppressed for cell in cells], dtype=bool),
            np.array([cell.with_missing for cell in cells], dtype=bool),
        )

    def sets(self, parts: ValueSets) -> ValueSets:
        """What each text stands for, given the values of each part, if any; O(runs * log(runs))."""
        n_runs = np.diff(parts.first)[self.part]
        run = numbers_from(parts.first[self.part], n_runs)
        text = np.repeat(np.repeat(np.arange(len(self.with_missing)), np.diff(self.first)), n_runs)
        with_missing = self.with_missing | self.is_suppressed
        named = ValueSets.of_runs(parts.n_values, text, parts.begin[run], parts.end[run], with_missing)
        return named.filled(self.is_suppressed)


def runs_of_names(domain: Domain) -> Mapping[str, Run]:
    """The values that each name stands for: a value itself, a node those below it. Values go before nodes."""
    run_of_label = {label: (code, code) for code, label in enumerate(domain.labels)}
    tree = domain.hierarchy
    if tree is None:
        return run_of_label
    ends = zip(tree.node_low.tolist(), tree.node_high.tolist(), strict=True)
    return dict(zip(tree.node_label, ends, strict=True)) | run_of_label
