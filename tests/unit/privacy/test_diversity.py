"""l-diversity in its three kinds."""

from __future__ import annotations

import pytest
from oracles import counts_of

from kanopy.errors import PolicyError
from kanopy.privacy import DistinctDiversity, EntropyDiversity, RecursiveDiversity


def test_missing_is_a_value_of_its_own() -> None:
    counts = counts_of([["a", None], [None, None], ["a", "a"]])
    assert DistinctDiversity("d", 2).holds(counts).tolist() == [True, False, False]
    assert DistinctDiversity("d", 2).level(counts) == 1.0


@pytest.mark.parametrize("n_values", [2, 3, 7, 10, 49, 1000])
@pytest.mark.parametrize("n_each", [1, 3, 7])
def test_equally_frequent_values_keep_exactly_their_number(n_values: int, n_each: int) -> None:
    counts = counts_of([[str(value) for value in range(n_values)] * n_each])
    assert EntropyDiversity("d", n_values).holds(counts).all()
    assert not EntropyDiversity("d", n_values * 1.000001).holds(counts).any()


def test_entropy_that_is_whole_without_equal_shares() -> None:
    # 1/2 and four times 1/8 have an entropy of two bits, as four equally frequent values have.
    counts = counts_of([list("aaaabcde"), list("aaaaabcd")])
    assert EntropyDiversity("d", 4).holds(counts).tolist() == [True, False]


def test_one_value_is_not_diverse() -> None:
    counts = counts_of([["a"] * 1000])
    assert not EntropyDiversity("d", "1.000001").holds(counts).any()
    assert EntropyDiversity("d", 2).level(counts) == pytest.approx(1)
    assert not RecursiveDiversity("d", 10**9, 2).holds(counts).any()
    assert RecursiveDiversity("d", 1, 2).level(counts) == float("inf")


def test_recursive_diversity_is_strict_and_exact() -> None:
    counts = counts_of([["a"] + ["b"] * 3])
    assert not RecursiveDiversity("d", 3, 2).holds(counts).any()
    assert RecursiveDiversity("d", "3.0000000000000000001", 2).holds(counts).all()


def test_recursive_diversity_ranks_by_count_and_not_by_code() -> None:
    # Most frequent value last, in several groups, so that ranks must start anew in each.
    counts = counts_of([["a", "b", "c", "c", "c"], ["a", "a", "b", "b"], ["c", "b", "b", "a"]])
    assert RecursiveDiversity("d", "3.1", 3).holds(counts).tolist() == [True, False, True]
    assert RecursiveDiversity("d", "1.6", 2).holds(counts).tolist() == [True, True, True]
    assert RecursiveDiversity("d", "1.5", 2).holds(counts).tolist() == [False, True, True]


@pytest.mark.parametrize("l", [1, 0, 2.0, "2", True, None])
def test_distinct_and_recursive_l_are_whole_numbers_of_at_least_2(l: object) -> None:  # noqa: E741
    for build in (lambda: DistinctDiversity("d", l), lambda: RecursiveDiversity("d", 1, l)):
        with pytest.raises(PolicyError, match="l must be a whole number of at least 2"):
            build()


@pytest.mark.parametrize("l", [1, 0.5, "nan", True, None])
def test_entropy_l_is_above_1(l: object) -> None:  # noqa: E741
    with pytest.raises(PolicyError, match="l must be a number above 1"):
        EntropyDiversity("d", l)


@pytest.mark.parametrize("c", [0, -1, "inf", False])
def test_c_is_above_0(c: object) -> None:
    with pytest.raises(PolicyError, match="c must be a number above 0"):
        RecursiveDiversity("d", c, 2)


def test_all_are_monotone() -> None:
    models = [DistinctDiversity("d", 2), EntropyDiversity("d", 2), RecursiveDiversity("d", 1, 2)]
    assert all(model.monotone for model in models)
