"""Exact comparisons: of integers with fractions, and of sums of logarithms with enough digits."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.arrays import Bools

Integers = NDArray[Any]
"""int64, or Python integers where int64 could overflow."""

_MOST_BITS = 4_000_000  # of powers that are computed to be compared


def integers_up_to(limit: int) -> np.dtype[Any]:
    """int64 where no result exceeds the limit, else Python integers."""
    return np.dtype(np.int64 if limit < 2**63 else object)


def times(numbers: Integers, factor: int) -> Integers:
    """Integers multiplied by another, without overflow; O(numbers)."""
    # The factor itself must fit, too, where all numbers are 0.
    largest = max(_magnitude(numbers), 1) * abs(factor)
    return numbers.astype(integers_up_to(largest), copy=False) * factor


def _magnitude(numbers: Integers) -> int:
    return max(int(numbers.max(initial=0)), -int(numbers.min(initial=0)))


def products(ones: Integers, others: Integers) -> Integers:
    """Integers multiplied one by one, none of them negative, without overflow; O(numbers)."""
    return ones.astype(integers_up_to(_magnitude(ones) * _magnitude(others)), copy=False) * others


def at_most(top: Integers, bottom: Integers, bound: Fraction) -> Bools:
    """Whether ``top / bottom <= bound``, the bottom not being negative."""
    return np.asarray(times(top, bound.denominator) <= times(bottom, bound.numerator), dtype=bool)


def below(top: Integers, bottom: Integers, bound: Fraction) -> Bools:
    """Whether ``top < bound * bottom``, the bottom not being negative."""
    return np.asarray(times(top, bound.denominator) < times(bottom, bound.numerator), dtype=bool)


def summed(amounts: Integers, group: Integers, n_groups: int) -> Integers:
    """Integers added up within each group, without overflow; O(amounts)."""
    amounts = amounts.astype(integers_up_to(_magnitude(amounts) * len(amounts)), copy=False)
    sums = np.zeros(n_groups, dtype=amounts.dtype)
    np.add.at(sums, group, amounts)
    return sums


def quotients(top: Integers, bottom: Integers) -> NDArray[np.float64]:
    """Ratios as floats, to be shown and not to decide; infinite where the bottom is 0."""
    safe = np.where(bottom == 0, 1, bottom)
    return np.where(bottom == 0, np.inf, np.asarray(top / safe, dtype=np.float64))


def logarithms_sign(terms: Sequence[tuple[int, Fraction]], constant: Fraction = Fraction(0)) -> int:
    """The sign of ``sum(n * ln(x)) + constant``: 1, 0 or -1.

    It is computed with more and more digits until the sign is certain. If it never is, the powers are
    compared as integers; if they are too long for that, the answer is -1: a promise that cannot be confirmed
    counts as broken.
    """
    for digits in (50, 100, 200):
        context = Context(prec=digits + 20, Emax=10**9, Emin=-(10**9))
        total = _decimal(constant, context)
        largest = abs(total)
        for factor, number in terms:
            part = context.multiply(Decimal(factor), context.ln(_decimal(number, context)))
            total = context.add(total, part)
            largest = max(largest, abs(part))
        # Rounding errors are far below this.
        if abs(total) > max(largest, Decimal(1)).scaleb(-digits, context):
            return 1 if total > 0 else -1
    return 0 if not constant and _product_is_one(terms) else -1


def _decimal(number: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(number.numerator), Decimal(number.denominator))


def _product_is_one(terms: Sequence[tuple[int, Fraction]]) -> bool:
    n_bits = sum(
        abs(factor) * (number.numerator.bit_length() + number.denominator.bit_length())
        for factor, number in terms
    )
    if n_bits > _MOST_BITS:
        return False
    top = bottom = 1
    for factor, number in terms:
        raised = number ** abs(factor)
        above, under = (raised.numerator, raised.denominator)[:: 1 if factor > 0 else -1]
        top, bottom = top * above, bottom * under
    return top == bottom
