"""Tasks of an experiment, in order, in several processes where that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from kanopy_studies.experiment import Request

Todo = TypeVar("Todo")
Done = TypeVar("Done")


def run_all(work: Callable[[Todo], Done], todo: Sequence[Todo], request: Request, stage: str) -> list[Done]:
    """What comes of every task, in their order, however many processes there are; the request watches."""
    done: list[Done] = []
    for found in _each(work, todo, request.jobs):
        done.append(found)
        request.watch(stage, len(done) / len(todo))
    return done


def _each(work: Callable[[Todo], Done], todo: Sequence[Todo], jobs: int) -> Iterator[Done]:
    if jobs == 1:
        yield from map(work, todo)
        return
    # Spawned: the threads of a forked pyarrow would be lost.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, todo)
