"""Exact comparisons at the ends of what machine integers hold."""

import numpy as np
import pytest

from kanopy.auditing.precise import at_most, times
from kanopy.privacy import Closeness


@pytest.mark.parametrize("numbers", [[0, 0], [0, 1], [2**62, -(2**62)]])
@pytest.mark.parametrize("factor", [0, 3, 2**63, -(10**40)])
def test_a_factor_of_any_size(numbers: list[int], factor: int) -> None:
    expected = [number * factor for number in numbers]
    assert times(np.array(numbers, dtype=np.int64), factor).tolist() == expected


def test_a_bound_with_a_long_denominator_on_equal_groups() -> None:
    bound = Closeness("x", "0." + "0" * 30 + "1").t
    assert at_most(np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64), bound).all()
