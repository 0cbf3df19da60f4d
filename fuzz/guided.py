"""The engine with coverage: Atheris, which mutates what reached new lines of kanopy."""

from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from random import Random

from fuzz.loop import keep_input, next_input
from fuzz.scratch import scratch
from fuzz.session import Session
from fuzz.target import Target


def is_available() -> bool:
    """Whether Atheris is installed."""
    return find_spec("atheris") is not None


def instrumented(make: Callable[[], Target]) -> Target:
    """Make a target whose imports of kanopy are watched; nothing of kanopy may be loaded before."""
    import atheris

    with atheris.instrument_imports(include=["kanopy"], enable_loader_override=False):
        return make()


def run_guided(session: Session, seed: int, corpus: Path | None) -> None:
    """Run until the session is over, and then end the process, as Atheris never returns."""
    import atheris

    folder = corpus or Path(tempfile.mkdtemp(dir=scratch()))
    for data in session.target.seeds():
        keep_input(folder, data)

    def run_one(data: bytes) -> None:
        session.run(data)
        if session.is_over:
            session.note()
            os._exit(0)

    seeds = session.target.seeds()

    def change(data: bytes, max_size: int, number: int) -> bytes:
        rng = Random(number)
        if rng.random() < 0.5:
            changed: bytes = atheris.Mutate(data, max_size)
            return changed
        try:
            return next_input(session.target, data, seeds, rng)[:max_size]
        except BaseException:  # an exception that passes through Atheris can hang the process at its exit
            traceback.print_exc()
            session.note()
            os._exit(1)

    # Time, memory and failures are watched by the session; Atheris only proposes inputs.
    settings = {
        "seed": seed + 1,  # 0 would mean any
        "max_len": session.target.max_length,
        "timeout": 0,
        "handle_alrm": 0,
        "rss_limit_mb": 0,
        "verbosity": 0,
        "len_control": 20,
    }
    atheris.Setup(
        ["fuzz", *(f"-{name}={value}" for name, value in settings.items()), str(folder)],
        run_one,
        custom_mutator=change,
    )
    atheris.Fuzz()
