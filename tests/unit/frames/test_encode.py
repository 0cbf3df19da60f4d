"""The door, on the way in: what is refused, what is noted, what becomes of the columns."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kanopy.data import Hierarchy
from kanopy.errors import InputError, KanopyError, PolicyError, UnsatisfiableError
from kanopy.frames.encode import Encoded, encode
from kanopy.frames.tables import read_table
from kanopy.policy import Policy
from kanopy.privacy import AlphaBound, AnonymityOf, DistinctDiversity

Columns = dict[str, Any]
BASE: Columns = {"q": ["b", "a", None, "b"], "t": ["y", "n", "y", "n"]}


def door(columns: Columns, **fields: Any) -> Encoded:
    policy = Policy(**{"quasi_identifiers": ["q"], "target": "t", "k": 2, **fields})
    return encode(read_table(pa.table(columns))[1], policy)


def test_columns_go_where_they_belong() -> None:
    columns = {
        "n": ["u", "v", "w", "x"],
        " h ": [1, 2, 2, 1],
        "t": BASE["t"],
        "p": ["9", "8", "9", "7"],
        "q": BASE["q"],
        "s": ["i", "j", "i", "i"],
        "r": [10, 9, 10, 9],
    }
    encoded = door(
        columns,
        quasi_identifiers=["r", "q"],
        identifiers=["n"],
        keep=["h"],
        person="p",
        sensitive=["s"],
        privacy=DistinctDiversity("s", 2),
    )
    assert encoded.names == ("h", "t", "q", "s", "r"), "the order of the source, without what is dropped"
    assert [column.domain.name for column in encoded.table.quasi] == ["r", "q"], "the order of the policy"
    assert set(encoded.passing) == {"h", "t", "s"}
    assert list(encoded.table.confidential) == ["s"]
    numbers, letters = encoded.table.quasi
    assert (numbers.domain.labels, numbers.codes.tolist()) == (("9", "10"), [1, 0, 1, 0])
    assert (letters.domain.labels, letters.codes.tolist()) == (("a", "b"), [1, 0, 2, 1])
    assert letters.codes.dtype == np.uint8
    assert encoded.table.target is not None
    assert encoded.table.target.codes.tolist() == [1, 0, 1, 0]
    assert encoded.table.persons is not None
    assert (encoded.table.persons.tolist(), encoded.table.n_persons) == ([2, 1, 2, 0], 3)
    assert encoded.notices == ()


def test_a_bounded_target_is_confidential() -> None:
    encoded = door(BASE, privacy=AlphaBound("t", 0.9))
    assert encoded.table.target is encoded.table.confidential["t"]


@pytest.mark.parametrize(
    ("columns", "fields", "kind", "message"),
    [
        ({"q": [], "t": []}, {}, InputError, "the table has no rows"),
        ({**BASE, "x": [1] * 4}, {}, PolicyError, "does not say what these columns are: 'x'"),
        ({"t": BASE["t"]}, {}, PolicyError, "names column 'q', which the table does not have"),
        ({**BASE, "Q": [1] * 4}, {}, InputError, "differ only in case"),
        (BASE, {"k": 5}, UnsatisfiableError, "k = 5, but the table has 4 rows"),
        (BASE, {"privacy": AnonymityOf(["q"], 5)}, UnsatisfiableError, "k = 5, but the table has 4 rows"),
        (
            {**BASE, "p": ["1", "1", "2", "2"]},
            {"person": "p", "k": 2, "privacy": AnonymityOf(["q"], 3)},
            UnsatisfiableError,
            "k = 3, but the table has 2 persons",
        ),
        (
            {**BASE, "p": ["1", "1", "2", "2"]},
            {"person": "p", "k": 3},
            UnsatisfiableError,
            "k = 3, but the table has 2 persons",
        ),
        (
            {**BASE, "p": ["", None, " ", "?"]},
            {"person": "p", "missing": ["?"]},
            InputError,
            "person column 'p' is empty in every row",
        ),
        ({**BASE, "q": ["*", "a", "*", "b"]}, {}, InputError, r"'q' has 2 cells that are just '\*'"),
        ({**BASE, "q": ["?", "a", "a", "b"]}, {}, InputError, r"'q' has 1 cells that are just '\?'"),
        ({**BASE, "t": [None] * 4}, {}, InputError, "target column 't' is empty in every row"),
        ({**BASE, "q": ["1", "2", "inf", "nan"]}, {}, InputError, "numeric but for 2 values"),
        ({**BASE, "q": [1.0, 2.0, float("inf"), 3.0]}, {}, InputError, "numeric but for 1 values"),
        (
            {**BASE, "q": ["1", "2", "x", "y"]},
            {"numeric": ["q"]},
            InputError,
            "2 of its values are no finite",
        ),
        (
            BASE,
            {"hierarchies": {"q": Hierarchy.from_paths("q", [["a", "*"], ["z", "*"]], str)}},
            PolicyError,
            "hierarchy of column 'q' lacks 1 values",
        ),
        ({**BASE, "q": [[1], [2], [3], [4]]}, {}, InputError, "column 'q' holds"),
    ],
)
def test_refused(columns: Columns, fields: dict[str, Any], kind: type[KanopyError], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        door(columns, **fields)
    assert type(caught.value) is kind


def test_a_blank_person_is_nobody() -> None:
    table = door({**BASE, "p": ["7", None, "?", "5"]}, person="p", missing=["?"]).table
    assert table.persons is not None
    assert (table.persons.tolist(), table.n_persons) == ([1, -1, -1, 0], 2)


def test_reserved_words_are_free_where_they_mean_nothing() -> None:
    assert door({**BASE, "t": ["*", "?", "*", "?"]}).notices == ()
    assert door({**BASE, "q": ["?", "a", "a", "?"]}, missing=["?"]).table.quasi[0].codes.tolist() == [
        1,
        0,
        0,
        1,
    ]


@pytest.mark.parametrize(
    ("columns", "fields", "notice"),
    [
        ({**BASE, "t": ["y", "n", None, "y"]}, {}, "target 't' is missing in 1 rows"),
        ({**BASE, "q": [None] * 4}, {}, "quasi-identifier 'q' is empty in every row"),
        ({**BASE, "q": ["1", "1.0", "2", "2"]}, {}, "1 numbers are written in more than one way"),
        ({**BASE, "q": ["1", "2", "x", "x"]}, {}, "2 of its 3 values are plain numbers"),
        ({**BASE, "q": [" a", "a", "b", "b"]}, {}, "'q': 1 cells had blanks .*; 1 values became equal"),
        (
            {"q": BASE["q"], "t": ["Y", "y", "n", "n"]},
            {"privacy": DistinctDiversity("t", 2)},
            "column 't': 1 values differ from another only in case",
        ),
        (
            {"q": BASE["q"], "t": ["5", "5.0", "5", "6"]},
            {"privacy": DistinctDiversity("t", 2)},
            "column 't': 1 values differ from another only in case",
        ),
    ],
)
def test_noted(columns: Columns, fields: dict[str, Any], notice: str) -> None:
    (noted,) = door(columns, **fields).notices
    assert re.search(notice, noted)


@pytest.mark.parametrize(
    ("columns", "fields"),
    [
        (BASE, {}),
        ({**BASE, "q": ["1", "2", "x", "x"]}, {"categorical": ["q"]}),
        ({**BASE, "q": ["1", "1", "2", "2"]}, {}),
        (BASE, {"privacy": AlphaBound("t", 0.9, "y")}),
    ],
)
def test_nothing_to_note(columns: Columns, fields: dict[str, Any]) -> None:
    assert door(columns, **fields).notices == ()


@pytest.mark.parametrize(
    ("values", "fields", "labels", "is_numeric"),
    [
        (["10", "9", "9", "10"], {}, ("9", "10"), True),
        (["10", "9", "9", "10"], {"categorical": ["q"]}, ("10", "9"), False),
        (["010", "09", "09", "010"], {}, ("010", "09"), False),
        (["010", "09", "09", "010"], {"numeric": ["q"]}, ("09", "010"), True),
        ([1.5, 10.0, 2.0, None], {}, ("1.5", "2", "10"), True),
        ([True, False, True, True], {}, ("false", "true"), False),
    ],
)
def test_domains(
    values: list[Any], fields: dict[str, Any], labels: tuple[str, ...], is_numeric: bool
) -> None:
    domain = door({**BASE, "q": values}, **fields).table.quasi[0].domain
    assert (domain.labels, domain.is_numeric) == (labels, is_numeric)


def test_a_hierarchy_gives_the_order() -> None:
    tree = Hierarchy.from_paths("q", [["a", "one", "*"], ["c", "one", "*"], ["b", "two", "*"]], str)
    column = door(BASE, hierarchies={"q": tree}).table.quasi[0]
    assert column.domain.labels == ("a", "c", "b")
    assert column.codes.tolist() == [2, 0, 3, 2]


def test_the_source_is_not_changed() -> None:
    table = pa.table({" q ": [" a", "b"], "t": ["y", "n"]})
    before = table.to_pydict()
    encode(read_table(table)[1], Policy(quasi_identifiers=["q"], target="t", k=2))
    assert table.to_pydict() == before
