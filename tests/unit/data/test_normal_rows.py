"""Features around those of their groups: averages and correlations are kept, whatever the values are."""

from __future__ import annotations

import numpy as np
import pytest

from kanopy.data.normal_rows import DrawnColumn, group_means, normal_features
from kanopy.data.ranked import correlated

GROUP = np.repeat(np.arange(200), 50)


def test_means_are_those_of_the_group() -> None:
    rows = np.array([[1.0, 5.0], [3.0, 5.0], [10.0, 0.0]])
    assert group_means(rows, np.array([0, 0, 1])).tolist() == [[2, 5], [2, 5], [10, 0]]


def made(correlation: float) -> tuple[np.ndarray, np.ndarray]:
    """Two columns of three categories each, drawn alone, and their features around the groups."""
    rng = np.random.default_rng(0)
    keys = correlated(len(GROUP), np.array([[1, correlation], [correlation, 1]]), rng)
    codes = rng.choice(3, (len(GROUP), 2), p=[0.5, 0.3, 0.2])
    drawn = [np.eye(3)[codes[:, column]] for column in range(2)]
    around = [
        normal_features(rows, DrawnColumn(codes[:, column].astype(float), keys[:, column]), GROUP, rng)
        for column, rows in enumerate(drawn)
    ]
    return np.hstack(drawn), np.hstack(around)


def test_a_column_varies_as_it_did_inside_groups() -> None:
    drawn, around = made(0.6)
    inside = drawn - group_means(drawn, GROUP)
    off = around - group_means(drawn, GROUP)
    for block in (slice(0, 3), slice(3, 6)):
        assert np.cov(off[:, block].T) == pytest.approx(np.cov(inside[:, block].T), abs=0.01)
    assert around[:, :3].sum(axis=1) == pytest.approx(1)  # shares, if not between 0 and 1


@pytest.mark.parametrize("correlation", [-0.8, 0.0, 0.6])
def test_places_go_together_as_told(correlation: float) -> None:
    drawn, around = made(correlation)
    off = around - group_means(drawn, GROUP)
    places = off @ np.array([[0, 1, 2, 0, 0, 0], [0, 0, 0, 0, 1, 2]]).T  # expected places in their orders
    assert np.corrcoef(places.T)[0, 1] == pytest.approx(correlation, abs=0.03)


def test_a_column_that_is_alike_in_every_group_is_not_changed() -> None:
    rng = np.random.default_rng(0)
    rows = np.repeat(rng.random((200, 2)), 50, axis=0)
    column = DrawnColumn(rows[:, 0], rng.standard_normal(len(GROUP)))
    assert normal_features(rows, column, GROUP, rng) == pytest.approx(rows, abs=1e-6)
