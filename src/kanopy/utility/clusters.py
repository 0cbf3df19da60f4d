"""What clusters lose: how far the original values of a group lie apart, and from its centre.

Groups are rows that print alike; distances are between the original values, each attribute in [0, 1]:

- numbers: their distance as a share of the column's range, 0 where the range is 0;
- values with a hierarchy: height of their smallest common node, as a share of the height of the tree;
- other values: 0 where equal, 1 otherwise;
- missing: 0 to missing, 1 to anything else.

A dropped row belongs to no group. It counts 1 per column, the most that a published row could lose: otherwise
dropping rows would look like a gain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CodedColumn, Domain, EncodedTable, Histogram, Recoding

Codes = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]


def distances(domain: Domain, left: Codes, right: Codes) -> Floats:
    """Distance of each pair of codes of one column; O(pairs), times the levels of a hierarchy."""
    apart: Floats = (left != right).astype(np.float64)
    if domain.hierarchy is None and not domain.is_numeric:
        return apart
    is_present = (left != domain.missing_code) & (right != domain.missing_code)
    left, right = left[is_present], right[is_present]
    if domain.hierarchy is not None:
        node = domain.hierarchy.common_node(np.minimum(left, right), np.maximum(left, right))
        apart[is_present] = domain.hierarchy.node_height[node] / max(domain.hierarchy.height, 1)
    else:
        apart[is_present] = np.abs(domain.positions[left] - domain.positions[right])
    return apart


def total_information_loss(table: EncodedTable, recoding: Recoding) -> float:
    """Total-IL: over all groups, rows times the sum of the columns' spreads (Byun et al. 2007, eq. 1 and 2).

    O(rows * columns), plus a sort where groups times values outgrow the rows.
    """
    lost = _lost_with_dropped_rows(table, recoding)
    sizes = np.bincount(recoding.groups[0], minlength=recoding.groups[1])
    for histogram in _histograms(table, recoding):
        bounds = _bounds(histogram)
        # Codes are in the order of the domain and missing is last: the outermost codes span the group.
        first, last = histogram.value[bounds[:-1]], histogram.value[bounds[1:] - 1]
        spreads = distances(histogram.domain, first, last)
        lost += float(sizes @ spreads)
    return lost


def square_error(table: EncodedTable, recoding: Recoding) -> float:
    """Squared distances of all rows to their group's centre, added up over the columns (El-Rashidy, eq. 4).

    The centre is the mean of the numbers that are present, and elsewhere the most frequent value (the first
    in the order of the domain among equals; missing last). O(rows * columns), plus a sort where groups times
    values outgrow the rows.
    """
    lost = _lost_with_dropped_rows(table, recoding)
    for histogram in _histograms(table, recoding):
        domain = histogram.domain
        if domain.is_numeric and domain.hierarchy is None:
            lost += _error_to_mean(histogram)
        else:
            centre = _modes(histogram)[histogram.group]
            lost += float(histogram.count @ distances(domain, histogram.value, centre) ** 2)
    return lost


def _error_to_mean(histogram: Histogram) -> float:
    is_number = histogram.value != histogram.domain.missing_code
    group, count = histogram.group[is_number], histogram.count[is_number]
    position = histogram.domain.positions[histogram.value[is_number]]
    n_numbers = np.bincount(group, weights=count, minlength=histogram.n_groups)
    mean = np.bincount(group, weights=count / n_numbers[group] * position, minlength=histogram.n_groups)
    n_missing_among_numbers = int(histogram.count[~is_number & (n_numbers[histogram.group] > 0)].sum())
    return float(count @ (position - mean[group]) ** 2) + n_missing_among_numbers


def _modes(histogram: Histogram) -> NDArray[np.int64]:
    """The most frequent code of each group; the smallest among equals."""
    most = np.maximum.reduceat(histogram.count, _bounds(histogram)[:-1])
    is_mode = histogram.count == most[histogram.group]
    group, value = histogram.group[is_mode], histogram.value[is_mode]
    modes: NDArray[np.int64] = value[np.searchsorted(group, np.arange(histogram.n_groups))]
    return modes


def _bounds(histogram: Histogram) -> NDArray[np.intp]:
    """Where each group's entries begin, and where the last one's end; every group has some."""
    return np.searchsorted(histogram.group, np.arange(histogram.n_groups + 1))


def _histograms(table: EncodedTable, recoding: Recoding) -> Iterator[Histogram]:
    """The original values of every quasi-identifier, counted in each published group."""
    groups, n_groups = recoding.groups
    for column in table.quasi:
        kept = CodedColumn(column.domain, column.codes[recoding.is_kept])
        yield Histogram.of(kept, groups, n_groups)


def _lost_with_dropped_rows(table: EncodedTable, recoding: Recoding) -> float:
    return float((table.n_rows - recoding.n_kept) * len(table.quasi))
