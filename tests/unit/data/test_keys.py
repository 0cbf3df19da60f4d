"""Keys order and separate rows as their columns do, however many combinations there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kanopy.data.keys import group_rows, narrowest_unsigned, number_runs, pack, rank

Column = tuple[list[int], int]


@st.composite
def some_columns(draw: st.DrawFn) -> tuple[list[Column], int]:
    """Columns of codes with sizes of which a few together leave int64."""
    n_rows = draw(st.integers(0, 12))
    columns = []
    for _ in range(draw(st.integers(0, 5))):
        size = draw(st.sampled_from([1, 2, 3, 300, 70_000, 2**31, 2**40]))
        near = st.integers(0, min(size - 1, 3)) | st.integers(max(size - 3, 0), size - 1)
        columns.append((draw(st.lists(near, min_size=n_rows, max_size=n_rows)), size))
    return columns, n_rows


def arrays(columns: list[Column]) -> tuple[list[np.ndarray], list[int]]:
    return [np.array(codes, dtype=np.int64) for codes, _ in columns], [size for _, size in columns]


def lines(columns: list[Column], n_rows: int) -> list[tuple[int, ...]]:
    return [tuple(codes[row] for codes, _ in columns) for row in range(n_rows)]


@given(some_columns())
@example(([([0, 2**40 - 1], 2**40), ([2**40 - 1, 0], 2**40)], 2))
def test_keys_order_and_separate(drawn: tuple[list[Column], int]) -> None:
    columns, n_rows = drawn
    keys, n_keys = pack(*arrays(columns), n_rows)
    assert keys.dtype == np.int64
    assert len(keys) == n_rows
    assert all(0 <= key < n_keys for key in keys.tolist())
    rows = lines(columns, n_rows)
    by_key = sorted(range(n_rows), key=lambda row: (keys[row], row))
    assert by_key == sorted(range(n_rows), key=lambda row: (rows[row], row))
    assert len(set(keys.tolist())) == len(set(rows))


@given(some_columns())
def test_groups_are_numbered_in_order(drawn: tuple[list[Column], int]) -> None:
    columns, n_rows = drawn
    groups, n_groups = group_rows(*arrays(columns), n_rows)
    rows = lines(columns, n_rows)
    place = {row: number for number, row in enumerate(sorted(set(rows)))}
    assert groups.tolist() == [place[row] for row in rows]
    assert n_groups == len(place)
    assert groups.dtype == np.int32


def test_small_codes_do_not_wrap_around() -> None:
    codes = np.array([255, 0, 255], dtype=np.uint8)
    keys, _ = pack([codes, codes], [256, 256], 3)
    assert keys.tolist() == [255 * 256 + 255, 0, 255 * 256 + 255]


def test_the_columns_stay_as_they_were() -> None:
    codes = np.array([1, 0, 1])
    group_rows([codes, codes], [2, 2], 3)
    assert codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize("n_codes", [[], [1], [0], [0, 0], [2**40, 2**40, 2**40]])
def test_no_rows_no_groups(n_codes: list[int]) -> None:
    groups, n_groups = group_rows([np.zeros(0, dtype=np.int32) for _ in n_codes], n_codes, 0)
    assert (groups.tolist(), n_groups) == ([], 0)


def test_no_columns_one_group() -> None:
    groups, n_groups = group_rows([], [], 3)
    assert (groups.tolist(), n_groups) == ([0, 0, 0], 1)


@pytest.mark.parametrize("n_keys", [8, 10**9, 2**62], ids=["in an array", "sorted", "at the edge"])
def test_rank(n_keys: int) -> None:
    ranks, n_present = rank(np.array([7, 2, 7, 5], dtype=np.int64), n_keys)
    assert (ranks.tolist(), n_present) == ([2, 0, 2, 1], 3)


@pytest.mark.parametrize(
    ("n_codes", "dtype"),
    [(0, "uint8"), (1, "uint8"), (256, "uint8"), (257, "uint16"), (65_536, "uint16"), (65_537, "uint32")],
)
def test_narrowest_unsigned(n_codes: int, dtype: str) -> None:
    assert narrowest_unsigned(n_codes) == np.dtype(dtype)


@pytest.mark.parametrize("n_rows", [0, 1, 50])
def test_runs_of_sorted_rows_are_their_groups(n_rows: int) -> None:
    rows = np.random.default_rng(n_rows).integers(0, 3, (n_rows, 3))
    columns = list(rows[np.lexsort(rows.T[::-1])].T)
    groups, n_groups = number_runs(columns, n_rows)
    expected, n_expected = group_rows(columns, [3, 3, 3], n_rows)
    assert groups.tolist() == expected.tolist()
    assert n_groups == (n_expected if n_rows else 0)
