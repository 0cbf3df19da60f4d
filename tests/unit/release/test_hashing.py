"""Bytes that are hashed beside writing: the digest is that of what was written, however it came."""

from __future__ import annotations

import hashlib
import io

import pytest

from kanopy.release import hashing
from kanopy.release.hashing import HashedBeside


@pytest.mark.parametrize("at_a_time", [1, 7, 1 << 20])
def test_the_digest_of_what_was_written(at_a_time: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing, "_AT_A_TIME", at_a_time)
    written = io.BytesIO()
    with HashedBeside(written) as hashed:
        for number in range(100):
            hashed.write(b"%d," % number)
        hashed.write(memoryview(b"end"))
        assert hashed.digest() == hashlib.sha256(written.getvalue()).digest()
    assert written.getvalue().endswith(b"98,99,end")


def test_nothing_written() -> None:
    with HashedBeside(io.BytesIO()) as hashed:
        assert hashed.digest() == hashlib.sha256().digest()


def test_a_stream_that_fails_ends_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.BytesIO):
        def write(self, _data: object) -> int:
            raise OSError("disk full")

    monkeypatch.setattr(hashing, "_AT_A_TIME", 1)
    with pytest.raises(OSError, match="disk full"), HashedBeside(Full()) as hashed:
        hashed.write(b"x")
