"""Usefulness against what groups tell, in a report: for the board alone, drawn and as a table."""

from __future__ import annotations

import pytest

import kanopy
from kanopy.datasets import patients
from kanopy.reporting import render

pytest.importorskip("sklearn")
POLICY = kanopy.Policy(
    quasi_identifiers=["age", "sex", "bmi"],
    target="readmitted",
    identifiers=["patient_id", "name", "admission_type", "length_of_stay", "smoker", "zip", "diagnosis"],
    k=5,
)
TITLE = "How much the groups tell"


@pytest.fixture(scope="module")
def release() -> kanopy.Release:
    return kanopy.anonymize(patients(300), POLICY, method="sketch")


def test_the_board_sees_all_that_was_tried(release: kanopy.Release) -> None:
    text = render(release, ".md", edition="board")
    _, found, section = text.partition(f"## {TITLE}")
    assert found
    facts = release.record["facts"]
    for rows, spread, excess, right in facts["frontier"]["sketch"]:
        is_chosen = (rows, spread) == (facts["group_rows"], facts["spread"])
        line = f"| {rows:,} | {spread:g}{', chosen' if is_chosen else ''} | {excess:.1%} | {right:.1%} |"
        assert line in section
    assert "| mondrian |" in section
    assert f"{facts['chunk_means']:,}" in text
    assert "chunk means of equal values" in text


def test_a_picture_is_drawn(release: kanopy.Release) -> None:
    page = render(release, ".html", edition="board").partition(TITLE)[2]
    assert ">mondrian<" in page
    assert page.count('class="marker') >= 8


def test_others_do_not_see_it(release: kanopy.Release) -> None:
    """Neither the picture nor the counts, which are exact."""
    for suffix in (".md", ".html", ".json"):
        text = render(release, suffix)
        assert TITLE not in text
        assert "frontier" not in text
        assert "chunk_means" not in text
    assert not {"frontier", "chunk_means", "chunk_means_of_equal_values"} & release.manifest["facts"].keys()


def test_a_spread_that_is_asked_for_was_compared_with_nothing() -> None:
    made = kanopy.anonymize(patients(100), POLICY, method="sketch", spread=0.5)
    assert TITLE not in render(made, ".md", edition="board")
