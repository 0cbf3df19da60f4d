"""Groups that have rows of several classes: which way the values of each class lie.

Classes with fewer rows than the promise asks for share their groups. The cells of such a group say nothing
about who has which class, so that learners would not learn these classes at all. Beside the table stands how
the class goes together with each quasi-identifier inside groups, over all of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.arrays import Bools, Codes, Floats
from kanopy.data.normal_rows import off_average

MOST_OF_ONE = 1 / 11
"""How much of what is told about classes may come from one row, or person."""


@dataclass(frozen=True, slots=True, eq=False)
class MixedClasses:
    """What is published about the class.

    Parameters
    ----------
    name : str
        Of the target.
    order : tuple of str
        The classes that share groups, from one end to the other; the empty text is missing.
    correlation : array of float
        Of their places in this order with each quasi-identifier, in policy order.
    """

    name: str
    order: tuple[str, ...]
    correlation: Floats

    def pull(self, classes: Sequence[Any] | NDArray[Any], group: Codes) -> Floats:
        """How far the class of each row (down) moves its normal number of each column (across).

        Classes that are not in the order, and those of groups with one class, move nothing.
        O(rows * columns).
        """
        different, code = np.unique(np.asarray(classes, dtype=object).astype(str), return_inverse=True)
        place_of = {text: float(place) for place, text in enumerate(self.order)}
        place = np.array([place_of.get(text, np.nan) for text in different.tolist()])[code]
        is_known = ~np.isnan(place)
        off = np.zeros(len(place))
        off[is_known] = off_average(place[is_known], group[is_known])
        length = np.sqrt(np.mean(off**2)) if len(off) else 0.0
        return np.outer(off / length if length > 0 else off, self.correlation)


def in_mixed_groups(classes: Codes, group: Codes, n_groups: int) -> Bools:
    """Whether each row shares its group with another class; O(rows)."""
    least, largest = np.full(n_groups, classes.max(initial=0)), np.zeros(n_groups, dtype=classes.dtype)
    np.minimum.at(least, group, classes)
    np.maximum.at(largest, group, classes)
    return np.asarray((least < largest)[group])


def is_of_many(off: Floats, persons: Codes | None) -> bool:
    """PRIVACY: whether no single row, or person, makes most of what would be told about classes
    (tests/sabotage/test_mixed_classes.py)."""
    parts: Floats = off**2
    if persons is not None:  # rows without a person are nobody's
        parts = np.bincount(persons[persons >= 0], parts[persons >= 0]).astype(np.float64)
    return float(parts.max(initial=0)) <= MOST_OF_ONE * float(parts.sum()) > 0
