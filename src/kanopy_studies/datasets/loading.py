"""Data sets by name: from a folder, from the cache, from the archive, or made."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import secrets
import sys
import zipfile
from collections.abc import Iterable
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from kanopy.errors import InputError, PolicyError, ResourceError
from kanopy_studies.datasets.catalogue import DataSet, Original, TableFile, describe
from kanopy_studies.datasets.made import tic_tac_toe_rows, waveform_rows

if TYPE_CHECKING:
    import pyarrow as pa

DATA_FOLDER = "KANOPY_DATA"
ADDRESS = "https://archive.ics.uci.edu"
TIMEOUT = 30.0
"""Seconds without a byte."""

_MOST_BYTES = 32 << 20
"""More than any of the files has, packed or not."""


def load(
    name: str,
    *,
    part: str | None = None,
    seed: int | None = None,
    download: bool = True,
    address: str = ADDRESS,
) -> pa.Table:
    """A data set of the papers as texts, missing values empty; the class comes last.

    A file is looked for in the folder that the environment variable ``KANOPY_DATA`` names, then in the cache,
    then in the UCI archive, whose answer is kept in the cache. It must be the published table, byte by byte.
    ``tic_tac_toe`` is made and needs no file; ``waveform40`` is made where there is no file, or with a seed.
    Of ``adult`` there are the parts ``"train"`` and ``"test"``; None is both.
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


def data_file(name: str) -> Path:
    """A file of the folder that ``KANOPY_DATA`` names which no archive has."""
    folder = os.environ.get(DATA_FOLDER)
    if not folder or not (Path(folder) / name).is_file():
        raise ResourceError(f"{name} is not there", f"set {DATA_FOLDER} to the folder that holds it")
    return Path(folder) / name


def cache_folder() -> Path:
    """Where fetched tables are kept; files may also be put there by hand."""
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
    if chosen.name == "tic_tac_toe":
        content = _csv(chosen, tic_tac_toe_rows())
        assert _is_published(content, file)
        return content
    if seed is not None:
        return _csv(chosen, waveform_rows(chosen.n_rows, seed))
    found = _given(file) or _cached(file)
    if found is not None:
        return found
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
    """A damaged file in the cache does not count: it is fetched again."""
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
    """Put a file into the cache, whole or not at all; no cache is no error."""
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
    except RuntimeError:  # there is no home directory
        return "the cache"


def _csv(chosen: DataSet, rows: Iterable[tuple[str, ...]]) -> bytes:
    """Rows as we keep them; no value of these tables needs quotes."""
    return "".join(",".join(row) + "\n" for row in (chosen.columns, *rows)).encode("utf-8")


def _is_published(content: bytes, file: TableFile) -> bool:
    return hashlib.sha256(content).hexdigest() == file.sha256


def original_rows(original: Original, *, address: str = ADDRESS) -> list[tuple[str, ...]]:
    """Fetch a table and return its rows, missing values as empty texts."""
    rows = []
    packed = _answer(f"{address.rstrip('/')}/{original.archive}")
    for text in _members(packed, original.members):
        rows += [_fields(line, original) for line in text.splitlines() if line.strip() and line[0] != "|"]
    return rows


def _fields(line: str, original: Original) -> tuple[str, ...]:
    fields = [field.strip() for field in line.strip().split(original.separator)]
    fields[-1] = fields[-1].removesuffix(original.terminator)
    return tuple("" if field == "?" else field for field in fields[original.dropped :])


def _answer(url: str) -> bytes:
    if urlsplit(url).scheme not in ("http", "https"):
        raise ResourceError(f"{url} is no address of the web", "it begins with https://")
    try:
        with urlopen(Request(url, headers={"User-Agent": "kanopy"}), timeout=TIMEOUT) as answer:
            length = answer.headers.get("Content-Length")
            content: bytes = answer.read(_MOST_BYTES + 1)
    except HTTPError as error:
        error.close()
        raise ResourceError(f"{url} cannot be fetched: the server answers {error.code}") from None
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", None) or error
        raise ResourceError(f"{url} cannot be fetched: {reason}") from None
    if len(content) > _MOST_BYTES:
        raise ResourceError(f"{url} cannot be fetched: it is larger than {_MOST_BYTES >> 20} MiB")
    if length is not None and length.isdigit() and int(length) != len(content):
        raise ResourceError(f"{url} cannot be fetched: the connection broke off")
    return content


def _members(packed: bytes, wanted: tuple[str, ...]) -> list[str]:
    """The texts of some files of a zip file, in whatever folder of it they are."""
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            found = {info.filename.rpartition("/")[2]: info for info in archive.infolist()}
            if any(found[name].file_size > _MOST_BYTES for name in wanted):
                raise ResourceError(f"a file of the archive is larger than {_MOST_BYTES >> 20} MiB")
            return [archive.read(found[name]).decode("utf-8") for name in wanted]
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError, NotImplementedError, RuntimeError, EOFError):
        raise ResourceError("what the archive sent is not the zip file that was expected") from None
