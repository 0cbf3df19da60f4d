"""What the fast parser does not notice, noticed while the bytes stream past."""

from __future__ import annotations

import codecs
import io

import numpy as np

from kanopy.frames.csv_bytes import Readable

ROW_LIMIT = 1 << 22
"""Longest row in bytes, and the size of the blocks in which a file is read: they stay in the cache."""

_QUOTE = ord('"')


class SuspicionError(Exception):
    """The fast parser must not go on; a second look says why. Never leaves this package."""


class GuardedStream(io.RawIOBase):
    """The data rows on their way to the fast parser. O(bytes), vectorized.

    NULs and endless lines stop it. Quotes are checked against the strict grammar (a quote opens a field right
    after a delimiter or line end and closes it right before one, or is doubled); where a quote breaks it,
    ``is_suspicious`` says so. ``head`` is what has been read of the data rows, ``rest`` gives the others as
    UTF-8.
    """

    def __init__(self, head: bytes, rest: Readable, *, delimiter: str) -> None:
        # The parser skips one byte order mark; this one is ours, so that none of the data's is skipped.
        self._mark = codecs.BOM_UTF8
        self._head = head
        self._rest = rest
        self._n_open = 0
        self._n_quotes = 0
        self._last_byte = b"\n"
        self._breaks_grammar = False
        self._may_touch_quote = np.zeros(256, dtype=bool)
        self._may_touch_quote[[_QUOTE, ord(delimiter), ord("\r"), ord("\n")]] = True

    @property
    def is_suspicious(self) -> bool:
        """At the end of the stream: whether a quote stands where none should, or is left open."""
        return self._breaks_grammar or self._n_quotes % 2 == 1

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        mark, self._mark = self._mark, b""
        size -= len(mark)
        block, self._head = self._head[:size], self._head[size:]
        if len(block) < size:
            block += self._rest.read(size - len(block))
        if b"\0" in block:
            raise SuspicionError
        self._check_lines(block)
        self._check_quotes(block)
        return mark + block

    def _check_lines(self, block: bytes) -> None:
        ends = [place for place in (block.find(b"\n"), block.find(b"\r")) if place >= 0]
        if self._n_open + (min(ends) if ends else len(block)) > ROW_LIMIT:
            raise SuspicionError
        after_last_end = max(block.rfind(b"\n"), block.rfind(b"\r")) + 1
        self._n_open = len(block) - after_last_end if ends else self._n_open + len(block)

    def _check_quotes(self, block: bytes) -> None:
        if (b'"' in block or self._last_byte == b'"') and not self._breaks_grammar:
            # The byte before the block comes along: a quote may be the last of one block, its neighbour here.
            window = np.frombuffer(self._last_byte + block, dtype=np.uint8)
            places = np.flatnonzero(window == _QUOTE)
            n_before = self._n_quotes - (self._last_byte == b'"')
            opening, closing = places[n_before % 2 :: 2], places[1 - n_before % 2 :: 2]
            opening = opening[np.searchsorted(opening, 1) :]
            closing = closing[: np.searchsorted(closing, len(window) - 1)]
            is_strict = (
                self._may_touch_quote[window[opening - 1]].all()
                and self._may_touch_quote[window[closing + 1]].all()
            )
            self._breaks_grammar = not is_strict
            self._n_quotes = n_before + len(places)
        self._last_byte = block[-1:] or self._last_byte
