"""The levels of the columns in a report: for the board alone, drawn and in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanopy
from kanopy.algorithms.fulldomain import explorer, search
from kanopy.datasets import patients

POLICY = kanopy.Policy(
    quasi_identifiers=["age", "sex", "zip"],
    categorical=["zip"],
    target="readmitted",
    keep=["diagnosis"],
    identifiers=["patient_id", "name", "admission_type", "length_of_stay", "smoker", "bmi"],
    k=5,
)
TITLE = "The levels of the columns, and how they were found"


def reported(tmp_path: Path, method: str, edition: str, ending: str = "md", **options: Any) -> str:
    release = kanopy.anonymize(patients(400), POLICY, method=method, **options)
    path = tmp_path / f"report.{ending}"
    kanopy.report(release, path, edition=edition)
    return path.read_text("utf-8")


@pytest.mark.parametrize("method", ["datafly", "samarati", "incognito", "optimal"])
def test_the_board_sees_levels(tmp_path: Path, method: str) -> None:
    text = reported(tmp_path, method, "board")
    assert f"## {TITLE}" in text
    assert "| age |" in text.partition("**Chosen levels**")[2]


def test_a_public_report_has_no_levels(tmp_path: Path) -> None:
    assert TITLE not in reported(tmp_path, "optimal", "public")


def test_a_proof_and_local_levels_are_told(tmp_path: Path) -> None:
    text = reported(tmp_path, "optimal", "board", local=True)
    assert "this is proven" in text
    assert "levels of their own" in text


def test_the_page_draws_levels_nodes_and_the_front(tmp_path: Path) -> None:
    page = reported(tmp_path, "optimal", "board", "html", max_suppressed=0.1)
    assert page.count('class="bar marked"') >= 3
    assert "Nodes by height" in page
    assert "Loss against suppressed rows" in page


def test_what_was_not_looked_at_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "_MOST_WORK", 1_000_000)
    monkeypatch.setattr(explorer, "_WORK_PER_CELL", 0)
    text = reported(tmp_path, "optimal", "board", loss="discernibility")
    assert "Nobody looked at the other" in text
    assert "another node may lose less, by at most" in text
    assert "not looked at" in text
    assert "cannot be better" not in text


def test_a_lattice_that_is_too_large_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "MOST_NODES", 10)
    monkeypatch.setattr(search, "_PART_NODES", 4)
    text = reported(tmp_path, "optimal", "board")
    assert "Nobody looked at the other" in text
    assert "**Chosen levels**" in text
    assert "Nodes by height" not in text


def test_the_chosen_point_says_so(tmp_path: Path) -> None:
    assert ">chosen</text>" in reported(tmp_path, "optimal", "board", "html", max_suppressed="10%")


def test_a_method_without_levels_has_no_such_section(tmp_path: Path) -> None:
    assert TITLE not in reported(tmp_path, "mondrian", "board")
