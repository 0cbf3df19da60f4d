"""The place of an output: checked before the work starts, and a temporary file until it gets its name."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from kanopy._threads import Beside
from kanopy.errors import Hint, PolicyError, ResourceError, VerificationError
from kanopy.frames.packed import PACKED_CSV, file_form, packing_of
from kanopy.frames.source import files_of
from kanopy.policy import Policy

if TYPE_CHECKING:
    from kanopy.auditing.beside import Counted

fcntl: Any
try:
    import fcntl
except ImportError:  # no advisory locks on this platform: stale files are then left alone
    fcntl = None

CAN_LOCK = fcntl is not None

SUFFIXES = (".csv", ".parquet", *PACKED_CSV)
TREE_SUFFIXES = (".txt", ".dot", ".mmd")
"""A published tree as text, Graphviz, Mermaid."""

_PRIVATE = 0o600
_STANDARD_INPUT = 0
_LARGE = 1 << 26  # bytes that take long to reach the disk


class Inputs(NamedTuple):
    """The files that a run reads, and what messages call them; no output may replace one of them.

    An int is the descriptor of an open file.
    """

    files: tuple[tuple[str, str | int], ...] = ()

    @classmethod
    def of(cls, table: Any, policy: Policy, policy_file: str | os.PathLike[str] | None = None) -> Inputs:
        """The file of the table, where it has one, the policy file, and the files of its hierarchies."""
        named: list[tuple[str, Any]] = [("input", table), ("policy file", policy_file)]
        named += [(f"hierarchy of column {column!r}", file) for column, file in policy.hierarchies.items()]
        files: list[tuple[str, str | int]] = []
        for what, file in named:
            if what == "input" and isinstance(file, str) and file == "-":
                files.append((what, _STANDARD_INPUT))
            elif what == "input" and (several := files_of(file)) is not None:
                files += [(what, os.path.abspath(file))] if isinstance(file, str | os.PathLike) else []  # noqa: PTH100
                files += [(what, os.path.abspath(each)) for each in several]  # noqa: PTH100
            elif isinstance(file, str | os.PathLike):
                # Absolute: what is written later may be written from another folder.
                files.append((what, os.path.abspath(os.fspath(file))))  # noqa: PTH100
        return cls(tuple(files))

    def refuse(self, output: Path) -> None:
        """Raise a PolicyError where the output is one of these files, by whatever name."""
        for what, file in self.files:
            try:
                is_same = os.path.samestat(os.stat(file), output.stat())  # noqa: PTH116
            except (OSError, ValueError):
                continue
            if is_same:
                raise PolicyError(f"output and {what} are the same file", "choose another output")


NO_INPUTS = Inputs()


class Destination:
    """A reserved place for one file: a temporary file beside the target, private until it is committed.

    Refuses formats that are not written, existing files without ``force``, links, inputs, and folders that do
    not exist or cannot be written to.

    Parameters
    ----------
    path : path
        Its suffix tells the format.
    force : bool
        Whether an existing file may be replaced.
    inputs : Inputs
        What was read, which the output must not replace.
    suffixes : tuple of str
        The formats that can be written.
    private : bool
        Whether only its owner may read the file; otherwise the umask decides.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        inputs: Inputs = NO_INPUTS,
        suffixes: tuple[str, ...] = SUFFIXES,
        private: bool = False,
    ) -> None:
        self.path = _as_path(path)
        self.force = force
        self._suffixes = suffixes
        self._private = private
        self._inputs = inputs
        self.digest = hashlib.sha256().digest()
        self.holds: Callable[[BinaryIO], bool] | None = None  # whether a stream has what was checked
        self.counted: Counted | None = None  # where it holds a table: what was counted on its bytes
        self._syncing = Beside()
        with environment("cannot write to the folder of the output"):
            self.check()
            self._remove_stale()
            self.temporary, self._descriptor = self._reserve()
            self._looked_at = os.fstat(self._descriptor)

    def _reserve(self) -> tuple[Path, int]:
        """Create the temporary file and lock it, so that other runs do not take it for a stale one."""
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        while True:
            temporary = self.another_name()
            # PRIVACY: nobody else may read what has not been audited yet (tests/unit/release).
            descriptor = os.open(temporary, flags, _PRIVATE)
            if _is_ours(descriptor):
                return temporary, descriptor
            os.close(descriptor)

    def another_name(self) -> Path:
        """A name beside the target that nobody has; what a killed run leaves under one is removed later."""
        return self.path.with_name(f".{self.path.name}.{os.urandom(8).hex()}.kanopy-tmp")

    @property
    def suffix(self) -> str:
        """The format of the file, such as ``.csv`` or ``.csv.gz``."""
        return file_form(self.path)

    @property
    def packing(self) -> str:
        """How the file is compressed: ``.gz``, ``.zst``, or the empty text."""
        return packing_of(self.path)

    @property
    def is_csv(self) -> bool:
        """Whether the file is a CSV file, compressed or not."""
        return self.suffix in (".csv", *PACKED_CSV)

    def __enter__(self) -> Destination:
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the temporary file, unless it has become the output."""
        with contextlib.suppress(OSError):
            self.temporary.unlink()
        with contextlib.suppress(OSError):
            self._syncing.end()
        self._syncing.__exit__()
        with contextlib.suppress(OSError):
            os.close(self._descriptor)

    @contextlib.contextmanager
    def writing(self, *, is_hashed: bool = True) -> Iterator[BinaryIO]:
        """A stream into the temporary file; everything is on the disk before the file gets its name.

        Where it is not hashed here, ``digest`` must be set to that of the bytes that were checked, or
        ``holds`` to what compares the file with them: without either the file does not get its name.
        """
        with environment("cannot write the output"), os.fdopen(os.dup(self._descriptor), "wb") as stream:
            stream.seek(0)
            stream.truncate()
            yield stream
            stream.flush()
            if stream.tell() < _LARGE:
                os.fsync(stream.fileno())
            else:  # the disk is busy with it while it is read back from memory
                self._syncing.begin(os.fsync, self._descriptor)
            if is_hashed:
                self.digest = self._hashed()

    @contextlib.contextmanager
    def reading(self) -> Iterator[BufferedReader]:
        """A stream from the temporary file: the one that was created here, whatever its name leads to."""
        with os.fdopen(os.dup(self._descriptor), "rb") as stream:
            stream.seek(0)
            yield stream

    def _hashed(self) -> bytes:
        with self.reading() as stream:
            return hashlib.file_digest(stream, "sha256").digest()

    def open_to_readers(self) -> None:
        """The last change before the name: who may read the file."""
        mask = os.umask(0)
        os.umask(mask)
        self._set_mode(_PRIVATE if self._private else 0o666 & ~mask)

    def close_to_readers(self) -> None:
        """Make private again what is not published after all, under whatever names it has."""
        with contextlib.suppress(OSError):
            self._set_mode(_PRIVATE)

    def _set_mode(self, mode: int) -> None:
        if os.chmod in os.supports_fd:
            os.chmod(self._descriptor, mode)  # noqa: PTH101
        else:
            self.temporary.chmod(mode)

    def check_unchanged(self, name: Path) -> None:
        """PRIVACY: what has the name is the file that was written here, and holds what was written.

        No other name leads to it either, by which it could be changed later (tests/sabotage).
        """
        self.check_same_bytes()
        self.check_untouched(name)

    def check_same_bytes(self) -> None:
        """The file holds what was written and checked, to the byte; O(bytes)."""
        self._syncing.end()
        self._looked_at = os.fstat(self._descriptor)
        if not self._is_unchanged():
            raise changed()

    def _is_unchanged(self) -> bool:
        if self.holds is None:
            return self._hashed() == self.digest
        with self.reading() as stream:
            return self.holds(stream)

    def check_untouched(self, name: Path) -> None:
        """The same as far as it can be told without reading the file once more."""
        ours, before = os.fstat(self._descriptor), self._looked_at
        try:
            named = name.lstat()
        except FileNotFoundError:
            raise changed() from None
        is_same = (ours.st_size, ours.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
        if not os.path.samestat(named, ours) or ours.st_nlink > 1 or not is_same:
            raise changed()

    def check(self, *, is_again: bool = False) -> None:
        """Whether the place is free, or may be replaced; ``is_again`` if it was checked before the work."""
        name = self.path.name
        if self.suffix not in self._suffixes:
            endings = " nor ".join(self._suffixes)
            raise PolicyError(f"output {name!r} is neither {endings}", "choose one of these endings")
        self._inputs.refuse(self.path)
        if self.path.is_symlink():
            raise PolicyError(f"output {name!r} is a symbolic link", "name the file itself")
        try:
            mode = self.path.stat().st_mode
        except FileNotFoundError:
            mode = None
        if mode is not None and not stat.S_ISREG(mode):
            raise PolicyError(f"output {name!r} is not a regular file", "choose another output")
        if mode is not None and not self.force:
            if is_again:
                raise appeared(self.path)
            raise PolicyError(f"output {name!r} exists", Hint("use {force} to replace it", force=True))
        if not self.path.parent.is_dir():
            raise ResourceError("the folder of the output does not exist", "create it first")

    def _remove_stale(self) -> None:
        """Remove what a killed run has left: a temporary file that nobody holds a lock on."""
        if not CAN_LOCK:
            return
        for left in self.path.parent.glob(f".{glob.escape(self.path.name)}.*.kanopy-tmp"):
            with contextlib.suppress(OSError):
                descriptor = os.open(left, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
                try:
                    lock(descriptor)
                    left.unlink()
                finally:
                    os.close(descriptor)


def _as_path(path: Any) -> Path:
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(text, str):
        raise PolicyError(
            f"an output is the path of a file; this is a {type(path).__name__}", 'for example "release.csv"'
        )
    if "\0" in text:
        raise PolicyError("the name of the output contains a NUL character", "choose another name")
    return Path(text)


def _is_ours(descriptor: int) -> bool:
    """Lock a new file; False where another run took it for a stale one before it was locked."""
    try:
        lock(descriptor)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: nobody else can lock it either, so nobody removes it
        return True
    return os.fstat(descriptor).st_nlink > 0


def lock(descriptor: int) -> None:
    """Lock a file for this run alone, where the platform has locks, or raise a BlockingIOError."""
    if CAN_LOCK:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def environment(what: str) -> Iterator[None]:
    """Errors of the system as errors of kanopy."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ResourceError(f"{what}: {reason}", "check disk space and permissions") from None


def appeared(path: PurePath) -> PolicyError:
    """The error where another program has created the file meanwhile."""
    hint = Hint("use {force} to replace it", force=True)
    return PolicyError(f"{path.name} was created by another program meanwhile", hint)


def changed() -> VerificationError:
    """The error where a file is no longer what was checked."""
    return VerificationError("the file was changed after it was checked", "nothing was published")
