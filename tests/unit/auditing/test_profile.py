"""What a column looks like from outside."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from kanopy.auditing import TextTable
from kanopy.auditing.text import Profile, profile_column


def profile(values: list[Any]) -> Profile:
    return profile_column("x", TextTable.of_arrow(pa.table({"x": values})))


@pytest.mark.parametrize(
    ("values", "looks_like"),
    [
        ([f"p{i:03}" for i in range(20)], "identifier"),
        ([str(i) for i in range(20)], "identifier"),
        ([f"{i}.5" for i in range(20)], ""),  # measurements are nearly unique and no names
        ([f"p{i:03}" for i in range(19)], ""),  # too few rows to tell
        ([f"p{i % 18:03}" for i in range(20)], ""),  # nine in ten are different, not more
        ([f"p{i % 19:03}" for i in range(20)], "identifier"),
        ([f"p{i:03}" for i in range(20)] + [None] * 20, "identifier"),  # of those who have one
        ([f"ann{i}@example.org" for i in range(5)], "email"),
        ([f"ann{i}@example" for i in range(5)], ""),
        (["2024-05-01", "1999/1/31"], "date"),
        (["2024-05-01T10:30:00", "2024-05-01 10:30"], "date"),
        (["01.05.2024", "5/1/24", "01.05.2024 10:30"], "date"),
        (["2024", "1999"], ""),
        (["the patient came in late", "and went home soon after"], "free text"),
        (["x" * 41], "free text"),
        (["x" * 40, "four words and more"], ""),
        (["2024-05-01"] * 9 + ["n/a"], ""),  # different texts count, not rows
        ([None, None], ""),
    ],
)
def test_looks_like(values: list[Any], looks_like: str) -> None:
    assert profile(values).looks_like == looks_like


def test_most_of_the_texts_decide() -> None:
    dates = [f"2024-05-{day:02}" for day in range(1, 10)]
    assert profile([*dates, "soon"]).looks_like == "date"
    assert profile([*dates[:4], "soon"]).looks_like == ""


@pytest.mark.parametrize(
    ("values", "is_numeric"),
    [
        (["1", "-2", None], True),
        (["1", "2.5"], True),
        (["01", "2"], False),
        (["1", "x"], False),
        ([None], False),
        ([1.5, 2.0], True),
    ],
)
def test_numbers(values: list[Any], is_numeric: bool) -> None:
    assert profile(values).is_numeric == is_numeric


def test_counts() -> None:
    made = profile(["a"] * 5 + ["b"] * 4 + ["c"] + [None, ""])
    assert (made.n_rows, made.n_values, made.n_missing, made.n_rare) == (12, 3, 2, 2)
    assert made.distinct_share == 0.3


def test_a_sample_is_taken_from_everywhere() -> None:
    """Ordered texts, the odd ones at the end: a sample of the first ones would miss them."""
    values = [str(i) for i in range(5000)] + [f"x{i}" for i in range(5000)]
    assert not profile(values).is_numeric
