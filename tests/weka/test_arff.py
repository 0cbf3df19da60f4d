"""Tables as Weka reads them, to the byte; whether Weka agrees is seen in tests/weka."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from kanopy_weka.arff import ArffColumn, arff, declared, quoted


def lines_of(content: bytes) -> list[str]:
    text = content.decode("utf-8")
    assert text.endswith("\n")
    return text.removesuffix("\n").split("\n")


def test_a_table() -> None:
    table = pa.table(
        {
            "age": ["38", "*", "", "4.50"],
            "zip": ["02139", "02140", "*", None],
            "who's": ["a,b", "{a, b}", "[1, 2]", "50 %"],
            "n": pa.array([1.5, None, float("nan"), 1e300]),
            "class": ["same"] * 4,
        }
    )
    columns = declared(table)
    assert lines_of(arff(columns, table, ["no", "yes"], np.array([0, 1, 1, 0]))) == [
        "@relation release",
        "@attribute 'age' numeric",
        "@attribute 'zip' {'02139','02140'}",
        "@attribute 'who\\'s' {'50 \\%','[1, 2]','a,b','{a, b}'}",
        "@attribute 'n' numeric",
        "@attribute 'class' {'same'}",
        "@attribute 'class_' {'no','yes'}",
        "@data",
        "38,'02139','a,b',1.5,'same','no'",
        "?,'02140','{a, b}',?,'same','yes'",
        "?,?,'[1, 2]',?,'same','yes'",
        "4.50,?,'50 \\%',1e+300,'same','no'",
    ]


def test_new_rows() -> None:
    columns = (ArffColumn("n", None), ArffColumn("a", ("x", "y")))
    table = pa.table({"n": ["1", "word", "[1, 2]", "007", "*"], "a": ["x", "z", "y ", "", "*"]})
    assert lines_of(arff(columns, table, ["k"]))[5:] == ["1,'x',?", "?,?,?", "?,'y',?", "007,?,?", "?,?,?"]


def test_columns_of_which_nothing_is_known() -> None:
    table = pa.table({"a": ["*", "*"], "b": pa.nulls(2), "c": ["", " "]})
    columns = declared(table)
    assert [column.labels for column in columns] == [("*",)] * 3
    assert lines_of(arff(columns, table, ["k", "l"]))[-2:] == ["?,?,?,?"] * 2


@pytest.mark.parametrize(
    ("values", "is_numeric"),
    [
        (["1", "2"], True),
        (["1", "*", ""], True),
        (["1", "01"], False),
        (["1", "[1, 2]"], False),
        (["1", "inf"], False),
        ([1, 2], True),
        ([True, False], False),
    ],
)
def test_what_is_numeric(values: list[object], is_numeric: bool) -> None:
    (column,) = declared(pa.table({"a": values}))
    assert (column.labels is None) == is_numeric


def test_every_row_is_one_line() -> None:
    words = ["\n", "a\nb", "a\rb", "a\r\nb", "a\tb", "'", '"', "\\", "%"]
    table = pa.table({"a": [f"x{word}x" for word in words]})
    content = lines_of(arff(declared(table), table, ["k"]))
    assert len(content) == 4 + len(words)
    assert content[4] == "'x\\nx',?"
    assert quoted("a\\'\"%\t\r") == "'a\\\\\\'\\\"\\%\\t\\r'"


def test_no_rows() -> None:
    table = pa.table({"a": pa.array([], pa.string())})
    assert lines_of(arff((ArffColumn("a", ("x",)),), table, ["k"]))[-1] in ("@data", "")
