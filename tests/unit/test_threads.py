"""Work in threads: the same results, in the same order, with any number of them."""

from __future__ import annotations

import threading
from pathlib import Path

import pyarrow as pa
import pytest

import kanopy
from kanopy import _threads
from kanopy._threads import Beside, n_threads, side_by_side


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_threads, "_MANY_ROWS", 1)
    monkeypatch.setattr(_threads, "_limit", [3])


def name_of_thread(_item: object) -> str:
    return threading.current_thread().name


def test_results_come_in_the_order_of_the_items(many: None) -> None:
    assert side_by_side(lambda number: number * 2, range(50), n_rows=10) == list(range(0, 100, 2))
    assert name_of_thread(0) not in side_by_side(name_of_thread, range(5), n_rows=10)


def test_little_work_is_done_at_once(many: None, monkeypatch: pytest.MonkeyPatch) -> None:
    here = name_of_thread(0)
    assert side_by_side(name_of_thread, range(5), n_rows=0) == [here] * 5
    assert side_by_side(name_of_thread, [1], n_rows=10) == [here]
    monkeypatch.setattr(_threads, "_limit", [1])
    assert side_by_side(name_of_thread, range(5), n_rows=10) == [here] * 5


def test_the_first_fault_is_raised(many: None) -> None:
    def fail(number: int) -> int:
        if number in (2, 4):
            raise KeyError(number)
        return number

    with pytest.raises(KeyError, match="2"):
        side_by_side(fail, range(6), n_rows=10)
    with Beside() as beside:
        beside.begin(fail, 2)
        with pytest.raises(KeyError):
            beside.end()
        beside.begin(fail, 3)
        beside.end()


def test_without_threads_the_work_is_done_all_the_same(many: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert side_by_side(lambda number: number + 1, range(3), n_rows=10) == [1, 2, 3]
    done: list[int] = []
    with Beside() as beside:
        beside.begin(done.append, 1)
        beside.begin(done.append, 2)
        beside.end()
    assert done == [1, 2]


def test_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_threads, "_limit", [])
    for asked, n_at_most in (("1", 1), ("0", 99), ("many", 99), ("", 99)):
        monkeypatch.setenv("OMP_NUM_THREADS", asked)
        assert 1 <= n_threads() <= n_at_most


@pytest.mark.parametrize("method", ["mondrian", "kactus", "tds", "kmember"])
def test_the_same_bytes_with_any_number_of_threads(
    method: str, many: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = {
        "age": [str(20 + row * 7 % 40) for row in range(400)],
        "zip": [f"{row * 13 % 9:03}" for row in range(400)],
        "cls": ["yes" if row % 7 < 3 else "no" for row in range(400)],
    }
    policy = kanopy.Policy(["age", "zip"], target="cls", k=5)
    written = []
    for number in (1, 2, 5):
        monkeypatch.setattr(_threads, "_limit", [number])
        release = kanopy.anonymize(pa.table(columns), policy, method=method)
        written.append(release.write(tmp_path / f"{number}.csv").read_bytes())
    assert written[0] == written[1] == written[2]
