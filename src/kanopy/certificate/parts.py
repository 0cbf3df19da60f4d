"""The parts that a certificate of a folder lists, checked like every other entry of it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from kanopy.certificate.contents import CertifiedFile, CertifiedPart, certified_folder
from kanopy.certificate.entries import MalformedError, digest, entry, number_of, texts
from kanopy.certificate.limits import MOST_PARTS
from kanopy.frames.folder import is_part_name


def read_written(release: Mapping[str, Any]) -> CertifiedFile:
    """The file or the folder that a certificate is about; O(parts).

    PRIVACY: a name leads to a file in the folder and to no other one, and no part is listed twice
    (tests/unit/certificate/test_verify_folder.py).
    """
    numbers = number_of(release, "bytes"), number_of(release, "rows")
    name, columns = entry(release, "file", str), texts(release, "columns")
    written = CertifiedFile(name, digest(release), *numbers, columns)
    if "parts" not in release:
        return written
    listed = entry(release, "parts", list)
    if not listed or not all(isinstance(each, dict) for each in listed):
        raise MalformedError("it lists no parts, or something else than parts")
    if len(listed) > MOST_PARTS:
        raise MalformedError(f"it lists {len(listed):,} parts, and {MOST_PARTS:,} are the most")
    parts = tuple(_part(each) for each in listed)
    names = [part.name for part in parts]
    if any(name >= after for name, after in pairwise(names)):
        raise MalformedError("its parts are not in the order of their names, or one is listed twice")
    if len({PurePath(name).suffix for name in names}) > 1:
        raise MalformedError("its parts are of several formats")
    whole = certified_folder(name, parts, columns)
    if whole != written._replace(parts=parts):
        raise MalformedError("the SHA-256, the bytes or the rows of the whole do not follow from its parts")
    return whole


def _part(listed: Mapping[str, Any]) -> CertifiedPart:
    name = entry(listed, "file", str)
    if not is_part_name(name):
        raise MalformedError("a part in it has a name that no part may have")
    part = CertifiedPart(name, digest(listed), number_of(listed, "bytes"), number_of(listed, "rows"))
    if not part.n_rows:
        raise MalformedError("a part in it has no rows")
    return part
