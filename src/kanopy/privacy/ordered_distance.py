"""What has to cross the gaps between ordered values, from the values of a group alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kanopy.data import Histogram

Ints = NDArray[np.int64]


def crossing(histogram: Histogram, rows: Ints) -> Ints:
    """For every group the summed differences of its running shares to the table's, times the rows of both.

    Between two values of a group its running share stays the same and the table's grows, so there is one
    place from which on the table is ahead. O(entries log values), however many values the table has; whole
    numbers of 64 bits, in which the result must fit.
    """
    codes = np.flatnonzero(histogram.totals)
    n_values, n_table = len(codes), int(histogram.totals.sum())
    up_to = np.cumsum(histogram.totals[codes])
    summed = np.append(0, np.cumsum(up_to))
    # A run begins at every value of a group, and one at the first value of the table.
    n_groups = histogram.n_groups
    group = np.append(np.arange(n_groups), histogram.group)
    begin = np.append(np.full(n_groups, -1), np.searchsorted(codes, histogram.value))
    count = np.append(np.zeros(n_groups, dtype=np.int64), histogram.count)
    order = np.lexsort((begin, group))
    group, begin, count = group[order], begin[order], count[order]
    seen = np.cumsum(count)
    first = np.searchsorted(group, np.arange(n_groups))
    seen -= (seen[first] - count[first])[group]
    end = np.append(begin[1:], n_values)
    end = np.where(np.append(group[1:], -1) == group, end, n_values)
    begin = np.maximum(begin, 0)
    n_rows = rows[group]
    inside = n_table * seen
    ahead = np.searchsorted(up_to, inside // np.maximum(n_rows, 1), side="right")
    ahead = np.clip(ahead, begin, end)
    behind = inside * (2 * ahead - begin - end)
    moved = behind + n_rows * (summed[end] - 2 * summed[ahead] + summed[begin])
    total = np.zeros(n_groups, dtype=np.int64)
    np.add.at(total, group, moved)
    return total
