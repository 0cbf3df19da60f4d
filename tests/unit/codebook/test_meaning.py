"""What a codebook says of a column follows from its published texts."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.codebook import Cells, Decisions, column_meaning
from kanopy.codebook.ends import date_ends, number_ends
from kanopy.codebook.meaning import NOT_SHOWN, QUASI, field_notes, told_cells
from kanopy.codebook.plain import plain_meaning
from kanopy.codebook.readers import Written, pandas_reader, r_reader
from kanopy.data.grammar import (
    read_any_text,
    read_cell,
    write_alone,
    write_counts,
    write_member,
    write_range,
    write_set,
)
from kanopy.frames.csv_form import PLAIN_FORM, takes_commas, with_comma, with_point

DECIDED = Decisions({"x": QUASI}, {"x": "any"})


@pytest.mark.parametrize(
    ("words", "cells", "levels"),
    [
        (["[20, 29]", "38", "*"], Cells.NUMBERS, ("20", "38")),
        (["<5", "7", "[<5, 12]"], Cells.NUMBERS, ("<5", "12")),
        (["2020-03", "[2020-05, 2020-07]"], Cells.DATES, ("2020-03", "2020-07")),
        (["01067", "01069"], Cells.TEXTS, ("01067", "01069")),
        (["{b, a}", "c", ""], Cells.TEXTS, ("a", "b", "c")),
        (["*"], Cells.TEXTS, ()),
        (["NA", "1"], Cells.TEXTS, ("1", "NA")),
    ],
)
def test_what_a_column_holds(words: list[str], cells: Cells, levels: tuple[str, ...]) -> None:
    found = column_meaning("x", words, DECIDED)
    assert (found.cells, found.levels) == (cells, levels)


def test_columns_that_are_no_quasi_identifiers_hold_no_cells() -> None:
    found = column_meaning("x", ["*", "{a, b}", "[1, 2]", ""], Decisions({"x": "sensitive"}, {}))
    assert found.cells is Cells.PLAIN_TEXTS
    assert found.levels == ("*", "[1, 2]", "{a, b}")
    assert not found.suppressed
    assert {kind.pattern for kind in found.kinds} == {"value", ""}


def test_decisions_of_the_custodian() -> None:
    as_text = DECIDED._replace(categorical=["x"])
    assert column_meaning("x", ["1", "2"], as_text).cells is Cells.TEXTS
    as_dates = DECIDED._replace(dates=["x"])
    for words in (["1923", "[1950, 1960]"], ["1923", "*"]):  # years look like numbers
        assert column_meaning("x", words, as_dates).cells is Cells.DATES
    assert column_meaning("x", ["1923", "none"], as_dates).cells is Cells.TEXTS
    assert column_meaning("x", ["1", "2"], DECIDED._replace(has_means=True)).cells is Cells.MEANS
    grouped = column_meaning("x", ["north", "a"], DECIDED._replace(nodes={"x": ["north", "south"]}))
    assert grouped.nodes == {"north"}
    rest = column_meaning("x", ["a", "*"], DECIDED._replace(suppressed={"x": NOT_SHOWN}))
    assert rest.suppressed == NOT_SHOWN
    assert "no other cell" in rest.kinds[-1].meaning


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("38", 38, 38), ("[20, 29]", 20, 29), ("{, [20, 29]}", 20, 29), ("{1.5, 7}", 1.5, 7), ("<5", None, 5),
     (">=90", 90, None), ("[<5, 12]", None, 12), ("*", None, None), ("", None, None)],
)  # fmt: skip
def test_ends_of_numbers(text: str, low: float | None, high: float | None) -> None:
    found = [None if math.isnan(end) else end for end in number_ends(read_cell(text))]
    assert found == [low, high]


def test_ends_of_dates() -> None:
    first, last = date_ends(read_cell("[2020-03, 2020-Q3]"))
    assert (str(first), str(last)) == ("2020-03-01 00:00:00", "2020-09-30 23:59:59")
    assert date_ends(read_cell("*")) == (None, None)


TEXTS = st.text(st.sampled_from("ab ,[]{}\\*\"'ü;\n~: 3"), min_size=1, max_size=5).map(str.strip).filter(bool)


@given(st.lists(TEXTS, min_size=1, max_size=4, unique=True), st.booleans())
def test_the_reader_of_the_codebook_reads_every_cell(texts: list[str], with_missing: bool) -> None:
    """Python's; the one in R is compared with it in tests/recipients."""
    code = pandas_reader(Written("r.csv", "r.codebook.csv", ".csv", PLAIN_FORM))
    functions = code[code.index("def members") : code.index("for name, cells")]
    known: dict[str, object] = {}
    exec("import math, re\n" + functions, known)
    members, ends = known["members"], known["ends"]
    cell = write_alone(texts[0])
    if len(texts) > 1 or with_missing:
        cell = write_set([*map(write_member, texts), *([""] if with_missing else [])])
    read = read_any_text(cell)
    found = members(cell)  # type: ignore[operator]
    if read.is_suppressed:
        assert found == []
    elif not read.ranges:
        assert sorted(found) == sorted([*read.texts, *([""] if read.with_missing else [])])
    ranges = write_set(["", write_range("1.5", "7"), "9"])
    assert ends(ranges) == [1.5, 9]  # type: ignore[operator]
    counted = write_counts([(write_member(text), place + 1) for place, text in enumerate(texts)])
    assert sorted(members(counted)) == sorted(texts)  # type: ignore[operator]
    assert ends("~[1.5, 7, 9]") == ends("{: 3, ~[1.5, 7, 9]: 12}") == [1.5, 9]  # type: ignore[operator]


