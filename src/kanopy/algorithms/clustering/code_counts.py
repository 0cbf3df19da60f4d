"""Centroids of clusters from one division of the rows to the next: only rows that moved are counted again."""

from __future__ import annotations

import numpy as np

from kanopy.algorithms.clustering.assign import Rows
from kanopy.algorithms.clustering.features import Centroids, FlatFeature
from kanopy.data.arrays import Groups, Int32s, Ints

_MOST_CELLS = 1 << 20
"""Codes times clusters, and columns times rows; beyond, all rows are counted each time."""


class CodeCounts:
    """How often every code of the categorical columns occurs in every cluster.

    A cell holds the count and, in its last bits, the code counted from behind: the largest cell of a column
    is that of the most frequent code, of equals the first. O(codes * clusters) in memory.
    """

    def __init__(self, rows: Rows, n_clusters: int) -> None:
        self._rows = rows
        flat = [place for place, each in enumerate(rows.features) if isinstance(each, FlatFeature)]
        sizes = [rows.features[place].domain.n_codes for place in flat]
        self._n_bits = max(sizes, default=1).bit_length()
        is_small = max(sum(sizes) * n_clusters, len(sizes) * len(rows)) <= _MOST_CELLS
        is_small = is_small and len(rows) << self._n_bits < 1 << 31
        self._sizes = dict(zip(flat, sizes, strict=True)) if is_small else {}
        starts = np.cumsum([0, *self._sizes.values()]).tolist()
        self._starts = dict(zip(self._sizes, starts, strict=False))
        behind = [np.arange(size, dtype=np.int32)[::-1] for size in self._sizes.values()]
        column = np.concatenate([np.zeros(0, dtype=np.int32), *behind])
        self._cells: Int32s = np.repeat(column[:, None], n_clusters, axis=1)
        found = [(rows.codes[place] + start) * n_clusters for place, start in self._starts.items()]
        self._cell_of: Ints = np.array(found, dtype=np.int64).reshape(len(found), len(rows))
        self._group: Groups | None = None
        self._most: dict[int, Int32s] = {}

    def centroids(self, group: Groups, former: Centroids) -> Centroids:
        """The centroid of every cluster; where a cluster has no row, its former one. O(rows that moved)."""
        self._count(group)
        n_clusters = len(former[0])
        is_empty = np.bincount(group, minlength=n_clusters) == 0
        found = []
        for place, (feature, codes) in enumerate(zip(self._rows.features, self._rows.codes, strict=True)):
            if place in self._sizes:
                start, size = self._starts[place], self._sizes[place]
                self._most[place] = most = self._cells[start : start + size].max(axis=0)
                centres = (size - 1 - (most & ((1 << self._n_bits) - 1))).astype(np.int64)
            else:
                centres = feature.centres(codes, group, n_clusters)
            found.append(np.where(is_empty, former[place], centres))
        return found

    def _count(self, group: Groups) -> None:
        one = np.int32(1 << self._n_bits)  # of the cells' type: the fast way to add
        if self._group is None:
            np.add.at(self._cells.ravel(), (self._cell_of + group).ravel(), one)
        else:
            moved = np.flatnonzero(group != self._group)
            cells = self._cell_of.take(moved, axis=1)
            np.subtract.at(self._cells.ravel(), (cells + self._group[moved]).ravel(), one)
            np.add.at(self._cells.ravel(), (cells + group[moved]).ravel(), one)
        self._group = group

    def square_error(self, centroids: Centroids) -> int:
        """The sum of squared distances, over all columns, of the rows to the centroids found last; exact."""
        assert self._group is not None
        total = 0
        for place, feature in enumerate(self._rows.features):
            if place in self._most and type(feature) is FlatFeature:
                n_apart = len(self._rows) - int((self._most[place] >> self._n_bits).sum())
                total += n_apart * feature.unit**2
            else:
                total += self._rows.square_error(place, self._group, centroids[place])
        return total
