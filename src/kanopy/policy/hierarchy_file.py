"""Hierarchies as files: one line ``value;parent;grandparent;...;*`` per value, or groups as TOML."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kanopy.data import Hierarchy
from kanopy.data.grammar import clean_text
from kanopy.errors import PolicyError, ResourceError
from kanopy.hierarchies import Groups
from kanopy.policy.toml_text import NotRegularError, parse_toml, read_regular

_MAX_BYTES = 100_000_000
_EXAMPLE = 'Secondary = ["9th", "10th"]'


def load_hierarchy(
    column: str, file: Hierarchy | str | os.PathLike[str], order: Callable[[list[str]], Callable[[str], Any]]
) -> Hierarchy:
    """Read the hierarchy of a column; an object is returned as it is.

    A file that ends in ``.toml`` holds groups, any other one lines. ``order`` is given all values and returns
    the key by which they are ordered, as numbers or as text.
    """
    if isinstance(file, Hierarchy):
        return file
    where = f"hierarchy of column {column!r} ({Path(file).name})"
    try:
        raw = _read(Path(file), where)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise PolicyError(f"{where}: no such file", "paths are relative to the policy file") from None
    except OSError as error:
        raise ResourceError(
            f"{where} cannot be read: {error.strerror}", "check the path and its permissions"
        ) from None
    if Path(file).suffix.lower() == ".toml":
        return _groups(raw, where).build(column, ())
    paths = _paths(raw, where)
    return Hierarchy.from_paths(column, paths, order([path[0] for path in paths]))


def _paths(raw: bytes, where: str) -> list[list[str]]:
    try:
        text = raw.decode("utf-8-sig")
        if "\0" in text:
            raise PolicyError(f"{where} contains a NUL character", "remove it")
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=";", strict=True))
    except (ValueError, csv.Error):
        raise PolicyError(f"{where} is not UTF-8 text", "lines look like: value;parent;...;*") from None
    paths = [[clean_text(label) for label in line] for line in lines if line]
    n_empty = sum("" in path for path in paths)
    if n_empty:
        raise PolicyError(f"{where}: {n_empty} lines have an empty label", "name every group")
    return paths


def _groups(raw: bytes, where: str) -> Groups:
    tree = parse_toml(raw, where, draft=_EXAMPLE, depth="leave some levels out", example=_EXAMPLE)
    try:
        return Groups(tree)
    except PolicyError as error:
        raise PolicyError(f"{where}: {error.message}", error.hint) from None


def _read(path: Path, where: str) -> bytes:
    """The bytes of a regular file; a pipe or device might never end."""
    try:
        raw = read_regular(path, _MAX_BYTES)
    except (NotRegularError, IsADirectoryError):
        raise PolicyError(
            f"{where} is not a regular file", "name a file with lines value;parent;...;*"
        ) from None
    if len(raw) > _MAX_BYTES:
        raise PolicyError(f"{where} is larger than {_MAX_BYTES:,} bytes", "list each value once")
    return raw
