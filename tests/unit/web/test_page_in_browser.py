"""The page in Chromium: five steps, keyboard, no scripts, narrow, dark, two tabs, cancel, reload."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from chromium import browser, emulate, why_not
from web_client import Server

from benchmarks.hospital_files import german_export

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not())

STEPS = ("table", "columns", "promise", "compare", "release")
CHECKS = (Path(__file__).parent / "page_checks.js").read_text("utf-8")


@pytest.fixture(scope="module")
def page(server: Server) -> Iterator[Any]:
    """A browser that has opened the printed address."""
    with browser() as driver:
        opened(driver, server)
        yield driver


@pytest.fixture(scope="module")
def work(page: Any, server: Server) -> str:
    """The address of a piece of work on the demo."""
    return begin(page, server)


def opened(driver: Any, server: Server) -> None:
    driver.get(server.address)
    server.address = server.line(r"for another browser: (\S+)")


def until(what: Callable[[], Any], seconds: float = 60.0) -> Any:
    """Wait for something; pages that are being replaced count as not yet."""
    end = time.monotonic() + seconds
    while True:
        try:
            if found := what():
                return found
        except Exception as error:
            if type(error).__module__.partition(".")[0] != "selenium":
                raise
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def one(driver: Any, selector: str) -> Any:
    return driver.find_element("css selector", selector)


def every(driver: Any, selector: str) -> list[Any]:
    return list(driver.find_elements("css selector", selector))


def press(driver: Any, selector: str) -> None:
    """Press a button and wait for the page that it leads to."""
    driver.execute_script("document.documentElement.dataset.old = '1'")
    one(driver, selector).click()
    until(lambda: driver.execute_script("return !document.documentElement.dataset.old"))


def ended(driver: Any) -> None:
    """Wait for a job."""
    until(
        lambda: driver.execute_script(
            "return document.readyState === 'complete' && !document.querySelector('[data-events]')"
        )
    )


def go(driver: Any, step: str) -> None:
    driver.get(f"{driver.current_url.partition('?')[0].rpartition('/')[0]}/{step}")


def begin(driver: Any, server: Server, table: Path | None = None) -> str:
    """Read the demo, or a file, and return the address of the work."""
    driver.get(re.sub(r"/\?.*", "/?new=1", server.address))
    if table is None:
        press(driver, "input[name=demo] ~ p button")
    else:
        one(driver, "input[type=file]").send_keys(str(table))
        press(driver, "form[data-drop] button")
    ended(driver)
    return driver.current_url.rpartition("/")[0]


def found_wrong(driver: Any) -> list[str]:
    """Labels, names of buttons, contrast, order of headings and of focus, width: what our script finds."""
    return list(driver.execute_script(CHECKS))


def test_the_five_steps_with_a_messy_export(page: Any, server: Server, tmp_path: Path) -> None:
    export = german_export(500)
    begin(page, server, export.write(tmp_path / "Aufnahmen.csv"))
    assert "500 rows" in one(page, "main").text
    press(page, "a.button")
    shown = {line.find_element("css selector", "h2").text: line for line in every(page, "li.column")}
    assert len(shown) == 12
    # Change a role: the risk is counted again while one looks on.
    before = one(page, "#risk").text
    select = shown["Geburtsdatum"].find_element("css selector", "select")
    select.send_keys("drop it")
    until(lambda: one(page, "#risk").text != before)
    assert "Geburtsdatum" not in one(page, "#risk").text
    # Only one column can be predicted: what becomes of the other one is told where one looks.
    shown["Station"].find_element("css selector", "select").send_keys("to be predicted")
    until(lambda: "'wiederaufgenommen' is now" in one(page, "#notices").text)
    shown["wiederaufgenommen"].find_element("css selector", "select").send_keys("to be predicted")
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


def looked_at(driver: Any) -> dict[tuple[int, bool], list[str]]:
    """What is wrong with a page, wide and narrow, light and dark."""
    wrong = {}
    for width, dark in product((1280, 390), (False, True)):
        emulate(driver, width=width, dark=dark)
        if found := found_wrong(driver):
            wrong[width, dark] = found
    emulate(driver, width=1280, dark=False)
    return wrong


def test_every_page_can_be_used_by_everybody_and_speaks_to_nobody(
    page: Any, server: Server, work: str
) -> None:
    """Our own checks in place of axe-core; and every resource comes from the page's own address."""
    host = work.partition("//")[2].partition("/")[0]
    for step in ("start", *STEPS):
        page.get(f"{work}/{step}" if step != "start" else re.sub(r"/\?.*", "/?new=1", server.address))
        assert not looked_at(page), step
        names = page.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
        assert names
        assert all(name.partition("//")[2].startswith(f"{host}/") for name in names)


