"""Bytes on their way to a file, hashed by another thread while they are written."""

from __future__ import annotations

import hashlib
from typing import BinaryIO

from kanopy._threads import Beside

_AT_A_TIME = 1 << 23  # bytes: to hand them over takes time, too


class HashedBeside:
    """A stream that passes on what is written to it, and knows the SHA-256 of all of it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._sha256, self._beside = stream, hashlib.sha256(), Beside()
        self._waiting: list[bytes | memoryview] = []
        self._n_waiting = 0

    def write(self, data: bytes | memoryview, /) -> int:
        """Write bytes, and have them hashed with some others."""
        self._waiting.append(data)
        self._n_waiting += len(data)
        if self._n_waiting >= _AT_A_TIME:
            self._beside.begin(self._hash, self._waiting)
            self._waiting, self._n_waiting = [], 0
        return self._stream.write(data)

    def _hash(self, pieces: list[bytes | memoryview]) -> None:
        for piece in pieces:
            self._sha256.update(piece)

    def digest(self) -> bytes:
        """The SHA-256 of what was written."""
        self._beside.end()
        self._hash(self._waiting)
        self._waiting = []
        return self._sha256.digest()

    def __enter__(self) -> HashedBeside:
        return self

    def __exit__(self, *_: object) -> None:
        self._beside.__exit__()
