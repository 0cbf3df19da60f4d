"""Names of files: those that come from outside are made harmless, those under a folder stay under it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from kanopy.errors import KanopyError, PolicyError

_LONGEST = 100
TABLE_SUFFIXES = (".csv", ".csv.gz", ".csv.zst", ".tsv", ".txt", ".parquet", ".xlsx")
_MOST_LISTED = 500
_DEEPEST = 4


def safe_name(name: str) -> str:
    """The last part of a name with letters, digits and few marks: nothing in it leads elsewhere."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    plain = re.sub(r"[^\w .()+-]", "_", last).strip(" .")
    if len(plain) > _LONGEST:
        stem, suffix = plain[: -len(suffix_of(plain)) or None], suffix_of(plain)
        plain = stem[: _LONGEST - len(suffix)] + suffix
    return plain.lstrip("-") or "table.csv"


def suffix_of(name: str) -> str:
    """The ending that says how a table is written; empty where it says nothing."""
    low = name.lower()
    return next((end for end in sorted(TABLE_SUFFIXES, key=len, reverse=True) if low.endswith(end)), "")


def check_table_name(name: str) -> str:
    """The name, if tables of its ending can be read."""
    if not suffix_of(name):
        hint = f"save it as one of {', '.join(TABLE_SUFFIXES)}"
        unknown = PolicyError("the ending of the file does not say how it is written", hint)
        raise _as_the_command_refuses(name) or unknown
    return name


def _as_the_command_refuses(name: str) -> PolicyError | None:
    """What the command says of a file with this ending, which may tell how to save its table otherwise."""
    from kanopy.frames.source import open_source  # loads pyarrow, which the first page does without

    nowhere = Path(os.devnull, name)  # endings are judged before anything is opened, and this cannot be
    try:
        with open_source(nowhere):
            return None
    except PolicyError as error:
        return PolicyError(error.message.replace(str(nowhere), name), error.hint)
    except KanopyError:
        return None


def tables_under(root: Path) -> Iterator[str]:
    """Tables in a folder and the folders in it, as paths from there; hidden ones and links are left out."""
    n_listed = 0
    for folder, folders, files in os.walk(root, followlinks=False):
        here = Path(folder)
        deep = len(here.relative_to(root).parts)
        folders[:] = sorted(each for each in folders if not each.startswith(".")) if deep < _DEEPEST else []
        for file in sorted(files):
            is_table = bool(suffix_of(file)) and not _is_hidden(Path(file)) and not (here / file).is_symlink()
            if is_table and n_listed < _MOST_LISTED:
                n_listed += 1
                yield (here / file).relative_to(root).as_posix()


def table_under(root: Path, name: str) -> Path:
    """The file of a table that was chosen; whatever leads out of the folder is refused.

    PRIVACY: also through links and ``..`` (tests/unit/web/test_names.py).
    """
    refused = PolicyError("no such table lies under the folder of --root", "choose one of the list")
    if "\0" in name or len(name) > 4096:
        raise refused
    try:
        place = (root / name).resolve(strict=True)
        is_inside = place.is_relative_to(root.resolve(strict=True)) and place.is_file()
    except (OSError, RuntimeError, ValueError):
        raise refused from None
    if not is_inside or not suffix_of(place.name) or _is_hidden(place.relative_to(root.resolve())):
        raise refused
    return place


def _is_hidden(place: Path) -> bool:
    """Whether it is a file, or lies in a folder, that its owner or another program has put out of sight."""
    return place.name.startswith("_") or any(part.startswith(".") for part in place.parts)
