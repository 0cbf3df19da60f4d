"""Cells can be read back, whatever the values look like, and no two of them are written alike."""

from __future__ import annotations

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kanopy.data.grammar import (
    BLANK,
    ReadCell,
    read_cell,
    write_alone,
    write_member,
    write_range,
    write_set,
)

NASTY = (
    *("*", "?", "\\", "\\\\", "\\*", "{", "}", "[", "]", ",", ", ", "a, b", "{a, b}", "[1, 2]", "\\[1, 2]"),
    *("{}", "{, a}", "a\nb", "a\\", '"', "1", "1.0", "é", "e\u0301", "a]", "[a", " a", "a ", "\\,", "{*}"),
)
some_text = st.sampled_from(NASTY) | st.text(min_size=1, max_size=6) | st.text("*\\,[]{} a\n", min_size=1)
some_number = st.sampled_from(["-1", "0", "+2.50", "1e5", "99999999999999999999"])


@given(some_text)
def test_a_text_alone_comes_back(text: str) -> None:
    assert read_cell(write_alone(text)) == ReadCell(texts=(text,))


@given(st.lists(some_text, unique=True, min_size=1), st.booleans())
@example(["a", "a, b", "b"], False)
def test_a_set_comes_back(texts: list[str], with_missing: bool) -> None:
    written = write_set([write_member(text) for text in texts] + [""] * with_missing)
    read = read_cell(written)
    assert sorted(read.texts) == sorted(texts)
    assert read.with_missing == with_missing
    assert read.ranges == ()
    assert not read.is_suppressed


@given(some_number, some_number, st.booleans())
def test_a_range_comes_back(low: str, high: str, with_missing: bool) -> None:
    written = write_range(low, high)
    read = read_cell(write_set(["", written]) if with_missing else written)
    assert read == ReadCell(with_missing=with_missing, ranges=((low, high),))


def test_what_has_no_text() -> None:
    assert read_cell("*") == ReadCell(is_suppressed=True)
    assert read_cell("") == ReadCell(with_missing=True)
    assert read_cell("{, a}") == ReadCell(with_missing=True, texts=("a",))


@given(st.lists(some_text, unique=True, max_size=4))
@example(list(NASTY))
def test_different_meanings_are_written_differently(texts: list[str]) -> None:
    meaning: dict[str, object] = {"*": "suppressed", "": "missing", "[1, 2]": "range", "{, [1, 2]}": "either"}
    for text in texts:
        assert meaning.setdefault(write_alone(text), text) == text
        for others in ([], [""], *([write_member(other)] for other in texts if other != text)):
            if others:
                both = frozenset([write_member(text), *others])
                assert meaning.setdefault(write_set(list(both)), both) == both


def test_members_are_sorted_by_text_not_by_row() -> None:
    members = [write_member(text) for text in ("b", "a", "[1, 2]")]
    assert write_set(members) == write_set(members[::-1]) == r"{\[1\, 2\], a, b}"


@pytest.mark.parametrize(
    ("text", "cell"),
    [("a", "a"), ("*", "\\*"), ("[1, 2]", "\\[1, 2]"), ("{a}", "\\{a}"), ("\\x", "\\\\x"), ("a, b", "a, b")],
)
def test_backslashes_alone(text: str, cell: str) -> None:
    assert write_alone(text) == cell


@pytest.mark.parametrize(
    ("text", "member"),
    [("a", "a"), ("*", "*"), ("[1, 2]", "\\[1\\, 2\\]"), ("{a}", "\\{a\\}"), ("\\x", "\\\\x")],
)
def test_backslashes_in_a_set(text: str, member: str) -> None:
    assert write_member(text) == member


@pytest.mark.parametrize(
    "text", ["[", "[]", "[1]", "[1, 2", "{", "{a", "{a,b}", "{a\\}", "{[1, 2]x}", "{[1]}", "\\"]
)
def test_what_is_no_cell(text: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_cell(text)
    assert text not in str(caught.value)


def test_all_white_space_is_blank() -> None:
    of_unicode = {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()}
    assert set(BLANK) == of_unicode | {"\u200b", "\u2060", "\ufeff"}
