"""Bounds on how much more, or less, frequent a value may be in a group than in the whole table."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from kanopy.data import GroupCounts
from kanopy.errors import PolicyError, near_name
from kanopy.privacy.exact import Written, at_most, common_shares, exact_bound, plain, ratios
from kanopy.privacy.model import (
    LOOK_ALIKES,
    Bools,
    ColumnModel,
    all_within,
    checked_text,
    counted_in,
    fill,
    greatest,
)

Floats = NDArray[np.float64]

_NOISE = 1e-12
"""Logarithms are floats; what their rounding leaves open counts as broken."""


@dataclass(frozen=True, slots=True, init=False)
class DeltaDisclosure(ColumnModel):
    """The share of every value in a group is within a factor of 2**delta of its share in the table.

    ``|log2(p / q)| < delta``. Brickell, Shmatikov, *The cost of privacy* (2008).

    Parameters
    ----------
    column : str
    delta : number
        Above 0.
    strict_zero : bool
        Whether a value of the table that a group lacks breaks the promise, as the definition has it to the
        letter; otherwise only the values present in a group count.
    """

    compares_with_table = True

    delta: Fraction
    strict_zero: bool

    def __init__(self, column: str, delta: Written, *, strict_zero: bool = False) -> None:
        if not isinstance(strict_zero, bool):
            raise PolicyError(
                "strict_zero must be true or false", "leave it out to count present values only"
            )
        fill(
            self,
            column=checked_text("column", column),
            delta=exact_bound("delta", delta),
            strict_zero=strict_zero,
        )

    @property
    def monotone(self) -> bool:
        """Only with ``strict_zero``: a value that one group has and the other lacks is diluted by merging."""
        return self.strict_zero

    def holds(self, counts: GroupCounts) -> Bools:
        """Whether each group keeps the factor; O(entries)."""
        return self._strayed(counts) < float(self.delta) * (1 - _NOISE)

    def level(self, counts: GroupCounts) -> float:
        """The largest ``|log2(p / q)|`` of any group: every delta above it is kept."""
        return greatest(self._strayed(counts))

    def sentence(self, unit: str = "rows") -> str:
        which = "each value" if self.strict_zero else "each value found there"
        about = f" (about {2.0 ** float(self.delta):.3g})" if self.delta <= 64 else ""
        return (
            f"{LOOK_ALIKES}the share of {which} in column {self.column!r} differs from its share "
            f"in the whole table by a factor of less than 2 to the power of {plain(self.delta)}{about}"
            f"{counted_in(unit)}."
        )

    def _strayed(self, counts: GroupCounts) -> Floats:
        histogram = self.histogram(counts)
        inside, overall = common_shares(histogram, counts.members, histogram.n_table)
        # By way of the difference, so that shares that are nearly equal lose no digits.
        difference = ratios(abs(inside - overall), np.minimum(inside, overall))
        strayed = np.zeros(counts.n_groups)
        np.maximum.at(strayed, histogram.group, np.log1p(difference) / np.log(2))
        if self.strict_zero:
            n_present = np.bincount(histogram.group, minlength=counts.n_groups)
            strayed[n_present < np.count_nonzero(histogram.totals)] = np.inf
        return strayed


@dataclass(frozen=True, slots=True, init=False)
class BetaLikeness(ColumnModel):
    """No value gains more than beta in a group: ``(p - q) / q <= beta`` wherever ``p > q``.

    Cao, Karras, *Publishing microdata with a robust privacy guarantee* (2012).

    Parameters
    ----------
    column : str
    beta : number
        Above 0.
    kind : {"basic", "enhanced"}
        ``enhanced`` bounds the gain of frequent values further, by ``min(beta, -ln q)``.
    """

    monotone = True  # the share in a union is at most the largest share in its parts
    compares_with_table = True

    beta: Fraction
    kind: str

    def __init__(self, column: str, beta: Written, kind: str = "basic") -> None:
        if kind not in ("basic", "enhanced"):
            hint = near_name(str(kind), ("basic", "enhanced")) or "one of basic, enhanced"
            raise PolicyError("kind is not one that likeness knows", hint)
        fill(self, column=checked_text("column", column), beta=exact_bound("beta", beta), kind=kind)

    def holds(self, counts: GroupCounts) -> Bools:
        """Whether no value gains too much in each group, exactly for ``basic``; O(entries)."""
        histogram = self.histogram(counts)
        inside, overall = common_shares(histogram, counts.members, histogram.n_table)
        is_kept = at_most(inside - overall, overall, self.beta) & self._is_under_cap(counts)
        return all_within(is_kept, histogram.group, counts.n_groups)

    def level(self, counts: GroupCounts) -> float:
        """The largest gain in any group: the smallest beta that is kept; infinite where none is."""
        gain = self._gain(counts)
        return greatest(np.where(self._is_under_cap(counts), gain, np.inf))

    def sentence(self, unit: str = "rows") -> str:
        extra = ", and frequent values gain less still" if self.kind == "enhanced" else ""
        return (
            f"{LOOK_ALIKES}no value of column {self.column!r} is more than {plain(1 + self.beta)} times "
            f"as frequent as in the whole table{extra}{counted_in(unit)}."
        )

    def _gain(self, counts: GroupCounts) -> Floats:
        histogram = self.histogram(counts)
        inside, overall = common_shares(histogram, counts.members, histogram.n_table)
        return ratios(np.maximum(inside - overall, 0), overall)

    def _is_under_cap(self, counts: GroupCounts) -> Bools:
        histogram = self.histogram(counts)
        if self.kind == "basic":
            return np.ones(len(histogram.group), dtype=bool)
        totals, n_table = np.maximum(histogram.totals, 1), max(histogram.n_table, 1)
        cap = -np.log1p((totals - n_table) / n_table)[histogram.value]
        return self._gain(counts) <= cap * (1 - _NOISE)
