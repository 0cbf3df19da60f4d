"""How far rows are apart: one feature per column, each distance between 0 and 1, in whole parts of a unit.

Numbers are as far apart as they lie on the column's range; values under a hierarchy as high as their common
node; other values are wholly apart, or equal. Missing is wholly apart from everything but itself. Whole
parts make sums exact: what is equally far ties, in whatever order it was added.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CodedColumn, ValueTree
from kanopy.data.arrays import Codes, Groups, Ints
from kanopy.data.keys import count_keys, group_rows

Lookup = NDArray[np.int32]
"""For every code of a column a distance or width."""
Centroids = list[Ints]
"""For each feature the centre of every cluster: a place, or a code."""

UNIT = 720_720
"""Divisible by every number up to 16: steps on short scales are whole parts, so what ties, ties exactly."""


class Feature(ABC):
    """One column: distances between its codes, and the width of a set of codes.

    A set that grows is remembered by a state. A centroid is a whole number: a place on a line or a code.
    """

    def __init__(self, column: CodedColumn, unit: int = UNIT) -> None:
        self.domain = column.domain
        self.unit = unit
        self._codes = np.arange(self.domain.n_codes)

    @abstractmethod
    def start(self, code: int) -> Any:
        """The state of a set of one code."""

    @abstractmethod
    def add(self, state: Any, code: int) -> Any:
        """The state with another code in the set; an equal one where it is no wider."""

    @abstractmethod
    def widths_with(self, states: list[Any], codes: Ints) -> Lookup:
        """How wide each set would be with the code beside it; one set or one code stands for many."""

    @abstractmethod
    def centre(self, codes: Ints, weight: Ints) -> int:
        """The centroid of different codes, in ascending order, and their weights."""

    @abstractmethod
    def centres(self, codes: Ints, group: Groups, n_groups: int) -> Ints:
        """The centroids of groups of rows: the mean place, or the most frequent value, the first of equals;
        missing where a group has no rows. O(rows), plus groups times codes."""

    @abstractmethod
    def distances_between(self, centres: Ints, centre: int) -> Ints:
        """From many centroids to one."""

    @abstractmethod
    def distances_of_pairs(self, codes: Ints, centres: Ints) -> Lookup:
        """From each code to the centroid beside it; arrays of different shape are stretched as usual."""

    def widths(self, state: Any) -> Lookup:
        """How wide a set would be with each code in it; O(codes)."""
        return self.widths_with([state], self._codes)

    def distances(self, code: int) -> Lookup:
        """From one code to every code; O(codes)."""
        return self.distances_to_centre(self.centre(np.array([code]), np.array([1])))

    def distances_to_centre(self, centre: int) -> Lookup:
        """From a centroid to every code; O(codes)."""
        return self.distances_of_pairs(self._codes, np.array([centre]))


class NumericFeature(Feature):
    """Numbers on a line; missing has the centroid -1. A set of missing and numbers is as wide as can be."""

    def __init__(self, column: CodedColumn, unit: int = UNIT) -> None:
        super().__init__(column, unit)
        self._place = np.rint(self.domain.positions * unit).astype(np.int32)

    def start(self, code: int) -> tuple[int, int, bool, bool]:
        is_missing = code == self.domain.missing_code
        place = int(self._place[code])
        return place, place, not is_missing, is_missing

    def add(self, state: Any, code: int) -> Any:
        low, high, has_number, has_missing = state
        if code == self.domain.missing_code:
            return low, high, has_number, True
        place = int(self._place[code])
        if not has_number:
            return place, place, True, has_missing
        return min(low, place), max(high, place), True, has_missing

    def widths_with(self, states: list[Any], codes: Ints) -> Lookup:
        low, high, has_number, has_missing = np.array(states, dtype=np.int32).T
        place = self._place[codes]
        width = (np.maximum(high, place) - np.minimum(low, place)) * has_number
        is_missing = codes == self.domain.missing_code
        mixes = np.where(is_missing, has_number, has_missing) > 0
        return np.where(mixes, np.int32(self.unit), np.where(is_missing, np.int32(0), width))

    def centre(self, codes: Ints, weight: Ints) -> int:
        is_number = codes != self.domain.missing_code
        if not is_number.any():
            return -1
        return int(np.rint(np.average(self._place[codes[is_number]], weights=weight[is_number])))

    def centres(self, codes: Ints, group: Groups, n_groups: int) -> Ints:
        is_number = codes != self.domain.missing_code
        if not is_number.all():
            codes, group = codes[is_number], group[is_number]
        n_numbers = np.bincount(group, minlength=n_groups)
        total = np.bincount(group, self._place[codes], minlength=n_groups)
        return np.where(n_numbers > 0, np.rint(total / np.maximum(n_numbers, 1)), -1).astype(np.int64)

    def distances_between(self, centres: Ints, centre: int) -> Ints:
        one_missing = (centres < 0) != (centre < 0)
        return np.where(one_missing, self.unit, np.abs(centres - centre))

    def distances_of_pairs(self, codes: Ints, centres: Ints) -> Lookup:
        # Missing lies so far outside that, cut to the unit, everything is wholly apart from it.
        outside = np.int32(3 * self.unit)
        place = np.where(codes == self.domain.missing_code, outside, self._place[codes])
        found: Lookup = np.asarray(place - np.where(centres < 0, outside, centres).astype(np.int32))
        np.abs(found, out=found)
        np.minimum(found, np.int32(self.unit), out=found)
        return found


class FlatFeature(Feature):
    """Values that are equal or wholly apart; a set is as wide as can be, or of one value."""

    def start(self, code: int) -> int:
        return code

    def add(self, state: Any, code: int) -> Any:
        return state if state == code else -1

    def widths_with(self, states: list[Any], codes: Ints) -> Lookup:
        return np.where(np.array(states) == codes, np.int32(0), np.int32(self.unit))

    def centres(self, codes: Ints, group: Groups, n_groups: int) -> Ints:
        n_codes = self.domain.n_codes
        present, count = count_keys(group.astype(np.int64) * n_codes + codes, n_groups * n_codes)
        owner = present // n_codes
        first = np.flatnonzero(np.append(True, owner[1:] != owner[:-1])) if len(owner) else owner
        # The most frequent value has the largest key, of equals the first value.
        backwards = (owner + 1) * n_codes - 1 - present
        best = np.maximum.reduceat(count * n_codes + backwards, first) if len(first) else first
        centres = np.full(n_groups, self.domain.missing_code, dtype=np.int64)  # of groups without rows
        centres[owner[first]] = n_codes - 1 - best % n_codes
        return centres

    def centre(self, codes: Ints, weight: Ints) -> int:
        return int(codes[weight.argmax()])

    def distances_between(self, centres: Ints, centre: int) -> Ints:
        return self.distances_of_pairs(centres, np.array([centre])).astype(np.int64)

    def distances_of_pairs(self, codes: Ints, centres: Ints) -> Lookup:
        found: Lookup = np.multiply(codes != centres, np.int32(self.unit))
        return found


class TaxonomyFeature(FlatFeature):
    """Values under a hierarchy: as far apart, and a set as wide, as the smallest common node is high."""

    def __init__(self, column: CodedColumn, unit: int = UNIT) -> None:
        super().__init__(column, unit)
        self._tree = ValueTree.of(self.domain)
        self._width = np.rint(self._tree.height / self._tree.height[0] * unit).astype(np.int32)
        # A set with the only value of a column in it is that value, whether or not missing is there as well.
        self._whole = 1 if self.domain.n_values == 1 else 0

    def start(self, code: int) -> int:
        return int(self._tree.levels[0, code])

    def add(self, state: Any, code: int) -> Any:
        return int(self._tree.joined(np.array([state]), np.array([code]))[0]) or self._whole

    def widths_with(self, states: list[Any], codes: Ints) -> Lookup:
        found: Lookup = self._width[self._tree.joined(np.array(states), codes)]
        return found

    def distances_of_pairs(self, codes: Ints, centres: Ints) -> Lookup:
        # From the root down: the lowest level on which the two agree says the last word.
        found = np.full(np.broadcast_shapes(codes.shape, centres.shape), self.unit, dtype=np.int32)
        for level in self._tree.levels[-2::-1]:
            np.copyto(found, self._width[level][codes], where=level[codes] == level[centres])
        return found


def feature_of(column: CodedColumn) -> Feature:
    """The feature of a column, by what its values are."""
    if column.domain.hierarchy is not None:
        return TaxonomyFeature(column)
    return NumericFeature(column) if column.domain.is_numeric else FlatFeature(column)


def centroids_of(
    features: Sequence[Feature], columns: Sequence[Codes], group: Groups, n_groups: int
) -> Centroids:
    """For each feature the centroid of every group of rows; O(rows * columns)."""
    pairs = zip(features, columns, strict=True)
    return [feature.centres(codes.astype(np.int64, copy=False), group, n_groups) for feature, codes in pairs]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """The different rows of a table by their features, and how often each occurs."""

    features: tuple[Feature, ...]
    codes: tuple[Codes, ...]  # of every feature, the code of each point
    weight: Ints  # rows at each point
    rows: Ints  # the rows of all points, one point after the other, each in the order of the table
    first: Ints  # where the rows of each point begin

    @classmethod
    def of(cls, features: tuple[Feature, ...], columns: Sequence[Codes]) -> Points:
        """Collect the points of some rows, given their codes; O(rows * columns), and a sort by point."""
        sizes = [feature.domain.n_codes for feature in features]
        point, n_points = group_rows(columns, sizes, len(columns[0]))
        rows = np.argsort(point, kind="stable")
        weight = np.bincount(point, minlength=n_points)
        first = np.cumsum(weight) - weight
        return cls(features, tuple(codes[rows[first]] for codes in columns), weight, rows, first)

    @property
    def n_points(self) -> int:
        return len(self.weight)

    def point_of_rows(self) -> Ints:
        """The point of every row, in the order of the table; O(rows)."""
        point = np.empty(len(self.rows), dtype=np.int64)
        point[self.rows] = np.repeat(np.arange(self.n_points), self.weight)
        return point

    def point_of_row(self, row: int) -> int:
        """The point of a row; O(rows)."""
        return int(np.searchsorted(self.first, np.flatnonzero(self.rows == row)[0], side="right")) - 1

    def codes_of_row(self, row: int) -> list[int]:
        point = self.point_of_row(row)
        return [int(codes[point]) for codes in self.codes]
