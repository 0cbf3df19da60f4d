"""A release that goes to a pipe: it waits in a file without a name until it is checked, then it is sent."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from kanopy.errors import PolicyError
from kanopy.release.destination import Destination

PIPED_NAME = "standard-output.csv"
"""What a certificate and a report call a release that has no name of its own."""

_AT_A_TIME = 1 << 20  # bytes


class PipedDestination(Destination):
    """A place like any other for whoever writes and checks a table; what would get a name is sent instead.

    The file has no name, so nobody else can open or change it, and a run that is killed leaves nothing.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        super().__init__(PIPED_NAME)

    def check(self, *, is_again: bool = False) -> None:
        """Whether something can be written there."""
        if self._stream.closed or not self._stream.writable():
            raise PolicyError("standard output is closed", "name a file")

    def _remove_stale(self) -> None:
        """Without a name nothing is left behind."""

    def _reserve(self) -> tuple[Path, int]:
        import tempfile  # slow to load, and for pipes alone

        with tempfile.TemporaryFile() as file:
            return self.another_name(), os.dup(file.fileno())

    def send(self) -> None:
        """Send the table; O(bytes).

        PRIVACY: nothing is sent before everything was checked, and nothing but that
        (tests/unit/cli/test_pipe_output.py).
        """
        self.check_same_bytes()
        with self.reading() as file:
            while piece := memoryview(file.read(_AT_A_TIME)):
                while piece:  # a stream without a buffer takes a part, and says how much
                    piece = piece[self._stream.write(piece) :]
        self._stream.flush()
