"""Tables from the UCI archive: fetched whole, converted, or refused."""

from __future__ import annotations

import io
import zipfile
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from kanopy.errors import ResourceError
from kanopy_studies.datasets.dataset import Original

ADDRESS = "https://archive.ics.uci.edu"
TIMEOUT = 30.0
"""Seconds without a byte."""

_MOST_BYTES = 32 << 20
"""More than any of the files has, packed or not."""


def original_rows(original: Original, *, address: str = ADDRESS) -> list[tuple[str, ...]]:
    """Fetch a table and return its rows, missing values as empty texts. O(bytes), all of them in memory.

    Raises
    ------
    ResourceError
        Where the archive does not answer, breaks off, or sends something else.
    """
    rows = []
    packed = _fetched(f"{address.rstrip('/')}/{original.archive}")
    for text in _members(packed, original.members):
        rows += [_fields(line, original) for line in text.splitlines() if line.strip() and line[0] != "|"]
    return rows


def _fields(line: str, original: Original) -> tuple[str, ...]:
    fields = [field.strip() for field in line.strip().split(original.separator)]
    fields[-1] = fields[-1].removesuffix(original.terminator)
    return tuple("" if field == "?" else field for field in fields[original.dropped :])


def _fetched(url: str) -> bytes:
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
