"""Centroids of clusters, and which of them is closest to every point.

Sums of looked-up distances are made in pieces that stay in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from kanopy.algorithms.clustering.features import (
    Centroids,
    Feature,
    FlatFeature,
    NumericFeature,
    Points,
    TaxonomyFeature,
    centroids_of,
)
from kanopy.data.arrays import Bools, Codes, Groups, Ints
from kanopy.data.keys import group_rows, pack

Costs = Codes  # distances, or weighted squares of them

_RUN = 1 << 16
"""The squares of so many distances can be added in 64 bits, even where a feature counts eightfold."""

_MOST_COMBINATIONS = 512
_CHUNK = 1 << 17
"""Sums that are made at a time: these, and what they are made of, stay in the cache."""
_PIECE = 1 << 20
_TABLE = 1 << 24
"""No more distances than that are kept for one feature; beyond, they are computed when they are asked for."""
_ALL_TABLES = 1 << 26
"""Nor more than that for all features together: half a gigabyte at most."""
_DISTANCES = 40_000_000_000
"""Distances (one of a table is one, one that is computed counts as several) that a whole table may take."""
_CELLS = 500_000
"""Larger tables may take more: with the square of their cells, so that their rounds are hardly ever cut."""
_COMPUTED = {NumericFeature: 5, FlatFeature: 10, TaxonomyFeature: 12}
"""What it costs to compute a distance, compared with looking it up."""
_CACHED = 2_000_000
"""Distances in a table that stays in the cache of a processor."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows behind some points, one by one: rows of one point may end in different clusters."""

    features: tuple[Feature, ...]
    codes: list[Ints]
    point: Ints

    @classmethod
    def of(cls, points: Points) -> Rows:
        """Spread points over their rows; O(rows * columns)."""
        point = points.point_of_rows()
        return cls(points.features, [codes[point].astype(np.int64) for codes in points.codes], point)

    def __len__(self) -> int:
        return len(self.point)

    def start(self, seeds: Codes) -> Centroids:
        """Some rows as the centroids to begin with: each is the centroid of its own cluster of one row."""
        alone = np.arange(len(seeds), dtype=np.int32)
        return centroids_of(self.features, [codes[seeds] for codes in self.codes], alone, len(seeds))

    def centroids(self, group: Groups, former: Centroids) -> Centroids:
        """The centroid of every cluster; where a cluster has no row, its former one. O(rows * columns)."""
        size = np.bincount(group, minlength=len(former[0]))
        filled = np.flatnonzero(size)
        number = (np.cumsum(size > 0) - 1).astype(np.int32)[group]
        found = [centres.copy() for centres in former]
        moved = centroids_of(self.features, self.codes, number, len(filled))
        for centres, now in zip(found, moved, strict=True):
            centres[filled] = now
        return found

    def distances(self, group: Groups, centroids: Centroids) -> Ints:
        """How far every row is from the centroid of its cluster."""
        total = np.zeros(len(group), dtype=np.int64)
        for feature, codes, centres in zip(self.features, self.codes, centroids, strict=True):
            total += feature.distances_of_pairs(codes, centres[group])
        return total

    def square_errors(self, group: Groups, centroids: Centroids) -> list[int]:
        """For each feature, the sum over all rows of squared distances to the centroid; exact."""
        return [self.square_error(place, group, centres) for place, centres in enumerate(centroids)]

    def square_error(self, place: int, group: Groups, centres: Ints) -> int:
        """The same for one feature."""
        apart = self.features[place].distances_of_pairs(self.codes[place], centres[group]).astype(np.int64)
        runs = np.split(apart, range(_RUN, len(apart), _RUN))
        return sum(int(np.dot(run, run)) for run in runs)


@dataclass(frozen=True, slots=True, eq=False)
class _Pack:
    """Some features taken together: the combinations of their codes that occur, and the one of each point."""

    places: list[int]
    codes: list[Ints]
    distinct: list[
        tuple[Ints, Ints]
    ]  # of each feature, the codes that occur, and the one of each combination
    of_point: Groups

    @property
    def n_combinations(self) -> int:
        return len(self.codes[0])


