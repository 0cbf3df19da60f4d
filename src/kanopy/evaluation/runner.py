"""Runs tasks in worker processes; an interrupt ends them at once."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from kanopy._signals import signals_after
from kanopy.engines.request import Watch
from kanopy.errors import PolicyError, ResourceError

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[..., Result]
Given = Mapping[str, Any]
Results = Generator[tuple[int, Result], None, None]  # the place of a task and its result
_of_worker: dict[str, Any] = {}  # what a worker process was given once, for all its tasks


def run_all(tasks: Sequence[Task], work: Work[Result], given: Given, *, jobs: int) -> Results[Result]:
    """Yield the place and the result of every task as it finishes; ``jobs`` changes the order alone.

    ``work(task, **given)`` is called for every task; each worker process gets ``given`` once. Close the
    iterator to end the worker processes. One process does all where the work needs something that was
    defined on standard input or in a notebook, which no other process can import.
    """
    if jobs == 1 or len(tasks) < 2:
        return _in_this_process(tasks, work, given)
    content = _packed(given)
    needs_main = b"__main__" in content or b"__main__" in _packed({"work": work, "tasks": list(tasks)})
    if needs_main and not _main_is_a_file():
        return _in_this_process(tasks, work, given)
    return _in_processes(tasks, work, content, min(jobs, len(tasks)), needs_main=needs_main)


def _packed(given: Given) -> bytes:
    try:
        return pickle.dumps(dict(given))
    except (pickle.PicklingError, AttributeError, TypeError):
        hint = "define its class in a module, or use one job"
        raise PolicyError("a learner cannot be sent to other processes", hint) from None


def _main_is_a_file() -> bool:
    """Whether another process can import the program: not from standard input, nor from a notebook."""
    main = sys.modules["__main__"]
    named = getattr(main, "__spec__", None) is not None
    return named or Path(getattr(main, "__file__", None) or "").is_file()


def _in_this_process(tasks: Sequence[Task], work: Work[Result], given: Given) -> Results[Result]:
    from threadpoolctl import threadpool_limits

    for place, task in enumerate(tasks):
        with threadpool_limits(limits=1):  # as in a worker process: sums depend on the number of threads
            result = work(task, **given)
        yield place, result


def _in_processes(
    tasks: Sequence[Task], work: Work[Result], content: bytes, jobs: int, *, needs_main: bool
) -> Results[Result]:
    # Spawned: the threads of a forked pyarrow would be lost.
    context = get_context("spawn")
    supply = _Supply(content, jobs, context)
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=supply.for_workers)
    has_begun = False
    try:
        waiting = iter(enumerate(tasks))
        running: dict[Future[Result], int] = {}
        while True:
            # Few at a time: each submission may start a process, with signals held back.
            while len(running) < jobs + 1 and (following := next(waiting, None)) is not None:
                with _signals_held(), contextlib.nullcontext() if needs_main else _main_hidden():
                    running[pool.submit(_run, work, following[1])] = following[0]
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
                has_begun = True
    except BrokenProcessPool:
        raise _broken(has_begun=has_begun, needs_main=needs_main) from None
    except BaseException:  # interrupted, or given up: do not wait for tasks that take minutes
        for child in list(pool._processes.values()):
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        supply.close()
        del pool, supply
        gc.collect()  # the command line exits without clean-up; the semaphores must be gone by then


def _broken(*, has_begun: bool, needs_main: bool) -> ResourceError:
    """What to say where worker processes ended by themselves."""
    if has_begun:
        hint = "use fewer jobs; with a journal, the same request goes on where this one stopped"
        return ResourceError("a worker process was killed, maybe for want of memory", hint)
    hint = "use one job, which starts none"
    if needs_main:
        hint = 'a learner is defined in the script: call it below if __name__ == "__main__": or use one job'
    return ResourceError("the worker processes do not start, or were killed", hint)


class _Supply:
    """Sends the pickled ``given`` to every worker process that starts, through a pipe that they share.

    As an argument of a process it would be written while that process starts: one after the other, and
    forever where one is killed meanwhile.
    """

    def __init__(self, content: bytes, n_workers: int, context: Any) -> None:
        self._reader, self._writer = context.Pipe(duplex=False)
        self.for_workers = (self._reader, context.Lock())
        self._feeder = threading.Thread(target=self._feed, args=(content, n_workers), daemon=True)
        self._feeder.start()

    def _feed(self, content: bytes, n_workers: int) -> None:
        with contextlib.suppress(OSError):  # closed: no process is left to read
            for _ in range(n_workers):
                self._writer.send_bytes(content)

    def close(self) -> None:
        """To be called when no process reads any more; fewer may have started than were expected."""
        self._reader.close()
        self._feeder.join()
        self._writer.close()


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """While a process is started, hold signals back, and keep SIGINT from the new process."""
    # An interrupt would leave an unknown process behind; a process that imports would print a traceback.
    # What is blocked here is blocked in the new process too, until ``_start``.
    can_block = hasattr(signal, "pthread_sigmask") and threading.current_thread() is threading.main_thread()
    with signals_after():
        if can_block:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            if can_block:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextlib.contextmanager
def _main_hidden() -> Iterator[None]:
    """While a process is started, keep it from importing the program, which it does not need.

    Without a main guard the program would start itself over, and standard input cannot be read again.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _start(reader: Any, turn: Any) -> None:
    """Prepare a worker process: one thread for sums, ignores SIGINT, exits with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=1)
    try:
        with turn:
            content = reader.recv_bytes()
    except (EOFError, OSError):  # the parent is gone
        os._exit(1)
    _of_worker.update(pickle.loads(content))


def _exit_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(work: Work[Result], task: Any) -> Result:
    return work(task, **_of_worker)


class Clock:
    """Reports progress; who shows it tells the time that is left."""

    def __init__(self, n_tasks: int, watch: Watch) -> None:
        self._n_tasks, self._n_done = n_tasks, 0
        self._watch = watch
        if n_tasks:
            watch("evaluating", 0.0)

    def tick(self) -> None:
        """One more task is done."""
        self._n_done += 1
        self._watch("evaluating", self._n_done / self._n_tasks)
