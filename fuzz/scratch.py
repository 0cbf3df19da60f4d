"""A folder for the files of a run: in memory where the system has such a place."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

_IN_MEMORY = Path("/dev/shm")


FOLDER = "KANOPY_FUZZ_FOLDER"
"""The variable that names the folder of a worker; who started the worker removes it."""


@cache
def scratch() -> Path:
    """The folder of this process; gone when it ends."""
    if FOLDER in os.environ:
        return Path(os.environ[FOLDER])
    folder = Path(tempfile.mkdtemp(prefix="kanopy-fuzz-", dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def written(name: str, data: bytes) -> Path:
    """A file of this name with these bytes."""
    path = scratch() / name
    path.write_bytes(data)
    return path
