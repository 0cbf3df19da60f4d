"""``python -m fuzz.worker``: one process that runs one target; ``python -m fuzz`` starts and watches it."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa

from fuzz.board import Board
from fuzz.guided import instrumented, run_guided
from fuzz.loop import run_loop
from fuzz.session import Session, limit_memory
from fuzz.targets import make_target

MEMORY = 6 << 30
"""Address space of a worker."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a target as the watcher says."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.worker", description=__doc__)
    parser.add_argument("--target", required=True)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--failures", type=Path, required=True)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--seconds", type=float)
    given = parser.parse_args(arguments)
    limit_memory(MEMORY)
    pa.set_cpu_count(1)  # the inputs are small, and there is one process for each processor
    pa.set_io_thread_count(1)
    make = partial(make_target, given.target)
    is_guided = given.engine == "atheris"
    session = Session(
        instrumented(make) if is_guided else make(),
        given.failures,
        Board(given.folder / "board"),
        given.folder / "notes.json",
        given.runs,
        given.seconds,
    )
    # Ctrl-C reaches every process of the terminal: the watcher decides, and sends SIGTERM.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: session.stop())
    (run_guided if is_guided else run_loop)(session, given.seed, given.corpus)


if __name__ == "__main__":
    main()
