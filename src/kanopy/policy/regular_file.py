"""Short files that are read whole: nothing that never ends, and nothing that is waited for."""

from __future__ import annotations

import os
import stat
from pathlib import Path


class NotRegularError(Exception):
    """A pipe, a terminal or a device."""


def read_regular(path: Path, most: int) -> bytes:
    """The bytes of a regular file, as many as ``most`` and one more where it is longer.

    Raises
    ------
    NotRegularError
        At once: a pipe into which nobody writes is not waited for.
    OSError, ValueError
        As ``open`` does.
    """
    if not path.is_dir() and path.exists() and not path.is_file():
        raise NotRegularError
    # Between the two looks it may have become a pipe: opened like this, that is not waited for either.
    with open(path, "rb", opener=_open_at_once) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise NotRegularError
        return stream.read(most + 1)


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
