"""Intervals in the notations that people use, and numbers that lie outside of them."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest

from kanopy.data import Hierarchy
from kanopy.data.intervals import count_outside, exact_number, plain_number, read_interval
from kanopy.errors import PolicyError
from kanopy.frames.numbers import natural_order
from kanopy.policy import load_hierarchy


@pytest.mark.parametrize(
    ("label", "inside", "outside"),
    [
        ("20-29", ["20", "24.5", "29"], ["19", "29.5", "30"]),
        ("20 - 29", ["20", "29"], ["19", "30"]),
        ("20–29", ["20", "29"], ["19", "30"]),
        ("20..29", ["20", "29"], ["19", "30"]),
        ("20 to 29", ["20", "29"], ["19", "30"]),
        ("20 to <30", ["20", "29.99"], ["19", "30"]),
        ("-5--1", ["-5", "-1"], ["-6", "0", "3"]),
        ("-5 to 5", ["-5", "0", "5"], ["-6", "6"]),
        ("[20, 30]", ["20", "30"], ["19", "31"]),
        ("[20, 30[", ["20", "29"], ["19", "30"]),
        ("[20, 30)", ["20", "29"], ["19", "30"]),
        ("[20;30)", ["20", "29"], ["19", "30"]),
        ("]20, 30]", ["21", "30"], ["20", "31"]),
        ("(20, 30]", ["21", "30"], ["20", "31"]),
        ("(-inf, 30]", ["-99", "30"], ["31"]),
        ("[65, ∞[", ["65", "1e99"], ["64"]),
        ("<30", ["-1", "29"], ["30"]),
        ("<=30", ["30"], ["31"]),
        ("≤30", ["30"], ["31"]),
        (">64", ["65"], ["64"]),
        (">=65", ["65"], ["64"]),
        ("≥ 65", ["65"], ["64"]),
        ("65+", ["65", "80"], ["64"]),
        ("0.1-0.3", ["0.1", "0.3", "1e-1"], ["0.09", "0.31"]),
        ("20-29", ["20-24", "[20, 29]"], ["20-30", "<25", "[20, 30]"]),
        ("[20, 30[", ["20-29", "[20, 30)", "[20, 30["], ["20-30", "]20, 31["]),
    ],
)
def test_what_lies_in_an_interval(label: str, inside: list[str], outside: list[str]) -> None:
    for leaf in inside:
        assert count_outside([(leaf, label, "*")]) == 0
    for leaf in outside:
        assert count_outside([(leaf, label, "*")]) == 1
        assert count_outside([(leaf, "any", label)]) == 1
    assert count_outside([(leaf, label) for leaf in inside + outside]) == len(outside)


@pytest.mark.parametrize(
    "label",
    ["", "*", "20", "a-b", "2024-05", "30-20", "05-09", "A00-B99", "20-29 years", "1-2-3", "[a, b]", "-",
     "to", "<", "+", "[,]", "1" * 500 + "-2", "20-", "[20, 30"],
)  # fmt: skip
def test_what_is_no_interval(label: str) -> None:
    assert read_interval(label) is None
    assert count_outside([("99", label, "*")]) == 0


def test_leaves_that_are_no_numbers_are_passed_over() -> None:
    assert count_outside([("unknown", "20-29"), ("007", "20-29"), ("1" * 500, "20-29")]) == 0


def test_numbers() -> None:
    assert exact_number("007") == 7
    assert exact_number(".5") == Fraction(1, 2)
    assert exact_number("9007199254740993") == 9007199254740993
    assert [exact_number(text) for text in ("", "a", "nan", "inf", "1_0", "٣", "1" * 500)] == [None] * 7
    assert plain_number("-1.50") == Fraction(-3, 2)
    assert [plain_number(text) for text in ("007", ".5", "5.", "", "1" * 500)] == [None] * 5


def test_a_hierarchy_that_is_off_by_one() -> None:
    with pytest.raises(PolicyError) as caught:
        Hierarchy.from_paths(
            "age", [(str(age), f"{(age - 1) // 5 * 5}-{(age - 1) // 5 * 5 + 4}") for age in range(1, 21)]
        )
    assert caught.value.message == (
        "hierarchy of column 'age': 4 values lie outside the interval they are listed under"
    )
    assert caught.value.hint


ADULT = Path(os.environ.get("KANOPY_DATA", "")) / "hierarchies" / "adult"


@pytest.mark.skipif(not ADULT.is_dir(), reason="KANOPY_DATA names no folder with hierarchies/adult")
def test_real_files() -> None:
    refused = {}
    files = sorted(ADULT.glob("*/*.csv"))
    assert len(files) > 25
    for file in files:
        try:
            load_hierarchy(file.stem, file, natural_order)
        except PolicyError as error:
            refused[f"{file.parent.name}/{file.name}"] = error.message
    assert list(refused) == ["arx/age.csv"], "5 is listed under 0-4 there, 10 under 5-9, and so on"
    assert "20 values lie outside the interval" in refused["arx/age.csv"]
