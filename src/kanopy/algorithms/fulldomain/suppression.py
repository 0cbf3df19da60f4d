"""Rows whose groups break the promise are suppressed: how many may be, and how they are published."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanopy.data import EncodedTable, GroupCounts
from kanopy.data.arrays import Bools, Codes
from kanopy.privacy import PrivacyModel


class SuppressedRows(NamedTuple):
    """Groups whose rows are suppressed, and whether these are left out or published as a group of ``*``."""

    is_out: Bools
    n_rows: int
    is_dropped: bool


class Suppression:
    """Decides which groups of a table are suppressed; groups are of rows that print alike.

    Parameters
    ----------
    table : EncodedTable
    promise : PrivacyModel
    limit : int
        So many rows at most.
    """

    def __init__(self, table: EncodedTable, promise: PrivacyModel, limit: int) -> None:
        self._table, self._promise, self.limit = table, promise, limit
        self._compares = any(part.compares_with_table for part in promise.parts)

    def of(self, groups: Codes, n_groups: int) -> SuppressedRows | None:
        """The groups that must go; None where that are too many rows, or breaks the promise either way.

        O(rows), and what the promise counts.
        """
        counts = GroupCounts.of(self._table, groups, n_groups)
        is_out = ~self._promise.holds(counts)
        n_rows = int(counts.rows[is_out].sum())
        if n_rows > self.limit:
            return None
        if not n_rows or self._holds_together(is_out[groups]):
            return SuppressedRows(is_out, n_rows, is_dropped=False)
        # PRIVACY: what groups are compared with changes when rows go
        # (tests/unit/algorithms/test_koptimize.py).
        if self._compares and not self._holds_without(groups, n_groups, is_out):
            return None
        return SuppressedRows(is_out, n_rows, is_dropped=True)

    def _holds_together(self, is_row_out: Bools) -> bool:
        """Whether the rows that go keep the promise as one group."""
        rows = np.flatnonzero(is_row_out)
        together = GroupCounts.of(self._table, np.zeros(len(rows), dtype=np.int32), 1, rows)
        return bool(self._promise.holds(together).all())

    def _holds_without(self, groups: Codes, n_groups: int, is_out: Bools) -> bool:
        left = np.where(is_out[groups], -1, groups).astype(np.int32)
        return bool(self._promise.holds(GroupCounts.of_published(self._table, left, n_groups))[~is_out].all())
