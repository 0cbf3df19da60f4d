"""A file as runs of equal lines: equal lines are compared, not parsed, and parsed once.

The lines of a release are sorted, so that equal ones stand together. A run is found by comparing the bytes
with those a few lines before them, which takes about as long as to read them.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from kanopy.data.arrays import Ints
from kanopy.errors import InputError

_BLOCK = 1 << 19  # bytes: few enough for the processor's cache
FEWEST_REPEATS = 8
"""Lines per run of equal ones, on average, from which on runs are found faster than rows are parsed."""


class LineRuns(NamedTuple):
    """The different lines of a file in their order, each as often as a run of it begins."""

    lines: bytes  # the header among them, which is the first
    weight: Ints  # how often each of the others stands there

    def are_all_of(self, stream: Any) -> bool:
        """Whether a file, from where it stands, holds these lines as often, and nothing else; O(bytes)."""
        buffer = bytearray(_BLOCK)
        for line, n_times in self._pieces():
            size = len(line) * n_times
            buffer += bytes(max(size - len(buffer), 0))
            with memoryview(buffer) as view:
                is_there = stream.readinto(view[:size]) == size and buffer.startswith(line)
                # Each is equal to the one before it, and the first is the line.
                if not is_there or not buffer.startswith(view[: size - len(line)], len(line), size):
                    return False
        return not stream.read(1)

    def _pieces(self) -> Iterator[tuple[bytes, int]]:
        """The lines and how often they stand there, a block of them at a time."""
        for line, n_times in zip(io.BytesIO(self.lines), [1, *self.weight.tolist()], strict=True):
            at_once = max(_BLOCK // len(line), 1)
            yield from ((line, min(at_once, n_times - done)) for done in range(0, n_times, at_once))


def line_runs(stream: Any, *, fewest_repeats: int = 0, longest_line: int = sys.maxsize - 1) -> LineRuns:
    """Read a binary file from where it stands to its end; O(bytes), one block of them in memory.

    It knows line feeds alone, and no quotes: the text of a file that has other line ends, or line ends inside
    of cells, has another number of rows than there are runs here, once it is parsed. What follows the last
    line end is a line, too. Where there are fewer lines per run than asked for, up to the end of any block,
    or longer lines, this is an InputError.
    """
    header = stream.readline(longest_line + 1)
    lines, weight = [header], [0]
    n_held = n_lines = 0
    buffer = bytearray(_BLOCK)  # always the same memory: fresh memory costs more than comparing
    while n_read := stream.readinto(memoryview(buffer)[n_held:]):
        n_held += n_read
        n_runs, n_lines = len(weight), n_lines - weight[-1]
        n_counted = _count_runs(buffer, n_held, lines, weight)
        n_lines += sum(weight[n_runs - 1 :])  # the last run may go on
        n_held -= n_counted
        buffer[:n_held] = buffer[n_counted : n_counted + n_held]
        if (len(weight) - 1) * fewest_repeats > n_lines:
            raise InputError("lines hardly repeat")
        if max(n_held, len(header)) > longest_line:
            raise InputError("a line is too long")
        if n_held == len(buffer):  # a line that is longer
            buffer += bytes(n_held)
    if n_held:
        lines.append(bytes(buffer[:n_held]))
        weight.append(1)
    return LineRuns(b"".join(lines), np.array(weight[1:], dtype=np.int64))


def _count_runs(buffer: bytearray, end: int, lines: list[bytes], weight: list[int]) -> int:
    """Add the runs of a block to those before it; where the beginning of a line is left over."""
    place = 0
    with memoryview(buffer) as view:
        while after := buffer.find(b"\n", place, end) + 1:
            n_times = _n_copies(buffer, view[place:end], after - place, place)
            line = bytes(view[place:after])
            if len(lines) > 1 and line == lines[-1]:
                weight[-1] += n_times
            else:
                lines.append(line)
                weight.append(n_times)
            place += n_times * len(line)
    return place


def _n_copies(buffer: bytearray, rest: memoryview, length: int, place: int) -> int:
    """How often a line of this length stands at this place, one after the other; O(their bytes).

    As many as are known are compared with as many again, as long as these are equal; then with half as many.
    """
    end, n_copies = place + len(rest), 1
    while buffer.startswith(rest[: n_copies * length], place + n_copies * length, end):
        n_copies *= 2
    step = n_copies
    while step := step // 2:
        if buffer.startswith(rest[: step * length], place + n_copies * length, end):
            n_copies += step
    return n_copies
