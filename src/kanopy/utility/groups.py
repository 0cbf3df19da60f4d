"""What groups lose: how large they are, and how mixed their classes are.

Groups are rows that print alike. Where the promise has no k, k is 1.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CodedColumn, EncodedTable, Histogram, Recoding
from kanopy.errors import PolicyError

Ints = NDArray[np.int64]


class SizeBin(NamedTuple):
    """How many groups have a size from ``low`` to ``high``, both included, and how many rows they hold."""

    low: int
    high: int
    n_groups: int
    n_rows: int


def discernibility(table: EncodedTable, recoding: Recoding, k: int | None = None) -> float:
    """Discernibility metric DM; O(rows * columns).

    A group of e rows costs e² where e is at least k. Each row of a smaller group, and each dropped row, costs
    as many as the table has rows (Bayardo and Agrawal).
    """
    sizes = _group_sizes(recoding)
    is_large = sizes >= (k or 1)
    n_told_apart = int((sizes[is_large] ** 2).sum())
    n_lost = table.n_rows - int(sizes[is_large].sum())
    return float(n_told_apart + table.n_rows * n_lost)


def average_group_size(table: EncodedTable, recoding: Recoding, k: int | None = None) -> float:
    """Published rows per group, divided by k (C_AVG of LeFevre et al.); O(rows * columns).

    Where nothing is published, the whole table counts as one group.
    """
    n_groups = recoding.groups[1] if recoding.n_kept else 1
    n_rows = recoding.n_kept or table.n_rows
    return n_rows / n_groups / (k or 1)


def classification_metric(table: EncodedTable, recoding: Recoding, k: int | None = None) -> float:
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
    groups, n_groups = recoding.groups
    kept = CodedColumn(table.target.domain, table.target.codes[recoding.is_kept])
    histogram = Histogram.of(kept, groups, n_groups)
    most = np.zeros(n_groups, dtype=np.int64)
    np.maximum.at(most, histogram.group, histogram.count)
    n_right = int(most[_group_sizes(recoding) >= (k or 1)].sum())
    return (table.n_rows - n_right) / table.n_rows


def group_size_histogram(recoding: Recoding) -> list[SizeBin]:
    """Group sizes in a few bins, the first one starting at the smallest size.

    Where the sizes lie together, as after Mondrian, the bins are equally wide, at most ten of them; where the
    largest is at least four times the smallest size s, they double: s to 2s - 1, 2s to 4s - 1, … Empty where
    nothing is published. O(rows * columns).
    """
    sizes = _group_sizes(recoding)
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


def _group_sizes(recoding: Recoding) -> Ints:
    groups, n_groups = recoding.groups
    return np.bincount(groups, minlength=n_groups)
