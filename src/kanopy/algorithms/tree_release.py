"""Publishing the rows of a tree's nodes: what the path to the node tests is shown, all else suppressed.

Rows that no leaf could release are released at the root, or dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kanopy.algorithms.requirements import least_members
from kanopy.data import STYLES, Cell, EncodedTable, GroupCounts, Partition, RecodedColumn, Recoding, cell
from kanopy.data.arrays import Bools, Groups, Ints
from kanopy.data.keys import counted, rank
from kanopy.data.outward import outward
from kanopy.data.partition import Dictionary, GroupSummary, Style
from kanopy.privacy import PrivacyModel
from kanopy.trees import Discretizer, Tree

MERGES = ("suppress", "members")
NUMBERS = ("mean", "range", "bins")


@dataclass(frozen=True, slots=True, eq=False)
class GroupedNodes:
    """Rows in groups, each of which is released at a node of a tree."""

    group: Groups  # of every row, numbered from 0 without gaps; -1 for rows that are dropped
    node: Ints  # of every group; several groups may be released at one node

    @classmethod
    def of(cls, group: Groups, node: Ints) -> GroupedNodes:
        """Number the groups that have rows; ``node`` is of every number that ``group`` uses. O(rows)."""
        numbers, _ = rank(group.astype(np.int64) + 1, len(node) + 1)
        is_used = np.bincount(group[group >= 0], minlength=len(node)) > 0
        return cls(numbers if (group >= 0).all() else numbers - np.int32(1), node[is_used])

    @classmethod
    def of_nodes(cls, node: Groups, n_nodes: int) -> GroupedNodes:
        """One group for every node that releases rows."""
        return cls.of(node, np.arange(n_nodes))


def publish_groups(
    table: EncodedTable, tree: Tree, groups: GroupedNodes, *, numbers: str, merge: str, widen: bool = False
) -> Recoding:
    """Print every row by the node that releases its group; O(rows * columns).

    Columns that the path to the node tests are shown, and with the merge ``"members"`` also the column that
    divided an inner node: numbers in their style, other values where all rows of the group agree, or as sets.

    PRIVACY: a test need not pin the value (a threshold, a group of values, rows that a sibling gave up), so
    what is shown is what the *rows* agree on (tests/unit/algorithms/test_tree_release.py).
    """
    is_shown = shown_columns(tree, groups.node, merge)
    partition = Partition(groups.group, len(groups.node))
    return partition.publish(table, style_of(numbers, merge), is_shown, widen=widen)


def shown_columns(tree: Tree, nodes: Ints, merge: str) -> Bools:
    """Nodes x columns: whether a column is shown in what is released at these nodes."""
    is_shown = tree.is_tested[nodes]
    if merge == "members":
        inner = np.flatnonzero(~tree.is_leaf[nodes])
        is_shown[inner, tree.splits.column[nodes[inner]]] = True
    return is_shown


def style_of(numbers: str, merge: str) -> Style:
    """How cells are printed: numbers in their style, other values alone or as sets."""

    def style(summary: GroupSummary) -> Dictionary:
        if summary.domain.is_numeric:
            return STYLES[numbers](summary)
        return STYLES["range" if merge == "members" else "suppress"](summary)

    return style


def released_at_root(
    group: Groups, rows: Ints, table: EncodedTable, promise: PrivacyModel, number: int = 0
) -> Groups:
    """Release the leftovers of a tree, ``rows``, at its root as a group of that ``number``; or drop too few.

    Fewer than k rows are dropped, as the papers do, unless the groups that stay would be too different from a
    table without them. Otherwise whole groups join them, smallest first, until the promise holds; with all
    groups it does, or the table would have been refused.
    """
    group = group.copy()
    if not len(rows) or keeps(rows, table, promise):
        group[rows] = number
        return group
    # PRIVACY: without the dropped rows the table that groups are compared with is another
    # (tests/properties/test_dropped_rows.py).
    if table.n_lost_with(rows) < least_members(promise) and _is_kept(group, table, promise):
        return group
    is_released = group >= 0
    sizes = counted(group[is_released], 0, table.weight_of(is_released))
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
    return bool(promise.holds(_as_one_group(rows, table))[0])


def _as_one_group(rows: Ints, table: EncodedTable) -> GroupCounts:
    return GroupCounts.of(table, np.zeros(len(rows), dtype=np.int64), 1, rows)


def _is_kept(group: Groups, table: EncodedTable, promise: PrivacyModel) -> bool:
    """Whether groups that are compared with the table keep that in a table of theirs alone; O(rows)."""
    parts = [part for part in promise.parts if part.compares_with_table]
    if not parts:
        return True
    numbers, groups = np.unique(group[group >= 0], return_inverse=True)
    published = group.astype(np.int64)
    published[group >= 0] = groups
    counts = GroupCounts.of_published(table, published, len(numbers))
    return all(part.holds(counts).all() for part in parts)


@dataclass(frozen=True, eq=False)
class BinnedTable:
    """A table whose numeric quasi-identifiers are discretized for the class (Fayyad and Irani)."""

    original: EncodedTable
    binned: EncodedTable

    @classmethod
    def of(cls, table: EncodedTable) -> BinnedTable:
        """Cut the bins for the class, which the table must have; O(rows * columns)."""
        if not any(column.domain.is_numeric for column in table.quasi):
            return cls(table, table)
        assert table.target is not None
        quasi = Discretizer.fit(table.quasi, table.target, times=table.weight).apply(table.quasi)
        return cls(table, replace(table, quasi=quasi))

    def in_numbers(self, recoding: Recoding, *, widen: bool = False) -> Recoding:
        """A recoding of the binned table as one of the original: a bin becomes the range of its numbers.

        With ``widen`` their ends are coded outward.
        """
        columns = list(recoding.columns)
        for place, (original, binned) in enumerate(zip(self.original.quasi, self.binned.quasi, strict=True)):
            if original is not binned:
                n_bins = binned.domain.n_codes
                low, high = np.full(n_bins, original.domain.n_codes), np.full(n_bins, -1)
                np.minimum.at(low, binned.codes, original.codes)
                np.maximum.at(high, binned.codes, original.codes)
                domain, levels = original.domain, outward(original.domain) if widen else None
                if levels is not None:
                    used, domain = high >= 0, levels.domain
                    low[used] = levels.low[levels.place[low[used]]]
                    high[used] = levels.high[levels.place[high[used]]]
                cells = tuple(_in_numbers(made, low, high) for made in columns[place].cells)
                columns[place] = RecodedColumn(domain, cells, columns[place].ids)
        return replace(recoding, columns=tuple(columns))


def _in_numbers(made: Cell, low: Ints, high: Ints) -> Cell:
    """The outermost numbers of the bins that the cell stands for."""
    if made.low < 0:  # suppressed or missing
        return made
    return cell.span(int(low[made.low]), int(high[made.high]), with_missing=made.with_missing)
