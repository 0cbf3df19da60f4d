"""A Chromium that Selenium drives: the system's own, headless, without a word to the network."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

from command import PATIENCE

_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-quic", "--disable-dev-shm-usage",
    "--hide-scrollbars", "--force-device-scale-factor=1",
)  # fmt: skip

_PORT = re.compile(r"successfully on port (\d+)")


def why_not() -> str:
    """Why no browser can be driven here; empty where one can."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "Selenium is not installed"
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return f"there is no {program} on this machine"
    return ""


def _service() -> Any:
    from selenium.webdriver.chrome.service import Service

    class OwnPort(Service):
        """Chromedriver takes a port by itself: one that was looked for before may be taken meanwhile."""

        def start(self) -> None:
            streams: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen([self.path, "--port=0"], text=True, **streams)
            said = map(_PORT.search, iter(self.process.stdout.readline, ""))
            self.port = next(int(found[1]) for found in said if found)

    return OwnPort(str(shutil.which("chromedriver")))


@contextmanager
def browser(*, scripts: bool = True, width: int = 1280, height: int = 900) -> Iterator[Any]:
    """A browser with a profile of its own."""
    from selenium.webdriver import Chrome, ChromeOptions

    with TemporaryDirectory(prefix="kanopy-chromium-", ignore_cleanup_errors=True) as profile:
        options = ChromeOptions()
        options.binary_location = str(shutil.which("chromium"))
        for flag in (*_FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"):
            options.add_argument(flag)
        wanted = {"download.default_directory": profile, "download.prompt_for_download": False}
        if not scripts:
            wanted["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", wanted)
        driver = Chrome(options=options, service=_service())
        driver.set_page_load_timeout(PATIENCE)
        driver.set_script_timeout(PATIENCE)
        try:
            yield driver
        finally:
            driver.quit()


def emulate(driver: Any, *, width: int, dark: bool, height: int = 900) -> None:
    """Another size of the screen, and light or dark."""
    from selenium.webdriver.support.wait import WebDriverWait

    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    # The page hears of it a little later.
    wanted = f"(width: {width}px) and (prefers-color-scheme: {scheme['value']})"
    WebDriverWait(driver, PATIENCE).until(
        lambda page: page.execute_script("return matchMedia(arguments[0]).matches", wanted)
    )
