"""Makes a process ready that reads files and no frames: a command, or a job of the page."""

from __future__ import annotations

import io
import mmap
import sys
from typing import Any

import pyarrow as pa
import pyarrow.csv

from kanopy.errors import ResourceError

_BYTES_PER_THREAD = 10 << 20  # the usual stack, and a little
_BYTES_BESIDES = 48 << 20


class _NoPandas:
    """Finds no pandas."""

    @staticmethod
    def find_spec(name: str, _path: Any = None, _target: Any = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def start_pyarrow() -> None:
    """Make pyarrow ready for files alone, without pandas and with all its threads."""
    leave_pandas_out()
    start_threads()


def leave_pandas_out() -> None:
    """Let pyarrow look for pandas now, and find none, unless somebody has imported it.

    It looks once, when it makes its first array, and would import pandas there: that takes longer than a
    release of a thousand rows, and commands read files, not frames. Whoever imports pandas later gets it.
    """
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _NoPandas)
        try:
            pa.array(["looks for pandas"])  # without a type: both halves of pyarrow look then
        finally:
            sys.meta_path.remove(_NoPandas)


def start_threads() -> None:
    """Let pyarrow start all its threads now, while there is memory for them.

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
