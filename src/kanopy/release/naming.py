"""Files that were written get their names: all of them, or none."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanopy._signals import signals_after
from kanopy.errors import Hint, PolicyError, ResourceError, VerificationError

if TYPE_CHECKING:
    from kanopy.release.destination import Destination

fcntl: Any
try:
    import fcntl
except ImportError:  # no advisory locks on this platform: stale files are then left alone
    fcntl = None

CAN_LOCK = fcntl is not None

_LOOK = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)

PATIENCE = 10.0
"""Seconds to wait for another run that is giving names in the same folder."""


def name_all(places: Sequence[Destination]) -> None:
    """Give every file its name, in this order; where one fails, all are as they were before.

    PRIVACY: what gets a name is the file that was checked, byte for byte
    (tests/sabotage/test_transaction.py).
    """
    folders = [place.path.parent for place in places]
    with environment("cannot put the output in its place"), signals_after(), _locked(folders):
        for place in places:
            place.check_again()
        namings: list[_Naming] = []
        try:
            for place in places:
                namings.append(_Naming(place))
                namings[-1].put()
                namings[-1].confirm()
        except BaseException:
            for naming in reversed(namings):
                naming.undo()
            raise
        for naming in namings:
            naming.settle()


class _Naming:
    """One file on the way to its name; until it is settled, what it replaces is kept."""

    def __init__(self, place: Destination) -> None:
        self._place = place
        self._old: Path | None = None
        self._lock: int | None = None
        self._is_put = False

    def put(self) -> None:
        """Give the file its name in one step, having made sure that it is still what was checked."""
        place = self._place
        if place.force:
            self._keep_old()
        place.open_to_readers()
        place.check_unchanged(place.temporary)
        if place.force:
            place.temporary.replace(place.path)
        else:
            self._link_as_new()
        self._is_put = True

    def confirm(self) -> None:
        """Look once more, now by its name: somebody may have been quicker between check and naming."""
        if not self._place.force:
            with contextlib.suppress(OSError):
                self._place.temporary.unlink()
        self._place.check_untouched(self._place.path)

    def undo(self) -> None:
        """Put everything back as it was, as far as the system lets us."""
        self._place.close_to_readers()
        with contextlib.suppress(OSError):
            if self._is_put and self._old is not None:
                self._old.replace(self._place.path)
            elif self._is_put:
                self._place.path.unlink()
            self._forget_old()  # but not where it could not be put back: then nobody else has it
        self._unlock()

    def settle(self) -> None:
        """Nothing will be undone any more; nothing of this can fail either."""
        self._forget_old()
        self._unlock()
        sync_folder(self._place.path.parent)

    def _link_as_new(self) -> None:
        """Rename, but fail where somebody else has created the file in the meantime."""
        place = self._place
        with contextlib.suppress(OSError):  # a file there, or a file system without hard links
            place.path.hardlink_to(place.temporary)
            return
        if place.path.exists() or place.path.is_symlink():
            raise appeared(place.path)
        place.temporary.replace(place.path)

    def _keep_old(self) -> None:
        """Another name for the file that is replaced; locked, or another run might take it for stale."""
        path = self._place.path
        with contextlib.suppress(OSError):
            self._lock = os.open(path, _LOOK)
            lock(self._lock)
        old = self._place.another_name()
        try:
            os.link(path, old, follow_symlinks=False)
        except FileNotFoundError:
            return
        except (OSError, NotImplementedError):  # no hard links here, or none to files of somebody else
            self._old = old
            _copy_privately(path, old)
        self._old = old

    def _forget_old(self) -> None:
        if self._old is not None:
            with contextlib.suppress(OSError):
                self._old.unlink()
        self._old = None

    def _unlock(self) -> None:
        if self._lock is not None:
            with contextlib.suppress(OSError):
                os.close(self._lock)
        self._lock = None


def appeared(path: Path) -> PolicyError:
    """The error where somebody else was quicker."""
    return PolicyError(
        f"{path.name} was created by another program meanwhile", Hint("use {force} to replace it", force=True)
    )


def _copy_privately(path: Path, copy: Path) -> None:
    descriptor = os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(descriptor, "wb") as stream, path.open("rb") as old:
        shutil.copyfileobj(old, stream)
    shutil.copystat(path, copy)


@contextlib.contextmanager
def _locked(folders: Sequence[Path]) -> Iterator[None]:
    """Let one run at a time give names in these folders.

    Two runs may replace the same file, and each is right to; without the lock, one that looks at its file
    once more might see that of the other.
    """
    with contextlib.ExitStack() as held:
        known: dict[tuple[int, int], Path] = {}
        for folder in folders if CAN_LOCK else ():
            with contextlib.suppress(OSError):
                known[folder.stat().st_dev, folder.stat().st_ino] = folder
        for _, folder in sorted(known.items()):  # always in the same order, or two runs would wait for ever
            with contextlib.suppress(OSError):
                descriptor = os.open(folder, os.O_RDONLY)
                held.callback(os.close, descriptor)
                _wait_for_lock(descriptor)
        yield


def lock(descriptor: int) -> None:
    """Lock a file for this run alone, where the platform has locks, or raise a BlockingIOError."""
    if CAN_LOCK:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _wait_for_lock(descriptor: int) -> None:
    """Wait a while, then go on without: whoever holds the lock may be stopped."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            lock(descriptor)
        except BlockingIOError:
            time.sleep(0.01)
        else:
            return


def sync_folder(folder: Path) -> None:
    """Make a rename durable; not every platform can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def environment(what: str) -> Iterator[None]:
    """Errors of the system as errors of kanopy."""
    try:
        yield
    except OSError as error:
        raise ResourceError(
            f"{what}: {error.strerror or type(error).__name__}", "check disk space and permissions"
        ) from None


def changed() -> VerificationError:
    """The error where a file is not what was checked."""
    return VerificationError("the file was changed after it was checked", "nothing was published")
