"""What notebooks show: no script, nothing hostile, nothing beyond what is published; and one line of text."""

from __future__ import annotations

import json
import pickle
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from command import SECRET
from effort import few_folds

import kanopy
from kanopy.errors import PolicyError

HOSTILE = "<script>alert('x')</script>\u202e"
ROWS = 120
TABLE = pa.table({
    "age": [str(20 + n % 40) for n in range(ROWS)],
    HOSTILE: [("<img src=x onerror=alert(1)>", "b", "c")[n % 3] for n in range(ROWS)],
    "name": [f"{SECRET}{n}" for n in range(ROWS)],
    "ill": [("flu", "cold", "<b>bold</b>")[n % 7 % 3] for n in range(ROWS)],
    "class": ["yn"[n % 2] for n in range(ROWS)],
})  # fmt: skip
POLICY = kanopy.Policy(
    quasi_identifiers=["age", HOSTILE], sensitive=["ill"], identifiers=["name"], target="class", k=5
)


@pytest.fixture(scope="module")
def shown() -> Iterator[dict[str, Any]]:
    release = kanopy.anonymize(TABLE, POLICY)
    with few_folds():
        evaluation = kanopy.evaluate(TABLE, POLICY, methods=["mondrian"], ks=[3, 5], learners=["nb"], jobs=1)
        yield {
            "Policy": POLICY,
            "Release": release,
            "Manifest": release.manifest,
            "Audit": release.audit,
            "Profile": kanopy.profile(TABLE, ["age", HOSTILE], ["ill"]),
            "Evaluation": evaluation,
        }


KINDS = ("Policy", "Release", "Manifest", "Audit", "Profile", "Evaluation")


def check_markup(page: str) -> None:
    """Every tag is one of ours, and closed; nothing of a table is interpreted."""
    assert page.startswith('<div class="kanopy"><style>')
    assert not re.search(r"<script|<img|onerror=\"|javascript:|https?://|@import|url\(", page)
    opened = re.findall(r"<([a-z0-9]+)(?=[ >])[^>]*(?<!/)>", page)
    assert sorted(opened) == sorted(re.findall(r"</([a-z0-9]+)>", page))
    assert "\u202e" not in page
    assert SECRET not in page


@pytest.mark.parametrize("kind", KINDS)
def test_html(shown: dict[str, Any], kind: str) -> None:
    page = shown[kind]._repr_html_()
    check_markup(page)
    assert f"<h3>{kind}" in page
    assert "prefers-color-scheme:dark" in page
    assert "data-jp-theme-light=false" in page
    assert len(page) < 60_000


@pytest.mark.parametrize("kind", KINDS)
def test_text_is_one_short_line(shown: dict[str, Any], kind: str) -> None:
    text = repr(shown[kind])
    assert kind in text
    assert len(text) < 300
    assert "\n" not in text
    assert SECRET not in text
    assert "onerror" not in text


@pytest.mark.parametrize("kind", ["Release", "Audit", "Profile", "Evaluation"])
def test_figure(shown: dict[str, Any], kind: str, tmp_path: Path) -> None:
    figure = shown[kind].plot()
    check_markup(figure._repr_html_())
    assert "<svg" in figure._repr_html_()
    assert "figure.save" in repr(figure)
    page = figure.save(tmp_path / "figure.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert SECRET not in page
    assert figure.save(tmp_path / "figure.md").read_text()
    with pytest.raises(PolicyError, match="exists"):
        figure.save(tmp_path / "figure.html")
    with pytest.raises(PolicyError, match="neither"):
        figure.save(tmp_path / "figure.png")


def test_pictures_of_one_notebook_have_different_names(shown: dict[str, Any]) -> None:
    first, second = (re.findall(r'id="([^"]+)"', shown["Evaluation"].plot()._repr_html_()) for _ in range(2))
    assert first
    assert not set(first) & set(second)


def test_exact_figures_are_private(shown: dict[str, Any], tmp_path: Path) -> None:
    path = shown["Profile"].plot().save(tmp_path / "p.html")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "Not for publication" in path.read_text()


def test_a_release_shows_what_may_be_told(shown: dict[str, Any]) -> None:
    """Private findings, and counts that are hidden, are not in a display that is passed on."""
    release = kanopy.anonymize(TABLE, POLICY)
    private = [finding.message for finding in release.audit.findings if finding.is_private]
    page = release._repr_html_()
    assert not [message for message in private if message[:40] in page]
    texts = set(re.findall(r"<t[dh][^>]*><bdi[^>]*>([^<]*)</bdi>", page))
    published = {cell for name in release.frame.column_names for cell in release.frame[name].to_pylist()}
    assert {"20", "flu", "y", "n"} & texts <= published


def test_a_manifest_is_a_dict(shown: dict[str, Any]) -> None:
    manifest = shown["Manifest"]
    assert json.loads(json.dumps(manifest)) == manifest == dict(manifest)
    assert pickle.loads(pickle.dumps(manifest)) == manifest
    assert "'method'" in repr(dict(manifest))


def test_many_names_are_cut() -> None:
    policy = kanopy.Policy(quasi_identifiers=[f"column number {n}" for n in range(5000)], k=2)
    assert len(repr(policy)) < 400
    assert len(policy._repr_html_()) < 20_000


@pytest.mark.parametrize("plot", [kanopy.Release.plot, kanopy.Audit.plot, kanopy.Evaluation.plot])
def test_plots_say_what_they_are(plot: Callable[..., Any]) -> None:
    assert "picture" in (plot.__doc__ or "")
