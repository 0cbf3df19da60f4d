"""Bounds as they were written, and integer ratios compared with them without rounding."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.arrays import Bools, Floats
from kanopy.errors import PolicyError

if TYPE_CHECKING:
    from kanopy.data import Histogram

Integers = NDArray[Any]  # int64, or Python ints in an object array where int64 could overflow
Written = int | float | str | Decimal | Fraction  # how a bound may be given

_LARGEST = 2**63 - 1
_LONG_EXPONENT = r"[eE][+-]?\d{4}"


def whole_number(name: str, value: object, *, at_least: int) -> int:
    """A whole number that is not a bool, or a PolicyError that names the parameter."""
    number = int(value) if not isinstance(value, bool) and isinstance(value, Integral) else 0
    if not at_least <= number <= _LARGEST:
        raise PolicyError(
            f"{name} must be a whole number of at least {at_least}", f"for example {name} = {at_least + 1}"
        )
    return number


def exact_bound(
    name: str, value: object, *, above: int = 0, below: int | None = None, at_most: int | None = None
) -> Fraction:
    """A bound as the fraction that was written: 0.3 is 3/10, not the nearest float; or a PolicyError."""
    number = _as_written(value)
    in_range = number is not None and above < number <= (_LARGEST if at_most is None else at_most)
    if number is None or not in_range or (below is not None and number >= below):
        upper = f" and below {below}" if below is not None else ""
        upper = f" and at most {at_most}" if at_most is not None else upper
        raise PolicyError(f"{name} must be a number above {above}{upper}", 'written as 0.3, "0.3" or "3/10"')
    return number


def exact_share(name: str, value: object) -> Fraction:
    """A share from 0 to 1 as the fraction that was written, or a PolicyError."""
    number = _as_written(value)
    if number is None or not 0 <= number <= 1:
        raise PolicyError(f"{name} must be a share from 0 to 1", 'written as 0.2, "0.2" or "1/5"')
    return number


def _as_written(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, str | Decimal | Real):
        return None
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    text = str(value)
    if not text.isascii() or "_" in text:  # Python reads them, other programs need not
        return None
    if re.search(_LONG_EXPONENT, text):  # the power of ten alone would fill the memory
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def integers_up_to(limit: int) -> np.dtype[Any]:
    """int64 where no result exceeds the limit, Python ints otherwise."""
    return np.dtype(np.int64 if limit <= _LARGEST else object)


def magnitude(numbers: Integers) -> int:
    """The largest absolute value, at least 1."""
    return max(1, int(numbers.max(initial=0)), -int(numbers.min(initial=0)))


def at_most(numerator: Integers, denominator: Integers, bound: Fraction) -> Bools:
    """Whether ``numerator <= bound * denominator``, exactly. O(entries)."""
    left, right = _cross_multiplied(numerator, denominator, bound)
    return np.asarray(left <= right, dtype=bool)


def less_than(numerator: Integers, denominator: Integers, bound: Fraction) -> Bools:
    """Whether ``numerator < bound * denominator``, exactly. O(entries)."""
    left, right = _cross_multiplied(numerator, denominator, bound)
    return np.asarray(left < right, dtype=bool)


def _cross_multiplied(
    numerator: Integers, denominator: Integers, bound: Fraction
) -> tuple[Integers, Integers]:
    factor = max(1, abs(bound.numerator))
    kind = integers_up_to(max(magnitude(numerator) * bound.denominator, magnitude(denominator) * factor))
    return numerator.astype(kind) * bound.denominator, denominator.astype(kind) * bound.numerator


def ratios(numerator: Integers, denominator: Integers) -> Floats:
    """The ratios as floats, to be reported, never to decide by; x/0 is infinite, 0/0 is 0."""
    if numerator.dtype == object or denominator.dtype == object:
        pairs = zip(numerator.tolist(), denominator.tolist(), strict=True)
        return np.array([top / bottom if bottom else np.inf if top else 0.0 for top, bottom in pairs])
    quotient = np.where(numerator == 0, 0.0, np.inf)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient


def common_shares(histogram: Histogram, members: Integers, n_table: int) -> tuple[Integers, Integers]:
    """Of every entry, its value's share in the group and in the table, times the members of both; O(entries).

    The table has ``n_table`` members.
    """
    most = max(n_table, magnitude(members), magnitude(histogram.totals))
    kind = integers_up_to(most * most)
    inside = histogram.count.astype(kind) * n_table
    overall = histogram.totals.astype(kind)[histogram.value] * members.astype(kind)[histogram.group]
    return inside, overall


def added_up(amounts: Integers, group: Integers, n_groups: int) -> Integers:
    """Integer amounts summed within each group, without a detour through floats. O(entries + groups)."""
    sums = np.zeros(n_groups, dtype=amounts.dtype)
    np.add.at(sums, group, amounts)
    return sums
