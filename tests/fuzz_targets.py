"""Targets with bugs that take the whole process along, for the test of who watches it."""

from __future__ import annotations

import os
import signal
import time
from random import Random

from fuzz.target import Target


class Dies(Target):
    """Ends its process at the third input, as a fault in C does."""

    name = "Dies"
    always_makes = True

    def seeds(self) -> list[bytes]:
        return [b"a", b"b", b"deadly"]

    def make(self, rng: Random) -> bytes:
        return b"c"

    def execute(self, data: bytes) -> str:
        if data == b"deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        return "fine"


class Hangs(Dies):
    """Hangs at the third input, and no signal of Python's gets through, as in C."""

    name = "Hangs"

    def execute(self, data: bytes) -> str:
        if data == b"deadly":
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            time.sleep(600)
        return "fine"


class Pauses(Dies):
    """Never comes back with its next input."""

    name = "Pauses"

    def seeds(self) -> list[bytes]:
        return [b"a"]

    def make(self, rng: Random) -> bytes:
        time.sleep(600)
        return b"c"


class MakesNothing(Pauses):
    """Fails at making its next input."""

    name = "MakesNothing"

    def make(self, rng: Random) -> bytes:
        raise ValueError("nothing to make")
