"""Modules of later pages are loaded by one thread at a time, and a page that needs them waits."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from typing import Any

import pytest
from command import PATIENCE

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
        "Pages().page('start', title='', csrf='', works=[], listed=['a.csv'], work=None, root='/x', limit=1, "
        "step='table', demo_rows=1, memory=1, seconds=1, again=None, is_elsewhere=False); "
        "print([name for name in ('numpy', 'pyarrow', 'kanopy.web.views') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert said == "[]\n"
