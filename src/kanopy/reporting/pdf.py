"""A report as PDF: an installed Chromium prints the page, without network, from a private folder."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from kanopy.errors import ResourceError

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_PATIENCE = 120.0  # seconds for one attempt
_QUIET = (
    "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--disable-domain-reliability", "--no-first-run", "--no-pings", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-pdf-header-footer",
)  # fmt: skip
_SHORT = 60
_DATE = re.compile(rb"\(D:\d{14}[^)]{0,7}\)")
_HINT = "install Chromium or name it in KANOPY_CHROMIUM; or write .html, and print that from a browser"


def find_chromium() -> str:
    """The program that makes PDF files: what ``KANOPY_CHROMIUM`` names, or what is on the PATH."""
    named = os.environ.get("KANOPY_CHROMIUM")
    for name in (named,) if named else PROGRAMS:
        found = shutil.which(name)
        if found is not None:
            return found
    if named:
        raise ResourceError("KANOPY_CHROMIUM names no program that can be run", _HINT)
    raise ResourceError("a PDF needs Chromium, and none is installed", _HINT)


def as_pdf(page: bytes, date: str | None) -> bytes:
    """Print a page; ``date`` is that of the release, as ISO 8601 writes it, and becomes that of the PDF.

    PRIVACY: the page may be the board's. It lies in a folder that nobody else may read and that is removed
    whatever happens; the browser has its profile there too (tests/unit/reporting/test_pdf.py).
    """
    program = find_chromium()
    with _private_folder() as folder:
        source, printed = Path(folder, "report.html"), Path(folder, "report.pdf")
        source.write_bytes(page)
        places = (f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}")
        for sandbox in _sandboxes():
            _run([program, *_QUIET, *places, *sandbox, source.as_uri()], folder)
            if printed.is_file():
                return _dated(printed.read_bytes(), date)
    raise ResourceError("Chromium did not make the PDF", "write .html, and print that from a browser")


@contextlib.contextmanager
def _private_folder() -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix="kanopy-")
    try:
        yield folder
    finally:
        # A process of the browser that was killed may still end what it had begun, such as a file in here.
        for _ in range(1000):
            shutil.rmtree(folder, ignore_errors=True)
            if not os.path.lexists(folder):
                break
            time.sleep(0.01)


def _sandboxes() -> Sequence[tuple[str, ...]]:
    """With the sandbox first; without it where there can be none: for root, or in a container."""
    without = ("--no-sandbox",)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return (without,) if is_root else ((), without)


def _run(command: Sequence[str], folder: str) -> None:
    """Run the browser in a session of its own, so that nothing of it is left when it takes too long."""
    # The browser makes a socket in the folder for temporary files, and the name of a socket must be short.
    environment = os.environ | {"HOME": folder, "TMPDIR": folder if len(folder) <= _SHORT else "/tmp"}
    nowhere = subprocess.DEVNULL
    try:
        browser = subprocess.Popen(
            command, stdin=nowhere, stdout=nowhere, stderr=nowhere, env=environment, start_new_session=True
        )
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ResourceError(f"could not start Chromium: {reason}", _HINT) from None
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            browser.wait(_PATIENCE)
    finally:
        with contextlib.suppress(OSError, AttributeError):
            os.killpg(browser.pid, signal.SIGKILL)
        browser.kill()
        browser.wait()


def _dated(content: bytes, date: str | None) -> bytes:
    """The PDF with the date of the release instead of the time of printing; no byte in it moves."""
    digits = re.sub(r"\D", "", date or "19700101")[:14].ljust(14, "0")

    def instead(found: re.Match[bytes]) -> bytes:
        zone = b"+00'00'"[: len(found[0]) - 18]
        return b"(D:%s%s)" % (digits.encode(), zone)

    return _DATE.sub(instead, content)