class Packs:
    """The features of points in a few packs: one look-up serves all features of a pack. Features of few codes
    are packed first, as long as not too many combinations occur. O(points * columns * packs)."""

    def __init__(self, points: Points) -> None:
        self.features: tuple[Feature, ...] = points.features
        most = max(1, min(_MOST_COMBINATIONS, points.n_points // 8))
        n_codes = [feature.domain.n_codes for feature in points.features]
        self.packs: list[_Pack] = []
        for place in sorted(range(len(n_codes)), key=n_codes.__getitem__):
            joined = _packed(points, [*(self.packs[-1].places if self.packs else []), place])
            if self.packs and joined.n_combinations <= most:
                self.packs[-1] = joined
            else:
                self.packs.append(_packed(points, [place]))

    def fits_table(self, pack: _Pack, n_centroids: int) -> bool:
        """Whether the distances of a pack are looked up, and not computed each time."""
        room = min(_TABLE, _ALL_TABLES // len(self.packs))
        return len(pack.places) > 1 or pack.n_combinations * n_centroids <= room


def _packed(points: Points, places: list[int]) -> _Pack:
    columns = [points.codes[place] for place in places]
    sizes = [points.features[place].domain.n_codes for place in places]
    of_point, n_combinations = group_rows(columns, sizes, points.n_points)
    example = np.empty(n_combinations, dtype=np.int64)
    example[of_point] = np.arange(points.n_points)
    combined = [codes[example].astype(np.int64) for codes in columns]
    return _Pack(places, combined, [np.unique(codes, return_inverse=True) for codes in combined], of_point)


class Tables:
    """What it costs to go from any point to each of some centroids: the distance, or with ``weights`` the sum
    of the features' squared distances, each as often as the feature weighs."""

    def __init__(
        self, packs: Packs, centroids: Centroids, n_asked: int, weights: Sequence[int] | None = None
    ) -> None:
        self._features, self._packs = packs.features, packs.packs
        self._centroids, self._weights = centroids, weights
        n = self.n_centroids
        # A table of more lines than points are asked for would be made in vain.
        self._tables = [
            self._table(pack) if pack.n_combinations <= n_asked and packs.fits_table(pack, n) else None
            for pack in packs.packs
        ]

    def _table(self, pack: _Pack) -> Costs:
        """From all combinations of a pack's codes."""
        if len(pack.places) > 1:
            pairs = zip(pack.places, pack.distinct, strict=True)
            tables = (self._costs(place, codes).take(number, axis=0) for place, (codes, number) in pairs)
            return reduce(lambda table, other: np.add(table, other, out=table), tables)
        # In pieces: what distances are computed from takes several times their memory.
        codes = pack.codes[0]
        step = max(1, _PIECE // max(self.n_centroids, 1))
        pieces = [codes[start : start + step] for start in range(0, len(codes), step)]
        return np.concatenate([self._costs(pack.places[0], piece) for piece in pieces])

    def _costs(self, place: int, codes: Ints) -> Costs:
        apart = self._features[place].distances_of_pairs(codes[:, None], self._centroids[place][None, :])
        if self._weights is None:
            return apart
        return apart.astype(np.int64) ** 2 * self._weights[place]

    @property
    def n_centroids(self) -> int:
        return len(self._centroids[0])

    @property
    def chunk_size(self) -> int:
        """Points that should be asked for at a time."""
        return max(1, _CHUNK // self.n_centroids)

    def costs(self, points: Ints) -> Costs:
        """From some points to all centroids; O(points * centroids) for each pack."""
        total = self._costs_of(0, points)
        for number in range(1, len(self._packs)):
            total += self._costs_of(number, points)
        return total

    def _costs_of(self, number: int, points: Ints) -> Costs:
        pack, table = self._packs[number], self._tables[number]
        combination = pack.of_point[points]
        if table is not None:
            return table.take(combination, axis=0)
        total = self._costs(pack.places[0], pack.codes[0][combination])
        for place, codes in zip(pack.places[1:], pack.codes[1:], strict=True):
            total += self._costs(place, codes[combination])
        return total

    def keep(self, is_kept: Bools) -> None:
        """Forget the other centroids."""
        self._centroids = [centres[is_kept] for centres in self._centroids]
        self._tables = [None if table is None else table.compress(is_kept, axis=1) for table in self._tables]


def closest(packs: Packs, points: Ints, centroids: Centroids, weights: Sequence[int] | None = None) -> Ints:
    """The closest centroid to each of some points, the first of equals; equal centroids are asked once.

    O(points * centroids) for each pack of features, at most O(points + centroids) in memory.
    """
    distinct = np.sort(np.unique(_keys_of(centroids), return_index=True)[1])
    tables = Tables(packs, [centres[distinct] for centres in centroids], len(points), weights)
    found = np.empty(len(points), dtype=np.int64)
    for start in range(0, len(points), tables.chunk_size):
        chunk = slice(start, start + tables.chunk_size)
        found[chunk] = tables.costs(points[chunk]).argmin(axis=1)
    return distinct[found]


def _keys_of(centroids: Centroids) -> Ints:
    """Equal keys for equal centroids; a centre is -1 or more."""
    sizes = [int(centres.max()) + 2 for centres in centroids]
    return pack([centres + 1 for centres in centroids], sizes, len(centroids[0]))[0]


def most_rounds(
    packs: Packs, n_rows: int, n_clusters: int, *, share: float, at_most: int, passes: int
) -> int:
    """How many rounds a block with ``share`` of a table's rows may take, so that no small table takes
    minutes.

    Distances are counted and not seconds: the same table gives the same bytes.
    """
    per_pair = sum(_per_pair(packs, pack, n_rows, n_clusters) for pack in packs.packs)
    n_cells = n_rows * len(packs.features) / share
    allowed = _DISTANCES * share * max(1.0, n_cells / _CELLS) ** 2
    n_rounds = int(allowed / (passes * per_pair * n_rows * n_clusters))
    return min(at_most, max(1, n_rounds))


def _per_pair(packs: Packs, pack: _Pack, n_rows: int, n_clusters: int) -> float:
    """What a distance of one pack costs: computed each time, or once for a table and then looked up there."""
    computed = _COMPUTED[type(packs.features[pack.places[0]])]
    if not packs.fits_table(pack, n_clusters):
        return computed
    # It costs more to look a distance up where the table leaves the cache.
    looked_up = 1 if pack.n_combinations * n_clusters <= _CACHED else 3
    return looked_up + computed * pack.n_combinations / n_rows
