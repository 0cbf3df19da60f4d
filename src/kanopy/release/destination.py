"""Where a release is written: checked before the work starts, replaced whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from kanopy.errors import PolicyError, ResourceError

fcntl: Any
try:
    import fcntl
except ImportError:  # no advisory locks on this platform: stale files are then left alone
    fcntl = None

SUFFIXES = (".csv", ".parquet")
TREE_SUFFIXES = (".txt", ".dot", ".mmd")
"""A published tree as text, Graphviz, Mermaid."""


class Destination:
    """A reserved place for one file: a temporary file beside the target, private until it is committed.

    Parameters
    ----------
    path : path
        The file to be; its suffix tells the format.
    force : bool
        Whether an existing file may be replaced.
    source : path, optional
        The input, which the output must not be.
    suffixes : tuple of str
        The formats that can be written.
    before_commit : callable
        Called when nothing but the renaming is left to do.
    private : bool
        Whether nobody but the owner may read the file (mode 0600).

    Raises
    ------
    PolicyError
        A format that is not written, an existing file without ``force``, a link, the input itself.
    ResourceError
        A folder that does not exist or cannot be written to.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        source: str | os.PathLike[str] | None = None,
        suffixes: tuple[str, ...] = SUFFIXES,
        before_commit: Callable[[], None] = lambda: None,
        private: bool = False,
    ) -> None:
        self.path = Path(path)
        self.force = force
        self._suffixes = suffixes
        self._before_commit = before_commit
        self._private = private
        with _environment("cannot write to the folder of the output"):
            self._check(source)
            self._remove_stale()
            self.temporary, self._descriptor = self._reserve()

    def _reserve(self) -> tuple[Path, int]:
        """Create the temporary file and lock it, so that other runs do not take it for a stale one."""
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        while True:
            temporary = self.path.with_name(f".{self.path.name}.{secrets.token_hex(8)}.kanopy-tmp")
            # PRIVACY: nobody else may read what has not been judged yet (tests/unit/release).
            descriptor = os.open(temporary, flags, 0o600)
            if _is_ours(descriptor):
                return temporary, descriptor
            os.close(descriptor)

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()

    def __enter__(self) -> Destination:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the temporary file, unless it has become the output."""
        with contextlib.suppress(OSError):
            self.temporary.unlink()
        with contextlib.suppress(OSError):
            os.close(self._descriptor)

    @contextlib.contextmanager
    def writing(self) -> Iterator[BinaryIO]:
        """A stream into the temporary file; on leaving, everything is on the disk."""
        with _environment("cannot write the output"), os.fdopen(os.dup(self._descriptor), "wb") as stream:
            stream.seek(0)
            stream.truncate()
            yield stream
            stream.flush()
            os.fsync(stream.fileno())

    def commit(self) -> None:
        """Give the temporary file its name, in one step."""
        with _environment("cannot put the output in its place"):
            self._before_commit()
            self.temporary.chmod(self._final_mode())
            if self.force:
                self.temporary.replace(self.path)
            else:
                self._link_as_new()
            _sync_folder(self.path.parent)

    def _link_as_new(self) -> None:
        """Rename, but fail where somebody else has created the file in the meantime."""
        with contextlib.suppress(OSError):  # a file there, or a file system without hard links
            self.path.hardlink_to(self.temporary)
            return
        if self.path.exists():
            raise PolicyError(f"{self.path.name} has appeared while working", "use --force to replace it")
        self.temporary.replace(self.path)

    def _final_mode(self) -> int:
        if self._private:
            return 0o600
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask

    def _check(self, source: str | os.PathLike[str] | None) -> None:
        name = self.path.name
        if self.suffix not in self._suffixes:
            endings = " nor ".join(self._suffixes)
            raise PolicyError(f"output {name!r} is neither {endings}", "choose one of these endings")
        if source is not None and self.path.exists() and Path(source).exists() and self.path.samefile(source):
            raise PolicyError("output and input are the same file", "choose another output")
        if self.path.is_symlink():
            raise PolicyError(f"output {name!r} is a symbolic link", "name the file itself")
        try:
            mode = self.path.stat().st_mode
        except FileNotFoundError:
            mode = None
        if mode is not None and not stat.S_ISREG(mode):
            raise PolicyError(f"output {name!r} is not a regular file", "choose another output")
        if mode is not None and not self.force:
            raise PolicyError(f"output {name!r} exists", "use --force to replace it")
        if not self.path.parent.is_dir():
            raise ResourceError("the folder of the output does not exist", "create it first")

    def _remove_stale(self) -> None:
        """Remove what a killed run has left: a temporary file that nobody holds a lock on."""
        if fcntl is None:
            return
        for left in self.path.parent.glob(f".{_glob_safe(self.path.name)}.*.kanopy-tmp"):
            with contextlib.suppress(OSError):
                descriptor = os.open(left, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    left.unlink()
                finally:
                    os.close(descriptor)


def _is_ours(descriptor: int) -> bool:
    """Lock a new file; False where another run took it for a stale one before it was locked."""
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: nobody else can lock it either, so nobody removes it
        return True
    return os.fstat(descriptor).st_nlink > 0


def _glob_safe(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable; not every platform can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def _environment(what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ResourceError(
            f"{what}: {error.strerror or type(error).__name__}", "check space and rights"
        ) from None
