"""The parts that a certificate of a folder lists, checked like every other entry of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from kanopy.certificate.contents import CertifiedBeside, CertifiedFile, CertifiedPart, certified_folder
from kanopy.certificate.entries import MalformedError, digest, entry, number_of, one_of, texts
from kanopy.certificate.limits import MOST_PARTS
from kanopy.codebook.meaning import NOT_SHOWN, Cells
from kanopy.frames.csv_form import PLAIN_FORM, CsvForm, is_form
from kanopy.frames.folder import is_part_name

_MOST_BESIDE = 2


def read_written(release: Mapping[str, Any]) -> CertifiedFile:
    """The file or the folder that a certificate is about; O(parts).

    PRIVACY: a name leads to a file in the folder and to no other one, and no part is listed twice
    (tests/unit/certificate/test_verify_folder.py).
    """
    numbers = number_of(release, "bytes"), number_of(release, "rows")
    name, columns = entry(release, "file", str), texts(release, "columns")
    written = CertifiedFile(name, digest(release), *numbers, columns)
    if "parts" not in release:
        return written._replace(form=_form(release, columns))
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


def _form(release: Mapping[str, Any], columns: list[str]) -> CsvForm:
    """How a CSV file is written; files without this entry are in the usual form."""
    if "form" not in release:
        return PLAIN_FORM
    told = entry(release, "form", dict)
    delimiter, decimal = entry(told, "delimiter", str), entry(told, "decimal", str)
    commas = tuple(texts(told, "decimal_commas"))
    if not is_form(delimiter, decimal) or not set(commas) <= set(columns):
        raise MalformedError("its entry 'form' says something unknown")
    is_disarmed = "formulas_disarmed" in told and entry(told, "formulas_disarmed", bool)
    return CsvForm(delimiter, entry(told, "byte_order_mark", bool), decimal, commas, is_disarmed)


def read_beside(contents: Mapping[str, Any]) -> tuple[CertifiedBeside, ...]:
    """The files of the codebook; none in certificates of earlier versions.

    PRIVACY: a name leads to a file beside the release, and to no other one
    (tests/unit/certificate/test_codebook_check.py).
    """
    listed = entry(contents, "codebook", list) if "codebook" in contents else []
    if not all(isinstance(each, dict) for each in listed) or len(listed) > _MOST_BESIDE:
        raise MalformedError("its entry 'codebook' is of the wrong form")
    found = tuple(
        CertifiedBeside(entry(each, "file", str), digest(each), number_of(each, "bytes")) for each in listed
    )
    if not all(_is_beside(each.name) for each in found):
        raise MalformedError("a file of the codebook in it has a name that none may have")
    return found


def _is_beside(name: str) -> bool:
    return name not in ("", ".", "..") and "\0" not in name and PurePath(name).name == name


def read_cells(contents: Mapping[str, Any], columns: Sequence[str]) -> dict[str, dict[str, str]]:
    """What each column holds; nothing in certificates of earlier versions."""
    told = entry(contents, "cells", dict) if "cells" in contents else {}
    if told and sorted(told) != sorted(columns):
        raise MalformedError("its entry 'cells' is about other columns than the file has")
    found = {}
    for name in told:
        said = entry(told, name, dict)
        found[name] = {"cells": one_of(said, "cells", tuple(Cells))}
        if "suppressed" in said:
            found[name]["suppressed"] = one_of(said, "suppressed", ("any", NOT_SHOWN))
    return found


def _part(listed: Mapping[str, Any]) -> CertifiedPart:
    name = entry(listed, "file", str)
    if not is_part_name(name):
        raise MalformedError("a part in it has a name that no part may have")
    part = CertifiedPart(name, digest(listed), number_of(listed, "bytes"), number_of(listed, "rows"))
    if not part.n_rows:
        raise MalformedError("a part in it has no rows")
    return part
