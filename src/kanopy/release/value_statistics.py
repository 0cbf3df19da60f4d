"""How frequent the original values of a column are: counts that the custodian may publish beside a release.

Shao and Beckford, "Learning Decision Trees from Anonymized Data", section IV.B: a reader who knows the
original distribution maps generalized cells back by it, which "would require the data sanitization process to
release some relevant statistics".

PRIVACY: what is told is about published rows, about one quasi-identifier at a time, and about no fewer people
than anything else that is told (tests/unit/release/test_value_statistics.py). THREATS.md argues why that is
safe.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from kanopy.data import CodedColumn, EncodedTable, RecodedColumn, Recoding
from kanopy.data.arrays import Bools, Codes, Ints
from kanopy.data.counts import count_distinct
from kanopy.data.grammar import MISSING_TEXT
from kanopy.data.value_sets import ValueSets


class ColumnStatistics(TypedDict):
    """The original values of one column in the published rows; missing is the empty text."""

    values: dict[str, int]
    """Rows of each value that is told, rounded."""
    other: int
    """Rows of all other values together, rounded."""
    rounded_to: int
    """Counts are rounded to multiples of this."""


ValueStatistics = dict[str, ColumnStatistics]
"""By column."""


def value_statistics(
    table: EncodedTable, recoding: Recoding, names: Sequence[str], floor: int
) -> ValueStatistics:
    """The statistics of these quasi-identifiers; O(rows) each, with persons a sort.

    PRIVACY: dropped rows do not count, or the difference to the release would be their values
    (tests/unit/release/test_value_statistics.py).
    """
    kept = np.flatnonzero(recoding.is_kept)
    persons = None if table.persons is None else table.persons[kept]
    found: ValueStatistics = {}
    for given, column in zip(table.quasi, recoding.columns, strict=True):
        original, domain = given.over(column.domain), column.domain
        if domain.name not in names:
            continue
        values = _Values.of(original, column, kept, persons)
        merged, n_rows = values.merged(floor), values.n_rows
        labels = (*domain.labels, MISSING_TEXT)
        told = np.flatnonzero((n_rows > 0) & ~merged).tolist()
        found[domain.name] = {
            "values": {labels[code]: rounded(int(n_rows[code]), floor) for code in told},
            "other": rounded(int(n_rows[merged].sum()), floor),
            "rounded_to": floor,
        }
    return found


def rounded(number: int, base: int) -> int:
    """The nearest multiple of the base; what lies in the middle is rounded up.

    >>> [rounded(number, 10) for number in (4, 5, 14, 25)]
    [0, 10, 10, 30]
    """
    return (2 * number + base) // (2 * base) * base


class _Values:
    """The original values of one column in the published rows.

    A row is *open* if its cell stands for more than one thing. Everyone can count the other rows in the
    release, so the open rows of a value are what its statistic adds.
    """

    def __init__(self, codes: Codes, is_open: Bools, persons: Codes | None, block: Ints) -> None:
        self._codes, self._is_open, self._persons = codes, is_open, persons
        self._block = block  # of each code: codes of different blocks share no cell; -1: no open row
        self.n_rows = np.bincount(codes, minlength=len(block))

    @classmethod
    def of(cls, original: CodedColumn, column: RecodedColumn, kept: Ints, persons: Codes | None) -> _Values:
        codes, ids = original.codes[kept], column.ids[kept]
        sets = ValueSets.of_cells(original.domain.n_values, column.cells)
        says_one = sets.sizes + sets.with_missing == 1
        is_open = ~says_one[ids]
        is_used = np.bincount(ids[is_open], minlength=len(column.cells)) > 0
        has_open = np.bincount(codes[is_open], minlength=original.domain.n_codes) > 0
        return cls(codes, is_open, persons, _blocks(sets, is_used, has_open))

    def _n_rows_of(self, group: Ints, rows: Bools) -> Ints:
        of_row = group[self._codes[rows]]
        return np.bincount(of_row[of_row >= 0], minlength=int(group.max(initial=-1)) + 1)

    def members(self, group: Ints, rows: Bools) -> Ints:
        """Rows (or persons) of each group of codes; codes of group -1 are left out."""
        if self._persons is None:
            return self._n_rows_of(group, rows)
        of_row = group[self._codes[rows]]
        known, n_groups = of_row >= 0, int(group.max(initial=-1)) + 1
        return count_distinct(self._persons[rows][known], of_row[known].astype(np.int32), n_groups)

    def merged(self, floor: int) -> Bools:
        """The codes that are not told one by one; O(rows + codes), with persons a sort.

        PRIVACY: every value that is told has at least ``floor`` rows (or persons), and none or as many whose
        cell leaves it open. So have the other values together, in every block by itself, and they are two or
        more (the same test).
        """
        every, alone = np.ones(len(self._codes), dtype=bool), np.arange(len(self._block))
        members, n_open = self.members(alone, every), self.members(alone, self._is_open)
        # A value that only rows without a person have has rows, and no members.
        occurs, is_open = self.n_rows > 0, self._n_rows_of(alone, self._is_open) > 0
        merged: Bools = occurs & ((members < floor) | (is_open & (n_open < floor)))
        block_of = np.where(merged, self._block, -1)
        in_block = self._n_rows_of(block_of, self._is_open)
        few_in_block = (in_block > 0) & (self.members(block_of, self._is_open) < floor)
        for block in np.flatnonzero(few_in_block).tolist():
            found = _rarest((self._block == block) & ~merged, n_open)
            if found is None:  # hardly any row is open: only where no k is promised
                return occurs
            merged[found] = True
        if merged.any():
            together = self.members(np.where(merged, 0, -1), every)
            if together[0] < floor or np.count_nonzero(merged) < 2:
                found = _rarest(occurs & ~merged, members)
                merged |= occurs if found is None else alone == found
        return merged


def _rarest(is_meant: Bools, members: Ints) -> int | None:
    """The code with the fewest members, the first of equals."""
    codes = np.flatnonzero(is_meant)
    return int(codes[members[codes].argmin()]) if len(codes) else None


def _blocks(sets: ValueSets, is_used: Bools, has_open: Bools) -> Ints:
    """Codes that open cells link, directly or through others: the block of each, -1 without open rows.

    O(codes + runs), times the logarithm of the longest chain.
    """
    codes = np.flatnonzero(has_open)
    cell = sets.cell_of_run
    low, high = np.searchsorted(codes, sets.begin), np.searchsorted(codes, sets.end, side="right") - 1
    counts = is_used[cell] & (low <= high)
    cell, low, high = cell[counts], low[counts], high[counts]
    # All codes of a run are linked: where more runs begin than end, a code is linked to the next.
    steps = np.bincount(low, minlength=len(codes) + 1) - np.bincount(high, minlength=len(codes) + 1)
    is_linked = np.cumsum(steps)[: max(len(codes) - 1, 0)] > 0
    part = np.concatenate([[0], np.cumsum(~is_linked)])[: len(codes)]
    if has_open[-1]:
        with_missing = np.flatnonzero(sets.with_missing & is_used)
        cell, low = np.append(cell, with_missing), np.append(low, np.full(len(with_missing), len(codes) - 1))
    label, part_of_run = np.arange(len(codes)), part[low]
    while True:
        of_cell = np.full(sets.n_cells, len(codes))
        np.minimum.at(of_cell, cell, label[part_of_run])
        smaller = label.copy()
        np.minimum.at(smaller, part_of_run, of_cell[cell])
        smaller = smaller[smaller]
        if np.array_equal(smaller, label):
            break
        label = smaller
    block = np.full(len(has_open), -1)
    block[codes] = label[part]
    return block
