"""Halves that share nothing."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kanopy.evaluation.halves import fold

CLASSES = st.lists(st.integers(0, 3), min_size=2, max_size=40).map(np.array)


@given(CLASSES, st.integers(0, 99), st.sampled_from([0, 1]))
def test_every_row_is_in_one_half_and_classes_are_shared_evenly(
    classes: np.ndarray, seed: int, half: int
) -> None:
    divided = fold(classes, seed, half)
    assert sorted([*divided.train, *divided.test]) == list(range(len(classes)))
    for one in np.unique(classes):
        counts = [np.count_nonzero(classes[rows] == one) for rows in (divided.train, divided.test)]
        assert abs(counts[0] - counts[1]) <= 1


@given(CLASSES, st.integers(0, 99), st.data())
def test_nobody_is_in_both_halves(classes: np.ndarray, seed: int, data: st.DataObject) -> None:
    persons = np.array(data.draw(st.lists(st.integers(0, 9), min_size=len(classes), max_size=len(classes))))
    divided = fold(classes, seed, 0, persons=persons)
    assert not set(persons[divided.train]) & set(persons[divided.test])
    assert sorted([*divided.train, *divided.test]) == list(range(len(classes)))


def test_the_other_half_is_learned_from_in_turn_and_repetitions_differ() -> None:
    classes = np.arange(100) % 3
    one, other = fold(classes, (0, 1), 0), fold(classes, (0, 1), 1)
    assert np.array_equal(one.train, other.test)
    assert not np.array_equal(one.train, fold(classes, (0, 2), 0).train)
