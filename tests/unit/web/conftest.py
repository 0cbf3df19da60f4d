"""One running page for all tests of it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from chromium import browser
from web_browser import begin, opened
from web_client import Client, Server, serving
from web_steps import EPOCH, PEOPLE

# Without the extra there is no page to be tested: pip install "kanopy[web]".
if not all(map(find_spec, ("starlette", "uvicorn", "jinja2", "python_multipart"))):
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, a link out of it, and a secret beside it."""
    above = tmp_path_factory.mktemp("served")
    folder = above / "tables"
    (folder / "deeper").mkdir(parents=True)
    (above / "secret.csv").write_text("a,b\n1,2\n", "utf-8")
    (folder / "deeper" / "people.csv").write_text(PEOPLE, "utf-8")
    (folder / "link.csv").symlink_to(above / "secret.csv")
    return folder


@pytest.fixture(scope="session")
def server(root: Path) -> Iterator[Server]:
    with serving("--root", root, "--upload-limit", "8", env={"SOURCE_DATE_EPOCH": EPOCH}) as running:
        yield running


@pytest.fixture(scope="session")
def client(server: Server) -> Client:
    """A browser that was let in."""
    return server.client


@pytest.fixture
def people(root: Path) -> Path:
    """The table under the root as it was at first, whoever has changed it."""
    place = root / "deeper" / "people.csv"
    place.write_text(PEOPLE, "utf-8")
    return place


@pytest.fixture(scope="session")
def demo(client: Client) -> str:
    """The address of a piece of work on the demo's table; what was decided about it is not known.

    Whoever needs certain decisions makes them first (``as_drafted``).
    """
    client.get("/?new=1")
    return client.table(client.upload("", b"", demo="1"))


@pytest.fixture(scope="session")
def page(server: Server) -> Iterator[Any]:
    """Chromium, which has opened the printed address."""
    with browser() as driver:
        opened(driver, server)
        yield driver


@pytest.fixture(scope="session")
def work(page: Any, server: Server) -> str:
    """The address of a piece of work of Chromium's on the demo."""
    return begin(page)
