"""The bytes of a text file as UTF-8, whatever its encoding, once and, where need be, once more."""

from __future__ import annotations

import codecs
import io
from typing import IO, Any, BinaryIO, Protocol

from kanopy.errors import Hint, InputError, PolicyError, ResourceError

_KEPT_IN_MEMORY = 1 << 26
_PIECE = 1 << 18

# Codecs of Python that are no encodings of files, or cannot be undone piece by piece.
_NO_FILE_ENCODINGS = ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7")


class Readable(Protocol):
    def read(self, n_bytes: int, /) -> bytes: ...


class Replay:
    """A binary stream that can be read a second time from where it stood.

    What is read from a pipe is kept: up to 64 MiB in memory, more in a temporary file that has no name.
    """

    def __init__(self, source: BinaryIO) -> None:
        self._source: Any = source
        self._kept: IO[bytes] | None = None
        if not source.seekable():
            from tempfile import SpooledTemporaryFile  # slow to load, and for pipes alone

            self._kept = SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY)  # noqa: SIM115 (close() ends it)
        self._start = source.tell() if self._kept is None else 0

    def read(self, n_bytes: int, /) -> bytes:
        """As many bytes as asked for, fewer only at the end."""
        parts: list[bytes] = []
        while n_bytes > 0:
            part = self._source.read(n_bytes)
            if part is None:
                raise ResourceError("the input is a non-blocking stream", "use a file or an ordinary pipe")
            if not part:
                break
            parts.append(part)
            n_bytes -= len(part)
        data = b"".join(parts)
        if self._kept is not None and self._source is not self._kept:
            self._kept.write(data)
        return data

    def rewind(self) -> None:
        """Begin again; of a pipe, what was read until now."""
        if self._kept is not None:
            self._source = self._kept
        self._source.seek(self._start)

    def close(self) -> None:
        """Forget what was kept; the source itself stays open."""
        if self._kept is not None:
            self._kept.close()


class Utf8Stream(io.RawIOBase):
    """Decodes a stream strictly, piece by piece, into UTF-8 without byte order mark. O(bytes)."""

    def __init__(
        self, source: Readable, codec: codecs.CodecInfo, *, where: str, hint: str | None = None
    ) -> None:
        assert codec.incrementaldecoder is not None
        self._source = source
        self._decoder = codec.incrementaldecoder("strict")
        self._encoding = codec.name
        self._where = where
        usual = "say how the file is encoded with {encoding}, for example cp1252 or utf-16"
        self._hint = Hint(usual, encoding=...) if hint is None else hint
        self._n_consumed = 0
        self._is_first = True
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._ready:
            piece = self._source.read(_PIECE)
            self._ready = memoryview(self._as_utf8(piece))
            if not piece:
                break
        part, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def _as_utf8(self, piece: bytes) -> bytes:
        n_pending = len(self._decoder.getstate()[0])
        fault = f"{self._where}: not {self._encoding.upper()}"
        hint = self._hint
        try:
            text = self._decoder.decode(piece, final=not piece)
        except UnicodeError as error:
            # Without a mark, Python before 3.13 raises the general error, since then the special one.
            if not isinstance(error, UnicodeDecodeError) or "BOM" in error.reason:
                fault = f"{fault}: no byte order mark"
                hint = Hint("try {encoding} or utf-16-be", encoding="utf-16-le")
            else:
                fault += f" at byte {self._n_consumed - n_pending + error.start + 1}"
        else:
            self._n_consumed += len(piece)
            if self._is_first and text:
                self._is_first, text = False, text.removeprefix("\ufeff")
            return text.encode()
        # Raised outside of the handler, so that the bytes in the codec's own error are not carried along.
        raise InputError(fault, hint)


def text_codec(encoding: str) -> codecs.CodecInfo:
    try:
        "".encode(encoding)  # of the codecs, this finds only those that are encodings of text
        codec = codecs.lookup(encoding)
    except (LookupError, ValueError):
        codec = None
    if codec is None or not codec.incrementaldecoder or codec.name.replace("_", "-") in _NO_FILE_ENCODINGS:
        raise PolicyError(f"unknown encoding {encoding[:40]!r}", "for example utf-8, cp1252 or utf-16")
    return codec


def is_utf8(codec: codecs.CodecInfo) -> bool:
    return codec.name in ("utf-8", "utf-8-sig")


def refuse_utf16(head: bytes, *, where: str) -> None:
    """Refuse UTF-16 and UTF-32 read as UTF-8."""
    if name := wide_encoding(head):
        hint = Hint("use {encoding}", encoding=name)
        raise InputError(f"{where}: not UTF-8; it looks like {name.upper()}", hint)


def wide_encoding(head: bytes) -> str:
    """UTF-16 or UTF-32 by their mark or by where their NULs stand; an empty text for anything else."""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    sample = head[:1024]
    n_first, n_second = sample[::2].count(0), sample[1::2].count(0)
    # ASCII text in UTF-16 has a NUL in every pair of bytes, always on the same side.
    if max(n_first, n_second) <= max(3, len(sample) / 5) or min(n_first, n_second) > 0:
        return ""
    return "utf-16-be" if n_first else "utf-16-le"
