"""Drafted hierarchies as files, which only their owner may read: they list the values of the table."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

from kanopy.drafting.hierarchy_draft import HierarchyDraft
from kanopy.drafting.policy_draft import HierarchySuggestion
from kanopy.errors import Hint, PolicyError, ResourceError

_SPECIAL = re.compile(r'[;"\r\n]')
_LONGEST_NAME = 60


def write_drafts(
    drafts: Mapping[str, HierarchyDraft], folder: Path, *, force: bool = False
) -> tuple[HierarchySuggestion, ...]:
    """Write one CSV file per draft, ``value;group;...;*`` on every line.

    Parameters
    ----------
    drafts : mapping of str to HierarchyDraft
        By column.
    folder : Path
        Made where it does not exist.
    force : bool
        Whether existing files may be replaced.

    Raises
    ------
    PolicyError
        Where a file exists already; then none is written.
    ResourceError
        Where the folder cannot be written to.
    """
    files = {column: folder / name for column, name in zip(drafts, _file_names(drafts), strict=True)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        existing = [path.name for path in files.values() if path.exists() or path.is_symlink()]
        if existing and not force:
            raise PolicyError(
                f"{len(existing)} drafts exist already, among them {existing[0]!r}",
                Hint("use {force} to replace them, or another folder", force=True),
            )
        for column, path in files.items():
            _write(path, drafts[column].lines())
    except FileExistsError:
        raise PolicyError(f"{folder.name!r} is no folder", "name a folder for the drafts") from None
    except OSError as error:
        raise ResourceError(f"cannot write the drafts: {error.strerror}", "check space and rights") from None
    return tuple(
        HierarchySuggestion(column, path.as_posix(), drafts[column].reason) for column, path in files.items()
    )


def _write(path: Path, lines: Iterable[list[str]]) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.kanopy-tmp")
    # PRIVACY: nobody else may read the values of the table (tests/unit/test_hierarchy_drafts.py).
    descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            for line in lines:
                stream.write((";".join(map(_quoted, line)) + "\n").encode())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _quoted(label: str) -> str:
    return '"' + label.replace('"', '""') + '"' if _SPECIAL.search(label) else label


def _file_names(columns: Iterable[str]) -> list[str]:
    """A plain file name for every column, also different where case does not count."""
    names: list[str] = []
    for column in columns:
        stem = re.sub(r"[^\w-]+", "_", column)[:_LONGEST_NAME].strip("_") or "column"
        name, number = stem, 1
        while name.casefold() in names:
            number += 1
            name = f"{stem}_{number}"
        names.append(name.casefold())
    return [f"{name}.csv" for name in names]
