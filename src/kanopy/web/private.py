"""The private folder of a running page: nobody else reads it; it is removed at exit, stale ones at start."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

from kanopy._signals import signals_after

_PREFIX, _NEW = "kanopy-serve-", "kanopy-new-"
_OWNER = "owner.lock"


class PrivateFolder:
    """A folder of mode 0700; its owner holds a lock on a file in it for as long as it lives.

    PRIVACY: uploads and releases lie here and nowhere else, and are removed at exit; where the process was
    killed, at the next start (tests/unit/web/test_private.py).
    """

    def __init__(self) -> None:
        remove_stale()
        # Whoever starts at the same time would take a folder that is not locked yet for a stale one.
        self.path = Path(tempfile.mkdtemp(prefix=_NEW))  # made with mode 0700
        self._lock = os.open(self.path / _OWNER, os.O_CREAT | os.O_RDWR, 0o600)
        if _locked(self._lock):
            self.path = self.path.rename(self.path.with_name(self.path.name.replace(_NEW, _PREFIX, 1)))

    def new(self, name: str) -> Path:
        """A folder in it."""
        folder = self.path / name
        folder.mkdir(mode=0o700)
        return folder

    def write(self, name: str, text: str) -> Path:
        """A file in it, which nobody else can read either."""
        place = self.path / name
        place.touch(mode=0o600, exist_ok=False)
        place.write_text(text, "utf-8")
        return place

    def remove(self) -> None:
        """Remove everything; what cannot be removed is left to the next start."""
        with signals_after():  # a second Ctrl-C would leave what it interrupts
            with contextlib.suppress(OSError):
                os.close(self._lock)
            shutil.rmtree(self.path, ignore_errors=True)


def remove_stale() -> None:
    """Remove folders of this user that no living process holds."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            found = folder.lstat()
            is_own = not hasattr(os, "getuid") or found.st_uid == os.getuid()
            if stat.S_ISDIR(found.st_mode) and is_own and not _is_held(folder / _OWNER):
                shutil.rmtree(folder, ignore_errors=True)


def _is_held(lock: Path) -> bool:
    try:
        opened = os.open(lock, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not _locked(opened)
    finally:
        os.close(opened)


def _locked(opened: int) -> bool:
    """Whether the lock could be taken; without locks on this system, every folder counts as held."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
