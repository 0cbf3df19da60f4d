"""Sets of values in arrays, against sets of Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import Domain
from kanopy.data.cell import MISSING, SUPPRESSED, members, span
from kanopy.data.value_sets import ValueSets

N_VALUES = 7
SETS = st.lists(st.tuples(st.sets(st.integers(0, N_VALUES - 1)), st.booleans()), max_size=6)


def assert_same(made: ValueSets, sets: list[tuple[set[int], bool]]) -> None:
    assert made.n_cells == len(sets)
    assert made.sizes.tolist() == [len(values) for values, _ in sets]
    assert made.members.tolist() == [value for values, _ in sets for value in sorted(values)]
    for cell, (values, with_missing) in enumerate(sets):
        codes = np.arange(N_VALUES + 1)
        expected = [code in values for code in range(N_VALUES)] + [with_missing]
        assert made.covers(np.full(N_VALUES + 1, cell), codes).tolist() == expected
    apart = (made.begin[1:] > made.end[:-1] + 1) | (np.diff(made.cell_of_run) != 0)
    assert apart.all()


@given(SETS)
def test_of_members(sets: list[tuple[set[int], bool]]) -> None:
    sizes = np.array([len(values) for values, _ in sets], dtype=np.int64)
    flat = np.array([value for values, _ in sets for value in sorted(values)], dtype=np.int64)
    missing = np.array([with_missing for _, with_missing in sets], dtype=bool)
    assert_same(ValueSets.of_members(N_VALUES, sizes, flat, missing), sets)


@given(SETS, st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6), st.integers(-1, 6)), max_size=9))
def test_of_runs(sets: list[tuple[set[int], bool]], runs: list[tuple[int, int, int]]) -> None:
    runs = [run for run in runs if run[0] < len(sets)]
    sets = [(set(values), with_missing) for values, with_missing in sets]
    alone = [(cell, code, code) for cell, (values, _) in enumerate(sets) for code in values]
    for cell, low, high in runs:
        sets[cell][0].update(range(low, high + 1))
    cell, begin, end = np.array(alone[::-1] + runs, dtype=np.int64).reshape(-1, 3).T
    missing = np.array([with_missing for _, with_missing in sets], dtype=bool)
    assert_same(ValueSets.of_runs(N_VALUES, cell, begin, end, missing), sets)


@given(SETS, st.sets(st.integers(0, 5)))
def test_filled(sets: list[tuple[set[int], bool]], whole: set[int]) -> None:
    sizes = np.array([len(values) for values, _ in sets], dtype=np.int64)
    flat = np.array([value for values, _ in sets for value in sorted(values)], dtype=np.int64)
    missing = np.array([with_missing for _, with_missing in sets], dtype=bool)
    is_whole = np.array([cell in whole for cell in range(len(sets))], dtype=bool)
    every = set(range(N_VALUES))
    expected = [(every if cell in whole else values, told) for cell, (values, told) in enumerate(sets)]
    assert_same(ValueSets.of_members(N_VALUES, sizes, flat, missing).filled(is_whole), expected)


def test_of_cells() -> None:
    cells = [SUPPRESSED, MISSING, span(2, 4), span(5, 5, with_missing=True), members((0, 1, 6))]
    made = ValueSets.of_cells(N_VALUES, cells)
    every = set(range(N_VALUES))
    assert_same(made, [(every, True), (set(), True), ({2, 3, 4}, False), ({5}, True), ({0, 1, 6}, False)])
    domain = Domain("a", tuple("0123456"), None)
    for number, cell in enumerate(cells):
        ours = made.covers(np.full(domain.n_codes, number), np.arange(domain.n_codes))
        assert ours.tolist() == cell.covers(domain).tolist()
