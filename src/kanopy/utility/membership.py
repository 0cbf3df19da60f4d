"""Which group of a release a row may be from: how likely its values are under the cells of each group.

Somebody who knows all quasi-identifiers of a person can weigh every group by this, times its size, and guess
the person's class. The guess is better for members, whose own values are in the cells, than for strangers: by
how much is what the release tells about its members. Columns are taken to be independent inside a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kanopy.data.arrays import Codes, Floats, Ints
from kanopy.data.value_sets import numbers_from

BANDWIDTH = 0.5
"""The width of a kernel around a published mean, in parts of how far the means of a group lie apart."""
BACKGROUND = 1.0
"""Rows that count as if they were drawn from the whole release: no value is impossible in any group."""
_ROOM = 1 << 22  # numbers in memory at a time
_UNLIKELY = 1e-12
_FAR = 1e3  # widths, beyond which kernels are nothing


@dataclass(frozen=True, eq=False)
class NumberCells:
    """The cells of a column of numbers: of every group some points around which its numbers lie.

    Parameters
    ----------
    owner, point : arrays
        The group of each point, and where it lies; in the order of the groups.
    n_numbers, n_missing : arrays
        Rows of each group that have a number, and that have none.
    least_width : float
        The step of the column: kernels are not narrower than half of it.
    """

    owner: Ints
    point: Floats
    n_numbers: Floats
    n_missing: Floats
    least_width: float

    def log_likelihood(self, values: Floats) -> Floats:
        """Of values (down, NaN for missing) in groups (across); O(values * points)."""
        n_groups = len(self.n_numbers)
        rows = np.maximum(self.n_numbers + self.n_missing, 1)
        n_points = np.bincount(self.owner, minlength=n_groups)
        width = self._width(n_points)
        of_missing = (self.n_missing + BACKGROUND * _share(self.n_missing, rows)) / (rows + BACKGROUND)
        found = np.empty((len(values), n_groups))
        step = max(_ROOM // max(len(self.point), 1), 1)
        for top in range(0, len(values), step):
            some = values[top : top + step, None]
            kernels = _kernels(np.nan_to_num(some), self.point, width)
            density = np.zeros((len(some), n_groups))
            has_points = n_points > 0
            starts = (np.cumsum(n_points) - n_points)[has_points]
            if len(starts):
                density[:, has_points] = np.add.reduceat(kernels, starts, axis=1) / n_points[has_points]
            everywhere = density @ (self.n_numbers / max(self.n_numbers.sum(), 1))
            mixed = density * self.n_numbers + BACKGROUND * everywhere[:, None]
            mixed *= (1 - of_missing) / (self.n_numbers + BACKGROUND)
            found[top : top + step] = np.where(np.isnan(some), of_missing, mixed)
        return np.log(np.maximum(found, _UNLIKELY))

    def _width(self, n_points: Ints) -> float:
        """Of a kernel: by the points inside groups, or where there is one in each, by those of all groups."""
        # In parts of the largest: squares of large floats do not fit into a float.
        unit = float(np.abs(self.point).max(initial=0)) or 1.0
        point = self.point / unit
        centre = np.bincount(self.owner, point, len(n_points)) / np.maximum(n_points, 1)
        inside = (point - centre[self.owner]) ** 2
        if not inside.any() and len(point):
            inside = (point - point.mean()) ** 2
        told = float(np.sqrt(inside.mean())) if len(inside) else 0.0
        return max(BANDWIDTH * told * unit, self.least_width / 2)


@dataclass(frozen=True, eq=False)
class CategoryCells:
    """The cells of a column of categories: how many rows of which groups have which values.

    Parameters
    ----------
    group, value, count : arrays
        One entry per pair that is told; missing is a value.
    n_groups : int
    """

    group: Ints
    value: Ints
    count: Floats
    n_groups: int

    def log_likelihood(self, values: Ints) -> Floats:
        """Of values (down) in groups (across); a value that no group has is as unlikely in all of them.
        O(values * groups + entries log entries)."""
        order = np.argsort(self.value, kind="stable")
        in_order = self.value[order]
        begin = np.searchsorted(in_order, values)
        n_entries = np.searchsorted(in_order, values, side="right") - begin
        entry = order[numbers_from(begin, n_entries)]
        counts = np.zeros((len(values), self.n_groups))
        counts[np.repeat(np.arange(len(values)), n_entries), self.group[entry]] = self.count[entry]
        sizes = np.bincount(self.group, self.count, minlength=self.n_groups)
        everywhere = counts.sum(axis=1) / max(float(sizes.sum()), 1)
        likely = (counts + BACKGROUND * everywhere[:, None]) / (sizes + BACKGROUND)
        return np.asarray(np.log(np.maximum(likely, _UNLIKELY)))


class KnownColumn(NamedTuple):
    """What is known of people: the different values of a column, and the one of each person."""

    values: Floats | Ints
    of_row: Codes


def guessed(cells: Sequence[NumberCells | CategoryCells], known: Sequence[KnownColumn], held: Floats) -> Ints:
    """The likeliest class of everybody; O(people * groups * columns), memory is bounded.

    ``held`` says how many rows of each group (down) have each class (across).
    """
    sizes = held.sum(axis=1)
    prior, shares = np.log(np.maximum(sizes, 1e-12)), held / np.maximum(sizes, 1e-12)[:, None]
    n_people = len(known[0].of_row)
    found = np.empty(n_people, dtype=np.int64)
    step = max(_ROOM // len(held), 1)
    for top in range(0, n_people, step):
        some = slice(top, min(top + step, n_people))
        weight = np.tile(prior, (some.stop - top, 1))
        for column, values in zip(cells, known, strict=True):
            present, place = np.arange(len(values.values)), values.of_row[some]
            if len(present) > len(place):  # of the values of all people those of some
                present, place = np.unique(place, return_inverse=True)
            weight += column.log_likelihood(values.values[present])[place]  # type: ignore[arg-type]
        weight -= weight.max(axis=1, keepdims=True)
        found[some] = (np.exp(weight) @ shares).argmax(axis=1)
    return found


def _kernels(values: Floats, points: Floats, width: float) -> Floats:
    """How near each value (down) is to each point (across), from 1 on the point to 0 far off."""
    with np.errstate(over="ignore"):  # what is farther off than any float is far enough
        apart = np.abs(values / 2 - points / 2) / (width / 2)
    return np.asarray(np.exp(-0.5 * np.minimum(apart, _FAR) ** 2))


def _share(part: Floats, whole: Floats) -> float:
    return float(part.sum() / max(whole.sum(), 1))
