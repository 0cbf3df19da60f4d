"""Composed texts are those of Unicode, and nobody has to wait for them."""

from __future__ import annotations

import io
import sys
import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kanopy.data.grammar import _LAST_MARK, clean_text, composed, read_cell, write_member, write_set
from kanopy.frames.csv_file import read_csv
from kanopy.frames.encode import encode
from kanopy.policy import Policy

MARKS = "\u0301\u0316\u0327\u0344\u0345\u0f71\u0f72\u0f73\u0f75\u0f81\u05b0\u3099\u0334\u1e94"
some_pieces = st.sampled_from([*"aeé가각\u1100\u1161\u11a8ཀ", *MARKS])
long_texts = st.lists(some_pieces, max_size=6).flatmap(
    lambda start: st.lists(some_pieces, max_size=8).map(lambda rest: "".join(start) + "".join(rest) * 40)
)


@given(long_texts)
@example("a" + "\u0301\u0316" * 100)
@example("ཀ" + "\u0f73" * 200)
@example("e" + "\u0344\u0316\u0f81" * 100 + "\u0301b")
def test_composed_is_what_unicode_says(text: str) -> None:
    assert composed(text) == unicodedata.normalize("NFC", text)


def test_all_marks_are_known() -> None:
    marks = [place for place in range(sys.maxunicode + 1) if unicodedata.combining(chr(place))]
    assert max(marks) < _LAST_MARK
    hidden = {
        chr(place)
        for place in range(sys.maxunicode + 1)
        if not unicodedata.combining(chr(place))
        and unicodedata.combining(unicodedata.normalize("NFD", chr(place))[0])
    }
    assert hidden <= set("\u0f73\u0f75\u0f81")


def encode_cell(text: str) -> None:
    table = read_csv(io.BytesIO(f"q,t\n{text},x\nb,y\n".encode()), where="t.csv")
    encode(table, Policy(quasi_identifiers=["q"], target="t", k=2))


def name_column(text: str) -> None:
    read_csv(io.BytesIO(f"{text},t\nb,y\n".encode()), where="t.csv")


def read_long_set(text: str) -> None:
    read_cell(write_set([write_member(f"{letter},") for letter in text]))


def least_time(act: Callable[[str], object], text: str) -> float:
    """Of several times, as other programs can only make it longer; each with a text that nobody remembers."""
    seconds = []
    for number in range(3):
        began = time.process_time()
        act(f"{text}{number}")
        seconds.append(time.process_time() - began)
    return min(seconds)


@pytest.mark.parametrize(
    ("act", "run"),
    [
        *((act, run) for act in (clean_text, encode_cell, name_column) for run in ("\u0301\u0316", "\u0f73")),
        (read_long_set, "b"),
    ],
)
def test_a_megabyte_meant_to_be_slow_takes_no_minutes(act: Callable[[str], object], run: str) -> None:
    """Sixteen times the text takes about as many times longer; where it grows with the square, 256 times."""
    act("a" + run * 100)  # loads what is loaded at the first time
    few, many = (least_time(act, "a" + run * n_times) for n_times in (10_000, 160_000))
    assert many < 80 * few
