"""CSV files that are compressed, by gzip (``.gz``) or Zstandard (``.zst``): streams and limits."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, BinaryIO, cast

import pyarrow as pa

from kanopy.errors import InputError, ResourceError

PACKED = (".gz", ".zst")
PACKED_CSV = tuple(f".csv{packed}" for packed in PACKED)
"""The endings of compressed files that are read and written."""

MOST_TEXT = 1 << 36
"""Bytes of text that a compressed file may hold, whatever its size."""
MOST_TIMES = 200
"""How many times its own size a compressed file may hold beyond that: rows of text shrink less, but for those
of releases, which are equal. What does not fit into memory is refused by who reads it, much earlier."""

_PIECE = 1 << 18
_LEVEL = 6


def file_form(path: str | os.PathLike[str]) -> str:
    """The ending that tells the format of a file, in lower case: ``.csv``, or ``.csv.gz`` with two parts."""
    pure = PurePath(path)
    suffix = pure.suffix.lower()
    return PurePath(pure.stem).suffix.lower() + suffix if suffix in PACKED else suffix


def packing_of(path: str | os.PathLike[str]) -> str:
    """How a file is compressed, ``.gz`` or ``.zst``; the empty text for files that are not."""
    suffix = PurePath(path).suffix.lower()
    return suffix if suffix in PACKED else ""


def unpacked(stream: BinaryIO, packing: str, *, where: str) -> BinaryIO:
    """The text in a compressed stream, read piece by piece; the stream itself where it is not packed.

    It can be read again from any place, where the stream can.
    """
    return cast(BinaryIO, io.BufferedReader(_Unpacked(stream, packing, where), _PIECE)) if packing else stream


@contextmanager
def packed(stream: Any, packing: str) -> Iterator[Any]:
    """A stream that compresses what is written to it; the stream itself where nothing is to be packed.

    The same text always becomes the same bytes: no date and no name is among them.
    """
    if not packing:
        yield stream
    elif packing == ".gz":
        with gzip.GzipFile("", "wb", _LEVEL, stream, mtime=0) as packer:
            yield packer
    else:
        with pa.CompressedOutputStream(pa.PythonFile(_Kept(stream), "w"), "zstd") as packer:
            yield packer


class _Kept(io.RawIOBase):
    """A stream that stays open when what reads from it or writes to it is closed."""

    def __init__(self, stream: Any) -> None:
        super().__init__()
        self._stream = stream

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def read(self, n_bytes: int = -1, /) -> bytes:
        return bytes(self._stream.read(n_bytes))

    def write(self, data: Any, /) -> int:
        self._stream.write(data)
        return memoryview(data).nbytes


class _Unpacked(io.RawIOBase):
    """Counts what comes out of a compressed stream, and says in our words that it is damaged or too much."""

    def __init__(self, stream: BinaryIO, packing: str, where: str) -> None:
        super().__init__()
        self._stream, self._packing, self._where = stream, packing, where
        self._start = stream.tell() if stream.seekable() else 0
        self._place, self._inside = 0, self._opened()

    def _opened(self) -> Any:
        if self._packing == ".gz":
            return gzip.GzipFile(fileobj=self._stream, mode="rb")
        return pa.CompressedInputStream(pa.PythonFile(_Kept(self._stream), "r"), "zstd")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go to another place; what lies before it is unpacked once more. O(bytes)."""
        if whence == os.SEEK_END:
            while self.read(_PIECE):
                pass
        target = offset if whence == os.SEEK_SET else self._place + offset
        if target < self._place:
            self._stream.seek(self._start)
            self._place, self._inside = 0, self._opened()
        while self._place < target and self.read(min(_PIECE, target - self._place)):
            pass
        return self._place

    def readinto(self, buffer: Any, /) -> int:
        data = self._unpack(len(buffer))
        buffer[: len(data)] = data
        self._place += len(data)
        if self._place > MOST_TEXT and self._place > MOST_TIMES * self._n_packed():
            what = f"the compressed file holds more than {MOST_TEXT >> 30} GiB of text"
            raise ResourceError(f"{self._where}: {what}", "split it, or decompress it first if that is meant")
        return len(data)

    def _n_packed(self) -> int:
        """The bytes that were unpacked until now, roughly; of a pipe nobody knows how many there are."""
        return self._stream.tell() - self._start if self._stream.seekable() else 0

    def _unpack(self, n_bytes: int) -> bytes:
        try:
            return bytes(self._inside.read(n_bytes))
        except (EOFError, gzip.BadGzipFile, zlib.error, pa.ArrowException):
            pass
        except OSError as error:
            if error.errno is not None:  # of the disk; the library tells damage without a number
                raise
        raise InputError(f"{self._where}: the compressed file is damaged", "copy or write it again")
