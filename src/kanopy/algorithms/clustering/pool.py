"""The points that still have rows to give, and the box that a growing cluster spans."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.algorithms.clustering.features import Feature, Lookup, Points
from kanopy.data.arrays import Groups, Ints

Costs = NDArray[np.int32]

NEVER = np.int32(np.iinfo(np.int32).max)
_NO_ROW = np.iinfo(np.int64).max
_KEPT = 1 << 18
"""Widths that are remembered for each feature."""


class Pool:
    """Points in use; those without rows left are forgotten from time to time, so that passes get shorter."""

    def __init__(self, points: Points) -> None:
        self.features: tuple[Feature, ...] = points.features
        self._rows = points.rows
        self.codes = list(points.codes)
        self._first = points.first.copy()
        self._end = points.first + points.weight
        self._next_row = self._rows[self._first]
        self._is_gone = np.zeros(points.n_points, dtype=bool)
        self.n_rows = len(points.rows)
        # Clusters start from the same codes again and again.
        sizes = [max(1, _KEPT // feature.domain.n_codes) for feature in points.features]
        self.widths = [
            lru_cache(size)(feature.widths) for feature, size in zip(points.features, sizes, strict=True)
        ]

    def part(self, points: Ints) -> Pool:
        """Some of the points, as a pool of its own."""
        part = copy(self)
        part.codes = [codes[points] for codes in self.codes]
        part._first, part._end = self._first[points], self._end[points]
        part._next_row, part._is_gone = self._next_row[points], self._is_gone[points]
        part.n_rows = int((part._end - part._first).sum())
        return part

    def codes_of(self, point: int) -> list[int]:
        return [int(codes[point]) for codes in self.codes]

    def summed(self, lookups: list[Lookup]) -> Costs:
        """Look every point up in each feature, and add; points without rows cost the most. O(points)."""
        total = lookups[0].take(self.codes[0])
        for lookup, codes in zip(lookups[1:], self.codes[1:], strict=True):
            total += lookup.take(codes)
        total[self._is_gone] = NEVER
        return total

    def distances_from(self, codes: Sequence[int]) -> Costs:
        """From a row with these codes to every point; O(points * columns)."""
        pairs = zip(self.features, codes, strict=True)
        return self.summed([feature.distances(code) for feature, code in pairs])

    def change(self, costs: Costs, place: int, by: Lookup) -> None:
        """Add to the costs what has changed in one feature; O(points)."""
        costs += by.take(self.codes[place])
        costs[self._is_gone] = NEVER

    def farthest(self, distances: Costs) -> int:
        """The point farthest away that has rows; of equals, the one with the first row."""
        known = np.where(self._is_gone, -1, distances)
        return self.first_of(np.flatnonzero(known == known.max()))

    def first_of(self, tied: Ints) -> int:
        """Of some points, the one with the first row."""
        return int(tied[self._next_row[tied].argmin()])

    def take(self, point: int, costs: Costs) -> int:
        """Take the first row of a point; where it was the last, the point costs the most from then on."""
        row = int(self._next_row[point])
        self._use(point, 1, costs)
        return row

    def take_first(self, tied: Ints, n_wanted: int, costs: Costs) -> Ints:
        """Take the first rows of several points together; O(points), however many are tied."""
        if len(tied) > n_wanted:
            # A point that is not among the first to begin has no row among the first.
            tied = tied[np.argpartition(self._next_row[tied], n_wanted - 1)[:n_wanted]]
        parts = [self._rows[self._first[point] : self._end[point]][:n_wanted] for point in tied.tolist()]
        rows = np.concatenate(parts)
        if len(rows) > n_wanted:
            last = np.partition(rows, n_wanted - 1)[n_wanted - 1]
            rows = rows[rows <= last]
            parts = [part[part <= last] for part in parts]
        for point, part in zip(tied.tolist(), parts, strict=True):
            if len(part):
                self._use(point, len(part), costs)
        return rows

    def take_all(self, points: Ints) -> None:
        """Take all rows of some points; O(points taken)."""
        self.n_rows -= int((self._end[points] - self._first[points]).sum())
        self._first[points] = self._end[points]
        self._next_row[points] = _NO_ROW
        self._is_gone[points] = True

    def _use(self, point: int, n_used: int, costs: Costs) -> None:
        self._first[point] += n_used
        self.n_rows -= n_used
        if self._first[point] == self._end[point]:
            self._is_gone[point] = True
            self._next_row[point] = _NO_ROW
            costs[point] = NEVER
        else:
            self._next_row[point] = self._rows[self._first[point]]

    def forget(self, *per_point: Groups) -> list[Groups]:
        """Drop points without rows once they are an eighth of all, also from the arrays handed in."""
        if 8 * np.count_nonzero(self._is_gone) < len(self._is_gone):
            return list(per_point)
        left = np.flatnonzero(~self._is_gone)
        self.codes = [codes[left] for codes in self.codes]
        self._first, self._end = self._first[left], self._end[left]
        self._next_row, self._is_gone = self._next_row[left], self._is_gone[left]
        return [array[left] for array in per_point]

    def rows_left(self) -> Ints:
        """In the order of the table."""
        parts = [self._rows[first:end] for first, end in zip(self._first, self._end, strict=True)]
        return np.sort(np.concatenate([np.empty(0, dtype=np.int64), *parts]))

    def take_nearest(self, distances: Costs, n_wanted: int) -> Ints:
        """Take the rows nearest to something, of equals the first in the table; O(points)."""
        n_points = min(n_wanted, len(distances))
        nearest = np.argpartition(distances, n_points - 1)[:n_points]  # they have enough rows, or are all
        nearest = nearest[np.argsort(distances[nearest], kind="stable")]
        n_rows = np.cumsum(self._end[nearest] - self._first[nearest])
        last = distances[nearest[np.searchsorted(n_rows, n_wanted)]]
        whole, tied = nearest[distances[nearest] < last], np.flatnonzero(distances == last)
        inside = self.take_first(whole, n_wanted, distances) if len(whole) else np.empty(0, dtype=np.int64)
        return np.concatenate([inside, self.take_first(tied, n_wanted - len(inside), distances)])


class Box:
    """What a cluster spans, and how wide it would be with each point in it."""

    def __init__(self, pool: Pool, seed: int) -> None:
        self._pool = pool
        pairs = zip(pool.features, pool.codes_of(seed), strict=True)
        self.states: list[Any] = [feature.start(code) for feature, code in pairs]
        self._lookups = [widths(state) for widths, state in zip(pool.widths, self.states, strict=True)]
        self.costs = pool.summed(self._lookups)
        self.width = 0

    def grow(self, point: int, width: int) -> None:
        """Let another point in; O(points) for each feature that becomes wider."""
        self.width = width
        pairs = zip(self._pool.features, self._pool.codes_of(point), strict=True)
        for place, (feature, code) in enumerate(pairs):
            state = feature.add(self.states[place], code)
            if state != self.states[place]:
                lookup = self._pool.widths[place](state)
                self._pool.change(self.costs, place, lookup - self._lookups[place])
                self.states[place], self._lookups[place] = state, lookup

    def narrow(self, points: Ints) -> Pool:
        """Let no other points join from now on; a pool of these alone, numbered anew."""
        self._pool, self.costs = self._pool.part(points), self.costs[points]
        return self._pool

    def close(self) -> None:
        """Forget the costs, which are as many as points: no row joins the box any more."""
        self._lookups, self.costs = [], np.empty(0, dtype=np.int32)
