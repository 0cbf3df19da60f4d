"""The place of a release in parts: a private folder beside the target until all of it is checked."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Callable, Mapping
from pathlib import Path

from kanopy.certificate import FOLDER_CERTIFICATE, CertifiedFile
from kanopy.errors import Hint, PolicyError, ResourceError, VerificationError
from kanopy.release.destination import NO_INPUTS, Inputs, appeared, environment, lock

_PRIVATE = 0o700
_ENDING = "kanopy-tmp"


class CertifiedPlace:
    """A place for parts, and what is known of them once they were read back."""

    hashes: Callable[[list[str]], dict[str, str]] | None = None
    """From addresses of files to the SHA-256 of each, by its name; set by the engine that can read them."""
    _certified: CertifiedFile | None = None

    @property
    def certified(self) -> CertifiedFile:
        """The parts that were read back."""
        assert self._certified is not None, "parts are read back before anything is said about them"
        return self._certified

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the list of parts."""
        return bytes.fromhex(self.certified.sha256)

    def _check_listed(self, found: Mapping[str, int]) -> None:
        """Whether these files, given with their sizes, are those that were read back."""
        if found != {part.name: part.n_bytes for part in self.certified.parts}:
            raise changed_part()


class FolderDestination(CertifiedPlace):
    """A reserved place for a folder of parts; refuses what is there already, inputs, and links.

    Parameters
    ----------
    path : path
    force : bool
        Whether a release that is there may be replaced. A folder that is none never is.
    inputs : Inputs
        What was read: the output must not lie in it, nor it in the output.
    staging : path, optional
        Where parts are written first, on the same file system; else beside the output.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        inputs: Inputs = NO_INPUTS,
        staging: str | os.PathLike[str] | None = None,
    ) -> None:
        self.path = Path(os.path.abspath(os.fspath(path)))  # noqa: PTH100 (links are refused, not followed)
        self.force = force
        self._inputs = inputs
        self._staging = self.path.parent if staging is None else Path(os.path.abspath(staging))  # noqa: PTH100
        self._found: dict[str, tuple[int, int]] = {}
        with environment("cannot write to the folder of the output"):
            self.check()
            self._remove_stale()
            self.temporary = self.another_name()
            self.temporary.mkdir(_PRIVATE)
            self._descriptor = os.open(self.temporary, os.O_RDONLY)
            with contextlib.suppress(OSError):
                lock(self._descriptor)

    @property
    def target(self) -> str:
        """Where an engine writes parts, as a URI; the folder itself does not exist yet."""
        return (self.temporary / "parts").as_uri()

    def another_name(self) -> Path:
        """A name for a folder of this run; what a killed run leaves under one is removed later."""
        return self._staging / f".{self.path.name}.{os.urandom(8).hex()}.{_ENDING}"

    def check(self, *, is_again: bool = False) -> None:
        """Whether the place is free, or may be replaced; ``is_again`` if it was checked before the work."""
        name = self.path.name
        if not self.path.parent.is_dir():
            raise ResourceError("the folder of the output does not exist", "create it first")
        if not self._staging.is_dir():
            raise ResourceError("the staging folder does not exist", "create it first")
        if self._staging.stat().st_dev != self.path.parent.stat().st_dev:
            what = "the staging folder is on another file system than the output"
            raise PolicyError(what, "choose one on the same, so that the release gets its name in one step")
        self._refuse_inputs()
        if self.path.is_symlink():
            raise PolicyError(f"output {name!r} is a symbolic link", "name the folder itself")
        if not os.path.lexists(self.path):
            return
        if not self.path.is_dir():
            raise PolicyError(f"output {name!r} exists, and is no folder", "choose another output")
        if any(self.path.iterdir()) and not (self.path / FOLDER_CERTIFICATE).is_file():
            what = f"output {name!r} is a folder that holds no release"
            raise PolicyError(what, "choose another output: only a release is ever replaced")
        if any(self.path.iterdir()) and not self.force:
            if is_again:
                raise appeared(self.path)
            raise PolicyError(f"output {name!r} exists", Hint("use {force} to replace it", force=True))

    def _refuse_inputs(self) -> None:
        place = self.path.resolve()
        for what, file in self._inputs.files:
            if isinstance(file, str):
                read = Path(file).resolve()
                if read == place or place in read.parents or (read.is_dir() and read in place.parents):
                    both = f"the output lies in the {what}, or this in it"
                    raise PolicyError(both, "choose another output")

    def take_parts(self, suffix: str) -> list[str]:
        """Give the files that an engine has written names of our own, in the order of theirs, and forget
        everything else that it has written; their addresses."""
        with environment("cannot write the output"):
            written = self.temporary / "parts"
            parts = sorted(each for each in written.iterdir() if each.name.startswith("part-"))
            taken = []
            for number, part in enumerate(parts):
                if part.is_symlink() or not part.is_file():
                    raise changed_part()
                taken.append(part.rename(self.temporary / f"part-{number:05d}{suffix}"))
            shutil.rmtree(written)
            for part in taken:
                _sync(part)
            self._found = self._listing()
        return [part.as_uri() for part in taken]

    def _listing(self) -> dict[str, tuple[int, int]]:
        found = {}
        for entry in os.scandir(self.temporary if self.temporary.exists() else self.path):
            facts = entry.stat(follow_symlinks=False)
            # PRIVACY: a link could lead to anything, and a second name could change it later
            # (tests/spark/test_written_parts.py).
            if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
                raise changed_part()
            found[entry.name] = (facts.st_size, facts.st_mtime_ns)
        return found

    def take_certified(self, certified: CertifiedFile) -> None:
        """What was read back; the files that are here must be those, and no others."""
        self._certified = certified
        self._check_listed({name: size for name, (size, _) in self._listing().items()})

    def put_beside(self, name: str, text: bytes) -> None:
        """Write another file than a part: one of the codebook, or the certificate, which is the last."""
        with environment("cannot write the output"):
            self.check_unchanged()
            place = self.temporary / name
            place.write_bytes(text)
            _sync(place)
            self._found = self._listing()

    def check_unchanged(self) -> None:
        """PRIVACY: what gets the name holds the files that were read back and nothing else, and none was
        written to since then (tests/spark/test_written_parts.py)."""
        if self._listing() != self._found or (FOLDER_CERTIFICATE in self._found and len(self._found) < 2):
            raise changed_part()

    def is_ours(self, name: Path) -> bool:
        """Whether a name leads to the folder that was reserved here."""
        return name.is_dir() and os.path.samestat(name.lstat(), os.fstat(self._descriptor))

    def set_mode(self, mode: int) -> None:
        """Who may look into the folder."""
        os.fchmod(self._descriptor, mode)

    def __enter__(self) -> FolderDestination:
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what is not published after all."""
        if self.is_ours(self.temporary):
            shutil.rmtree(self.temporary, ignore_errors=True)
        with contextlib.suppress(OSError):
            os.close(self._descriptor)

    def _remove_stale(self) -> None:
        """Remove what a killed run has left: a folder that nobody holds a lock on."""
        for left in self._staging.glob(f".{glob_escaped(self.path.name)}.*.{_ENDING}"):
            with contextlib.suppress(OSError):
                descriptor = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
                try:
                    lock(descriptor)
                    shutil.rmtree(left)
                finally:
                    os.close(descriptor)


