"""What becomes of the rows that no leaf of a tree could release."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kanopy.algorithms.limits import least_members
from kanopy.data import EncodedTable, GroupCounts
from kanopy.privacy import PrivacyModel

Ints = NDArray[np.int64]


def released_at_root(
    group: NDArray[np.int32], rows: Ints, table: EncodedTable, promise: PrivacyModel, number: int = 0
) -> NDArray[np.int32]:
    """Release the leftovers of a tree at its root, with suppressed cells only; or drop too few of them.

    Fewer than k rows are dropped, as the papers do, unless the groups that stay would be too different from a
    table without them. More of them may break another part of the promise: dropping them all would empty the
    table. In both cases whole groups that were released below join them, smallest first, until the promise
    holds; with all groups it does, or the table would have been refused.

    Parameters
    ----------
    group : array of int
        In which group each row was released; -1 for the leftovers.
    rows : array of int
        The leftovers.
    number : int
        Of the group at the root.
    """
    group = group.copy()
    if not len(rows) or keeps(rows, table, promise):
        group[rows] = number
        return group
    # PRIVACY: without the dropped rows the table that groups are compared with is another
    # (tests/properties/test_dropped_rows.py).
    if _n_members(rows, table) < least_members(promise) and _is_kept(group, table, promise):
        return group
    sizes = np.bincount(group[group >= 0])
    groups = np.flatnonzero(sizes)
    groups = groups[np.argsort(sizes[groups], kind="stable")]
    n_joining = 0
    while n_joining < len(groups):
        n_joining = min(2 * n_joining + 1, len(groups))
        joining = np.isin(group, groups[:n_joining])
        joining[rows] = True
        if n_joining == len(groups) or keeps(np.flatnonzero(joining), table, promise):
            group[joining] = number
            break
    return group


def keeps(rows: Ints, table: EncodedTable, promise: PrivacyModel) -> bool:
    """Whether the rows, as one group, keep the promise; O(rows)."""
    counts = GroupCounts.of(table, np.zeros(len(rows), dtype=np.int64), 1, rows)
    return bool(promise.holds(counts)[0])


def _is_kept(group: NDArray[np.int32], table: EncodedTable, promise: PrivacyModel) -> bool:
    """Whether groups that are compared with the table keep that in a table of theirs alone; O(rows)."""
    parts = [part for part in promise.parts if part.compares_with_table]
    if not parts:
        return True
    kept = np.flatnonzero(group >= 0)
    numbers, number = np.unique(group[kept], return_inverse=True)
    groups = np.full(len(group), -1, dtype=np.int64)
    groups[kept] = number
    counts = GroupCounts.of_published(table, groups, len(numbers))
    return all(part.holds(counts).all() for part in parts)


def _n_members(rows: Ints, table: EncodedTable) -> int:
    return int(GroupCounts.of(table, np.zeros(len(rows), dtype=np.int64), 1, rows).members[0])
