"""Numbers are told from codes, ordered exactly, and never rewritten."""

from __future__ import annotations

import numpy as np
import pytest

from kanopy.data.scale import PLAIN
from kanopy.frames import numbers


@pytest.mark.parametrize("text", ["0", "7", "-3", "+3", "1.0", "-0.5", "1e5", "2E-3", "1e308", "0.00"])
def test_plain_numbers(text: str) -> None:
    assert numbers.is_number(text)
    assert numbers.is_declared_number(text)


@pytest.mark.parametrize("text", ["007", "00.5", "5.", ".5", "01e3", "-01"])
def test_codes_are_numbers_only_where_declared(text: str) -> None:
    assert not numbers.is_number(text)
    assert numbers.is_declared_number(text)


@pytest.mark.parametrize(
    "text",
    ["", "x", "1,5", "1 000", " 1", "1_000", "0x10", "1e", "e5", "--1", "1e309", "-1e999", "1e9999", "\u0661",
     "\uff11", "nan", "inf", "1\n", "."],
)  # fmt: skip
def test_texts(text: str) -> None:
    assert not numbers.is_number(text)
    assert not numbers.is_declared_number(text)


def test_not_finite() -> None:
    assert all(map(numbers.is_not_finite, ["nan", "NaN", "-inf", "Infinity", "+INF"]))
    assert not any(map(numbers.is_not_finite, ["1", "", "infinite", "n", "nano"]))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["10", "9", "-1", "1.5"], ["-1", "1.5", "9", "10"]),
        (["1.0", "1", "+1", "1e0"], ["+1", "1", "1.0", "1e0"]),
        (["-9007199254740992", "-9007199254740993"], ["-9007199254740993", "-9007199254740992"]),
        (["0.30000000000000001", "0.3"], ["0.3", "0.30000000000000001"]),
        (["-0", "0"], ["-0", "0"]),
        ([], []),
    ],
)
def test_order_is_exact(texts: list[str], expected: list[str]) -> None:
    assert PLAIN.ordered(texts) == expected
    assert PLAIN.ordered(texts[::-1]) == expected
    assert sorted(texts, key=numbers.natural_order(texts)) == expected


def test_natural_order_of_texts() -> None:
    texts = ["b", "10", "9"]
    assert sorted(texts, key=numbers.natural_order(texts)) == ["10", "9", "b"]


@pytest.mark.parametrize(
    ("texts", "n_alike"),
    [
        (["1", "2", "3"], 0),
        (["1", "1.0", "2", "1e0"], 2),
        (["9007199254740993", "9007199254740992"], 0),  # one float, two numbers
    ],
)
def test_count_alike(texts: list[str], n_alike: int) -> None:
    floats = PLAIN.numbers(texts)
    assert floats.dtype == np.float64
    assert numbers.count_alike(texts, floats) == n_alike


@pytest.mark.parametrize(
    ("texts", "expected"),
    [(["1", "20"], 0), (["1", "2.50"], 2), (["1e-3"], 3), (["1.5e1"], 0), (["1e300"], 0), (["1e-300"], 20)],
)
def test_decimals(texts: list[str], expected: int) -> None:
    assert numbers.decimals(texts) == expected
