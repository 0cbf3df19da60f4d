"""Reports as a browser shows them, on a phone and on a desk, light and dark; one start measures all."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import PATIENCE
from report_tables import evaluation, people, policy
from test_hostile_names import Page, hostile_release

import kanopy
from kanopy.auditing import SEVERITIES, Finding
from kanopy.reporting import WrittenFile, render
from kanopy.reporting.pdf import PROGRAMS

CHROMIUM = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

PHONE, DESK = (390, 844), (1280, 800)
REPORTS = ("public", "board", "hostile", "evaluation")
PLACES = [(size, scheme) for size in (PHONE, DESK) for scheme in ("light", "dark")]

MEASURE = """
const shown = (view, part) => { const box = part.getBoundingClientRect();
  return box.width > 0 && view.getComputedStyle(part).visibility !== 'hidden'; };
const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
const light = (colour) => { const [r, g, b] = numbers(colour).map((part) => { part /= 255;
  return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const ground = (view, part) => { for (; part; part = part.parentElement) {
  const colour = view.getComputedStyle(part).backgroundColor;
  if (numbers(colour).length === 3 || numbers(colour)[3] > 0) return colour; } return 'rgb(255, 255, 255)'; };
const contrast = (one, other) => { const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05); };
function measured(frame) {
  const view = frame.contentWindow, page = frame.contentDocument, found = { sizes: [], contrasts: [] };
  const drawn = page.querySelectorAll('svg text, .bars .label, .bars .figure, .bars em, .legend span');
  for (const part of drawn) if (shown(view, part)) {
    const matrix = part.getScreenCTM ? part.getScreenCTM() : { d: 1 };
    found.sizes.push(parseFloat(view.getComputedStyle(part).fontSize) * matrix.d); }
  for (const part of page.body.querySelectorAll('*'))
    if (shown(view, part) && [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) {
      const style = view.getComputedStyle(part), in_picture = part.closest('svg') !== null;
      if (!(in_picture && /on-kind/.test(part.getAttribute('class'))))
        found.contrasts.push([contrast(in_picture ? style.fill : style.color, ground(view, part)),
          part.tagName + '.' + part.getAttribute('class')]); }
  found.scroll = page.documentElement.scrollWidth;
  const tables = [...page.querySelectorAll('.wide')].filter((part) => shown(view, part));
  found.scrolling = tables.filter((part) => part.scrollWidth > part.clientWidth).length;
  const shadow = (part) => view.getComputedStyle(part).backgroundImage.includes('gradient');
  found.cues = tables.filter(shadow).length;
  found.tables = tables.length;
  const first = page.querySelector('.opening');
  found.bottom = first ? first.getBoundingClientRect().bottom : null;
  found.paper = view.getComputedStyle(page.body).backgroundColor;
  found.text = page.documentElement.textContent;
  found.elements = [...page.querySelectorAll('*')].map((part) => part.tagName.toLowerCase());
  return found; }
onload = () => { const all = {};
  for (const frame of document.querySelectorAll('iframe')) all[frame.name] = measured(frame);
  document.body.textContent = JSON.stringify(all); };
"""


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    release, file = kanopy.anonymize(people(300), policy(5)), WrittenFile("r.csv", "3f" * 32, "2026-11-16")
    said, advice = "a finding of usual length " * 5, "what to do about it, in a few more words " * 2
    findings = tuple(Finding(severity, said, None, "", advice) for severity in SEVERITIES[1:])
    release.audit = replace(release.audit, findings=findings)
    return {
        "public": render(release, ".html", file=file),
        "board": render(release, ".html", edition="board", file=file),
        "hostile": render(hostile_release(), ".html"),
        "evaluation": render(evaluation(), ".html"),
    }


@pytest.fixture(scope="module")
def found(pages: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Every page in a frame of every size and scheme, and what was measured in it."""
    folder = tmp_path_factory.mktemp("browser")
    frames = [
        f'<iframe name="{name} {size[0]} {scheme}" srcdoc="{html.escape(page)}" '
        f'style="border:0;width:{size[0]}px;height:{size[1]}px;color-scheme:{scheme}"></iframe>'
        for name, page in pages.items()
        for size, scheme in PLACES
    ]
    text = f"<!DOCTYPE html><meta charset=utf-8><script>{MEASURE}</script>{''.join(frames)}"
    Path(folder, "all.html").write_text(text, "utf-8")
    assert CHROMIUM is not None
    done = subprocess.run(
        [
            *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
            *(f"--user-data-dir={folder}/profile", "--enable-logging=stderr", "--dump-dom"),
            Path(folder, "all.html").as_uri(),
        ],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"CONSOLE" not in done.stderr, done.stderr
    told = re.search(r"<body>(.*)</body>", done.stdout.decode(), re.DOTALL)
    assert told is not None
    measured: dict[str, Any] = json.loads(html.unescape(told.group(1)))
    return measured


@pytest.mark.parametrize("name", REPORTS)
def test_it_shows_what_is_meant(name: str, pages: dict[str, str], found: dict[str, Any]) -> None:
    meant, shown = Page(pages[name]), found[f"{name} 1280 light"]
    assert sorted(shown["elements"]) == sorted(tag.lower() for tag in meant.elements)
    assert "".join(shown["text"].split()) == "".join("".join(meant.texts).split())


@pytest.mark.parametrize("name", REPORTS)
def test_it_can_be_read_on_a_phone(name: str, found: dict[str, Any]) -> None:
    for place in ("390 light", "1280 light"):
        shown = found[f"{name} {place}"]
        assert len(shown["sizes"]) > 10
        assert min(shown["sizes"]) >= 11
        assert shown["scroll"] <= int(place.split()[0])
    on_phone = found[f"{name} 390 light"]
    assert on_phone["scrolling"] > 0, "a table that does not fit is what this is about"
    assert on_phone["cues"] == on_phone["tables"]


@pytest.mark.parametrize("name", REPORTS)
def test_it_can_be_read_in_the_light_and_in_the_dark(name: str, found: dict[str, Any]) -> None:
    papers = set()
    for size, scheme in PLACES:
        shown = found[f"{name} {size[0]} {scheme}"]
        papers.add(shown["paper"])
        assert len(shown["contrasts"]) > 50
        assert min(shown["contrasts"]) >= [4.5], min(shown["contrasts"])
    assert len(papers) == 2


def test_the_decision_is_on_the_first_screen(found: dict[str, Any]) -> None:
    for name in ("public", "board"):
        assert found[f"{name} 1280 light"]["bottom"] <= 800
