"""Points by kind: a kind is a combination of categorical codes, and centroids hardly ever change theirs.

From one round of k-means to the next, most centroids move along the numeric column alone. So distances in all
categorical columns together are kept, one byte for each kind and each different combination of centres.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kanopy.algorithms.clustering.assign import Packs, closest
from kanopy.algorithms.clustering.features import Centroids, Feature, Lookup, NumericFeature, Points
from kanopy.data.arrays import Bools, Codes, Groups, Ints
from kanopy.data.keys import group_rows
from kanopy.data.value_sets import numbers_from

Levels = NDArray[np.uint8]

_ABOVE_ALL = np.uint8(255)
"""Levels are lower."""
_MOST_PAIRS = 1 << 22
"""Pairs of codes that are compared, of all categorical columns."""
_MOST_LEVELS = 1 << 25
"""Levels that are kept, in bytes, if all centroids have different centres."""
_MOST_APART = 1 << 21
"""Pairs of a centroid and a code of the numeric column."""
_MOST_SLOTS = 128
"""Where more slots are on the lowest level of a kind, all centroids are asked."""
_SPARE = 64
"""Slots that are made in advance."""


class Kinds:
    """The kinds of points, and the level of each: its distance, in steps, from categorical centres.

    Distances in categorical columns are multiples of ``step``. So a centroid on the lowest level of a kind is
    closer than every centroid on another level, if it is less than a step away in the numeric column.
    Centroids with equal categorical centres share a slot. O(kinds * slots) in memory.
    """

    def __init__(self, points: Points, steps: list[Levels], step: int) -> None:
        self.step = step
        self._places = [place for place, each in enumerate(points.features) if not _is_numeric(each)]
        self._steps = steps
        columns = [points.codes[place] for place in self._places]
        sizes = [points.features[place].domain.n_codes for place in self._places]
        self.of_point, self.n_kinds = group_rows(columns, sizes, points.n_points)
        example = np.empty(self.n_kinds, dtype=np.int64)
        example[self.of_point] = np.arange(points.n_points)
        self._codes = [codes[example] for codes in columns]
        self.line = _NumberLine(points)
        self.apart: Lookup = np.zeros((0, 0), dtype=np.int32)  # of each centroid from each code of the line
        self._forget()

    def _forget(self) -> None:
        self.levels: Levels = np.zeros((self.n_kinds, 0), dtype=np.uint8)
        self.is_used = np.zeros(0, dtype=bool)  # whether a slot has a centroid
        self.slots = np.zeros(0, dtype=np.int64)  # of each centroid
        self._centres: list[Ints] = []
        self._slot_of: dict[tuple[int, ...], int] = {}
        self.lowest = _Lowest(self)

    @classmethod
    def of(cls, points: Points, n_clusters: int) -> Kinds | None:
        """None where kinds would not pay: with several numeric columns, or too many kinds or levels."""
        features = [feature for feature in points.features if not _is_numeric(feature)]
        is_small = sum(feature.domain.n_codes**2 for feature in features) <= _MOST_PAIRS
        if len(points.features) - len(features) > 1 or not features or not is_small:
            return None
        apart = [_all_distances(feature) for feature in features]
        step = max(1, int(np.gcd.reduce([np.gcd.reduce(each, axis=None) for each in apart])))
        if sum(int(each.max()) for each in apart) // step >= _ABOVE_ALL:
            return None
        kinds = cls(points, [(each // step).astype(np.uint8) for each in apart], step)
        is_small = kinds.n_kinds <= _MOST_LEVELS // n_clusters
        return kinds if is_small and kinds.line.n_codes <= _MOST_APART // n_clusters else None

    def visit(self, centroids: Centroids) -> None:
        """Make all of it that of these centroids; O(kinds) for every new combination of centres."""
        self.apart = self.line.apart(centroids)
        if len(self._slot_of) > 2 * np.count_nonzero(self.is_used) + _SPARE:
            self._forget()  # what nobody uses any more takes time and memory
        centres = [centroids[place] for place in self._places]
        pairs = zip(centres, self._centres or centres, strict=True)
        is_moved = np.logical_or.reduce([now != then for now, then in pairs])
        moved = np.flatnonzero(is_moved if self._centres else ~is_moved)
        self._centres = centres
        if len(moved):
            self._move(moved, list(zip(*(each[moved].tolist() for each in centres), strict=True)))

    def _move(self, moved: Ints, keys: list[tuple[int, ...]]) -> None:
        """Give centroids the slots of other centres; slots without centroids are kept, but are not in use."""
        fresh = [key for key in dict.fromkeys(keys) if key not in self._slot_of]
        first, end = len(self._slot_of), len(self._slot_of) + len(fresh)
        self._slot_of.update(zip(fresh, range(first, end), strict=True))
        if end > self.levels.shape[1]:
            self.levels = np.pad(self.levels, ((0, 0), (0, end + _SPARE - self.levels.shape[1])))
            self.is_used = np.pad(self.is_used, (0, end + _SPARE - len(self.is_used)))
        if fresh:
            self.levels[:, first:end] = self._levels_from(np.array(fresh))
        if not len(self.slots):
            self.slots = np.zeros(len(moved), dtype=np.int64)
        self.slots[moved] = [self._slot_of[key] for key in keys]
        is_used = np.bincount(self.slots, minlength=len(self.is_used)) > 0
        self.lowest.touch(np.flatnonzero(is_used != self.is_used))
        self.is_used = is_used

    def _levels_from(self, keys: Ints) -> Levels:
        total: Levels = np.zeros((self.n_kinds, len(keys)), dtype=np.uint8)
        for steps, codes, centres in zip(self._steps, self._codes, keys.T, strict=True):
            total += steps[:, centres].take(codes, axis=0)
        return total

    def distances(self, points: Ints, group: Groups) -> Ints:
        """How far points are from the centroid beside them."""
        width, n_codes = self.levels.shape[1], self.line.n_codes
        cells = self.of_point[points] * np.int64(width) + self.slots[group]
        levels = self.levels.ravel().take(cells).astype(np.int64)
        levels *= self.step
        levels += self.apart.ravel().take(group * np.int64(n_codes) + self.line.code[points])
        return levels

    def costs(self, points: Ints) -> Ints:
        """From some points to all centroids; O(points * centroids)."""
        levels = self.levels[self.of_point[points]].take(self.slots, axis=1)
        return levels * np.int64(self.step) + self.apart[:, self.line.code[points]].T


def closest_by_kind(kinds: Kinds, packs: Packs, centroids: Centroids) -> Groups:
    """The closest centroid to every point, the first of equals: as ``closest``, but what has not changed from
    round to round is kept. O(centroids * codes of the numeric column), and O(points) on their lowest level.
    """
    kinds.visit(centroids)
    found, is_far = kinds.lowest.found()
    far = np.flatnonzero(is_far)
    if len(far):
        found[far] = closest(packs, far, centroids)
    return found.astype(np.int32, copy=False)


class _NumberLine:
    """The numeric column of points, if there is one; otherwise a column of one code."""

    def __init__(self, points: Points) -> None:
        places = [place for place, each in enumerate(points.features) if _is_numeric(each)]
        self._place = places[0] if places else -1
        self.longest, self.n_codes = 0, 1
        self.code = np.zeros(points.n_points, dtype=np.int64)
        if places:
            self._feature = points.features[places[0]]
            self.longest = self._feature.unit
            codes = points.codes[places[0]].astype(np.int64)
            self._present, self.code = np.unique(codes, return_inverse=True)
            self.n_codes = len(self._present)

    def apart(self, centroids: Centroids) -> Lookup:
        if self._place < 0:
            return np.zeros((len(centroids[0]), 1), dtype=np.int32)
        return self._feature.distances_of_pairs(self._present, centroids[self._place][:, None])


class _Lowest:
    """For every point, the slots on the lowest level of its kind; what did not change is kept."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        # Points of one kind stand together.
        self._order = np.argsort(kinds.of_point, kind="stable")
        self._n_points = np.bincount(kinds.of_point, minlength=kinds.n_kinds)
        self._level = np.full(kinds.n_kinds, _ABOVE_ALL)
        self._is_stale = np.ones(kinds.n_kinds, dtype=bool)
        self._is_crowded = np.zeros(kinds.n_kinds, dtype=bool)  # too many slots are on the lowest level
        self._kind = self._slot = np.zeros(0, dtype=np.int64)  # pairs: a kind, and a slot on its lowest level

    def touch(self, slots: Ints) -> None:
        """Some slots come or go: kinds for which they are low must be looked at again."""
        self._is_stale |= (self._kinds.levels[:, slots] <= self._level[:, None]).any(axis=1)
        n_codes = self._kinds.line.n_codes
        self._cells = (self._kinds.slots[:, None] * n_codes + np.arange(n_codes)).ravel()

    def found(self) -> tuple[Codes, Bools]:
        """The closest centroid to each point on the lowest level, and whether it might not be the closest of
        all: only if it is a whole step away, another level can be as close."""
        kinds = self._kinds
        n_centroids, n_codes = kinds.apart.shape
        if self._is_stale.any():
            self._refresh()
        # The distance, and in the last bits the number of the centroid: of equals, the first is the least.
        n_bits = n_centroids.bit_length()
        is_narrow = (kinds.line.longest + 1) << n_bits < 1 << 31
        packed = kinds.apart.astype(np.int32 if is_narrow else np.int64, copy=False) << n_bits
        packed |= np.arange(n_centroids, dtype=packed.dtype)[:, None]
        least = np.full(kinds.levels.shape[1] * n_codes, np.iinfo(packed.dtype).max, packed.dtype)
        np.minimum.at(least, self._cells, packed.ravel())
        best = np.minimum.reduceat(least.take(self._asked), self._first)
        found = np.empty(len(best), dtype=best.dtype)
        found[self._order] = best
        is_far = found >> n_bits >= kinds.step
        return found & ((1 << n_bits) - 1), is_far | self._is_crowded[kinds.of_point]

    def _refresh(self) -> None:
        kinds = self._kinds
        stale = np.flatnonzero(self._is_stale)
        levels = kinds.levels[stale] | ~kinds.is_used * _ABOVE_ALL
        self._level[stale] = lowest = levels.min(axis=1)
        is_lowest = levels == lowest[:, None]
        self._is_crowded[stale] = is_crowded = np.count_nonzero(is_lowest, axis=1) > _MOST_SLOTS
        is_lowest[is_crowded, 1:] = False
        is_lowest[is_crowded, 0] = True
        kind, slot = np.divmod(np.flatnonzero(is_lowest), levels.shape[1])
        kept = np.flatnonzero(~self._is_stale[self._kind])
        kinds_of_pairs = np.append(self._kind[kept], stale[kind])
        order = np.argsort(kinds_of_pairs, kind="stable")
        self._kind, self._slot = kinds_of_pairs[order], np.append(self._slot[kept], slot)[order]
        self._is_stale[:] = False
        self._expand()

    def _expand(self) -> None:
        """From kinds to their points."""
        n_slots = np.bincount(self._kind, minlength=self._kinds.n_kinds)
        of_point = np.repeat(n_slots, self._n_points)
        self._first = np.cumsum(of_point) - of_point
        pair = numbers_from(np.repeat(np.cumsum(n_slots) - n_slots, self._n_points), of_point)
        code = np.repeat(self._kinds.line.code[self._order], of_point)
        self._asked = self._slot[pair] * self._kinds.line.n_codes + code


def _is_numeric(feature: Feature) -> bool:
    return isinstance(feature, NumericFeature)


def _all_distances(feature: Feature) -> Lookup:
    codes = np.arange(feature.domain.n_codes)
    return feature.distances_of_pairs(codes[:, None], codes)
