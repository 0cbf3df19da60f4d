"""Widths of single cells, and how dropped rows and missing values count."""

from __future__ import annotations

import numpy as np
import pytest
from plain_tables import column_of, group_of_rows, published, row_penalties, table_of

from kanopy.data import CodedColumn, Domain, Hierarchy, Partition, RecodedColumn, Recoding, cell
from kanopy.data.cell import Cell, CellKind
from kanopy.utility import certainty_penalties, global_certainty_penalty, missing_cell_ratio


def widths(column: CodedColumn, *cells: Cell) -> list[float]:
    recoded = RecodedColumn(column.domain, cells, np.zeros(len(column.codes), dtype=np.int32))
    return certainty_penalties(column, recoded).tolist()


def test_numbers_are_as_wide_as_the_range_they_cover() -> None:
    ages = column_of("age", [20, 25, 30, 40])
    mean = Cell(CellKind.MEAN, 1, 2, printed="27")
    measured = widths(ages, cell.exact(2), cell.span(0, 2), cell.members((1, 3)), mean, cell.SUPPRESSED)
    assert measured == [0, 0.5, 0.75, 0.25, 1]


def test_sets_count_their_values() -> None:
    words = column_of("word", ["a", "b", "c", "d"])
    assert widths(words, cell.exact(0), cell.members((0, 1)), cell.members((0, 1, 3))) == [0, 0.5, 0.75]


def test_missing_is_one_more_value_where_it_occurs() -> None:
    words = column_of("word", ["a", "b", "c", None])
    both = cell.members((0,), with_missing=True)
    everything = cell.members((0, 1, 2), with_missing=True)
    assert widths(words, cell.MISSING, cell.members((0, 1)), both, everything) == [0, 0.5, 0.5, 1]


def test_numbers_that_may_be_missing_are_wider_by_one_value() -> None:
    ages = column_of("age", [20, 30, 40, None])
    part = cell.span(0, 1, with_missing=True)
    one = cell.exact(0, with_missing=True)
    everything = cell.span(0, 2, with_missing=True)
    assert widths(ages, part, one, everything) == [0.75, 0.25, 1]


def test_missing_in_a_cell_but_not_in_the_table_is_capped() -> None:
    words = column_of("word", ["a", "b"])
    assert widths(words, cell.members((0, 1), with_missing=True)) == [1]


def test_nodes_count_their_leaves() -> None:
    tree = Hierarchy.from_paths("place", [("a", "ab"), ("b", "ab"), ("c", "cd"), ("d", "cd"), ("e", "e")])
    places = column_of("place", ["a", "c", "e"], tree)
    ab = tree.node_label.index("ab")
    assert widths(places, cell.node(places.domain, ab), cell.node(places.domain, 0)) == [0.4, 1]


def test_numbers_with_a_hierarchy_count_leaves() -> None:
    tree = Hierarchy.from_paths("age", [("1", "low"), ("2", "low"), ("9", "high"), ("10", "high")], order=int)
    domain = Domain("age", tree.leaves, np.array([1.0, 2.0, 9.0, 10.0]), hierarchy=tree)
    ages = CodedColumn(domain, np.arange(4, dtype=np.uint8))
    assert widths(ages, cell.node(domain, tree.node_label.index("low")), cell.members((0, 2))) == [0.5, 0.5]


def test_a_set_of_one_value_is_exact() -> None:
    words = column_of("word", ["a", "b"])
    assert widths(words, Cell(CellKind.MEMBERS, 0, 0, (0,))) == [0]


def test_huge_and_equal_numbers() -> None:
    huge = column_of("huge", [-1.7e308, 0, 1.7e308])
    assert widths(huge, cell.span(0, 1), cell.span(0, 2)) == [0.5, 1]
    equal = column_of("equal", [7, 7])
    assert widths(equal, Cell(CellKind.MEAN, 0, 0, printed="7")) == [0]


def test_dropped_rows_are_suppressed_for_gcp_and_absent_from_the_missing_cell_ratio() -> None:
    table = table_of({"age": [20, 20, 30, 40], "sex": ["F", "M", "F", "F"]})
    recoding = Partition(group_of_rows(4, [1, 2]), 1).publish(table, "suppress")
    assert missing_cell_ratio(recoding) == 0.5
    assert row_penalties(table, recoding).tolist() == [1, 1, 2, 2]
    assert global_certainty_penalty(table, recoding) == 0.75


def test_cells_that_were_missing_from_the_start_are_not_suppressed() -> None:
    table = table_of({"age": [20, 20], "word": [None, None]})
    recoding = Partition(group_of_rows(2, [1, 2]), 1).publish(table, "suppress")
    assert missing_cell_ratio(recoding) == 0


@pytest.mark.parametrize(("n_rows", "ratio"), [(3, 1.0), (0, 0.0)])
def test_nothing_published(n_rows: int, ratio: float) -> None:
    table = table_of({"word": ["a"] * n_rows})
    nothing = published(table, Partition(np.full(n_rows, -1, dtype=np.int32), 0), "suppress")
    assert missing_cell_ratio(nothing) == ratio
    assert global_certainty_penalty(table, nothing) == ratio


def test_ids_of_dropped_rows_are_never_looked_up() -> None:
    table = table_of({"word": ["a", "b"]})
    column = RecodedColumn(table.quasi[0].domain, (cell.exact(0),), np.array([0, -7], dtype=np.int32))
    recoding = Recoding((column,), np.array([True, False]))
    assert row_penalties(table, recoding).tolist() == [0, 1]
    assert global_certainty_penalty(table, recoding) == 0.5
    assert missing_cell_ratio(recoding) == 0
