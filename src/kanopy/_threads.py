"""Work on several processors: in threads, as NumPy, pyarrow and hashlib run without Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")

_MANY_ROWS = 200_000  # fewer are done before threads have shared them out
_limit: list[int] = []


def n_threads() -> int:
    """How many threads may work at the same time; ``OMP_NUM_THREADS`` bounds them, as for other libraries."""
    if _limit:
        return _limit[0]
    has_affinity = hasattr(os, "sched_getaffinity")
    n_processors = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return min(n_processors, int(asked)) if asked.isdecimal() and int(asked) else n_processors


def limit_threads(n_at_most: int) -> None:
    """For processes that share their processors with others of the same run."""
    _limit[:] = [n_at_most]


def side_by_side(do: Callable[[Item], Result], items: Iterable[Item], *, n_rows: int) -> list[Result]:
    """Do the same with each item, several at a time where there is much to do; results in their order.

    The items must not depend on each other, so the results do not depend on the number of threads.
    """
    every = list(items)
    if n_rows < _MANY_ROWS or min(n_threads(), len(every)) < 2:
        return [do(item) for item in every]
    from concurrent.futures import ThreadPoolExecutor  # small tables do without

    with ThreadPoolExecutor(n_threads()) as pool:
        try:
            begun = [pool.submit(do, item) for item in every]
        except RuntimeError:  # no more threads may be started
            return [do(item) for item in every]
        return [each.result() for each in begun]


class Beside:
    """One job at a time, done by another thread while the caller goes on."""

    def __init__(self) -> None:
        self._pool: Any = None
        self._job: Future[Any] | None = None

    def begin(self, do: Callable[..., Any], *given: Any) -> None:
        """Begin a job, when the one before has ended; where no thread can be started, do it now."""
        self.end()
        if n_threads() < 2:
            do(*given)
            return
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(1)
        try:
            self._job = self._pool.submit(do, *given)
        except RuntimeError:
            do(*given)

    def end(self) -> None:
        """Wait for the job; what it raised is raised here."""
        job, self._job = self._job, None
        if job is not None:
            job.result()

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *_: object) -> None:
        """No thread is left behind."""
        if self._pool is not None:
            self._pool.shutdown()
