"""The page can be used by everybody: labels, contrast, keyboard, narrow, dark; and it speaks to nobody."""

from __future__ import annotations

from typing import Any

import pytest
from chromium import why_not
from web_browser import STEPS, found_wrong, looked_at, one, start_of, until
from web_client import Server

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not())


def test_every_page_can_be_used_by_everybody_and_speaks_to_nobody(
    page: Any, server: Server, work: str
) -> None:
    """Our own checks in place of axe-core; and every resource comes from the page's own address."""
    host = work.partition("//")[2].partition("/")[0]
    for step in ("start", *STEPS):
        page.get(f"{work}/{step}" if step != "start" else start_of(page))
        assert not looked_at(page), step
        names = page.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
        assert names
        assert all(name.partition("//")[2].startswith(f"{host}/") for name in names)


def test_the_checks_find_what_is_wrong(page: Any, server: Server) -> None:
    page.get(start_of(page))
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
    ActionChains(page).send_keys("d").perform()  # one key: there is one role with that letter
    until(lambda: one(page, "#risk").text != before)
    assert one(page, "#role-4").get_attribute("value") == "identifiers"
