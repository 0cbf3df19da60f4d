"""Reports as PDF: by an installed Chromium, or a clear error before any work."""

from __future__ import annotations

import re
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Any

import pytest
from command import content, run
from report_tables import evaluation
from test_browser import CHROMIUM

import kanopy
from kanopy.errors import ResourceError

with_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
PAGE = re.compile(rb"/Type ?/Page\b")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where temporary files go, so that what is left there can be seen."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


@with_chromium
def test_a_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written together with the table, private for the board, with the date of the release."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    (tmp_path / "data.csv").write_text("q,class\n" + "a,y\nb,n\n" * 20, "utf-8")
    request = ("anonymize", tmp_path / "data.csv", "-o", tmp_path / "r.csv", "--quasi", "q", "--k", "5")
    report = tmp_path / "told.pdf"
    outcome = run(*request, "--target", "class", "--report", report, "--edition", "board")
    assert outcome.code == 0, outcome.err
    printed = report.read_bytes()
    assert printed.startswith(b"%PDF-")
    assert len(PAGE.findall(printed)) >= 2
    assert set(re.findall(rb"\(D:(\d{14})", printed)) == {b"20231114221320"}
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    assert content(tmp_path / "temporary") == {}


@with_chromium
def test_an_evaluation_has_no_time_of_printing(tmp_path: Path) -> None:
    """That is all in which two prints would differ."""
    printed = kanopy.report(evaluation(), tmp_path / "told.PDF").read_bytes()
    assert len(PAGE.findall(printed)) >= 3
    assert set(re.findall(rb"\(D:(\d{14})", printed)) == {b"19700101000000"}


def test_without_a_browser_no_work_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is not even read: it does not exist."""
    monkeypatch.delenv("KANOPY_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    missing, out = tmp_path / "missing.csv", tmp_path / "r.csv"
    flags = ("--quasi", "q", "--target", "c", "--k", "5", "--report", tmp_path / "r.pdf")
    for request in (("anonymize", missing, "-o", out), ("evaluate", missing)):
        outcome = run(*request, *flags)
        assert outcome.code == 6
        assert "a PDF needs Chromium, and none is installed" in outcome.err
        assert "KANOPY_CHROMIUM" in outcome.err
    monkeypatch.setenv("KANOPY_CHROMIUM", str(missing))
    with pytest.raises(ResourceError, match="KANOPY_CHROMIUM names no program"):
        kanopy.report(evaluation(), tmp_path / "r.pdf")
    assert content(tmp_path) == {"temporary": None}


@pytest.fixture
def idle_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that ends at once, and made nothing."""
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\nexit 0\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("KANOPY_CHROMIUM", str(program))


@pytest.mark.usefixtures("idle_browser")
def test_a_browser_that_prints_nothing(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="did not make the PDF"):
        kanopy.report(evaluation(), tmp_path / "r.pdf")
    assert content(tmp_path / "temporary") == {}
    assert not (tmp_path / "r.pdf").exists()


@pytest.mark.usefixtures("idle_browser")
def test_what_a_process_writes_after_it_was_killed_is_removed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove, removed = shutil.rmtree, list[Path]()

    def remove_too_early(folder: Path, **how: Any) -> None:
        remove(folder, **how)
        if not removed:
            Path(folder).mkdir()
            Path(folder, "late").touch()
        removed.append(folder)

    monkeypatch.setattr(shutil, "rmtree", remove_too_early)
    with pytest.raises(ResourceError):
        kanopy.report(evaluation(), tmp_path / "r.pdf")
    assert len(removed) == 2
    assert content(tmp_path / "temporary") == {}
