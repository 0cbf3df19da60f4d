"""Numbers as bins while a method works, and as ranges of what is really there when it publishes."""

from __future__ import annotations

import numpy as np
import pytest
from plain_tables import table_of

from kanopy.algorithms.tree_release import BinnedTable
from kanopy.data import Cell, RecodedColumn, Recoding
from kanopy.data import cell as cells

AGES = [20, 21, 25, 29, 40, 44, 48, 60, 60, 60] * 4
CLASSES = ["Y" if age < 30 or age == 60 else "N" for age in AGES]
"""Two cuts: between 29 and 40, between 48 and 60."""


@pytest.fixture
def view() -> BinnedTable:
    ages: list[float | None] = [*AGES, None]
    return BinnedTable.of(table_of({"age": ages, "sex": ["f"] * 41}, target=[*CLASSES, "Y"]))


def in_numbers(view: BinnedTable, *made: Cell) -> list[str]:
    """The texts of cells over the bins of the age."""
    n_rows = view.binned.n_rows
    columns = [
        RecodedColumn(view.binned.quasi[0].domain, made, np.zeros(n_rows, dtype=np.int32)),
        RecodedColumn(view.binned.quasi[1].domain, (cells.exact(0),), np.zeros(n_rows, dtype=np.int32)),
    ]
    back = view.in_numbers(Recoding(tuple(columns), np.ones(n_rows, dtype=bool)))
    assert back.columns[0].domain is view.original.quasi[0].domain
    assert back.columns[1] is columns[1]
    assert back.columns[0].ids is columns[0].ids
    return back.columns[0].texts


def test_a_bin_is_the_range_of_its_numbers(view: BinnedTable) -> None:
    """Not the range of the cuts, which nobody has: 60 alone is 60."""
    assert view.binned.quasi[0].domain.n_values == 3
    assert in_numbers(view, *(cells.exact(code) for code in range(3))) == ["[20, 29]", "[40, 48]", "60"]


def test_several_bins_are_one_range(view: BinnedTable) -> None:
    made = (cells.span(0, 1), cells.members((0, 2)), cells.span(0, 2))
    assert in_numbers(view, *made) == ["[20, 48]", "[20, 60]", "[20, 60]"]


def test_missing_stays_missing(view: BinnedTable) -> None:
    made = (
        cells.MISSING,
        cells.SUPPRESSED,
        cells.exact(0, with_missing=True),
        cells.exact(2, with_missing=True),
    )
    assert in_numbers(view, *made) == ["", "*", "{, [20, 29]}", "{, 60}"]


def test_the_range_covers_every_number_of_the_bin(view: BinnedTable) -> None:
    original, binned = view.original.quasi[0], view.binned.quasi[0]
    for code in range(3):
        made = cells.exact(code)
        column = RecodedColumn(binned.domain, (made,), np.zeros(41, dtype=np.int32))
        sexes = RecodedColumn(view.binned.quasi[1].domain, (cells.SUPPRESSED,), np.zeros(41, dtype=np.int32))
        back = view.in_numbers(Recoding((column, sexes), np.ones(41, dtype=bool))).columns[0].cells[0]
        covered = back.covers(original.domain)
        assert covered[original.codes].tolist() == (binned.codes == code).tolist()


def test_without_numbers_nothing_is_binned() -> None:
    table = table_of({"sex": list("ffmm")}, target=list("YYNN"))
    view = BinnedTable.of(table)
    assert view.binned is view.original is table


def test_other_columns_are_not_touched(view: BinnedTable) -> None:
    assert view.binned.quasi[1] is view.original.quasi[1]
    assert view.binned.target is view.original.target
    assert not view.binned.quasi[0].domain.is_numeric


def test_a_number_that_says_nothing_is_one_bin() -> None:
    view = BinnedTable.of(table_of({"n": [1, 2, 3, 4]}, target=["Y"] * 4))
    assert view.binned.quasi[0].domain.n_values == 1
