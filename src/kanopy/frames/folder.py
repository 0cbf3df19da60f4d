"""Folders of parts: what other programs read in them, and what a certificate in one of them lists."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

from kanopy.errors import InputError, ResourceError
from kanopy.policy.toml_text import NotRegularError, read_regular

FOLDER_CERTIFICATE = "_kanopy.json"
"""The certificate of a release that is a folder of parts; it is in the folder."""

MOST_CERTIFICATE_BYTES = 8_000_000
"""Of a whole certificate: the names of 12,000 columns, each three times, take about 4,000,000, and 10,000
parts about 2,500,000."""

PART_SUFFIXES = (".csv", ".parquet")
_VERIFY = "find out what is wrong with: kanopy verify FOLDER"


def is_part_name(name: Any) -> bool:
    """Whether a part of a release may have this name: a plain one, of a file that is not hidden."""
    is_plain = isinstance(name, str) and name.isprintable() and not {"/", "\\"} & set(name)
    return is_plain and name[:1] not in ("", ".", "_") and name.endswith(PART_SUFFIXES)


def visible(folder: Path) -> dict[str, os.stat_result]:
    """What other programs may take for a part of the table, in the order of names, itself and not where it
    leads; O(files).

    They leave out what begins with a full stop or an underscore; Spark reads ``_a=1`` all the same.
    """
    try:
        with os.scandir(folder) as entries:
            every = [(each.name, each.stat(follow_symlinks=False)) for each in entries]
    except (FileNotFoundError, NotADirectoryError):
        raise changed(folder) from None
    except OSError as error:
        raise ResourceError(f"{folder}: cannot be read: {error.strerror}", "check the permissions") from None
    return {name: found for name, found in sorted(every) if not _is_hidden(name)}


def changed(folder: Path) -> InputError:
    """The error where files come, go or change while a folder is read."""
    return InputError(f"{folder}: the folder changed while it was read", "run again when it is complete")


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def listed_parts(folder: Path) -> list[Path] | None:
    """The parts that the certificate in a folder lists; None where there is no certificate. O(files).

    Raises
    ------
    InputError
        Where the folder holds other files than these, by name or by size. What they hold is not compared:
        ``kanopy.verify`` does that.
    """
    try:
        raw = read_regular(folder / FOLDER_CERTIFICATE, MOST_CERTIFICATE_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, NotRegularError):
        raise InputError(f"{folder}: {FOLDER_CERTIFICATE} in it cannot be read", _VERIFY) from None
    listed = _listed(raw)
    if listed is None:
        raise InputError(f"{folder}: {FOLDER_CERTIFICATE} in it is no certificate of a folder", _VERIFY)
    # PRIVACY: a file that was put beside the parts, or a part that is there twice, would be counted with
    # them, and fill groups (tests/unit/frames/test_folder.py).
    found = visible(folder).items()
    sizes = {name: each.st_size if stat.S_ISREG(each.st_mode) else None for name, each in found}
    if sizes != listed:
        what = f"its files are not those that {FOLDER_CERTIFICATE} in it lists"
        raise InputError(f"{folder}: {what}", _VERIFY)
    return [folder / name for name in sorted(listed)]


def _listed(raw: bytes) -> dict[str, int] | None:
    """The names of the parts and how long they are; None where this is no certificate of a folder."""
    try:
        parts: Any = json.loads(raw)["release"]["parts"]
        listed = {part["file"]: part["bytes"] for part in parts}
    except (ValueError, RecursionError, LookupError, TypeError):
        return None
    is_whole = 0 < len(listed) == len(parts) and all(map(is_part_name, listed))
    return listed if is_whole else None
