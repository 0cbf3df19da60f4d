"""The published table: its words occur, its order betrays nothing."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pyarrow as pa
import pytest

import kanopy
from kanopy.data import Hierarchy, RecodedColumn, Recoding
from kanopy.data import cell as cells
from kanopy.frames.encode import encode
from kanopy.frames.published import PublishedRows, PublishedTable, publish, rewritten
from kanopy.policy import Policy

POLICY = Policy(quasi_identifiers=["q"], target="t", keep=["h"], identifiers=["n"], k=2)
SOURCE = {
    "h": [2.5, None, 1.0, 2.5, 9.0, 1.0],
    "q": ["b", "a", "b", "a", "c", "a"],
    "n": list("uvwxyz"),
    "t": ["y", "n", "n", "y", "y", "n"],
}


def published(source: dict[str, list[object]], is_kept: list[bool]) -> tuple[PublishedTable, PublishedRows]:
    """Published as they are: one cell per value, in backward order, and one that nobody has."""
    encoded = encode(pa.table(source), POLICY)
    column = encoded.table.quasi[0]
    n_values = column.domain.n_values
    made = (*(cells.exact(n_values - 1 - code) for code in range(n_values)), cells.SUPPRESSED)
    ids = (n_values - 1 - column.codes.astype(np.int64)).astype(np.int32)
    recoding = Recoding((RecodedColumn(column.domain, made, ids),), np.array(is_kept))
    return publish(encoded, recoding)


def test_rows_are_sorted_by_what_they_say() -> None:
    table, rows = published(SOURCE, [True] * 6)
    assert table.to_arrow().to_pydict() == {
        "h": [1.0, 2.5, None, 1.0, 2.5, 9.0],
        "q": ["a", "a", "a", "b", "b", "c"],
        "t": ["n", "y", "n", "n", "y", "y"],
    }
    assert (rows.origin.tolist(), rows.line) == ([5, 3, 1, 2, 0, 4], None)
    assert (table.names, table.n_rows) == (("h", "q", "t"), 6)


def test_the_order_of_the_source_leaves_no_trace() -> None:
    """PRIVACY: whatever the order of the rows that come in, the same table comes out."""
    expected = published(SOURCE, [True] * 6)[0].to_arrow()
    for seed in range(20):
        places = random.Random(seed).sample(range(6), 6)
        shuffled = {name: [values[place] for place in places] for name, values in SOURCE.items()}
        assert published(shuffled, [True] * 6)[0].to_arrow() == expected


@pytest.mark.parametrize("dropped", [4, 1, 0])
def test_words_of_dropped_rows_are_left_behind(dropped: int) -> None:
    """PRIVACY: neither words nor values that only a dropped row has; row 4 alone has c and 9."""
    table, rows = published(SOURCE, [place != dropped for place in range(6)])
    assert table.n_rows == 5
    assert dropped not in rows.origin
    for column in table.columns:
        used = set(column.codes.tolist())
        assert used == set(range(len(column.words))) == set(range(len(column.values)))
        left = {SOURCE[column.name][place] for place in range(6) if place != dropped}
        assert set(column.values.to_pylist()) == left
        assert len(set(column.words.to_pylist())) == len(column.words)


def test_missing_is_an_empty_word_and_no_value() -> None:
    table, _ = published(SOURCE, [True] * 6)
    for column in table.columns:
        for word, value in zip(column.words.to_pylist(), column.values.to_pylist(), strict=True):
            assert (word == "") == (value is None)
    assert [column.values.type for column in table.columns] == [pa.float64(), pa.string(), pa.string()]


def test_arrow_is_fresh_and_plain() -> None:
    arrow = published(SOURCE, [True] * 6)[0].to_arrow()
    assert arrow.schema.metadata is None
    assert not any(pa.types.is_dictionary(field.type) for field in arrow.schema)


def test_nothing_kept() -> None:
    table, rows = published(SOURCE, [False] * 6)
    assert (table.n_rows, len(rows.origin)) == (0, 0)
    assert [len(column.words) for column in table.columns] == [0, 0, 0]


def test_rows_that_repeat_are_lines_times_counts() -> None:
    thrice = {name: 3 * values for name, values in SOURCE.items()}
    table, rows = published(thrice, [True] * 18)
    assert table.weight is not None
    assert (table.weight.tolist(), table.n_lines, table.n_rows) == ([3] * 6, 6, 18)
    once = published(SOURCE, [True] * 6)[0].to_arrow()
    assert table.to_arrow() == once.take([i // 3 for i in range(18)])
    for column in table.columns:
        origin = [thrice[column.name][row] for row in rows.origin.tolist()]
        assert column.values.take(pa.array(rows.of_line(column.codes))).to_pylist() == origin


def test_rewritten() -> None:
    table, _ = published(SOURCE, [True] * 6)
    other = rewritten(table, str.upper)
    assert other.columns[1].words.to_pylist() == ["A", "B", "C"]
    assert table.columns[1].words.to_pylist() == ["a", "b", "c"]
    for old, new in itertools.zip_longest(table.columns, other.columns):
        assert np.array_equal(old.codes, new.codes)


@pytest.mark.parametrize("method", ["apt", "kadet", "mondrian"])
def test_a_hierarchy_of_the_class_may_know_classes_that_the_table_lacks(method: str) -> None:
    tree = Hierarchy.from_paths("t", [("n", "any"), ("other", "any"), ("y", "any")])
    policy = Policy(quasi_identifiers=["q"], target="t", hierarchies={"t": tree}, k=2)
    source = pa.table({"q": SOURCE["q"], "t": SOURCE["t"]})
    published = kanopy.anonymize(source, policy, method=method, allow_empty=True).frame
    assert set(published["t"].to_pylist()) <= {"n", "y"}
