"""Cutting a large table into blocks before it is clustered: what lies far apart would not meet anyway."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.algorithms.clustering.features import Feature

Ints = NDArray[np.int64]
Codes = NDArray[np.integer[Any]]


def blocks_of(
    features: Sequence[Feature], columns: Sequence[Codes], block_size: int, least: int
) -> list[Ints]:
    """The rows of each block, none larger than asked for, none smaller than ``least``.

    The block size is at least twice that. O(rows * columns * log(rows / block_size)).

    A block is cut in two along the column whose parts lie farthest apart, and of equals along the one with
    the fewest values: clusters can best avoid to mix these. No part is smaller than a quarter where that can
    be helped. Values are not torn apart unless a block holds a single point.
    """
    waiting = [np.arange(len(columns[0]))]
    blocks = []
    while waiting:
        rows = waiting.pop()
        if len(rows) <= block_size:
            blocks.append(rows)
            continue
        goes_right = _halves(features, [codes[rows] for codes in columns], least)
        waiting += [rows[goes_right], rows[~goes_right]]
    return blocks


def _halves(features: Sequence[Feature], columns: Sequence[Codes], least: int) -> NDArray[np.bool_]:
    """Whether each row goes to the second part; by their order where no column can be cut."""
    n_rows = len(columns[0])
    best: tuple[bool, int, int, int] | None = None
    chosen: NDArray[np.bool_] = np.arange(n_rows) >= n_rows // 2
    for feature, codes in zip(features, columns, strict=True):
        counts = np.bincount(codes, minlength=feature.domain.n_codes)
        present = np.flatnonzero(counts)
        if len(present) < 2:
            continue
        below = np.cumsum(counts[present])[:-1]
        place = int(np.abs(2 * below - n_rows).argmin())
        smaller = int(min(below[place], n_rows - below[place]))
        if smaller < least:
            continue
        low, high = present[: place + 1], present[place + 1 :]
        left, right = feature.centre(low, counts[low]), feature.centre(high, counts[high])
        apart = int(feature.distances_between(np.array([left]), right)[0])
        found = (4 * smaller >= n_rows, apart, -len(present), smaller)
        if best is None or found > best:
            best = found
            chosen = codes > low[-1]
    return chosen
