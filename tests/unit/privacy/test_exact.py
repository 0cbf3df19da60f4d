"""Bounds are what was written; comparisons are exact."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data.intervals import decimal_text
from kanopy.errors import PolicyError
from kanopy.privacy.exact import (
    added_up,
    at_most,
    exact_bound,
    integers_up_to,
    less_than,
    magnitude,
    ratios,
    whole_number,
)


@pytest.mark.parametrize(
    "written",
    [0.3, "0.3", " 3/10 ", "3e-1", Decimal("0.30"), Fraction(3, 10), np.float64(0.3), np.float32(0.3)],
)
def test_a_bound_is_the_fraction_that_was_written(written: object) -> None:
    assert exact_bound("t", written, at_most=1) == Fraction(3, 10)


@pytest.mark.parametrize(
    "written",
    [
        *(float("nan"), float("inf"), -float("inf"), "nan", "inf", Decimal("NaN"), Decimal("Infinity")),
        *(True, np.True_, None, "", "a", "1/0", "0,3", "30%", [0.3], 0.3j, b"0.3"),
        *("1e-9999999999", Decimal("1e-9999999"), "0." + "3" * 5000),
        *(0, -0.1, 1, 1.5, "1", "-1/2"),
    ],
)
def test_what_is_no_share_is_refused_by_name(written: object) -> None:
    with pytest.raises(PolicyError, match="alpha must be a number above 0 and below 1") as caught:
        exact_bound("alpha", written, below=1)
    assert caught.value.exit_code == 2
    assert caught.value.hint


def test_the_ends_of_a_range() -> None:
    assert exact_bound("t", 1, at_most=1) == 1
    with pytest.raises(PolicyError, match="t must be a number above 0 and at most 1"):
        exact_bound("t", "1.0000001", at_most=1)
    assert exact_bound("l", "1.0000001", above=1) > 1
    with pytest.raises(PolicyError, match=r"l must be a number above 1 \("):
        exact_bound("l", 1, above=1)
    with pytest.raises(PolicyError, match="c must be"):
        exact_bound("c", 10**30)


@pytest.mark.parametrize("number", [2, 10, np.int64(7), np.uint8(3), 2**63 - 1])
def test_whole_numbers(number: int) -> None:
    accepted = whole_number("k", number, at_least=2)
    assert accepted == number
    assert type(accepted) is int


@pytest.mark.parametrize(
    "number",
    [1, 0, -1, True, 2.5, 5.0, "5", None, float("inf"), Decimal(5), Fraction(5), 10**30, np.float64(5)],
)
def test_what_is_no_whole_number_of_at_least_2_is_refused(number: object) -> None:
    with pytest.raises(PolicyError, match="k must be a whole number of at least 2") as caught:
        whole_number("k", number, at_least=2)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("0.3", "0.3"),
        ("1/3", "1/3"),
        ("5", "5"),
        ("0.05", "0.05"),
        ("7/4", "1.75"),
        ("1/6", "1/6"),
        ("10", "10"),
    ],
)
def test_fractions_in_plain_text(number: str, text: str) -> None:
    assert decimal_text(Fraction(number)) == text


@given(st.fractions(0, 100))
def test_plain_text_reads_back(number: Fraction) -> None:
    assert Fraction(decimal_text(number)) == number


large = st.integers(0, 2**64) | st.integers(0, 50)
pairs = st.lists(st.tuples(large, large), max_size=5)
any_bound = st.fractions(0, 3) | st.fractions(0, 1, max_denominator=10)


def integers(numbers: list[int]) -> np.ndarray:
    return np.array(numbers, dtype=integers_up_to(max(numbers, default=0)))


@given(pairs, any_bound)
def test_comparisons_are_those_of_python_integers(pairs: list[tuple[int, int]], bound: Fraction) -> None:
    numerator, denominator = integers([pair[0] for pair in pairs]), integers([pair[1] for pair in pairs])
    kept = at_most(numerator, denominator, bound)
    assert kept.dtype == bool
    assert kept.tolist() == [top <= bound * bottom for top, bottom in pairs]
    assert less_than(numerator, denominator, bound).tolist() == [
        top < bound * bottom for top, bottom in pairs
    ]


def test_comparisons_at_the_edge_of_int64() -> None:
    top, bottom = np.array([2**62, 2**62 + 1]), np.array([2**62, 2**62])
    assert at_most(top, bottom, Fraction(1)).tolist() == [True, False]
    just_below = Fraction(2**62 - 1, 2**62)
    assert at_most(top, bottom, just_below).tolist() == [False, False]
    # A zero takes no room, but the bound that it is multiplied with may not fit.
    assert at_most(np.array([0]), np.array([1]), Fraction(1, 10**40)).tolist() == [True]
    assert at_most(np.array([-5]), np.array([10**18]), Fraction(1, 7)).tolist() == [True]


def test_int64_is_left_only_where_it_must_be() -> None:
    assert integers_up_to(2**63 - 1) == np.int64
    assert integers_up_to(2**63).hasobject
    assert magnitude(np.array([3, -7])) == 7
    assert magnitude(np.array([], dtype=np.int64)) == 1


@pytest.mark.parametrize("kind", [np.int64, object])
def test_ratios_without_warnings(kind: type) -> None:
    top, bottom = np.array([1, 3, 0, 2], dtype=kind), np.array([4, 2, 0, 0], dtype=kind)
    assert ratios(top, bottom).tolist() == [0.25, 1.5, 0.0, float("inf")]
    assert ratios(top[:0], bottom[:0]).tolist() == []


def test_sums_beyond_the_digits_of_a_float() -> None:
    amounts, group = np.array([2**60, 1, 5]), np.array([0, 0, 2])
    assert added_up(amounts, group, 3).tolist() == [2**60 + 1, 0, 5]
    assert added_up(amounts.astype(object) * 2**10, group, 3).tolist() == [2**70 + 2**10, 0, 5 * 2**10]
