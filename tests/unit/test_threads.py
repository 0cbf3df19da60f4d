"""Work beside the caller: all of it is done, and what fails is told."""

from __future__ import annotations

import threading

import pytest

from kanopy import _threads
from kanopy._threads import Beside, has_processors


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_threads, "has_processors", lambda: True)


def test_jobs_are_done_one_after_the_other_in_another_thread(two: None) -> None:
    done: list[tuple[int, str]] = []
    with Beside() as beside:
        for number in range(20):
            beside.begin(lambda each: done.append((each, threading.current_thread().name)), number)
        beside.end()
        beside.end()
    assert [number for number, _ in done] == list(range(20))
    assert threading.current_thread().name not in {name for _, name in done}
    assert not [thread for thread in threading.enumerate() if thread.name == done[0][1]]


def test_what_a_job_raises_is_raised(two: None) -> None:
    def fail() -> None:
        raise KeyError("oops")

    with Beside() as beside:
        beside.begin(fail)
        with pytest.raises(KeyError):
            beside.end()
        beside.begin(fail)
        with pytest.raises(KeyError):
            beside.begin(fail)


@pytest.mark.parametrize("asked", ["1", "2"])
def test_without_threads_the_work_is_done_all_the_same(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    done: list[int] = []
    with Beside() as beside:
        beside.begin(done.append, 1)
        beside.begin(done.append, 2)
        beside.end()
    assert done == [1, 2]


def test_one_thread_where_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert not has_processors()
