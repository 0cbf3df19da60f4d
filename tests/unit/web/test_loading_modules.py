"""Modules of later pages are loaded by one thread at a time, and a page that needs them waits."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from typing import Any

import pytest
from command import PATIENCE
from web_client import serving

from kanopy.web import loading
from kanopy.web.site import once_loaded


@pytest.fixture
def not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_is_loaded", threading.Event())
    monkeypatch.setattr(loading, "_lock", threading.Lock())


class ToldLock:
    """A lock that tells whenever somebody asks for it."""

    def __init__(self) -> None:
        self.asked = threading.Semaphore(0)
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self.asked.release()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


@pytest.mark.usefixtures("not_loaded")
def test_a_page_waits_for_the_thread_that_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may_end = threading.Event(), threading.Event()
    said, lock = list[str](), ToldLock()

    def slowly() -> None:
        begun.set()
        assert may_end.wait(PATIENCE)
        said.append("loaded")

    async def handler(_request: Any) -> Any:
        said.append("answered")

    async def asked() -> None:
        answer = asyncio.create_task(once_loaded(handler)(None))  # type: ignore[arg-type]
        assert await asyncio.to_thread(lock.asked.acquire, timeout=PATIENCE)  # the page waits for its turn
        assert not said
        may_end.set()
        await answer

    monkeypatch.setattr(loading, "_load", slowly)
    monkeypatch.setattr(loading, "_lock", lock)
    loading.load_soon(0)
    assert begun.wait(PATIENCE)
    lock.asked.acquire()  # by the thread that loads
    asyncio.run(asked())
    assert said == ["loaded", "answered"]


@pytest.mark.usefixtures("not_loaded")
def test_it_is_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    times = list[int]()
    monkeypatch.setattr(loading, "_load", lambda: times.append(1))
    threads = [threading.Thread(target=loading.load) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert times == [1]
    assert loading.is_loaded()


def test_the_first_page_loads_neither_numpy_nor_the_other_pages() -> None:
    asked = (
        "import sys; from kanopy.web.site import Site, build; from kanopy.web import steps; "
        "from kanopy.web.pages import Pages; "
        "Pages().page('start', title='', csrf='', base='', works=[], listed=['a.csv'], work=None, root='/x', "
        "limit=1, step='table', demo_rows=1, memory=1, seconds=1, again=None, is_elsewhere=False); "
        "print([name for name in ('numpy', 'pyarrow', 'kanopy.web.views') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert said == "[]\n"


BETWEEN = """
import sys, threading
from importlib.machinery import PathFinder
from kanopy.web import loading, server, site

class Between:
    '''What is imported in the other thread waits until a static file was answered; answers import nothing.'''
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is threading.main_thread():
            if is_answering.is_set():
                raise ImportError("a static file needs " + name)
        elif name.startswith("kanopy.") and (spec := PathFinder.find_spec(name, path, target)):
            usual = spec.loader.exec_module
            spec.loader.exec_module = lambda module: [answered.acquire(), usual(module)]
            return spec

async def static(request, usual=site.static):
    is_answering.set()
    try:
        return await usual(request)
    finally:
        is_answering.clear()
        answered.release()

def load(usual=loading._load):
    usual()
    print("loaded all", file=sys.stderr, flush=True)

answered, is_answering = threading.Semaphore(0), threading.Event()
site.static, loading._load, server._WHILE_LOOKING = static, load, 0
sys.meta_path.insert(0, Between())
"""


def test_static_files_are_there_from_the_first_instant_on() -> None:
    """However far other modules are loaded; the style of reports lies in a package that is one of them."""
    with serving(prelude=BETWEEN) as server:
        client = server.client
        is_loaded = threading.Event()

        def listen() -> None:
            server.line("(loaded all)")
            is_loaded.set()

        listening = threading.Thread(target=listen)
        listening.start()
        n_rounds = 0
        while not is_loaded.is_set():
            n_rounds += 1
            for name in ("report.css", "page.css", "page.js", "icon.svg"):
                answer = client.request("GET", f"/static/{name}")
                assert (answer.status, len(answer.body) > 100) == (200, True), name
        listening.join()
        assert n_rounds > 10