def test_readers_are_short() -> None:
    for suffix in (".csv", ".parquet"):
        for is_folder in (False, True):
            written = Written('a "b" `c`.csv', "b.csv", suffix, PLAIN_FORM, is_folder=is_folder)
            for code in (pandas_reader(written), r_reader(written)):
                assert code.count("\n") < 30
                assert code.isascii()


def test_notes_are_of_a_fixed_vocabulary() -> None:
    words = ["{SECRET, b}", "*", "SECRET-4711"]
    notes = field_notes(told_cells([column_meaning("x", words, DECIDED)]))
    assert "SECRET" not in str(notes)
    others = field_notes(told_cells([column_meaning("x", ["{c, d}", "*", "e"], DECIDED)]))
    assert notes == others


@given(st.lists(st.from_regex(r"-?[0-9]{1,3}(\.[0-9]{1,2})?", fullmatch=True), min_size=1, max_size=4))
def test_decimal_commas_can_be_undone(numbers: list[str]) -> None:
    words = [*numbers, write_range(numbers[0], numbers[-1]), write_set(["", *numbers]), "*", ""]
    assert takes_commas(words)
    with_commas = list(map(with_comma, words))
    assert not any("." in word for word in with_commas)
    assert list(map(with_point, with_commas)) == words


@pytest.mark.parametrize("words", [["1,5", "2"], ["1.", "2"], [".5", "2"]])
def test_columns_that_take_no_commas(words: list[str]) -> None:
    assert not takes_commas(words)


PLAIN_WORDS = st.one_of(
    st.from_regex(r"[+-]?(0|[1-9][0-9]{0,3})(\.[0-9]{1,2})?", fullmatch=True),
    st.sampled_from(
        ["<5", ">=9", "2020-03", "2020-Q1", "1999", "2020s", "007", "a", "", "1e400", "1e3", "NA", "*"]
    ),
)


@given(st.lists(PLAIN_WORDS, max_size=6, unique=True), st.booleans())
def test_plain_columns_are_read_as_the_slow_way_reads_them(words: list[str], as_text: bool) -> None:
    decided = Decisions({"x": "keep"}, {}, ["x"] if as_text else [])
    assert plain_meaning("x", pa.array(words, pa.string()), decided) == column_meaning("x", words, decided)
