"""One running page for all tests of it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from web_client import Client, Server, serving

# Without the extra there is no page to be tested: pip install "kanopy[web]".
if not all(map(find_spec, ("starlette", "uvicorn", "jinja2", "python_multipart"))):
    collect_ignore_glob = ["test_*.py"]

EPOCH = "1700000000"


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, a link out of it, and a secret beside it."""
    above = tmp_path_factory.mktemp("served")
    folder = above / "tables"
    (folder / "deeper").mkdir(parents=True)
    (above / "secret.csv").write_text("a,b\n1,2\n", "utf-8")
    rows = "".join(f"{20 + n % 40},{'fm'[n % 2]},{'yn'[n % 3 == 0]}\n" for n in range(300))
    (folder / "deeper" / "people.csv").write_text(f"age,sex,ill\n{rows}", "utf-8")
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


@pytest.fixture(scope="session")
def demo(client: Client) -> str:
    """The address of a piece of work on the demo's table."""
    client.get("/?new=1")
    return client.table(client.upload("", b"", demo="1"))
