"""Running trials: in several processes, with an estimate of the time that is left."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Any

from kanopy._signals import signals_after
from kanopy.errors import PolicyError, ResourceError
from kanopy.evaluation.halves import Halves
from kanopy.evaluation.trial import Outcome, Trial, run
from kanopy.learners.registry import Learner

Watch = Callable[[str, float | None], None]

_of_worker: dict[str, Any] = {}
"""What a process was given once, for all its trials."""


def run_all(
    trials: Sequence[Trial],
    halves: Halves,
    learners: Sequence[Learner],
    seed: int,
    *,
    discretize: bool,
    jobs: int,
    done: Callable[[Outcome], None],
    watch: Watch,
) -> None:
    """Run trials and hand over each outcome as it comes; what they say does not depend on ``jobs``."""
    if not trials:
        return
    clock = _Clock(len(trials), watch)
    clock.tell()
    outcomes: Iterable[Outcome]
    given = {"halves": halves, "learners": learners, "seed": seed, "discretize": discretize}
    if jobs == 1 or len(trials) == 1:
        outcomes = _in_this_process(trials, given)
    else:
        outcomes = _in_processes(trials, given, min(jobs, len(trials)))
    for outcome in outcomes:
        done(outcome)
        clock.tick()


def _in_this_process(trials: Sequence[Trial], given: dict[str, Any]) -> Iterable[Outcome]:
    from threadpoolctl import threadpool_limits

    for trial in trials:
        with threadpool_limits(limits=1):  # as in the other processes: sums depend on the number of threads
            outcome = run(trial, **given)
        yield outcome


def _in_processes(trials: Sequence[Trial], given: dict[str, Any], jobs: int) -> Iterable[Outcome]:
    # Spawned: the threads of a forked pyarrow would be lost.
    context = get_context("spawn")
    supply = _Supply(given, jobs, context)
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=supply.for_workers)
    has_begun = False
    try:
        waiting = iter(trials)
        running: set[Future[Outcome]] = set()
        while True:
            # Few at a time: whoever stops an evaluation waits for no more than these.
            while len(running) < jobs + 1 and (trial := next(waiting, None)) is not None:
                with _signals_held():
                    running.add(pool.submit(_run, trial))
            if not running:
                return
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()
                has_begun = True
    except BrokenProcessPool:
        if not has_begun:
            raise ResourceError(
                "the processes of the evaluation do not start, or were killed",
                'in a script, call it below: if __name__ == "__main__": or use one job, which starts none',
            ) from None
        raise ResourceError(
            "a process of the evaluation was killed, maybe for want of memory",
            "use fewer jobs; with a journal, the same request goes on where this one stopped",
        ) from None
    except BaseException:  # interrupted, or given up: nobody waits for trials that take minutes
        for child in list(pool._processes.values()):
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        supply.close()
        del pool, supply
        gc.collect()  # the command line leaves without tidying up; its semaphores must be gone by then


class _Supply:
    """Hands the table to every process that comes up, through a pipe that they share.

    As an argument of a process it would be written while that process starts: one after the other, and for
    ever where one is killed meanwhile.
    """

    def __init__(self, given: dict[str, Any], n_workers: int, context: Any) -> None:
        try:
            content = pickle.dumps(given)
        except (pickle.PicklingError, AttributeError, TypeError):
            raise PolicyError(
                "a learner cannot be sent to other processes", "define its class in a module, or use one job"
            ) from None
        self._reader, self._writer = context.Pipe(duplex=False)
        self.for_workers = (self._reader, context.Lock())
        self._feeder = threading.Thread(target=self._feed, args=(content, n_workers), daemon=True)
        self._feeder.start()

    def _feed(self, content: bytes, n_workers: int) -> None:
        with contextlib.suppress(OSError):  # closed: nobody is left to read
            for _ in range(n_workers):
                self._writer.send_bytes(content)

    def close(self) -> None:
        """To be called when no process reads any more, be it that fewer came up than were expected."""
        self._reader.close()
        self._feeder.join()
        self._writer.close()


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """While a process is started, keep what would interrupt us for afterwards, and Ctrl-C away from it.

    Interrupted, it would leave a process that nobody knows of; and one that still imports everything would
    tell where Ctrl-C hit it.
    """
    # What is blocked here is so in the new process, until ``_start``.
    can_block = hasattr(signal, "pthread_sigmask") and threading.current_thread() is threading.main_thread()
    with signals_after():
        if can_block:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            if can_block:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _start(reader: Any, turn: Any) -> None:
    """Make a process ready: one thread for sums, no ear for Ctrl-C, and no life after its parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_die_with_parent, daemon=True).start()
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=1)
    try:
        with turn:
            content = reader.recv_bytes()
    except (EOFError, OSError):  # the parent is gone
        os._exit(1)
    _of_worker.update(pickle.loads(content))


def _die_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(trial: Trial) -> Outcome:
    return run(trial, **_of_worker)


class _Clock:
    """Tells how much is done, and when the rest might be."""

    def __init__(self, n_trials: int, watch: Watch) -> None:
        self._n_trials = n_trials
        self._n_done = 0
        self._watch = watch
        self._start = time.monotonic()

    def tick(self) -> None:
        self._n_done += 1
        self.tell()

    def tell(self) -> None:
        left = ""
        if self._n_done:
            seconds = (time.monotonic() - self._start) / self._n_done * (self._n_trials - self._n_done)
            left = f", {_spoken(seconds)} left"
        self._watch(f"evaluating{left}", self._n_done / self._n_trials)


def _spoken(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
