"""Two editions of one report: what is exact or about the source is in that for the board alone."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import content, run
from report_tables import evaluation, people, policy

import kanopy
from kanopy.errors import PolicyError
from kanopy.release.telling import tell
from kanopy.reporting import ReleaseSummary, render

SUFFIXES = (".html", ".md", ".json")


def released(**rows: int) -> kanopy.Release:
    release = kanopy.anonymize(people(300), policy(5))
    release.record["rows"] |= {"in": 473, "dropped": 173} | rows
    release.record["notices"] = ["column 'town': 17 blanks were cut off"]
    release.manifest = tell(release.record, release.policy)
    return release


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_board_has_what_the_public_has_not(suffix: str) -> None:
    public, board = (render(released(), suffix, edition=edition) for edition in ("public", "board"))
    for exact in ("473", "173", "17 blanks", "not for publication"):
        assert exact in board
        assert exact not in public
    assert json.loads(render(released(), ".json"))["board"] is None


def test_the_board_is_told_first_that_it_is_private() -> None:
    assert render(released(), ".json", edition="board").startswith('{\n  "private": "For the board: not for')
    assert render(released(), ".md", edition="board").splitlines()[2].startswith("**For the board: not for")
    page = render(released(), ".html", edition="board")
    assert page.index("not for publication") < page.index("<h1>")


def test_nothing_of_the_record_reaches_the_public() -> None:
    """Whatever the record holds beyond the manifest: the summary and all formats are the same."""
    release = released()
    before = [render(release, suffix) for suffix in SUFFIXES]
    other: dict[str, Any] = dict.fromkeys(release.record, None)
    release.record = other | {"rows": {"in": 1, "out": 1, "dropped": 0}}
    release.audit = replace(release.audit, promises=(), smallest_groups=())
    assert [render(release, suffix) for suffix in SUFFIXES] == before


def test_both_are_one_summary() -> None:
    release = released()
    public, board = (ReleaseSummary.of(release, edition=edition) for edition in ("public", "board"))
    assert board.board is not None
    assert replace(board, board=None, edition="public") == public


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("edition", ["public", "board"])
def test_nobody_else_may_read_that_for_the_board(edition: str, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("q,class\n" + "a,y\nb,n\n" * 20, "utf-8")
    request = ("anonymize", tmp_path / "data.csv", "-o", tmp_path / "r.csv", "--quasi", "q", "--k", "5")
    reports = [tmp_path / "told.md", tmp_path / "again.md"]
    told = run(*request, "--target", "class", "--report", reports[0], "--edition", edition)
    assert told.code == 0
    assert ("for the board: not for publication" in told.err) == (edition == "board")
    kanopy.report(released(), reports[1], edition=edition)
    (tmp_path / "as others.md").touch()  # as the umask has it
    expected = mode(tmp_path / "as others.md") if edition == "public" else 0o600
    assert [mode(path) for path in reports] == [expected, expected]


def test_wrong_editions(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="no edition is called 'bord'"):
        kanopy.report(released(), tmp_path / "report.html", edition="bord")
    with pytest.raises(PolicyError, match="has one edition"):
        kanopy.report(evaluation(), tmp_path / "report.html", edition="board")
    outcome = run("anonymize", "data.csv", "-o", tmp_path / "r.csv", "--quasi", "q", "--edition", "board")
    assert outcome.code == 2
    assert "--edition says who a report is for" in outcome.err
    assert content(tmp_path) == {}
