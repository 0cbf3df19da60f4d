"""What a person does on the page, in Chromium: open it, press a button, wait for what comes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import command
from chromium import emulate
from web_client import Server

STEPS = ("table", "columns", "promise", "compare", "release")
CHECKS = (Path(__file__).parent / "unit" / "web" / "page_checks.js").read_text("utf-8")


def opened(driver: Any, server: Server) -> None:
    driver.get(server.address)
    until(lambda: every(driver, "main"))  # by way of a page that leads on
    driver.first_page = server.address.partition("?")[0] + "?new=1"
    server.address = server.line(r"for another browser: (\S+)")


def start_of(driver: Any) -> str:
    """The address of the first page, for a browser that was let in."""
    return str(driver.first_page)


def until(what: Callable[[], Any]) -> Any:
    """Wait for something; pages that are being replaced count as not yet."""
    from selenium.common.exceptions import WebDriverException

    def found() -> Any:
        with suppress(WebDriverException):
            return what()
        return None

    return command.until(found)


def one(driver: Any, selector: str) -> Any:
    return driver.find_element("css selector", selector)


def every(driver: Any, selector: str) -> list[Any]:
    return list(driver.find_elements("css selector", selector))


def choose(driver: Any, select: str, words: str) -> None:
    """Choose one of a list. Letters that are typed slowly would begin a new word each."""
    from selenium.webdriver.support.select import Select

    Select(one(driver, select)).select_by_visible_text(words)


def press(driver: Any, selector: str) -> None:
    """Press a button and wait for the whole page that it leads to."""
    driver.execute_script("document.documentElement.dataset.old = '1'")
    one(driver, selector).click()
    until(
        lambda: driver.execute_script(
            "return document.readyState === 'complete' && !document.documentElement.dataset.old"
        )
    )


def ended(driver: Any) -> None:
    """Wait for a job."""
    until(
        lambda: driver.execute_script(
            "return document.readyState === 'complete' && !document.querySelector('[data-events]')"
        )
    )


def go(driver: Any, step: str) -> None:
    driver.get(f"{driver.current_url.partition('?')[0].rpartition('/')[0]}/{step}")


def begin(driver: Any, table: Path | None = None) -> str:
    """Read the demo, or a file, and return the address of the work."""
    driver.get(start_of(driver))
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


def looked_at(driver: Any) -> dict[tuple[int, bool], list[str]]:
    """What is wrong with a page, wide and narrow, light and dark."""
    wrong = {}
    for width, dark in product((1280, 390), (False, True)):
        emulate(driver, width=width, dark=dark)
        if found := found_wrong(driver):
            wrong[width, dark] = found
    emulate(driver, width=1280, dark=False)
    return wrong
