"""Hierarchies as files: one line ``value;parent;grandparent;...;*`` per value."""

from __future__ import annotations

import csv
import os
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kanopy.data import Hierarchy
from kanopy.errors import PolicyError, ResourceError


def load_hierarchy(
    column: str, file: Hierarchy | str | os.PathLike[str], order: Callable[[list[str]], Callable[[str], Any]]
) -> Hierarchy:
    """Read the hierarchy of a column.

    Parameters
    ----------
    column : str
    file : Hierarchy or path
        A hierarchy that is given as an object is returned as it is.
    order : callable
        Given all values, the key by which they are ordered (as numbers or as text).
    """
    if isinstance(file, Hierarchy):
        return file
    where = f"hierarchy of column {column!r} ({Path(file).name})"
    try:
        with Path(file).open(encoding="utf-8-sig", newline="") as stream:
            lines = list(csv.reader(stream, delimiter=";", strict=True))
    except FileNotFoundError:
        raise PolicyError(f"{where}: no such file", "paths are relative to the policy file") from None
    except (UnicodeDecodeError, csv.Error):
        raise PolicyError(f"{where} is no UTF-8 text of lines value;parent;...;*") from None
    except OSError as error:
        raise ResourceError(f"{where} cannot be read: {error.strerror}") from None
    paths = [[unicodedata.normalize("NFC", label).strip() for label in line] for line in lines if line]
    n_empty = sum("" in path for path in paths)
    if n_empty:
        raise PolicyError(f"{where}: {n_empty} lines have an empty label", "name every group")
    return Hierarchy.from_paths(column, paths, order([path[0] for path in paths]))
