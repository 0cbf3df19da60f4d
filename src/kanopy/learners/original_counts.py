"""Published value statistics as a learner uses them: how often each value that a column names occurred."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from kanopy.data.arrays import Floats
from kanopy.data.grammar import MISSING_TEXT
from kanopy.errors import PolicyError
from kanopy.policy import shown_name
from kanopy.release import Release

if TYPE_CHECKING:
    from kanopy.learners.cells import CellColumn


def told_statistics(X: Any) -> Mapping[str, Any] | None:
    """The value statistics of a release that has some."""
    return X.manifest.get("value_statistics") if isinstance(X, Release) else None


def is_statistics(given: Any) -> bool:
    """Whether this is an entry of ``manifest["value_statistics"]``, and no mapping from values to counts."""
    return isinstance(given, Mapping) and isinstance(given.get("values"), Mapping)


def original_counts(column: CellColumn, statistics: Mapping[str, Any]) -> Floats:
    """The rows of every value of a column, and of missing (last); O(values * log(values)).

    The rows of the values that are not told one by one are shared equally among those that the column has. A
    number that no cell names counts for the nearest that one does.
    """
    counts = np.zeros(column.n_values + 1)
    is_told = np.zeros(column.n_values + 1, dtype=bool)
    place = {value: code for code, value in enumerate(column.values)} | {MISSING_TEXT: column.n_values}
    try:
        told = {str(value): float(amount) for value, amount in statistics["values"].items()}
        other = float(statistics["other"])
        if not all(0 <= amount < np.inf for amount in (*told.values(), other)):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        hint = 'give an entry of release.manifest["value_statistics"]'
        raise PolicyError(f"the statistics of {shown_name(column.name)} cannot be used", hint) from None
    for value, amount in told.items():
        code = place.get(value, -1)
        number = None if column.scale is None else column.scale.number(value)
        if code < 0 and column.numbers is not None and len(column.numbers) and number is not None:
            code = int(np.abs(column.numbers / 2 - number / 2).argmin())
        if code >= 0:
            counts[code] += amount
            is_told[code] = True
    rest = np.flatnonzero(~is_told[:-1])
    counts[rest] = other / max(len(rest), 1)
    return counts
