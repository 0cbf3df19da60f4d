"""A column as its different values: only those that occur, each once, clean."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from kanopy.errors import InputError
from kanopy.frames.distinct import DistinctColumn, distinct_column

CANARY = "CANARY-4711"


def distinct(values: Any, missing: tuple[str, ...] = ()) -> DistinctColumn:
    column = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])
    return distinct_column("x", column, missing)


def rows(column: DistinctColumn) -> list[str | None]:
    texts = [*column.texts.to_pylist(), None]
    assert texts[:-1] == sorted(set(texts[:-1]))
    assert len(column.values) == len(column.texts)
    return [texts[code] for code in column.codes]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["b", "a", None, "b"], ["b", "a", None, "b"]),
        ([" a", "a\t", "a", "\u00a0a\u200b", "\ufeffa"], ["a"] * 5),
        (["e\u0301", "\u00e9"], ["\u00e9", "\u00e9"]),
        (["", "  ", "?", " ? ", "NA"], [None, None, None, None, "NA"]),
        (["a  b", "a b"], ["a  b", "a b"]),
        (["A", "a"], ["A", "a"]),
        ([3, 1, None], ["3", "1", None]),
        ([1.0, 2.5, None], ["1", "2.5", None]),
        ([True, False], ["true", "false"]),
        ([Decimal("1.50"), Decimal("1.00")], ["1.50", "1.00"]),
        ([datetime.date(2024, 5, 1)], ["2024-05-01"]),
        ([None, None], [None, None]),
    ],
)
def test_rows_keep_their_value(values: list[Any], expected: list[str | None]) -> None:
    column = distinct(pa.array(values), missing=("?",))
    assert rows(column) == expected
    assert column.n_missing == expected.count(None)


def test_values_keep_their_type() -> None:
    column = distinct(pa.array([30, 4, None, 30], pa.int16()))
    assert column.values.type == pa.int16()
    assert [str(value) for value in column.values.to_pylist()] == column.texts.to_pylist() == ["30", "4"]


def test_a_declared_number_is_missing() -> None:
    assert rows(distinct(pa.array([-9, 1]), missing=("-9",))) == [None, "1"]


def test_cleaning_is_counted() -> None:
    column = distinct(pa.array(["a", " a", " a", "b ", "  ", "c"]))
    assert (column.n_cleaned, column.n_merged) == (3, 1)
    tidy = distinct(pa.array(["a", "b"]))
    assert (tidy.n_cleaned, tidy.n_merged) == (0, 0)


def dictionary(indices: list[int | None], words: list[Any]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int8()), pa.array(words))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (dictionary([2, 0, None, 2], ["b", CANARY, "a"]), ["a", "b", None, "a"]),
        (dictionary([0, 1, 2], ["b", "b", None]), ["b", "b", None]),
        (dictionary([None, None], [CANARY]), [None, None]),
        (dictionary([0, 2], ["b", CANARY, " b"]), ["b", "b"]),
        (
            pa.chunked_array([dictionary([0], ["b", CANARY]), dictionary([1, 1], [CANARY + "2", "a"])]),
            ["b", "a", "a"],
        ),
        (pa.chunked_array([pa.array(["b", CANARY])]).slice(0, 1), ["b"]),
        (pa.chunked_array([dictionary([0, 1], ["b", CANARY]).slice(0, 1)]), ["b"]),
    ],
)
def test_words_that_no_row_has_stay_outside(column: Any, expected: list[str | None]) -> None:
    """A dictionary that came in with more words than rows use, in any of its arrays and buffers."""
    made = distinct(column)
    assert rows(made) == expected
    assert made.n_missing == expected.count(None)
    for array in (made.texts, made.values):
        buffers = [buffer.to_pybytes() for buffer in array.buffers() if buffer is not None]
        assert CANARY.encode() not in b"".join(buffers)


def test_an_unused_word_does_not_count_as_merged() -> None:
    assert distinct(dictionary([0, 0], ["b", " b"])).n_merged == 0


@pytest.mark.parametrize(
    "kind",
    [
        pa.list_(pa.int8()),
        pa.struct([("a", pa.int8())]),
        pa.map_(pa.string(), pa.int8()),
        pa.binary(),
        pa.binary(3),
    ],
)
def test_nested_and_binary_are_refused(kind: pa.DataType) -> None:
    with pytest.raises(InputError, match="column 'x' holds"):
        distinct(pa.array([None, None], kind))


def test_no_rows() -> None:
    assert rows(distinct(pa.chunked_array([], pa.string()))) == []
    assert rows(distinct(pa.array([], pa.int8()))) == []


def test_large_and_view_strings_are_texts() -> None:
    for kind in (pa.large_string(), pa.string_view()):
        column = distinct(pa.array([" b", "a"], kind))
        assert rows(column) == ["b", "a"]
        assert column.values.type == pa.string()
