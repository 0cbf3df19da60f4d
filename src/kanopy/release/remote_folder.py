"""The place of a release on another file system, such as an object store: copied there, the certificate last.

Such a file system renames no folder in one step. So parts are checked in a staging folder and copied, the
copies are hashed again, and only then ``_kanopy.json`` is written: without it there is no release.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa
from pyarrow import fs

from kanopy.certificate import FOLDER_CERTIFICATE, CertifiedFile
from kanopy.errors import Hint, PolicyError, ResourceError
from kanopy.release.destination import appeared
from kanopy.release.folder import CertifiedPlace, changed_part

_SAME = {"s3a": "s3", "s3n": "s3", "abfss": "abfs"}
"""What Spark calls a file system, and what pyarrow does."""


class RemoteFolder(CertifiedPlace):
    """A reserved place for a folder of parts; see ``FolderDestination``.

    Parameters
    ----------
    url : str
    force : bool
        Whether a release that is there may be replaced. A folder that is none never is.
    staging : str, optional
        Where parts are written first, on the same file system; else beside the output.
    """

    def __init__(self, url: str, *, force: bool = False, staging: str | None = None) -> None:
        self.url, self.force = url.rstrip("/"), force
        self.path = PurePosixPath(self.url)
        beside = self.url.rpartition("/")[0] if staging is None else staging.rstrip("/")
        self._staging = f"{beside}/.{self.path.name}.{os.urandom(8).hex()}.kanopy-tmp"
        self._system, self._root = _opened(self.url)
        self._staging_root = _opened(self._staging)[1]
        self._names: list[str] = []
        self._beside: dict[str, bytes] = {}
        self.check()

    @property
    def target(self) -> str:
        """Where an engine writes parts; the folder does not exist yet."""
        return f"{self._staging}/parts"

    def check(self, *, is_again: bool = False) -> None:
        """Whether the place is free, or may be replaced; ``is_again`` if it was checked before the work."""
        names = self._listed(self._root)
        if names and FOLDER_CERTIFICATE not in names:
            what = f"output {self.path.name!r} is a folder that holds no release"
            raise PolicyError(what, "choose another output: only a release is ever replaced")
        if names and not self.force:
            if is_again:
                raise appeared(self.path)
            raise PolicyError(
                f"output {self.path.name!r} exists", Hint("use {force} to replace it", force=True)
            )

    def _listed(self, folder: str) -> dict[str, int]:
        with _errors():
            found = self._system.get_file_info(fs.FileSelector(folder, allow_not_found=True))
        return {each.base_name: each.size or 0 for each in found}

    def take_parts(self, suffix: str) -> list[str]:
        """Give the files that an engine has written names of our own; their addresses."""
        written = f"{self._staging_root}/parts"
        self._names = []
        for number, name in enumerate(
            sorted(each for each in self._listed(written) if each.startswith("part-"))
        ):
            self._names.append(f"part-{number:05d}{suffix}")
            with _errors():
                self._system.move(f"{written}/{name}", f"{self._staging_root}/{self._names[-1]}")
        return [f"{self._staging}/{name}" for name in self._names]

    def take_certified(self, certified: CertifiedFile) -> None:
        """What was read back; the files that are there must be those."""
        self._certified = certified
        found = self._listed(self._staging_root)
        self._check_listed({name: size for name, size in found.items() if name != "parts"})

    def put_beside(self, name: str, text: bytes) -> None:
        """Another file than a part: one of the codebook, or the certificate, which is written last."""
        self._beside[name] = text

    def put(self) -> None:
        """Copy the parts, hash the copies, and write the certificate.

        PRIVACY: what is certified are the bytes that are there, read once more (tests/spark/test_remote.py).
        """
        assert self.hashes is not None, "an engine must be able to read the files"
        self.withdraw()
        with _errors():
            self._system.create_dir(self._root)
            for name in self._names:
                self._system.copy_file(f"{self._staging_root}/{name}", f"{self._root}/{name}")
        found = self.hashes([f"{self.url}/{name}" for name in self._names])
        listed = {part.name: part.sha256 for part in self.certified.parts}
        if found != listed or self._listed(self._root).keys() != listed.keys():
            raise changed_part()
        for name, text in self._beside.items():
            with _errors(), self._system.open_output_stream(f"{self._root}/{name}") as stream:
                stream.write(text)

    def withdraw(self) -> None:
        """Remove a release that is there, its certificate first: from then on it is none."""
        for name in sorted(self._listed(self._root), key=lambda name: name != FOLDER_CERTIFICATE):
            with _errors():
                self._system.delete_file(f"{self._root}/{name}")

    def __enter__(self) -> RemoteFolder:
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what was staged."""
        with contextlib.suppress(OSError, pa.ArrowException):
            self._system.delete_dir(self._staging_root)


class RemoteNaming:
    """A release on its way to its name; where that fails, nothing is left there."""

    def __init__(self, place: RemoteFolder) -> None:
        self._place = place
        self._is_begun = False

    def put(self) -> None:
        """Copy and certify."""
        self._is_begun = True
        self._place.put()

    def confirm(self) -> None:
        """The copies were read back already."""

    def undo(self) -> None:
        """Take back what was copied; a release that was replaced cannot come back."""
        if self._is_begun:
            with contextlib.suppress(ResourceError):
                self._place.withdraw()

    def settle(self) -> None:
        """Nothing is left to do."""


def _opened(url: str) -> tuple[Any, str]:
    scheme, _, rest = url.partition("://")
    try:
        system, path = fs.FileSystem.from_uri(f"{_SAME.get(scheme, scheme)}://{rest}")
        return system, path
    except (pa.ArrowException, OSError, ValueError):
        what = f"the driver cannot open {scheme}:// itself, which it must to publish there"
        raise PolicyError(
            what, "mount it, or write to a folder and copy that with its _kanopy.json last"
        ) from None


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        what = f"cannot write the output: {type(error).__name__}"
        raise ResourceError(what, "check the address and the permissions of the driver") from None
