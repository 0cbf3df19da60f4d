"""Findings in a public report: without counts of few people, and without shares that tell them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_tables import people, policy

import kanopy
from kanopy.auditing import Finding
from kanopy.reporting import render
from kanopy.reporting.findings import without_small_counts


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("4 values in 1,300 rows", "fewer than 10 values in 1,300 rows"),
        ("0 of 10 rows", "0 of 10 rows"),
        ("column 'q2' and \"it's 3\": 12 rows", "column 'q2' and \"it's 3\": 12 rows"),
        ("0.3% of the rows", "a small share of the rows"),
        ("99.9% of the rows", "nearly all of the rows"),
        ("21.5% of the rows, at most 0.3", "21.5% of the rows, at most 0.3"),
        ("100.0% of the rows and 0.0%", "100.0% of the rows and 0.0%"),
        ("more values than k = 7", "more values than k = 7"),
    ],
)
def test_small_counts_become_bounds(message: str, told: str) -> None:
    assert without_small_counts(message, 10, 1300, 7) == told


@given(st.integers(1, 30), st.integers(3, 12), st.integers(40, 500))
def test_no_count_below_the_floor_is_left(number: int, floor: int, n_rows: int) -> None:
    told = without_small_counts(f"{number} rows, {number / n_rows:.4%}", floor, n_rows)
    assert (f"{number} rows" in told) == (number >= floor)
    assert ("%" in told) == (number >= floor and n_rows - number >= floor)


def test_what_is_private_neither_shows_nor_colours_in_public() -> None:
    release = kanopy.anonymize(people(300), policy(5))
    secret = Finding("warning", "found in the source", None, "x", is_private=True)
    release.audit = replace(release.audit, findings=(secret,))
    for suffix, colours in ((".md", ("Green", "Yellow")), (".json", ('"green"', '"yellow"'))):
        public, board = (render(release, suffix, edition=edition) for edition in ("public", "board"))
        assert "found in the source" not in public.lower()
        assert "found in the source" in board.lower()
        assert (colours[0] in public, colours[1] in public, colours[1] in board) == (True, False, True)


def test_the_board_reads_what_the_audit_found() -> None:
    release = kanopy.anonymize(people(300), policy(5))
    found = Finding("warning", "column 'hours' has 3 values in 2 rows", "hours", "x", "look at 2 rows")
    release.audit = replace(release.audit, findings=(found,))
    for suffix in (".html", ".md", ".json"):
        public, board = (render(release, suffix, edition=edition) for edition in ("public", "board"))
        assert "2 rows" in board
        assert "3 values in 2 rows" not in public
