"""``python -m benchmarks.serve_pictures``: pictures of every step of ``kanopy serve``, for docs/serve.md.

Needs Chromium and its driver. The table is the messy hospital export, made up by code.
"""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.hospital_files import german_export
from benchmarks.measure import ROOT

_WIDTHS = (1280, 390)
_NARROW = ("columns", "release")  # also as on a phone; with --whole all are
_STEPS = ("table", "columns", "promise", "compare", "release")


def main() -> None:
    """Go through the five steps, and take pictures of each: wide and narrow, light and dark."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "docs" / "serve")
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--whole", action="store_true", help="whole pages, however long, instead of a screen")
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT / "tests"))  # the browser is started as tests start it
    from chromium import browser
    from web_client import serving

    given.output.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, serving("--root", folder) as server, browser() as driver:
        table = german_export(given.rows).write(Path(folder) / "aufnahmen.csv")
        driver.get(server.address)
        _wait(driver, "document.querySelector('main')")  # by way of a page that leads on
        for step in ("start", *_STEPS):
            _go(driver, step, table)
            _pictures(driver, step, given.output, whole=given.whole)


def _go(driver: Any, step: str, table: Path) -> None:
    """To a step, with what the earlier ones need."""
    if step == "start":
        return
    if step == "table":
        driver.find_element("css selector", "input[type=file]").send_keys(str(table))
        _click(driver, "form[data-drop] button")
    else:
        driver.get(f"{driver.current_url.rpartition('/')[0]}/{step}")
        if step in ("compare", "release"):
            _click(driver, f"form[action$='/{step}'] button:not(.quiet)")
    _wait(driver, "document.readyState === 'complete' && !document.querySelector('[data-events]')")


def _click(driver: Any, selector: str) -> None:
    """Press a button, and wait for the page that it leads to."""
    driver.execute_script("document.documentElement.dataset.old = '1'")
    driver.find_element("css selector", selector).click()
    _wait(driver, "!document.documentElement.dataset.old")


def _wait(driver: Any, holds: str) -> None:
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.support.ui import WebDriverWait

    waiting = WebDriverWait(driver, 300, ignored_exceptions=(WebDriverException,))
    waiting.until(lambda page: page.execute_script(f"return {holds}"))


def _pictures(driver: Any, step: str, folder: Path, *, whole: bool) -> None:
    from chromium import emulate
    from PIL import Image

    for width in _WIDTHS if whole or step in _NARROW else _WIDTHS[:1]:
        for dark in (False, True):
            emulate(driver, width=width, dark=dark, height=900 if width > 600 else 844)
            if whole:
                height = driver.execute_script("return document.documentElement.scrollHeight")
                emulate(driver, width=width, dark=dark, height=min(height, 6000))
            name = f"{step}-{width}-{'dark' if dark else 'light'}.png"
            # So many colours are enough for a page, and need half of the bytes.
            image = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB").quantize(128)
            image.save(folder / name, optimize=True)
    emulate(driver, width=1280, dark=False)


if __name__ == "__main__":
    main()
