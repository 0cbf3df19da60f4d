"""Columns of cells: what their arrays say, and how rows are taken."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import Hierarchy
from kanopy.data.grammar import _read_set, _read_simple_set
from kanopy.learners.cells import CellColumn, CellTable
from kanopy.learners.words import new_column, training_column

HIERARCHY = Hierarchy.from_paths(
    "crop",
    [
        *(("apple", "fruit", "food"), ("pear", "fruit", "food")),
        *(("beet", "[root]", "food"), ("leek", "[root]", "food"), ("rock", "rock", "rock")),
    ],
)


def read(*texts: str | None) -> CellColumn:
    return training_column("c", pa.chunked_array([pa.array(texts, pa.string())]))


def again(fitted: CellColumn, *texts: str | None) -> CellColumn:
    return new_column(pa.chunked_array([pa.array(texts, pa.string())]), fitted.without_rows())


def said(column: CellColumn) -> list[list[str]]:
    """For each row what it may stand for: values, '' for missing."""
    told = []
    for cell in column.ids.tolist():
        codes = column.members[column.first[cell] : column.first[cell + 1]].tolist()
        told.append([column.values[code] for code in codes] + [""] * bool(column.with_missing[cell]))
    return told


class TestTraining:
    def test_texts(self) -> None:
        column = read("b", "{a, c}", "*", None, "{, b}", "b")
        assert column.values == ("a", "b", "c")
        assert column.numbers is None
        assert said(column) == [["b"], ["a", "c"], ["a", "b", "c", ""], [""], ["b", ""], ["b"]]
        assert column.is_suppressed[column.ids].tolist() == [False, False, True, False, False, False]

    def test_a_range_stands_for_the_numbers_that_are_named_in_it(self) -> None:
        column = read("[1, 10]", "3", "[2, 4.5]", "{, [3, 4], 20}", "100")
        assert column.values == ("1", "2", "3", "4", "4.5", "10", "20", "100")
        assert column.numbers is not None
        assert column.numbers.tolist() == [1, 2, 3, 4, 4.5, 10, 20, 100]
        assert said(column)[:4] == [
            ["1", "2", "3", "4", "4.5", "10"],
            ["3"],
            ["2", "3", "4", "4.5"],
            ["3", "4", "20", ""],
        ]

    def test_numbers_are_ordered_as_such_and_equal_ones_are_one(self) -> None:
        column = read("10", "9", "1.0", "1", "-2", "1e1")
        assert column.values == ("-2", "1", "9", "10")
        assert said(column) == [["10"], ["9"], ["1"], ["1"], ["-2"], ["10"]]

    def test_leading_zeros_make_a_code_unless_ranges_say_that_it_is_a_number(self) -> None:
        assert read("007", "12").numbers is None
        assert read("007", "12", "[3, 5]").numbers is not None

    def test_one_word_makes_all_of_them_words(self) -> None:
        column = read("1", "[1, 2]", "x", "{[1, 2], x}")
        assert column.values == ("1", "[1, 2]", "x")
        assert said(column) == [["1"], ["[1, 2]"], ["x"], ["[1, 2]", "x"]]

    def test_only_cells_that_say_nothing(self) -> None:
        column = read("*", None)
        assert column.values == ()
        assert said(column) == [[""], [""]]
        assert not column.is_known.any()

    @pytest.mark.parametrize("kind", [pa.float32(), pa.float64(), pa.int16()], ids=str)
    def test_typed_numbers(self, kind: pa.DataType) -> None:
        column = training_column("c", pa.chunked_array([pa.array([3, None, 1, 3], kind)]))
        assert column.values == ("1", "3")
        assert said(column) == [["3"], [""], ["1"], ["3"]]
        assert column.ids.dtype == np.int32

    def test_hierarchy(self) -> None:
        texts = pa.chunked_array([pa.array(["fruit", "rock", "{\\[root\\], rock}", "*", "*"])])
        column = training_column("crop", texts, HIERARCHY)
        assert column.values == ("apple", "beet", "leek", "pear", "rock")
        assert said(column)[:3] == [["apple", "pear"], ["rock"], ["beet", "leek", "rock"]]
        new = pa.chunked_array([pa.array(["\\[root]", "food", "{, fruit}", "[root]"])])
        assert said(new_column(new, column.without_rows())) == [
            ["beet", "leek"],
            ["apple", "beet", "leek", "pear"],
            ["apple", "pear", ""],
            ["beet", "leek"],
        ]

    def test_hierarchy_of_numbers(self) -> None:
        ages = Hierarchy.from_paths(
            "age", [("20", "20-29"), ("25", "20-29"), ("30", "30-39"), ("39", "30-39")]
        )
        texts = pa.chunked_array([pa.array(["20-29", "30", "39"])])
        column = training_column("age", texts, ages)
        assert column.numbers is not None
        assert said(column) == [["20", "25"], ["30"], ["39"]]
        new = new_column(pa.chunked_array([pa.array(["20-29", "30-39", "31"])]), column.without_rows())
        assert said(new) == [["20", "25"], ["30", "39"], ["30"]]


class TestNewRows:
    def test_words(self) -> None:
        column = again(read("a", "b", None), "b", "z", "{a, z}", "{, z}", "*", None)
        assert said(column) == [["b"], [], ["a"], [""], ["a", "b", ""], [""]]
        assert column.with_missing[column.ids].tolist() == [False, False, False, True, True, True]

    def test_numbers_go_to_the_nearest(self) -> None:
        column = again(
            read("10", "20", "40"), "14", "15", "16", "-5", "99", "[21, 29]", "[26, 35]", "[15, 40]"
        )
        assert said(column) == [["10"], ["10"], ["20"], ["10"], ["40"], ["20"], ["40"], ["20", "40"]]

    def test_typed_numbers_mean_the_same(self) -> None:
        fitted = read("[10, 20]", "40")
        new = new_column(pa.chunked_array([pa.array([14.0, float("nan"), None, 99])]), fitted.without_rows())
        assert said(new) == [["10"], [""], [""], ["40"]]

    def test_a_word_among_numbers_is_unknown(self) -> None:
        assert said(again(read("1", "2"), "x", "[a, b]", "{1, x}")) == [[], [], ["1"]]

    def test_large_numbers_do_not_overflow(self) -> None:
        assert said(again(read("-1.7e308", "1.7e308"), "1e307", "-1e307")) == [["1.7e308"], ["-1.7e308"]]

    def test_raw_texts_that_look_like_cells(self) -> None:
        fitted = read("\\[1, 2]", "\\{a}", "\\*", "\\\\x", "plain")
        assert fitted.values == ("*", "[1, 2]", "\\x", "plain", "{a}")
        assert said(again(fitted, "[1, 2]", "{a}", "\\*", "{\\[1\\, 2\\], plain}")) == [
            ["[1, 2]"],
            ["{a}"],
            ["*"],
            ["[1, 2]", "plain"],
        ]

    @pytest.mark.parametrize("text", ["{a", "{a,b}", "{a}", "{}", "[1", "[1 2]", "{", "[]", "\\", "\\x"])
    def test_what_is_no_cell_is_a_value(self, text: str) -> None:
        assert read(text, "x").values == tuple(sorted([text, "x"]))


@given(st.text(alphabet="ab, {}[]\\\\1", max_size=12))
def test_sets_are_read_as_the_grammar_says(inside: str) -> None:
    text = "{" + inside + "}"
    found = _read_simple_set(text)
    if found is not None:
        assert found == _read_set(text)


class TestTable:
    def test_flags(self) -> None:
        column = read("a", "{a, b}", "{, a}", None, "*")
        assert column.is_exact[column.ids].tolist() == [True, False, False, False, False]
        assert column.is_known[column.ids].tolist() == [True, True, True, False, False]
        assert column.sizes[column.ids].tolist() == [1, 2, 1, 0, 2]
        assert column.rows_of_cell.sum() == 5
        assert column.n_values == 2

    def test_take(self) -> None:
        table = CellTable((read("a", "b", "c"), read("1", "2", "3")), 3)
        taken = table.take(np.array([2, 2, 0]))
        assert taken.n_rows == 3
        assert said(taken.columns[0]) == [["c"], ["c"], ["a"]]
        assert table.take(np.array([True, False, False])).n_rows == 1
        assert table.names == ("c", "c")

    def test_without_rows(self) -> None:
        empty = CellTable((read("a", "b", "*"),), 3).without_rows()
        assert empty.n_rows == 0
        assert empty.columns[0].values == ("a", "b")
        assert (empty.columns[0].n_cells, len(empty.columns[0].members), len(empty.columns[0].ids)) == (
            0,
            0,
            0,
        )