def test_the_checks_find_what_is_wrong(page: Any) -> None:
    page.execute_script(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<input id=bare><button></button>"
        "<h5 id=deep>deep</h5><p class=remark id=pale>pale words</p>');"
        "document.getElementById('pale').style.setProperty('color', '#ccc');"
    )
    found = " ".join(found_wrong(page))
    for word in ("no label", "no name", "heading", "contrast"):
        assert word in found


def test_with_the_keyboard_alone(page: Any, work: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    page.get(f"{work}/columns")

    def tab() -> str:
        ActionChains(page).send_keys(Keys.TAB).perform()
        return str(
            page.execute_script("return document.activeElement.id || document.activeElement.className")
        )

    assert tab() == "skip"
    seen = [tab() for _ in range(20)]
    roles = [name for name in seen if name.startswith("role-")]
    assert len(roles) == 11
    outline = page.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.execute_script("document.getElementById('role-4').focus()")
    before = one(page, "#risk").text
    ActionChains(page).send_keys("drop").perform()
    until(lambda: one(page, "#risk").text != before)
    assert one(page, "#role-4").get_attribute("value") == "identifiers"


def test_two_tabs_a_reload_and_a_cancelled_job(page: Any, work: str) -> None:
    page.get(f"{work}/compare")
    press(page, "form[action$='/compare'].card button")
    page.refresh()
    assert every(page, "[data-events]"), "a reload finds the job again"
    page.switch_to.new_window("tab")
    page.get(f"{work}/compare")
    assert every(page, "[data-events]"), "so does another tab"
    press(page, ".progress button")
    assert "Cancelled" in one(page, "main").text
    page.close()
    page.switch_to.window(page.window_handles[0])
    until(lambda: "Cancelled" in one(page, "main").text)
    # In one tab the choices change; the other one still shows the old ones, and cannot release them.
    page.get(f"{work}/release")
    page.switch_to.new_window("tab")
    page.get(f"{work}/promise")
    one(page, "#k").clear()
    one(page, "#k").send_keys("12")
    press(page, "button[value=compare]")
    page.close()
    page.switch_to.window(page.window_handles[0])
    press(page, "form[action$='/release'] button")
    assert "maybe in another tab" in one(page, "[role=alert]").text


def test_hostile_names_run_nothing(page: Any, server: Server, tmp_path: Path) -> None:
    evil = "<img src=x onerror=document.title='owned'>"
    rows = "".join(f"{20 + n % 30},{evil},{'yn'[n % 3 == 0]}\n" for n in range(200))
    table = tmp_path / "evil.csv"
    table.write_text(f"age,{evil},ill\n{rows}", "utf-8")
    work = begin(page, server, table)
    for step in STEPS:
        page.get(f"{work}/{step}")
        assert page.title != "owned"
        assert not every(page, "main img")
    assert not [line for line in page.get_log("browser") if "Content Security Policy" in line["message"]]


@pytest.mark.skipif(os.environ.get("KANOPY_DEEP") != "1", reason="test_steps.py has it without a browser")
def test_without_scripts(server: Server) -> None:
    with browser(scripts=False) as driver:
        opened(driver, server)
        one(driver, "input[name=demo] ~ p button").click()
        until(lambda: every(driver, "a.button"), 90)
        one(driver, "a.button").click()
        until(lambda: every(driver, "#roles"))
        one(driver, "#role-2").send_keys("drop")
        one(driver, "#roles button[name=next]").click()
        until(lambda: every(driver, "#k"))
        one(driver, "button[value=release]").click()
        until(lambda: every(driver, "form[action$='/release'] button"))
        one(driver, "form[action$='/release'] button").click()
        until(lambda: every(driver, ".files a"), 90)
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
    until(lambda: page.current_url.startswith("http"))
    assert "not been let in" in one(page, "main").text or "another site" in one(page, "main").text
    page.get(f"{work}/columns")
    assert one(page, "#role-2").get_attribute("value") == "quasi_identifiers"
