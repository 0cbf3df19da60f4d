"""A compressed release holds its cells, and nothing that only its bytes show."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import kanopy
from kanopy.errors import VerificationError
from kanopy.release import written_table

POLICY = kanopy.Policy(quasi_identifiers=["age"], k=2)


def release() -> kanopy.Release:
    return kanopy.anonymize(pa.table({"age": ["1", "1", "2", "2"]}), POLICY)


def named(data: bytes) -> bytes:
    sink = io.BytesIO()
    with gzip.GzipFile("the name of a patient", "wb", 6, sink, mtime=0) as stream:
        stream.write(data)
    return sink.getvalue()


def dated(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=1_700_000_000)


def with_an_empty_member(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0) + gzip.compress(b"", 6, mtime=0)


def with_a_frame_that_is_skipped(data: bytes) -> bytes:
    return bytes(pa.compress(data, "zstd", asbytes=True)) + b"\x50\x2a\x4d\x18\x04\0\0\0" + b"Anna"


def with_a_blank_line(data: bytes) -> bytes:
    return gzip.compress(data + b"\n", 6, mtime=0)


@pytest.mark.parametrize(
    ("change", "ending"),
    [
        (named, "gz"),
        (dated, "gz"),
        (with_an_empty_member, "gz"),
        (with_a_frame_that_is_skipped, "zst"),
        (with_a_blank_line, "gz"),
    ],
)
def test_more_than_the_cells_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Any, ending: str
) -> None:
    made, write = release(), written_table.write_table

    def sabotage(destination: Any, *given: Any) -> None:
        write(destination, *given)
        with destination.reading() as stream:
            text = written_table.unpacked(stream, destination.packing, where="").read()
        with destination.writing() as stream:
            stream.write(change(text))

    monkeypatch.setattr("kanopy.release.release.write_table", sabotage)
    with pytest.raises(VerificationError):
        made.write(tmp_path / f"r.csv.{ending}")
    assert list(tmp_path.iterdir()) == []
