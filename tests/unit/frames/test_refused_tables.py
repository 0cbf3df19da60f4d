"""Tables that are refused because they would cost too much, or cannot be meant."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from kanopy.errors import InputError
from kanopy.frames.distinct import MOST_COLUMNS, clean_names
from kanopy.frames.encode import encode
from kanopy.policy import Policy


def door(classes: list[Any]) -> None:
    columns = {"q": ["a"] * len(classes), "t": classes}
    encode(pa.table(columns), Policy(quasi_identifiers=["q"], target="t", k=2))


@pytest.mark.parametrize(
    "classes",
    [
        list(map(str, range(21))),
        [*map(str, range(30)), *["x"] * 100],
        [*map(str, range(21)), *map(str, range(20)), *map(str, range(100, 123))],
        [*map(str, range(20)), None],
    ],
)
def test_a_number_or_an_identifier_is_no_class(classes: list[Any]) -> None:
    with pytest.raises(InputError, match="not a class") as caught:
        door(classes)
    assert caught.value.exit_code == 3
    assert "choose another target" in caught.value.hint


@pytest.mark.parametrize(
    "classes",
    [
        list(map(str, range(20))),
        ["a", "b"],
        [*map(str, range(100)), *map(str, range(100))],
        [*map(str, range(25)), *map(str, range(100, 125)), *map(str, range(100, 125))],
    ],
)
def test_classes_of_two_rows_or_few_classes_are_taken(classes: list[str]) -> None:
    door(classes)


def test_the_refusal_names_no_class() -> None:
    with pytest.raises(InputError) as caught:
        door([f"secret{number}" for number in range(50)])
    assert "secret" not in str(caught.value)
    assert "50 classes, of which 50 have one row" in caught.value.message


def test_more_columns_than_can_be_read_are_refused() -> None:
    names = [f"c{number}" for number in range(MOST_COLUMNS)]
    assert clean_names(names, where="it") == names
    with pytest.raises(InputError, match=f"it has {MOST_COLUMNS + 1:,} columns") as caught:
        clean_names([*names, "more"], where="it")
    assert caught.value.hint
