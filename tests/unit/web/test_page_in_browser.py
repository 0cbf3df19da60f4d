"""The page in Chromium: five steps from a messy export to a release; what is hostile runs nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from chromium import browser, why_not
from web_browser import STEPS, begin, choose, ended, every, go, looked_at, one, opened, press, until
from web_client import Server

from benchmarks.hospital_files import german_export

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not())


def test_the_five_steps_with_a_messy_export(page: Any, server: Server, tmp_path: Path) -> None:
    export = german_export(500)
    begin(page, export.write(tmp_path / "Aufnahmen.csv"))
    assert "500 rows" in one(page, "main").text
    press(page, "a.button")
    shown = {
        line.find_element("css selector", "h2").text: f"#{one(line, 'select').get_attribute('id')}"
        for line in every(page, "li.column")
    }
    assert len(shown) == 12
    # Change a role: the risk is counted again while one looks on.
    before = one(page, "#risk").text
    choose(page, shown["Geburtsdatum"], "drop it")
    until(lambda: one(page, "#risk").text != before)
    assert "Geburtsdatum" not in one(page, "#risk").text
    # Only one column can be predicted: what becomes of the other one is told where one looks.
    choose(page, shown["Station"], "to be predicted")
    until(lambda: "'wiederaufgenommen' is now" in one(page, "#notices").text)
    choose(page, shown["wiederaufgenommen"], "to be predicted")
    until(lambda: "'Station' is now" in one(page, "#notices").text)
    press(page, "#roles button[name=next]")
    one(page, "#k").clear()
    one(page, "#k").send_keys("6")
    assert one(page, "[data-chance]").text == "1 in 6"
    press(page, "button[value=release]")
    assert "at least 6 rows" in one(page, "main").text
    # Back, and another role: what was chosen is still there.
    go(page, "columns")
    assert one(page, "#role-2").get_attribute("value") == "identifiers"
    go(page, "release")
    press(page, "form[action$='/release'] button")
    ended(page)
    text = one(page, "main").text
    assert "the promise is kept" in text
    assert "kanopy anonymize Aufnahmen.csv" in text
    names = [link.text for link in every(page, ".files a")]
    assert names[0] == "release.csv"
    assert {"report.html", "board.html", "policy.toml"} <= set(names)
    assert "Name" not in [cell.text for cell in every(page, ".sides .wide:nth-of-type(2) th")]
    assert not looked_at(page)


def test_hostile_names_run_nothing(page: Any, server: Server, tmp_path: Path) -> None:
    evil = "<img src=x onerror=document.title='owned'>"
    rows = "".join(f"{20 + n % 30},{evil},{'yn'[n % 3 == 0]}\n" for n in range(200))
    table = tmp_path / "evil.csv"
    table.write_text(f"age,{evil},ill\n{rows}", "utf-8")
    page.get("about:blank")
    page.get_log("browser")  # what other pages said before
    work = begin(page, table)
    for step in STEPS:
        page.get(f"{work}/{step}")
        assert page.title != "owned"
        assert not every(page, "main img")
    assert not [line for line in page.get_log("browser") if "Content Security Policy" in line["message"]]


@pytest.mark.skipif(
    os.environ.get("KANOPY_DEEP") != "1", reason="test_release_step.py has it without a browser"
)
def test_without_scripts(server: Server) -> None:
    with browser(scripts=False) as driver:
        opened(driver, server)
        one(driver, "input[name=demo] ~ p button").click()
        until(lambda: every(driver, "a.button"))
        one(driver, "a.button").click()
        until(lambda: every(driver, "#roles"))
        choose(driver, "#role-2", "drop it")
        one(driver, "#roles button[name=next]").click()
        until(lambda: every(driver, "#k"))
        one(driver, "button[value=release]").click()
        until(lambda: every(driver, "form[action$='/release'] button"))
        one(driver, "form[action$='/release'] button").click()
        until(lambda: every(driver, ".files a"))
        assert "age" not in [cell.text for cell in every(driver, ".sides .wide:nth-of-type(2) th")]


def test_other_sites_cannot_reach_the_page(page: Any, work: str, tmp_path: Path) -> None:
    """A page of another origin posts a form, asks for data and frames the page: none of it works."""
    own = f"{work}/table"
    other = tmp_path / "evil.html"
    other.write_text(
        f"<form method=post action='{work}/columns'><input name=role-2 value=identifiers></form>"
        f"<iframe src='{own}'></iframe><script>window.got='';"
        f"fetch('{work}/policy.toml',{{credentials:'include'}}).then(r=>r.text()).then(t=>window.got=t)"
        ".catch(()=>window.got='refused')</script>",
        "utf-8",
    )
    page.get(other.as_uri())
    assert until(lambda: page.execute_script("return window.got")) == "refused"
    page.execute_script("document.forms[0].submit()")
    said = until(lambda: page.current_url.startswith("http") and one(page, "main").text)
    assert "not been let in" in said or "another site" in said
    page.get(f"{work}/columns")
    assert one(page, "#role-2").get_attribute("value") == "quasi_identifiers"
