"""All files of one run: together they get their names, or none of them does."""

from __future__ import annotations

import contextlib
import os
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeAlias

from kanopy._signals import signals_after
from kanopy.errors import PolicyError
from kanopy.release.destination import (
    CAN_LOCK,
    NO_INPUTS,
    SUFFIXES,
    Destination,
    Inputs,
    appeared,
    environment,
    lock,
)
from kanopy.release.folder import FolderDestination, FolderNaming
from kanopy.release.pipe import PipedDestination

if TYPE_CHECKING:
    from kanopy.release.remote_folder import RemoteFolder

FolderPlace: TypeAlias = "FolderDestination | RemoteFolder"
Place: TypeAlias = "Destination | FolderPlace"

PATIENCE = 10.0
"""Seconds to wait for another run that is giving names in the same folder."""

_LOOK = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class Transaction:
    """The places of all files of one run.

    The place that is reserved first is that of the table: it gets its name last. Whatever fails before that
    leaves nothing, and files that would have been replaced stay. ``before_commit`` is called when nothing but
    the naming is left to do.
    """

    def __init__(
        self,
        *,
        force: bool = False,
        inputs: Inputs = NO_INPUTS,
        before_commit: Callable[[], None] = lambda: None,
    ) -> None:
        self._force = force
        self._inputs = inputs
        self._before_commit = before_commit
        self._places: list[Place] = []
        self._vacated: set[Destination] = set()
        self._pipe: PipedDestination | None = None
        self._open = contextlib.ExitStack()

    def reserve(
        self,
        path: str | os.PathLike[str],
        *,
        suffixes: tuple[str, ...] = SUFFIXES,
        private: bool = False,
        vacate: bool = False,
    ) -> Destination:
        """A place for one more file; the parameters are those of ``Destination``.

        With ``vacate`` no file is put there: one that is there, and may be replaced, is removed.
        """
        place = Destination(path, force=self._force, inputs=self._inputs, suffixes=suffixes, private=private)
        self._open.enter_context(place)
        self._add(place)
        if vacate:
            self._vacated.add(place)
        return place

    def reserve_pipe(self, stream: BinaryIO) -> PipedDestination:
        """A place for a table that is sent into a pipe, when nothing but the naming is left to do."""
        self._pipe = PipedDestination(stream)
        self._open.enter_context(self._pipe)
        return self._pipe

    def reserve_folder(
        self, path: str | os.PathLike[str], *, staging: str | os.PathLike[str] | None = None
    ) -> FolderPlace:
        """The same for a release in parts; the parameters are those of ``FolderDestination``."""
        place: FolderPlace
        if isinstance(path, str) and "://" in path:
            from kanopy.release.remote_folder import RemoteFolder  # loads other file systems

            place = RemoteFolder(path, force=self._force, staging=None if staging is None else str(staging))
        else:
            place = FolderDestination(path, force=self._force, inputs=self._inputs, staging=staging)
        self._open.enter_context(place)
        self._add(place)
        return place

    def _add(self, place: Place) -> None:
        if any(_is_same(place.path, other.path) for other in self._places):
            raise PolicyError(
                f"two outputs are the same file, {place.path.name!r}", "give each output its own name"
            )
        self._places.append(place)

    def commit(self) -> None:
        """Give all files their names, the table last; where one fails, all are as they were before.

        PRIVACY: what gets a name is the file that was checked, byte for byte
        (tests/sabotage/test_transaction.py).
        """
        if self._pipe is not None:  # before the others get their names: what reads it may stop half-way
            self._pipe.send()
        self._before_commit()
        places = self._places[::-1]
        folders = [place.path.parent for place in places if isinstance(place.path, Path)]
        with environment("cannot put the output in its place"), signals_after(), _locked(folders):
            for place in places:
                place.check(is_again=True)
            namings: list[Naming] = []
            try:
                for place in places:
                    namings.append(self._naming(place))
                    namings[-1].put()
                    namings[-1].confirm()
            except BaseException:
                for naming in reversed(namings):
                    naming.undo()
                raise
            for naming in namings:
                naming.settle()

    def _naming(self, place: Place) -> Naming:
        if isinstance(place, FolderDestination):
            return FolderNaming(place)
        if isinstance(place, Destination):
            return _Removal(place) if place in self._vacated else _Naming(place)
        from kanopy.release.remote_folder import RemoteNaming

        return RemoteNaming(place)

    def __enter__(self) -> Transaction:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()


def write_file(
    path: str | os.PathLike[str],
    write: Callable[[Destination], None],
    *,
    force: bool,
    inputs: Inputs = NO_INPUTS,
    **kind: Any,
) -> Path:
    """Write one file in a transaction of its own; ``kind`` is for ``Transaction.reserve``."""
    with Transaction(force=force, inputs=inputs) as transaction:
        place = transaction.reserve(path, **kind)
        write(place)
        transaction.commit()
    return place.path


def _is_same(path: PurePath, other: PurePath) -> bool:
    """Whether two names mean one file; not every file system tells upper from lower case."""
    if not isinstance(path, Path) or not isinstance(other, Path):
        return path == other
    if path.exists() and other.exists() and path.samefile(other):
        return True
    names = {unicodedata.normalize("NFC", name.casefold()) for name in (path.name, other.name)}
    return len(names) == 1 and path.parent.samefile(other.parent)


class Naming(Protocol):
    """Something on the way to its name; until it is settled, all can be undone."""

    def put(self) -> None:
        """Give it its name."""

    def confirm(self) -> None:
        """Look once more."""

    def undo(self) -> None:
        """Put everything back as it was."""

    def settle(self) -> None:
        """Nothing will be undone any more."""


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


class _Removal(_Naming):
    """A file on the way out; until it is settled, it can come back."""

    def put(self) -> None:
        """Take the name away from the file that has it."""
        if self._place.force:
            self._keep_old()
            with contextlib.suppress(FileNotFoundError):
                self._place.path.unlink()
        self._is_put = True

    def confirm(self) -> None:
        """There is nothing left to look at."""


def _copy_privately(path: Path, copy: Path) -> None:
    import shutil  # slow to load, and seldom needed

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


def _wait_for_lock(descriptor: int) -> None:
    """Wait a while, then go on without: whoever holds the lock may be stopped."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            lock(descriptor)
            return
        except BlockingIOError:
            time.sleep(0.01)


def sync_folder(folder: Path) -> None:
    """Make a rename durable; not every platform can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
