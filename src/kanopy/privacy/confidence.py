"""Confidence bounds: how sure anyone may become of a confidential value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from kanopy.data import GroupCounts, Histogram
from kanopy.data.grammar import clean_text
from kanopy.errors import PolicyError
from kanopy.privacy.exact import Written, at_most, exact_bound, plain, ratios
from kanopy.privacy.model import (
    LOOK_ALIKES,
    Bools,
    ColumnModel,
    checked_text,
    counted_in,
    fill,
    given_columns,
    greatest,
    read_aloud,
)

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, init=False)
class AlphaBound(ColumnModel):
    """A value, or every value, makes up at most a share alpha of each group.

    ``AlphaBound(...) & KAnonymity(k)`` is the (alpha, k)-anonymity of Wong, Li, Fu, Wang (2006).

    Parameters
    ----------
    column : str
    alpha : number
        Strictly between 0 and 1.
    value : str or None
        The value to bound; None bounds every value, missing among them.
    """

    monotone = True  # the share in a union is at most the largest share in its parts

    alpha: Fraction
    value: str | None

    def __init__(self, column: str, alpha: Written, value: str | None = None) -> None:
        fill(
            self,
            column=checked_text("column", column),
            alpha=exact_bound("alpha", alpha, below=1),
            value=None if value is None else _as_written(value),
        )

    def holds(self, counts: GroupCounts) -> Bools:
        """Whether the share is at most alpha in each group, exactly; O(entries)."""
        return at_most(self._bounded(counts), counts.members, self.alpha)

    def level(self, counts: GroupCounts) -> float:
        """The largest share in any group: the smallest alpha that is kept."""
        return greatest(ratios(self._bounded(counts), counts.members))

    def sentence(self, unit: str = "rows") -> str:
        what = "each value" if self.value is None else f"the value {self.value!r}"
        does = "makes up" if unit == "rows" else "is found with"
        return (
            f"{LOOK_ALIKES}{what} of column {self.column!r} {does} at most {plain(self.alpha)} of the {unit}."
        )

    def _bounded(self, counts: GroupCounts) -> Ints:
        histogram = self.histogram(counts)
        if self.value is not None:
            return _with_value(histogram, self.value)
        most = np.zeros(counts.n_groups, dtype=np.int64)
        np.maximum.at(most, histogram.group, histogram.count)
        return most


@dataclass(frozen=True, slots=True, init=False)
class Template(ColumnModel):
    """Whoever knows the given columns is at most this sure that the confidential column has the value.

    Wang, Fung, Yu, *Handicapping attacker's confidence: an alternative to k-anonymization* (2006), section 2.

    Methods may check it on groups over all quasi-identifiers. That suffices: a group over ``given`` alone is
    a union of those, and the share in a union is at most the largest share in its parts.

    Parameters
    ----------
    given : tuple of str
        The quasi-identifiers that are known beforehand.
    column, value : str
        A value that never occurs is bounded by anything.
    at_most : number
        Strictly between 0 and 1.
    """

    monotone = True  # the share in a union is at most the largest share in its parts

    given: tuple[str, ...]
    value: str
    at_most: Fraction

    def __init__(self, given: Iterable[str], column: str, value: str, at_most: Written) -> None:
        fill(
            self,
            given=given_columns(given),
            column=checked_text("column", column),
            value=_as_written(value),
            at_most=exact_bound("at_most", at_most, below=1),
        )
        if self.column in self.given:
            raise PolicyError(
                f"column {self.column!r} is both given and to be protected in one template",
                "leave it out of given",
            )

    @property
    def grouped_by(self) -> tuple[str, ...]:
        return self.given

    def holds(self, counts: GroupCounts) -> Bools:
        """Whether the confidence is at most the bound in each group, exactly; O(entries)."""
        # PRIVACY: no floats: 7 of 100 must keep 0.07 (tests/unit/privacy/test_confidence.py).
        return at_most(_with_value(self.histogram(counts), self.value), counts.members, self.at_most)

    def level(self, counts: GroupCounts) -> float:
        """The largest confidence in any group: the smallest bound that is kept."""
        return greatest(ratios(_with_value(self.histogram(counts), self.value), counts.members))

    def sentence(self, unit: str = "rows") -> str:
        return (
            f"Whoever knows {read_aloud(self.given)} of someone can conclude that {self.column!r} is "
            f"{self.value!r} with a confidence of at most {plain(self.at_most)}{counted_in(unit)}."
        )


def _as_written(value: str) -> str:
    """PRIVACY: a value is written as cells are when they are read, or the bound would hold for no row
    (tests/unit/policy/test_toml_file.py)."""
    return clean_text(checked_text("value", value))


def _with_value(histogram: Histogram, value: str) -> Ints:
    code = histogram.domain.code_of.get(value)
    return np.zeros(histogram.n_groups, dtype=np.int64) if code is None else histogram.of_value(code)
