"""k-anonymity."""

from __future__ import annotations

import numpy as np
import pytest

from kanopy.data import GroupCounts
from kanopy.errors import PolicyError
from kanopy.privacy import KAnonymity


def test_rows_count_where_no_persons_are_known() -> None:
    counts = GroupCounts(np.array([3, 2, 4]))
    assert KAnonymity(3).holds(counts).tolist() == [True, False, True]
    assert KAnonymity(3).level(counts) == 2.0


def test_persons_count_where_they_are_known() -> None:
    counts = GroupCounts(np.array([30, 2]), np.array([1, 2]))
    assert KAnonymity(2).holds(counts).tolist() == [False, True]
    assert KAnonymity(2).level(counts) == 1.0


@pytest.mark.parametrize("k", [0, -1, 1, 2.5, 5.0, "5", True, float("inf"), float("nan"), 10**30, None, [5]])
def test_k_is_a_whole_number_of_at_least_2(k: object) -> None:
    with pytest.raises(PolicyError, match="k must be a whole number of at least 2") as caught:
        KAnonymity(k)
    assert caught.value.exit_code == 2


def test_it_needs_no_column_and_is_monotone() -> None:
    assert KAnonymity(2).columns == ()
    assert KAnonymity(2).monotone


def test_the_largest_k_judges_without_overflow() -> None:
    assert not KAnonymity(2**63 - 1).holds(GroupCounts(np.array([10]))).any()
