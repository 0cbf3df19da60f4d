"""A second thread, for what runs without Python's lock: hashing, and waiting for a disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Future


def has_processors() -> bool:
    """Whether two threads can work at the same time; not where ``OMP_NUM_THREADS`` says 1."""
    has_affinity = hasattr(os, "sched_getaffinity")
    n_processors = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return n_processors > 1 and os.environ.get("OMP_NUM_THREADS") != "1"


class Beside:
    """One job at a time, done by another thread while the caller goes on."""

    def __init__(self) -> None:
        self._pool: Any = None
        self._job: Future[Any] | None = None
        self._done: Any = None

    def begin(self, do: Callable[..., Any], *given: Any) -> None:
        """Begin a job, when the one before has ended; where no thread can be started, do it now."""
        self.end()
        if not has_processors():
            self._done = do(*given)
            return
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor  # small tables do without

            self._pool = ThreadPoolExecutor(1)
        try:
            self._job = self._pool.submit(do, *given)
        except RuntimeError:
            self._done = do(*given)

    def end(self) -> Any:
        """Wait for the job, and return its result; what it raised is raised here."""
        job, self._job = self._job, None
        return self._done if job is None else job.result()

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *_: object) -> None:
        """No thread is left behind."""
        if self._pool is not None:
            self._pool.shutdown()
