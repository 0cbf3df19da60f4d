"""A release and its tree: written whole, in three formats, or not at all."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import kanopy
from kanopy.errors import KanopyError, PolicyError

FRAME = pa.table({"q": list("aaaabbbb"), "t": list("YYYYNNNN")})
POLICY = kanopy.Policy(quasi_identifiers=["q"], target="t", k=2)


@pytest.fixture(params=["kadet", "apt"])
def release(request: pytest.FixtureRequest) -> kanopy.Release:
    return kanopy.anonymize(FRAME, POLICY, method=request.param)


@pytest.mark.parametrize("suffix", [".txt", ".dot", ".mmd"])
def test_the_tree_is_written(release: kanopy.Release, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"tree{suffix}"
    assert release.write_tree(path) == path
    assert path.read_text() == release.model.write(suffix)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_text_is_what_the_model_says(release: kanopy.Release, tmp_path: Path) -> None:
    assert release.write_tree(str(tmp_path / "tree.txt")).read_text() == "q = a: Y (4)\nq = b: N (4)\n"


def test_an_old_file_stays(release: kanopy.Release, tmp_path: Path) -> None:
    path = tmp_path / "tree.txt"
    path.write_text("old")
    with pytest.raises(PolicyError, match="exists"):
        release.write_tree(path)
    assert path.read_text() == "old"
    release.write_tree(path, force=True)
    assert path.read_text() != "old"


@pytest.mark.parametrize("name", ["tree.csv", "tree", "tree.png", "nowhere/tree.txt"])
def test_places_that_will_not_do(release: kanopy.Release, name: str, tmp_path: Path) -> None:
    with pytest.raises(KanopyError):
        release.write_tree(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("method", ["mondrian", "kactus", "kactus2"])
def test_methods_without_a_tree(method: str, tmp_path: Path) -> None:
    release = kanopy.anonymize(FRAME, POLICY, method=method)
    assert release.model is None
    with pytest.raises(PolicyError, match="has no tree"):
        release.write_tree(tmp_path / "tree.txt")
    assert not list(tmp_path.iterdir())


def test_texts_in_any_language(tmp_path: Path) -> None:
    frame = pa.table({"größe": ["süß", "süß", "東京", "東京"], "t": ["é", "é", "\u200e", "\u200e"]})
    policy = kanopy.Policy(quasi_identifiers=["größe"], target="t", k=2)
    release = kanopy.anonymize(frame, policy, method="kadet")
    assert "größe = 東京" in release.write_tree(tmp_path / "tree.txt").read_text(encoding="utf-8")
