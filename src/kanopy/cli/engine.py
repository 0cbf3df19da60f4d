"""Where a command runs: in this process, or with Spark."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kanopy.cli.terminal import Terminal
from kanopy.errors import PolicyError


def uses_spark(given: Namespace, flags: Sequence[str] = ("master",)) -> bool:
    """Whether Spark was asked for; a PolicyError where flags that are for Spark were given without it."""
    for name in flags:
        if given.engine != "spark" and getattr(given, name) is not None:
            what = f"--{name.replace('_', '-')} is for Spark"
            raise PolicyError(what, "add --engine spark, or leave it out")
    return bool(given.engine == "spark")


@contextmanager
def spark_session(given: Namespace, terminal: Terminal, stage: str) -> Iterator[Any]:
    """A session of Spark for this command; ``stage`` is what it does then."""
    from kanopy.engines.spark.session import started_session

    terminal.progress("starting Spark", None)
    with started_session(given.master) as session:
        terminal.progress(stage, None)
        yield session
