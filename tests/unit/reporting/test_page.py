"""The page: accessible, on paper, in the dark; written whole or not at all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import OLD, content
from report_tables import evaluation, people, policy

import kanopy
from kanopy.errors import KanopyError, PolicyError
from kanopy.reporting import render
from kanopy.reporting.html import STYLE


@pytest.fixture(scope="module")
def release() -> kanopy.Release:
    return kanopy.anonymize(people(300), policy(5))


@pytest.mark.parametrize("suffix", ["html", "md", "json", "HTML"])
def test_reports_are_written(release: kanopy.Release, suffix: str, tmp_path: Path) -> None:
    path = kanopy.report(release, tmp_path / f"report.{suffix}")
    assert path.read_text("utf-8") == render(release, f".{suffix.lower()}")
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_the_same_release_gives_the_same_bytes() -> None:
    releases = [kanopy.anonymize(people(300), policy(5)) for _ in range(2)]
    for suffix in (".html", ".md", ".json"):
        assert render(releases[0], suffix) == render(releases[1], suffix)


def test_an_old_file_stays(release: kanopy.Release, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(OLD)
    with pytest.raises(PolicyError, match="exists"):
        kanopy.report(release, path)
    assert path.read_bytes() == OLD
    kanopy.report(release, path, force=True)
    assert path.read_bytes() != OLD


@pytest.mark.parametrize("name", ["report.csv", "report", "report.png", "nowhere/report.html"])
def test_places_that_will_not_do(release: kanopy.Release, name: str, tmp_path: Path) -> None:
    with pytest.raises(KanopyError):
        kanopy.report(release, tmp_path / name)
    assert content(tmp_path) == {}


def test_what_no_report_can_be_made_of(tmp_path: Path) -> None:
    with pytest.raises(PolicyError):
        kanopy.report("release.csv", tmp_path / "report.html")
    assert content(tmp_path) == {}


@pytest.mark.parametrize("name", ["release", "evaluation"])
def test_it_can_be_heard(name: str, release: kanopy.Release) -> None:
    """Pictures have names and descriptions, tables have headers and captions, headings do not skip."""
    text = render(release if name == "release" else evaluation(), ".html")
    assert '<html lang="en">' in text
    for picture in re.findall(r"<svg .*?</svg>", text):
        assert 'aria-hidden="true"' in picture or re.search(
            r'role="img" aria-labelledby="(t\d+) (d\d+)".*<title id="\1">[^<]+</title>'
            r'<desc id="\2">[^<]+</desc>',
            picture,
        )
    for table in re.findall(r"<table>.*?</table>", text):
        assert re.match(r"<table><caption>[^<]+</caption><thead><tr><th scope=\"col\"", table)
        assert table.count("<tr>") == table.count('scope="row"') + 1
    assert text.count("<h1>") == 1
    assert text.count("<h2") >= 3


def luminance(colour: str) -> float:
    colour = colour if len(colour) == 6 else "".join(letter * 2 for letter in colour)
    parts = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("place", [0, 1, 2], ids=["light", "dark", "print"])
def test_it_can_be_seen(place: int) -> None:
    """Texts have a contrast of at least 4.5, and what is drawn at least 3."""
    found = re.findall(r":root\{(.*?)\}", STYLE, re.DOTALL)
    colours = dict(re.findall(r"--(\w[\w-]*):#([0-9a-f]{3,6})", found[place]))
    assert len(found) == 3
    for text in ("ink", "soft", "good", "bad", "warn"):
        own = f"{text}-wash" if f"{text}-wash" in colours else "paper"
        for ground in ("paper", "wash", own):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for kind in range(4):
        assert contrast(colours[f"on{kind}"], colours[f"k{kind}"]) >= 4.5, kind
    for look in ("bar", "marked", *(f"s{number}" for number in range(8))):
        assert contrast(colours[look], colours["paper"]) >= 3, look


def test_it_is_kept_apart_by_more_than_colour() -> None:
    from kanopy.reporting.markup import N_SERIES, marker

    assert len({marker(series, 0, 0) for series in range(N_SERIES)}) == N_SERIES


def test_print_and_dark_have_their_rules() -> None:
    assert "@media print" in STYLE
    assert "@media (prefers-color-scheme:dark)" in STYLE
