"""The ``[hierarchies]`` section of a policy file: files, rules, and groups written out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kanopy.errors import PolicyError, near_name
from kanopy.hierarchies import Cuts, Dates, Groups, HierarchyRule, Merge, Prefix, Quantiles, Ranges


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
        return _groups(table)
    kind, *more = kinds
    if more:
        raise PolicyError(f"{kind} and {more[0]} are two rules", "keep one of them")
    make, optional = _RULES[kind]
    for key in table:
        if key not in (kind, *optional):
            known = f"{kind} takes besides: {', '.join(optional)}" if optional else "leave it out"
            raise PolicyError(f"the rule {kind} has no key {key!r}", near_name(key, optional) or known)
    return make(**table)


def _groups(table: Mapping[str, Any]) -> HierarchyRule:
    """Groups by name, unless the one name is that of a rule, misspelt, or what it names can be no group."""
    for key, value in table.items():
        hint = near_name(key, _RULES)
        if hint and (len(table) == 1 or not isinstance(value, list | dict)):
            raise PolicyError(f"there is no rule {key!r}", hint)
    if not any(isinstance(value, list | dict) for value in table.values()):
        raise PolicyError("this is neither a rule nor groups", f"rules: {', '.join(_RULES)}")
    return Groups(table)
