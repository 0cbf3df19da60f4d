"""Groups by halving, compared with their slow twin; any promise is kept by every group."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_sketch import halved_line
from plain_tables import column_of

from kanopy.algorithms.sketch.choosing import Dials, Pooled
from kanopy.algorithms.sketch.halving import halved
from kanopy.data import EncodedTable, GroupCounts
from kanopy.data.arrays import Bools, Codes, Ints
from kanopy.privacy import DistinctDiversity, KAnonymity

pytest.importorskip("sklearn")


@given(st.lists(st.integers(0, 50), min_size=1, max_size=80), st.integers(1, 9))
def test_groups_along_a_line_are_those_of_the_twin(values: list[int], least: int) -> None:
    def holds(rows: Ints, part: Codes, n_parts: int) -> Bools:
        return np.bincount(part, minlength=n_parts) >= least

    points = np.array(values, dtype=np.float64)[:, None]
    group, n_groups = halved(points, np.zeros(len(values), dtype=np.int64), 1, least, holds)
    found = sorted(np.flatnonzero(group == number).tolist() for number in range(n_groups))
    along = {tuple(map(tuple, halved_line([sign * one for one in values], least))) for sign in (1, -1)}
    assert tuple(map(tuple, found)) in along  # an axis has no direction


@given(st.data())
def test_every_group_keeps_any_promise(data: st.DataObject) -> None:
    n_rows = data.draw(st.integers(30, 150))
    texts = st.lists(st.sampled_from("abc"), min_size=n_rows, max_size=n_rows)
    illness, target = data.draw(texts), data.draw(texts)
    persons = data.draw(st.none() | st.lists(st.integers(0, 40), min_size=n_rows, max_size=n_rows))
    table = EncodedTable(
        n_rows,
        (column_of("q", data.draw(texts)),),
        column_of("target", target),
        {"illness": column_of("illness", illness)},
        None if persons is None else np.array(persons, dtype=np.int32),
    )
    promise = KAnonymity(data.draw(st.sampled_from([2, 4, 35]))) & DistinctDiversity("illness", 2)
    whole = GroupCounts.of(table, np.zeros(n_rows, dtype=np.int32), 1)
    if not promise.holds(whole).all():
        return
    classes = np.array([ord(text) - ord("a") for text in target])
    points = np.random.default_rng(0).normal(size=(n_rows, 3))
    pooled = Pooled(table, promise, classes, classes, points)
    for spread in (0.0, 1.0):
        partition = pooled.grouped(
            Dials(data.draw(st.sampled_from([30, 31, 45])), spread), np.random.default_rng(1)
        )
        counts = GroupCounts.of(table, partition.group, partition.n_groups)
        assert promise.holds(counts).all()
        assert np.bincount(partition.group).min() >= 30
