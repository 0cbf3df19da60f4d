"""Threads are started early, while there is memory for them."""

from __future__ import annotations

import io
import mmap

import pyarrow as pa
import pyarrow.csv

from kanopy.errors import ResourceError

_BYTES_PER_THREAD = 10 << 20
"""The usual stack, and a little."""

_BYTES_BESIDES = 48 << 20


def start_threads() -> None:
    """Let pyarrow start all its threads now.

    Where the memory runs out later, work fails with an error that can be told; a thread that cannot start
    ends the whole process instead.
    """
    many_blocks = pa.csv.ReadOptions(block_size=64)
    lines = b"a\n" + b"1\n" * (128 * pa.cpu_count())
    try:
        mmap.mmap(-1, pa.cpu_count() * _BYTES_PER_THREAD + _BYTES_BESIDES).close()  # is there room for them?
        pa.csv.read_csv(io.BytesIO(lines), read_options=many_blocks)
    except (pa.ArrowException, MemoryError, OSError):
        raise ResourceError("not enough memory to start", "close other programs or raise the limit") from None
