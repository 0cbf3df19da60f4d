"""Data sets by name: from a folder of yours, from the cache, from the archive, or made."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import secrets
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from kanopy.errors import InputError, PolicyError, ResourceError
from kanopy_studies.datasets.catalogue import describe
from kanopy_studies.datasets.dataset import DataSet, TableFile
from kanopy_studies.datasets.made import tic_tac_toe_rows, waveform_rows
from kanopy_studies.datasets.uci import ADDRESS, original_rows

if TYPE_CHECKING:
    import pyarrow as pa

DATA_FOLDER = "KANOPY_DATA"


def load(
    name: str,
    *,
    part: str | None = None,
    seed: int | None = None,
    download: bool = True,
    address: str = ADDRESS,
) -> pa.Table:
    """Load a data set of the papers by its name; O(bytes).

    A file is looked for in the folder that the environment variable ``KANOPY_DATA`` names, then in the cache
    (``cache_folder``), then in the UCI archive, whose answer is kept in the cache. Whichever it is, it must
    be the published table, byte by byte. ``tic_tac_toe`` is made and needs no file; ``waveform40`` is made
    where there is no file, of other rows than the published ones.

    Parameters
    ----------
    name : str
        One of ``names()``; ``describe(name)`` tells what it is.
    part : str, optional
        Of ``adult``: ``"train"`` or ``"test"``; None for both, the training part first.
    seed : int, optional
        Of ``waveform40``: make the table with this seed, whether there is a file or not. Without one it is
        made, where it must be, with seed 0.
    download : bool
        Whether the archive may be asked.
    address : str
        Of the archive.

    Returns
    -------
    pyarrow.Table
        All columns as text, as they are read from CSV, missing values as empty texts; the class comes last.

    Raises
    ------
    PolicyError
        Where there is no such data set or part, or a seed for what is not drawn.
    InputError
        Where the file in your folder is not the published one.
    ResourceError
        Where the table is nowhere to be had, or what came is not the published one.
    """
    chosen = describe(name)
    if seed is not None and name != "waveform40":
        raise PolicyError(f"{name} does not depend on chance", "leave out the seed")
    files = [file for file in chosen.files if part is None or file.part == part]
    if not files or part == "":
        hint = f"there are {' and '.join(map(repr, chosen.parts))}" if chosen.parts else "leave it out"
        raise PolicyError(f"{name} has no part {part!r}", hint)
    import pyarrow as pa

    from kanopy.frames.csv_file import read_csv

    contents = [_content(chosen, file, seed, download=download, address=address) for file in files]
    return pa.concat_tables([read_csv(io.BytesIO(content), where=name) for content in contents])


def cache_folder() -> Path:
    """Where fetched tables are kept; a file with the right name and content may also be put there by hand."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        named = Path(os.environ.get("XDG_CACHE_HOME", ""))
        base = named if named.is_absolute() else home / ".cache"  # as its specification says
    return base / "kanopy" / "datasets"


def _content(chosen: DataSet, file: TableFile, seed: int | None, *, download: bool, address: str) -> bytes:
    """The bytes of a file, wherever they come from."""
    if chosen.name == "tic_tac_toe":
        return _checked(_csv(chosen, tic_tac_toe_rows()), file)
    if seed is not None:
        return _csv(chosen, waveform_rows(chosen.n_rows, seed))
    given = _given(file)
    if given is not None:
        return given
    cached = _cached(file)
    if cached is not None:
        return cached
    if chosen.name == "waveform40":
        return _csv(chosen, waveform_rows(chosen.n_rows, 0))
    return _fetched(chosen, file, address if download else "")


def _given(file: TableFile) -> bytes | None:
    folder = os.environ.get(DATA_FOLDER)
    if not folder or not (Path(folder) / file.name).is_file():
        return None
    try:
        content = (Path(folder) / file.name).read_bytes()
    except OSError as error:
        raise ResourceError(f"{file.name} in {DATA_FOLDER} cannot be read: {error.strerror}") from None
    if not _is_published(content, file):
        raise InputError(
            f"{file.name} in {DATA_FOLDER} is not the published table: another SHA-256",
            f"remove it from the folder, or unset {DATA_FOLDER}; other tables are read by their path",
        )
    return content


def _cached(file: TableFile) -> bytes | None:
    """A damaged file in the cache is as good as none: it is fetched again."""
    with contextlib.suppress(OSError, RuntimeError):  # no home, no right to read
        content = (cache_folder() / file.name).read_bytes()
        return content if _is_published(content, file) else None
    return None


def _fetched(chosen: DataSet, file: TableFile, address: str) -> bytes:
    by_hand = f"set {DATA_FOLDER} to a folder that holds {file.name}, or put it into {_shown_cache()}"
    if file.original is None:
        raise ResourceError(f"{file.name} is not there, and the UCI archive no longer has it", by_hand)
    if not address:
        raise ResourceError(f"{file.name} is not there, and it was not to be fetched", by_hand)
    try:
        rows = original_rows(file.original, address=address)
    except ResourceError as error:
        raise ResourceError(f"{file.name} is not there: {error.message}", by_hand) from None
    content = _csv(chosen, rows)
    if not _is_published(content, file):
        raise ResourceError(f"{address} sent another table than {file.name}: another SHA-256", by_hand)
    _keep(content, file)
    return content


def _keep(content: bytes, file: TableFile) -> None:
    """Put a file into the cache, whole or not at all; without a cache there is only more to fetch."""
    with contextlib.suppress(OSError, RuntimeError):
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f".{file.name}.{secrets.token_hex(8)}"
        try:
            temporary.write_bytes(content)
            temporary.replace(folder / file.name)
        finally:
            temporary.unlink(missing_ok=True)


def _shown_cache() -> str:
    try:
        return str(cache_folder())
    except RuntimeError:  # nobody's home
        return "the cache"


def _csv(chosen: DataSet, rows: Iterable[tuple[str, ...]]) -> bytes:
    """Rows as we keep them; no value of these tables needs quotes."""
    return "".join(",".join(row) + "\n" for row in (chosen.columns, *rows)).encode("utf-8")


def _checked(content: bytes, file: TableFile) -> bytes:
    assert _is_published(content, file), f"{file.name} was not made as it is published"
    return content


def _is_published(content: bytes, file: TableFile) -> bool:
    return hashlib.sha256(content).hexdigest() == file.sha256
