"""The losses that are measured on every release, by name, and those that groups have.

Groups lose by how large they are, how mixed their classes are, and how far their original values lie apart.
Groups are rows that print alike. Where the promise has no k, k is 1. Distances of original values are
between 0 and 1 in each column:

- numbers: their distance as a share of the column's range, 0 where the range is 0;
- values with a hierarchy: height of their smallest common node, as a share of the height of the tree;
- other values: 0 where equal, 1 otherwise;
- missing: 0 to missing, 1 to anything else.

A dropped row belongs to no group. It counts 1 per column, the most that a published row could lose: otherwise
dropping rows would look like a gain.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from kanopy.data import Domain, EncodedTable, Histogram, Recoding
from kanopy.data.arrays import Codes, Floats, Ints
from kanopy.data.keys import counted
from kanopy.errors import PolicyError
from kanopy.utility.cells import added_up, global_certainty_penalty, missing_cell_ratio
from kanopy.utility.release_counts import ReleaseCounts


class SizeBin(NamedTuple):
    """How many groups have a size from ``low`` to ``high``, both included, and how many rows they hold."""

    low: int
    high: int
    n_groups: int
    n_rows: int


def discernibility(
    table: EncodedTable, recoding: Recoding, k: int | None = None, counts: ReleaseCounts | None = None
) -> float:
    """Discernibility metric DM; O(rows * columns).

    A group of e rows costs e² where e is at least k. Each row of a smaller group, and each dropped row, costs
    as many as the table has rows (Bayardo and Agrawal).
    """
    counts = counts or ReleaseCounts(table, recoding)
    sizes = counts.sizes[counts.sizes >= (k or 1)]
    n_lost = counts.n_rows - int(sizes.sum())
    return float(int((sizes**2).sum()) + counts.n_rows * n_lost)


def average_group_size(
    table: EncodedTable, recoding: Recoding, k: int | None = None, counts: ReleaseCounts | None = None
) -> float:
    """Published rows per group, divided by k (C_AVG of LeFevre et al.); O(rows * columns).

    Where nothing is published, the whole table counts as one group.
    """
    counts = counts or ReleaseCounts(table, recoding)
    n_groups = recoding.groups[1] if counts.n_kept else 1
    return (counts.n_kept or counts.n_rows) / n_groups / (k or 1)


def classification_metric(
    table: EncodedTable, recoding: Recoding, k: int | None = None, counts: ReleaseCounts | None = None
) -> float:
    """Share of rows that a reader who guesses each group's most frequent class gets wrong (Iyengar's CM).

    Rows of groups smaller than k and dropped rows count as wrong. Missing is a class of its own.
    O(rows * columns), plus a sort where groups times classes outgrow the rows.

    Raises
    ------
    PolicyError
        Where the table has no class.
    """
    if table.target is None:
        raise PolicyError("the classification metric needs a class", "declare a target column")
    if table.n_rows == 0:
        return 0.0
    counts = counts or ReleaseCounts(table, recoding)
    n_right = int(counts.classes.largest[counts.sizes >= (k or 1)].sum())
    return (counts.n_rows - n_right) / counts.n_rows


def group_size_histogram(recoding: Recoding, weight: Ints | None = None) -> list[SizeBin]:
    """Group sizes in a few bins, the first one starting at the smallest size.

    Where the sizes lie together, as after Mondrian, the bins are equally wide, at most ten of them; where the
    largest is at least four times the smallest size s, they double: s to 2s - 1, 2s to 4s - 1, … Empty where
    nothing is published. ``weight`` is how many rows each row stands for. O(rows * columns).
    """
    sizes = counted(*recoding.groups, None if weight is None else weight[recoding.is_kept])
    if not len(sizes):
        return []
    smallest, largest = int(sizes.min()), int(sizes.max())
    if largest < 4 * smallest:
        width = -(-(largest - smallest + 1) // 10)
        edges = list(range(smallest, largest + width + 1, width))
    else:
        edges = [smallest]
        while edges[-1] <= largest:
            edges.append(2 * edges[-1])
    bins = []
    for low, beyond in pairwise(edges):
        inside = sizes[(sizes >= low) & (sizes < beyond)]
        bins.append(SizeBin(low, beyond - 1, len(inside), int(inside.sum())))
    return bins


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


def total_information_loss(
    table: EncodedTable, recoding: Recoding, counts: ReleaseCounts | None = None
) -> float:
    """Total-IL: over all groups, rows times the sum of the columns' spreads (Byun et al. 2007, eq. 1 and 2).

    O(rows * columns), plus a sort where groups times values outgrow the rows.
    """
    counts = counts or ReleaseCounts(table, recoding)
    lost = float((counts.n_rows - counts.n_kept) * len(table.quasi))
    for histogram in counts.values:
        # Codes are in the order of the domain and missing is last: the outermost codes span the group.
        low, high = histogram.value[histogram.first[:-1]], histogram.value[histogram.first[1:] - 1]
        lost += added_up(counts.sizes, distances(histogram.domain, low, high))
    return lost


def square_error(table: EncodedTable, recoding: Recoding, counts: ReleaseCounts | None = None) -> float:
    """Squared distances of all rows to their group's centre, added up over the columns (El-Rashidy, eq. 4).

    The centre is the mean of the numbers that are present, and elsewhere the most frequent value (the first
    in the order of the domain among equals; missing last). O(rows * columns), plus a sort where groups times
    values outgrow the rows.
    """
    counts = counts or ReleaseCounts(table, recoding)
    lost = float((counts.n_rows - counts.n_kept) * len(table.quasi))
    for histogram in counts.values:
        domain = histogram.domain
        if domain.is_numeric and domain.hierarchy is None:
            lost += _error_to_mean(histogram)
        else:
            is_mode = histogram.count == histogram.largest[histogram.group]
            first = np.searchsorted(histogram.group[is_mode], np.arange(histogram.n_groups))
            centre = histogram.value[is_mode][first][histogram.group]
            lost += added_up(histogram.count, distances(domain, histogram.value, centre) ** 2)
    return lost


def _error_to_mean(histogram: Histogram) -> float:
    is_number = histogram.value != histogram.domain.missing_code
    group, count = histogram.group[is_number], histogram.count[is_number]
    position = histogram.domain.positions[histogram.value[is_number]]
    n_numbers = np.bincount(group, weights=count, minlength=histogram.n_groups)
    mean = np.bincount(group, weights=count / n_numbers[group] * position, minlength=histogram.n_groups)
    n_missing_among_numbers = int(histogram.count[~is_number & (n_numbers[histogram.group] > 0)].sum())
    return added_up(count, (position - mean[group]) ** 2) + n_missing_among_numbers


class Loss(NamedTuple):
    """One way to say how much a release lost.

    Parameters
    ----------
    name : str
    meaning : str
        One plain sentence.
    measure : callable
        From the table, its recoding, k (None where the promise has no k) and what was counted to a number.
    needs_target : bool
        Whether the loss is only defined on a table with a class.
    direction : str
        ``"lower is better"`` for every loss.
    """

    name: str
    meaning: str
    measure: Callable[[EncodedTable, Recoding, int | None, ReleaseCounts], float]
    needs_target: bool = False
    direction: str = "lower is better"


LOSSES: tuple[Loss, ...] = (
    Loss(
        "missing_cell_ratio",
        "Share of the published quasi-identifier cells that are suppressed; dropped rows have no cells.",
        lambda table, recoding, k, counts: missing_cell_ratio(recoding, counts.of_cells),
    ),
    Loss(
        "gcp",
        "Mean width of a quasi-identifier cell, from 0 (exact) to 1 (suppressed, or its row dropped).",
        lambda table, recoding, k, counts: global_certainty_penalty(table, recoding, counts.of_cells),
    ),
    Loss(
        "discernibility",
        "For every row the number of rows it cannot be told from, added up; all rows for a dropped one.",
        discernibility,
    ),
    Loss(
        "average_group_size",
        "Published rows per group, as a multiple of k; 1 is the best that k-anonymity allows.",
        average_group_size,
    ),
    Loss(
        "classification_metric",
        "Share of rows that are dropped or whose class is not the most frequent one of their group.",
        classification_metric,
        needs_target=True,
    ),
    Loss(
        "total_information_loss",
        "For every row how far the original values of its group lie apart, added up over the columns.",
        lambda table, recoding, k, counts: total_information_loss(table, recoding, counts),
    ),
    Loss(
        "square_error",
        "Squared distances of the original values to the centre of their group, added up.",
        lambda table, recoding, k, counts: square_error(table, recoding, counts),
    ),
)


def measure_losses(table: EncodedTable, recoding: Recoding, k: int | None) -> dict[str, float]:
    """Every loss of a release by name; O(rows * columns), plus a sort where groups times values outgrow rows.

    A loss that needs a class is left out where the table has none. A row counts as often as it weighs.
    """
    counts = ReleaseCounts(table, recoding)
    return {
        loss.name: loss.measure(table, recoding, k, counts)
        for loss in LOSSES
        if table.target is not None or not loss.needs_target
    }
