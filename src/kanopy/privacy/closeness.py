"""t-closeness: a group tells little more about a column than the whole table does.

Li, Li, Venkatasubramanian, *t-closeness: privacy beyond k-anonymity and l-diversity* (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from kanopy.data import GroupCounts, Hierarchy, Histogram
from kanopy.data.arrays import Ints
from kanopy.data.intervals import decimal_text
from kanopy.errors import PolicyError
from kanopy.privacy import exact
from kanopy.privacy.exact import Integers, Written, common_shares, integers_up_to
from kanopy.privacy.model import LOOK_ALIKES, BoundedRatio, check_choice, checked_text, counted_in, fill

_BLOCK_CELLS = 1_000_000


@dataclass(frozen=True, slots=True, init=False)
class Closeness(BoundedRatio):
    """The values of every group are distributed as in the table, up to an earth mover's distance of t.

    Parameters
    ----------
    column : str
    t : number
        Above 0, at most 1.
    distance : {"equal", "ordered", "hierarchical"}
        How far two values are apart. ``equal``: all differ alike. ``ordered``: by the number of steps
        between them among the values that occur in the table, in the order of the domain; missing is the
        last. ``hierarchical``: by the height of their smallest common node; missing is a leaf under the root.
    """

    monotone = True  # all three distances from the table are convex
    compares_with_table = True

    t: Fraction
    distance: str

    def __init__(self, column: str, t: Written, distance: str = "equal") -> None:
        fill(self, column=checked_text("column", column), t=exact.exact_bound("t", t, at_most=1))
        check_choice("distance", distance, _DISTANCES, "closeness")
        fill(self, distance=distance)

    def bounded(self, counts: GroupCounts) -> tuple[Integers, Integers, Fraction]:
        """The distance of each group as a ratio, and t; O(entries), or O(groups * nodes) beyond ``equal``."""
        histogram = self.histogram(counts)
        # Shares that add up to 1: with persons, of their distinct values.
        return *_DISTANCES[self.distance](histogram, histogram.sizes), self.t

    def sentence(self, unit: str = "rows") -> str:
        return (
            f"{LOOK_ALIKES}the values of column {self.column!r} are spread as in the whole table, "
            f"up to a distance of {decimal_text(self.t)} ({_WORDS[self.distance]}; 0 is the same, "
            f"1 the opposite){counted_in(unit)}."
        )


def _equal(histogram: Histogram, rows: Ints) -> tuple[Integers, Integers]:
    """Half the summed differences: as both shares add up to 1, the surpluses alone, and those are stored."""
    inside, overall = common_shares(histogram, rows, int(histogram.totals.sum()))
    surplus = np.maximum(inside - overall, 0)
    moved = exact.added_up(surplus, histogram.group, histogram.n_groups)
    return moved, rows.astype(surplus.dtype) * int(histogram.totals.sum())


def _ordered(histogram: Histogram, rows: Ints) -> tuple[Integers, Integers]:
    """What has to cross each gap between neighbours, over the number of gaps."""
    moved = crossing(histogram, rows)
    n_gaps = max(int(np.count_nonzero(histogram.totals)) - 1, 1)
    return moved, rows.astype(moved.dtype) * int(histogram.totals.sum()) * n_gaps


def _hierarchical(histogram: Histogram, rows: Ints) -> tuple[Integers, Integers]:
    """What has to leave or enter each node, times the height it climbs, over twice the whole height.

    A surplus that climbs to a node and a lack that it fills there each pay half the distance, so this is
    the sum over nodes of ``height / H * min(surplus, lack)`` of the paper, written per edge.
    """
    tree = histogram.domain.hierarchy
    if tree is None:
        raise PolicyError(
            f"column {histogram.domain.name!r} has no hierarchy, but its closeness is to be measured by one",
            "add the hierarchy, or use the distance 'equal' or 'ordered'",
        )
    low, high, climb, height = _edges(tree)
    n_table = int(histogram.totals.sum())
    kind = integers_up_to(4 * height * n_table * max(n_table, exact.magnitude(rows)))
    moved, n_rows, totals = np.zeros(len(rows), dtype=kind), rows.astype(kind), histogram.totals.astype(kind)
    for part, dense in histogram.blocks(_BLOCK_CELLS):
        # Share in the group less share in the table, times the rows of both.
        surplus = dense.astype(kind) * n_table - totals * n_rows[part, np.newaxis]
        up_to = np.zeros((len(dense), dense.shape[1] + 1), dtype=kind)
        np.cumsum(surplus, axis=1, out=up_to[:, 1:])
        moved[part] = np.abs(up_to[:, high + 1] - up_to[:, low]) @ climb.astype(kind)
    return moved, n_rows * n_table * 2 * height


def _edges(tree: Hierarchy) -> tuple[Ints, Ints, Ints, int]:
    """Every node and the leaf for missing: the codes it covers, and how much higher its parent is."""
    height = max(tree.height, 1)  # a single value still differs from missing
    of_parent = np.where(tree.node_parent >= 0, tree.node_height[tree.node_parent], height)
    missing = len(tree.leaves)
    low, high = np.append(tree.node_low, missing), np.append(tree.node_high, missing)
    return low, high, np.append(of_parent - tree.node_height, height), height


def crossing(histogram: Histogram, rows: Ints) -> Integers:
    """For every group the summed differences of its running shares to the table's, times the rows of both.

    Between two values of a group its running share stays the same and the table's grows, so there is one
    place from which on the table is ahead. O(entries log values), however many values the table has.
    """
    codes = np.flatnonzero(histogram.totals)
    n_values, n_table = len(codes), int(histogram.totals.sum())
    # Including what is added up on the way.
    kind = integers_up_to(8 * n_values * max(n_table, exact.magnitude(rows)) ** 2)
    up_to = np.cumsum(histogram.totals[codes])
    summed = np.append(0, np.cumsum(up_to.astype(kind)))
    # A run begins at every value of a group, and one at the first value of the table.
    n_groups = histogram.n_groups
    group = np.append(np.arange(n_groups), histogram.group)
    begin = np.append(np.full(n_groups, -1), np.searchsorted(codes, histogram.value))
    count = np.append(np.zeros(n_groups, dtype=np.int64), histogram.count)
    order = np.lexsort((begin, group))
    group, begin, count = group[order], begin[order], count[order]
    seen = np.cumsum(count.astype(kind))
    first = np.searchsorted(group, np.arange(n_groups))
    seen -= (seen[first] - count[first])[group]
    end = np.append(begin[1:], n_values)
    end = np.where(np.append(group[1:], -1) == group, end, n_values)
    begin = np.maximum(begin, 0)
    n_rows = rows.astype(kind)[group]
    inside = n_table * seen
    reached = (inside // np.maximum(n_rows, 1)).astype(np.int64)
    ahead = np.clip(np.searchsorted(up_to, reached, side="right"), begin, end)
    behind = inside * (2 * ahead - begin - end)
    moved = behind + n_rows * (summed[end] - 2 * summed[ahead] + summed[begin])
    return exact.added_up(moved, group, n_groups)


_DISTANCES = {"equal": _equal, "ordered": _ordered, "hierarchical": _hierarchical}
_WORDS = {
    "equal": "all values equally far apart",
    "ordered": "values apart by their order",
    "hierarchical": "values apart by their hierarchy",
}
