"""Hierarchies in files (lines ``value;parent;...;*``, or groups in TOML) and in the section of a policy."""

from __future__ import annotations

import codecs
import csv
import io
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kanopy.data import Hierarchy
from kanopy.data.grammar import clean_text
from kanopy.errors import PolicyError, ResourceError, near_name
from kanopy.hierarchies import Cuts, Dates, Groups, HierarchyRule, Icd10, Merge, Prefix, Quantiles, Ranges
from kanopy.policy.toml_text import NotRegularError, parse_toml, read_regular

_MAX_BYTES = 100_000_000
_EXAMPLE = 'Secondary = ["9th", "10th"]'


def load_hierarchy(
    column: str, file: Hierarchy | str | os.PathLike[str], order: Callable[[list[str]], Callable[[str], Any]]
) -> Hierarchy:
    """Read the hierarchy of a column; an object is returned as it is.

    A file that ends in ``.toml`` holds groups, any other lines. ``order`` makes the sort key from all values.
    """
    if isinstance(file, Hierarchy):
        return file
    where = f"hierarchy of column {column!r} ({Path(file).name})"
    raw = _read(Path(file), where)
    if Path(file).suffix.lower() == ".toml":
        tree = parse_toml(raw, where, draft=_EXAMPLE, depth="leave some levels out", example=_EXAMPLE)
        try:
            groups = Groups(tree)
        except PolicyError as error:
            raise PolicyError(f"{where}: {error.message}", error.hint) from None
        return groups.build(column, ())
    paths = _paths(raw, where)
    return Hierarchy.from_paths(column, paths, order([path[0] for path in paths]))


def hierarchy_text(column: str, file: str | os.PathLike[str]) -> bytes:
    """What the file of a hierarchy holds, whatever program wrote its line ends."""
    raw = _read(Path(file), f"hierarchy of column {column!r} ({Path(file).name})")
    return raw.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")


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


def _read(path: Path, where: str) -> bytes:
    """The bytes of a regular file; a pipe or device might never end."""
    try:
        raw = read_regular(path, _MAX_BYTES)
    except (NotRegularError, IsADirectoryError):
        hint = "name a file with lines value;parent;...;*"
        raise PolicyError(f"{where} is not a regular file", hint) from None
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise PolicyError(f"{where}: no such file", "paths are relative to the policy file") from None
    except OSError as error:
        hint = "check the path and its permissions"
        raise ResourceError(f"{where} cannot be read: {error.strerror}", hint) from None
    if len(raw) > _MAX_BYTES:
        raise PolicyError(f"{where} is larger than {_MAX_BYTES:,} bytes", "list each value once")
    return raw


def _ranges(ranges: Any, **others: Any) -> HierarchyRule:
    return Ranges(ranges, start=others.get("from", 0))  # ``from`` is a word of Python's own


def _merge(merge: Any, levels: Any = 3) -> HierarchyRule:
    if merge != "class":
        raise PolicyError("values are merged by the class", 'write merge = "class"')
    return Merge(levels)


_RULES: dict[str, tuple[Callable[..., HierarchyRule], tuple[str, ...]]] = {
    # The key that makes a table a rule: how to make it, the keys it may have besides
    "ranges": (_ranges, ("from",)),
    "cuts": (lambda cuts: Cuts(cuts), ()),
    "quantiles": (lambda quantiles: Quantiles(quantiles), ()),
    "dates": (lambda dates, format=None: Dates(dates, format), ("format",)),
    "prefix": (lambda prefix: Prefix(prefix), ()),
    "icd10": (lambda icd10: Icd10(icd10), ()),
    "merge": (_merge, ("levels",)),
}


def read_hierarchies(
    section: Mapping[str, Any], where: str, folder: Path | None
) -> dict[str, Path | HierarchyRule]:
    """What the section says about each column; files are looked up in the folder."""
    hierarchies: dict[str, Path | HierarchyRule] = {}
    for column, value in section.items():
        place = f"[hierarchies] of {where}: {column!r}"
        if isinstance(value, str):
            hierarchies[column] = Path(value) if folder is None else folder / value
        elif isinstance(value, dict):
            try:
                hierarchies[column] = _rule(value)
            except PolicyError as error:
                raise PolicyError(f"{place}: {error.message}", error.hint) from None
        else:
            raise PolicyError(f"{place} takes the name of a file, a rule or groups", f'{column} = "FILE.csv"')
    return hierarchies


def _rule(table: Mapping[str, Any]) -> HierarchyRule:
    kinds = [key for key in table if key in _RULES]
    if not kinds:
        return _groups_by_name(table)
    kind, *more = kinds
    if more:
        raise PolicyError(f"{kind} and {more[0]} are two rules", "keep one of them")
    make, optional = _RULES[kind]
    for key in table:
        if key not in (kind, *optional):
            known = f"{kind} takes besides: {', '.join(optional)}" if optional else "leave it out"
            raise PolicyError(f"the rule {kind} has no key {key!r}", near_name(key, optional) or known)
    return make(**table)


def _groups_by_name(table: Mapping[str, Any]) -> HierarchyRule:
    """Groups by name, unless the one name is that of a rule, misspelt, or what it names can be no group."""
    for key, value in table.items():
        hint = near_name(key, _RULES)
        if hint and (len(table) == 1 or not isinstance(value, list | dict)):
            raise PolicyError(f"there is no rule {key!r}", hint)
    if not any(isinstance(value, list | dict) for value in table.values()):
        raise PolicyError("this is neither a rule nor groups", f"rules: {', '.join(_RULES)}")
    return Groups(table)
