"""What a fuzz target is: seeds, and a function of bytes that must not fail."""

from __future__ import annotations

import re
import traceback
from abc import ABC, abstractmethod
from random import Random

from kanopy.errors import KanopyError

MEBIBYTE = 1 << 20

ENGINE_FAULTS = (5, 70)
"""Exit codes that no input may cause: the engine disagreed with itself, or has a bug."""

_NAMES_AND_NUMBERS = re.compile(r"\S*/|'[^']*'|\"[^\"]*\"|\d+")


class Violation(Exception):
    """Something that must always hold does not."""


class Target(ABC):
    """A part of kanopy, and what must hold whatever bytes it is given."""

    name: str
    memory_limit = 1024 * MEBIBYTE
    """How much one input may add to the memory of the process."""
    max_length = 4096
    """How long inputs may grow."""

    always_makes = False
    """Whether only inputs of the target's own making make sense."""

    @abstractmethod
    def seeds(self) -> list[bytes]:
        """Inputs to start from; each reaches another part of the code."""

    @abstractmethod
    def execute(self, data: bytes) -> str:
        """Run one input and say in a word what came of it.

        Raises
        ------
        Exception
            Whatever comes out is a failure.
        """

    def make(self, rng: Random) -> bytes | None:
        """An input of the target's own making, which gets further than bytes changed at random."""
        return None

    def to_replay(self, data: bytes) -> bytes:
        """What to save of an input that failed, so that it can be run again whatever changes here."""
        return data


def refused(error: KanopyError, *secrets: str) -> str:
    """The word for an input that was refused in the proper way.

    Raises
    ------
    Violation
        Where the message shows a cell, carries along an error that does, or blames the engine.
    """
    if error.exit_code in ENGINE_FAULTS:
        raise Violation(f"exit code {error.exit_code}: {error}")
    if not error.message:
        raise Violation("an error without a message")
    said = "".join(traceback.format_exception_only(error)) + str(error)
    context = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if context is not None:
        said += "".join(traceback.format_exception_only(context))
    for secret in secrets:
        if secret in said:
            raise Violation("a message shows a cell")
    return f"refused {error.exit_code}: {pattern(error.message)}"


def pattern(message: str) -> str:
    """A message without what differs from input to input."""
    return _NAMES_AND_NUMBERS.sub("_", message)[:80]
