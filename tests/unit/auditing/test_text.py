"""A table as the judge sees it: texts, alike where they print alike."""

from __future__ import annotations

import datetime
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.auditing import TextTable, read_written
from kanopy.errors import InputError, VerificationError
from kanopy.frames.published import PublishedColumn, PublishedTable


def texts(table: TextTable, name: str) -> list[str]:
    """The text of each row; on the way, what must hold for any column."""
    column = table.columns[name]
    words = column.words.to_pylist()
    assert len(set(words)) == len(words), "a word is listed twice"
    assert set(column.codes.tolist()) == set(range(len(words))), "a word that no row has"
    return [words[code] for code in column.codes]


def dictionary(indices: list[int | None], words: list[Any]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int8()), pa.array(words))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array(["a", None, "", "a"]), ["a", "", "", "a"]),
        (pa.array(["a ", "a", "\u00e9", "e\u0301"]), ["a ", "a", "\u00e9", "e\u0301"]),
        (pa.array(["*", "1", "1.0", "01"]), ["*", "1", "1.0", "01"]),
        (pa.array([1, None, 20]), ["1", "", "20"]),
        (pa.array([1.0, 1.5, None, float("nan")]), ["1", "1.5", "", "nan"]),
        (pa.array([True, False, None]), ["true", "false", ""]),
        (pa.array([Decimal("1.50"), Decimal("2.00")]), ["1.50", "2.00"]),
        (pa.array([datetime.date(2024, 5, 1)]), ["2024-05-01"]),
        (pa.array([None, None], pa.null()), ["", ""]),
        (dictionary([1, 1, None], ["UNUSED", "b"]), ["b", "b", ""]),
        (dictionary([0, 1, 2], ["a", "b", "a"]), ["a", "b", "a"]),
        (dictionary([0, 1, None, 2], ["a", None, ""]), ["a", "", "", ""]),
        (dictionary([1, 0, 1], [7, 8]), ["8", "7", "8"]),
        (pa.chunked_array([["a", "b"], ["b", "c"]]), ["a", "b", "b", "c"]),
        (pa.chunked_array([dictionary([0], ["a"]), dictionary([0, 1], ["b", "a"])]), ["a", "b", "a"]),
    ],
)
def test_of_arrow(column: Any, expected: list[str]) -> None:
    table = TextTable.of_arrow(pa.table({"x": column}))
    assert table.n_rows == len(expected)
    assert texts(table, "x") == expected


def test_no_rows() -> None:
    table = TextTable.of_arrow(pa.table({"x": pa.array([], pa.string())}))
    assert (table.n_rows, texts(table, "x")) == (0, [])


def test_names() -> None:
    assert list(TextTable.of_arrow(pa.table({" cafe\u0301 ": ["a"]})).columns) == ["caf\u00e9"]
    with pytest.raises(InputError, match="two columns are called 'a'"):
        TextTable.of_arrow(pa.table({"a": ["1"], "a ": ["2"]}))


@pytest.mark.parametrize("values", [[{"a": 1}, {"a": 2}], [[1], [2]], [b"\xff\xfe", b"a"]])
def test_what_has_no_text_is_refused(values: list[Any]) -> None:
    with pytest.raises(InputError, match=r"column 'x' holds .* values"):
        TextTable.of_arrow(pa.table({"x": pa.array(values)}))


def test_of_published_compares_as_text() -> None:
    words = pa.array(["a", "b", "a", "unused"])
    codes = np.array([0, 1, 2, 0], dtype=np.int32)
    table = TextTable.of_published(PublishedTable((PublishedColumn("x", words, words, codes),), 4))
    assert texts(table, "x") == ["a", "b", "a", "a"]


def test_read_written(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'x,"y,z"\n1,"a\nb"\n,""\nNA,"""c"\n')
    table = read_written(tmp_path / "a.csv", ".csv")
    assert texts(table, "x") == ["1", "", "NA"]
    assert texts(table, "y,z") == ["a\nb", "", '"c']
    pa.parquet.write_table(pa.table({"x": ["1", None]}), tmp_path / "a.parquet")
    assert texts(read_written(tmp_path / "a.parquet", ".parquet"), "x") == ["1", ""]


def test_parquet_of_several_row_groups_reads_as_it_is(tmp_path: Path) -> None:
    """Every row group has its own dictionary, some hold nulls alone, and only texts have one."""
    columns = {"t.x": [None, None, "a", "b", "c", "a", None], "n": [1, 1, None, 2, 3, 3, 3]}
    pa.parquet.write_table(pa.table(columns), tmp_path / "a.parquet", row_group_size=2)
    table = read_written(tmp_path / "a.parquet", ".parquet")
    assert texts(table, "t.x") == ["", "", "a", "b", "c", "a", ""]
    assert texts(table, "n") == ["1", "1", "", "2", "3", "3", "3"]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.integers(1, 3)), max_size=30))
def test_runs_are_neighbours_that_are_equal(rows: list[tuple[str, str, int]]) -> None:
    columns = {name: pa.array([row[place] for row in rows], pa.string()) for place, name in enumerate("pq")}
    plain = TextTable.of_arrow(pa.table(columns))
    for table in (plain, plain.weighing(np.array([row[2] for row in rows], dtype=np.int64))):
        runs = table.in_runs()
        lines = list(zip(texts(runs, "p"), texts(runs, "q"), strict=True))
        assert (runs.n_rows, runs.n_lines) == (table.n_rows, len(lines))
        assert all(one != next_ for one, next_ in pairwise(lines))
        for name in "pq":
            assert texts(runs.expanded(), name) == texts(table.expanded(), name)


def test_one_column_with_empty_fields(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'x\n""\n1\n""\n')
    assert texts(read_written(tmp_path / "a.csv", ".csv"), "x") == ["", "1", ""]


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".csv", b""),
        (".csv", b"x,y\n1\n"),
        (".csv", b"x,y\n1,2,3\n"),
        (".csv", b"x,y\n1,\xff\n"),
        (".csv", b"x,x \n1,2\n"),
        (".parquet", b""),
        (".parquet", b"PAR1 and no more"),
        (".parquet", b"x,y\n1,2\n"),
    ],
)
def test_bytes_that_are_no_table(suffix: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content)
    with pytest.raises(VerificationError, match="cannot be read back"):
        read_written(path, suffix)
