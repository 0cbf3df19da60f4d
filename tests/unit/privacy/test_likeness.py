"""delta-disclosure and beta-likeness."""

from __future__ import annotations

import pytest
from oracles import counts_of

from kanopy.errors import PolicyError
from kanopy.privacy import BetaLikeness, DeltaDisclosure


@pytest.mark.parametrize("power", [1, 2, 3, 5, 7, 10])
def test_a_factor_of_exactly_two_to_delta_is_too_much(power: int) -> None:
    # One value has a share of 1 in its group and of 1 / 2**power in the table.
    counts = counts_of([["a"]], dropped=["b"] * (2**power - 1))
    assert not DeltaDisclosure("d", power).holds(counts).any()
    assert DeltaDisclosure("d", power + 1e-6).holds(counts).all()
    assert DeltaDisclosure("d", 1).level(counts) == pytest.approx(power)


def test_an_absent_value_counts_only_to_the_letter() -> None:
    counts = counts_of([["a", "a"], ["a", "b"]])
    assert DeltaDisclosure("d", 3).holds(counts).tolist() == [True, True]
    assert DeltaDisclosure("d", 3, strict_zero=True).holds(counts).tolist() == [False, True]
    assert DeltaDisclosure("d", 3, strict_zero=True).level(counts) == float("inf")


def test_shares_that_are_nearly_equal_lose_no_digits() -> None:
    # log2(1000000 / 999999) is 1.4427e-6.
    counts = counts_of([["a"] * 999_999], dropped=["b"])
    assert DeltaDisclosure("d", "0.0000014428").holds(counts).all()
    assert not DeltaDisclosure("d", "0.0000014426").holds(counts).any()


def test_a_large_delta_still_has_a_sentence() -> None:
    assert DeltaDisclosure("d", 10**6).sentence().endswith("2 to the power of 1000000.")


def test_only_with_strict_zero_is_delta_monotone() -> None:
    assert not DeltaDisclosure("d", 1).monotone
    assert DeltaDisclosure("d", 1, strict_zero=True).monotone
    assert BetaLikeness("d", 1).monotone


def test_a_gain_of_exactly_beta_is_kept() -> None:
    counts = counts_of([["a"]], dropped=["b", "b"])
    assert BetaLikeness("d", 2).holds(counts).all()
    assert not BetaLikeness("d", "1.9999999999999999999").holds(counts).any()
    assert BetaLikeness("d", 1).level(counts) == 2.0


def test_a_column_of_one_value_gains_nothing() -> None:
    counts = counts_of([["a"], ["a", "a"]])
    for kind in ("basic", "enhanced"):
        assert BetaLikeness("d", "0.001", kind).holds(counts).all()
        assert BetaLikeness("d", 1, kind).level(counts) == 0.0


def test_enhanced_likeness_keeps_beta_too() -> None:
    # -ln(1/20) is 2.996: beta is the smaller bound.
    counts = counts_of([["a", "b", "b", "b", "b"]], dropped=["b"] * 15)
    assert BetaLikeness("d", 3, "enhanced").level(counts) == float("inf")
    counts = counts_of([["a"] + ["b"] * 9], dropped=["b"] * 10)
    assert BetaLikeness("d", 1, "enhanced").holds(counts).all()
    assert not BetaLikeness("d", "0.99", "enhanced").holds(counts).any()


@pytest.mark.parametrize("bound", [0, -1, "nan", float("inf"), True, None, "1e99999"])
def test_bounds_are_above_0(bound: object) -> None:
    with pytest.raises(PolicyError, match="delta must be a number above 0"):
        DeltaDisclosure("d", bound)
    with pytest.raises(PolicyError, match="beta must be a number above 0"):
        BetaLikeness("d", bound)


@pytest.mark.parametrize(
    ("kind", "hint"), [("enhance", "'enhanced'"), ("x", "one of basic"), (None, "one of")]
)
def test_unknown_kinds_are_refused(kind: object, hint: str) -> None:
    with pytest.raises(PolicyError, match="kind") as caught:
        BetaLikeness("d", 1, kind)
    assert hint in caught.value.hint


def test_strict_zero_is_true_or_false() -> None:
    with pytest.raises(PolicyError, match="strict_zero must be true or false"):
        DeltaDisclosure("d", 1, strict_zero=1)
