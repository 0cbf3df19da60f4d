"""The second look at a CSV file skips lines that need no parser: it finds what the parser alone finds."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.errors import InputError
from kanopy.frames import csv_file, csv_rows

some_pieces = st.lists(
    st.sampled_from(
        ["a", "é", ",", '"', "\n", "1,2\n", "1\n", '5"6,7\n', '"x",y\n', "\r", "\r\n", "\0", "\n\n"]
    ),
    max_size=30,
)
ALIKE = {"where": "f", "delimiter": ",", "quote": '"'}


def said(text: str, n_columns: int, header: bytes) -> tuple[Any, ...]:
    try:
        return (csv_file._count_rows(io.BytesIO(text.encode()), n_columns, header, **ALIKE),)
    except InputError as error:
        return error.message, error.hint


@pytest.mark.parametrize("n_columns", [1, 2])
@pytest.mark.parametrize("block", [3, 16])
@given(pieces=some_pieces, header=st.sampled_from(["h{}\n", '"h\n"{}\r\n', "\nh{}\n"]))
def test_the_same_rows_and_the_same_faults(
    block: int, n_columns: int, pieces: list[str], header: str
) -> None:
    above = header.format(",i" * (n_columns - 1))
    text = above + "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_rows, "_PLAIN_BLOCK", block)
        assert said(text, n_columns, above.encode()) == said(text, n_columns, b"")


def test_the_parser_sees_a_few_lines_only() -> None:
    """It took 100 s for 300 MB of short lines."""
    text = b"1,2\n" * 400_000 + b"1,2,3\n"
    plain = csv_rows.PlainLines(io.BytesIO(text), 2, ",", '"')
    left = io.BufferedReader(plain).read()  # type: ignore[type-var]
    assert len(left) <= csv_rows._PLAIN_BLOCK * 2
    assert plain.n_rows * 4 + len(left) == len(text)
    assert plain.n_rows == plain.n_lines


def test_a_file_that_changed_meanwhile() -> None:
    assert said("x,y\n1,2\n", 2, b"h,i\n") == (-1,)
