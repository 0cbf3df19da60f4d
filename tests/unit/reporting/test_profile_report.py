"""The report on a profile: private, without a cell, and hostile names are shown as they are."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pyarrow as pa
import pytest
from command import SECRET, run

import kanopy
from kanopy.reporting import render

HOSTILE = "<script>alert(1)</script>"
TABLE = pa.table({
    "age": ["1", "1", "2", "3"], HOSTILE: [SECRET, SECRET, "b", "c"], "ill": ["x", "x", SECRET, "y"],
})  # fmt: skip


def test_page_has_the_figures_and_no_cell() -> None:
    page = render(kanopy.profile(TABLE, ["age", HOSTILE], ["ill"]), ".html")
    for text in (
        "k = 1: the smallest group has 1 row",
        "Not for publication",
        "alone in a group",
        "What few columns",
    ):
        assert text in page
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert SECRET not in page


@pytest.mark.parametrize("suffix", [".html", ".md", ".json"])
def test_file_is_private(tmp_path: Path, suffix: str) -> None:
    path = kanopy.report(kanopy.profile(TABLE, ["age"]), tmp_path / f"p{suffix}")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "not for publication" in path.read_text().lower()


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text("age,sex\n1,f\n1,f\n2,m\n")
    outcome = run("profile", "data.csv", "--quasi", "age", "--report", "p.json")
    assert (outcome.code, "p.json, private" in outcome.err) == (0, True)
    assert json.loads(Path("p.json").read_text())["profile"]["k"] == 1
    assert run("profile", "data.csv", "--quasi", "age", "--report", "p.json").code == 2
    assert run("profile", "data.csv", "--quasi", "age", "--report", "p.json", "--force").code == 0
    assert run("profile", "data.csv", "--quasi", "age", "--report", "data.csv", "--force").code == 2
    assert run("profile", "data.csv", "--quasi", "age", "--force").code == 2


def test_a_profile_has_one_edition(tmp_path: Path) -> None:
    with pytest.raises(kanopy.KanopyError, match="one edition"):
        kanopy.report(kanopy.profile(TABLE, ["age"]), tmp_path / "p.html", edition="board")