class FolderNaming:
    """A folder on the way to its name; until it is settled, what it replaces is kept."""

    def __init__(self, place: FolderDestination) -> None:
        self._place = place
        self._old: Path | None = None
        self._is_put = False

    def put(self) -> None:
        """Give the folder its name in one step, having made sure that it is still what was checked."""
        place = self._place
        place.check_unchanged()
        if place.force and place.path.is_dir():
            old = place.another_name()
            place.path.rename(old)
            self._old = old
        mask = os.umask(0)
        os.umask(mask)
        place.set_mode(0o777 & ~mask)
        place.temporary.rename(place.path)
        self._is_put = True

    def confirm(self) -> None:
        """Look once more, now by its name."""
        if not self._place.is_ours(self._place.path):
            raise changed_part()
        self._place.check_unchanged()

    def undo(self) -> None:
        """Put everything back as it was, as far as the system lets us."""
        with contextlib.suppress(OSError):
            self._place.set_mode(_PRIVATE)
            if self._is_put:
                self._place.path.rename(self._place.temporary)
            if self._old is not None:
                self._old.rename(self._place.path)

    def settle(self) -> None:
        """Nothing will be undone any more."""
        if self._old is not None:
            shutil.rmtree(self._old, ignore_errors=True)
        with contextlib.suppress(OSError):
            _sync(self._place.path.parent)


def changed_part() -> VerificationError:
    """The error where a part is not the one that was checked."""
    return VerificationError("a part was changed after it was checked", "nothing was published")


def glob_escaped(name: str) -> str:
    """A name in which no character stands for others."""
    import glob

    return glob.escape(name)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
