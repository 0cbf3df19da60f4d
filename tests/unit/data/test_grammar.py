"""Cells can be read back, whatever the values look like, and no two of them are written alike."""

from __future__ import annotations

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kanopy.data.grammar import (
    BLANK,
    ReadCell,
    read_any_text,
    read_cell,
    write_alone,
    write_counts,
    write_means,
    write_member,
    write_range,
    write_set,
)

NASTY = (
    *("*", "?", "\\", "\\\\", "\\*", "{", "}", "[", "]", ",", ", ", "a, b", "{a, b}", "[1, 2]", "\\[1, 2]"),
    *(
        "~[1, 2]",
        "~[",
        "~",
        "a: 3",
        ": 3",
        "a: 03",
        "a\\: 3",
        "{a: 3}",
        "{: 2, ~[1]: 3}",
        "a: b",
        ":",
        "~[1]: 3",
    ),
    *("{}", "{, a}", "a\nb", "a\\", '"', "1", "1.0", "é", "e\u0301", "a]", "[a", " a", "a ", "\\,", "{*}"),
)
some_text = st.sampled_from(NASTY) | st.text(min_size=1, max_size=6) | st.text("*\\,[]{} a\n~:3", min_size=1)
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


some_counts = st.integers(1, 10**17)


@given(st.dictionaries(some_text, some_counts, min_size=1), st.none() | some_counts)
def test_counts_come_back(counts: dict[str, int], n_missing: int | None) -> None:
    members = [(write_member(text), count) for text, count in counts.items()]
    read = read_cell(write_counts(members + ([] if n_missing is None else [("", n_missing)])))
    assert dict(zip(read.texts, read.counts, strict=False)) == counts
    assert read.is_sketch
    assert read.n_missing == (n_missing or 0)
    assert read.with_missing == (n_missing is not None)


@given(st.lists(some_number, min_size=1), st.none() | some_counts)
def test_means_come_back(means: list[str], n_missing: int | None) -> None:
    written = write_means(means)
    read = read_cell(written if n_missing is None else write_counts([(written, 7), ("", n_missing)]))
    assert read.means == tuple(means)
    assert read.ranges == ((means[0], means[-1]),)
    assert read.counts == (() if n_missing is None else (7, n_missing))


@given(st.lists(some_text, unique=True, min_size=1), st.booleans())
def test_no_set_is_taken_for_a_sketch(texts: list[str], with_missing: bool) -> None:
    read = read_cell(write_set([write_member(text) for text in texts] + [""] * with_missing))
    assert not read.is_sketch
    assert not read_cell(write_alone(texts[0])).is_sketch


@given(
    st.dictionaries(some_text, st.integers(1, 3), min_size=1, max_size=3),
    st.dictionaries(some_text, st.integers(1, 3)),
)
def test_different_counts_are_written_differently(one: dict[str, int], other: dict[str, int]) -> None:
    texts = [write_counts((write_member(text), n) for text, n in each.items()) for each in (one, other)]
    assert (texts[0] == texts[1]) == (one == other)


def test_counts_are_sorted_by_text_not_by_count() -> None:
    assert write_counts([("b", 1), ("", 9), ("a", 5)]) == "{: 9, a: 5, b: 1}"


@pytest.mark.parametrize(
    "text",
    ["~[", "~[]", "~[1, ]", "~[1", "{a: 3, b}", "{a: 3, a: 2}", "{: 2}", "{~[1]: 3}", "{~[1]: 3, a: 2}",
     "{a, ~[1]}", "{[1, 2]: 3, a: 1}", "{: 1, : 2, a: 3}"],
)  # fmt: skip
def test_what_is_no_sketch_is_refused(text: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_cell(text)
    assert text not in str(caught.value)
    assert read_any_text(text) == ReadCell(texts=(text,))


@pytest.mark.parametrize("text", ["{a: 0, b}", "{a: 03, b}", "{a: x, b}", "{a:3, b}"])
def test_what_is_no_count_belongs_to_the_text(text: str) -> None:
    assert not read_cell(text).is_sketch
