"""Groups that are listed, one inside the other, and groups of codes that begin alike (zip codes, ICD)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kanopy.data import Hierarchy
from kanopy.data.grammar import clean_text
from kanopy.data.intervals import plain_number
from kanopy.errors import PolicyError
from kanopy.hierarchies.rule import ClassCounts, HierarchyRule, stacked

_DEEPEST = 30
_HINT = 'for example Secondary = ["9th", "10th"]'


@dataclass(frozen=True)
class Groups(HierarchyRule):
    """Named groups of values, or of groups; branches may be of different depth.

    Parameters
    ----------
    tree : mapping
        The name of a group to a list of values, or to a mapping of the same kind.

    Examples
    --------
    >>> tree = {"Higher": {"Graduate": ["MSc", "PhD"], "First": ["BSc"]}, "School": ["9th", "10th"]}
    >>> Groups(tree).build("education", []).node_label
    ('*', 'School', 'Higher', '10th', '9th', 'BSc', 'Graduate', 'MSc', 'PhD')
    """

    tree: Mapping[str, Any]
    paths: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.tree, Mapping):
            raise PolicyError("groups are names with lists of values", _HINT)
        chains = _chains(self.tree)
        depth = max((len(chain) for chain in chains), default=0)
        # Short branches repeat the value on the low levels: a level is a distance from the root.
        paths = [(chain[0],) * (depth - len(chain)) + chain for chain in chains]
        n_empty = sum("" in path for path in paths)
        if n_empty:
            raise PolicyError(f"{n_empty} values or groups above them have no name", "name every group")
        object.__setattr__(self, "paths", tuple((*path, "*") for path in paths))

    def build(self, column: str, labels: Sequence[str], class_counts: ClassCounts | None = None) -> Hierarchy:
        """The listed groups, whatever values the table has."""
        numbers = {path[0]: plain_number(path[0]) for path in self.paths}
        if None in numbers.values():
            return Hierarchy.from_paths(column, self.paths)
        return Hierarchy.from_paths(column, self.paths, lambda value: (numbers[value], value))


def _chains(tree: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """From every value up to its outermost group; O(values * depth)."""
    chains = []
    n_odd = n_empty = 0
    waiting: list[tuple[Any, tuple[str, ...]]] = [(tree, ())]
    while waiting:
        inside, above = waiting.pop()
        if len(above) > _DEEPEST:
            raise PolicyError(f"groups are nested deeper than {_DEEPEST} levels", "leave some levels out")
        if isinstance(inside, Mapping):
            n_odd += sum(not isinstance(name, str) for name in inside)
            waiting += [(inner, (clean_text(str(name)), *above)) for name, inner in inside.items()]
        elif isinstance(inside, list | tuple) and all(isinstance(value, str) for value in inside):
            chains += [(clean_text(value), *above) for value in inside]
        else:
            n_odd += 1
        n_empty += isinstance(inside, list | tuple | Mapping) and not inside
    if n_odd:
        raise PolicyError(f"{n_odd} groups are neither a list of texts nor groups themselves", _HINT)
    if n_empty:
        raise PolicyError(f"{n_empty} groups are empty", "list their values, or leave them out")
    return chains


@dataclass(frozen=True)
class Prefix(HierarchyRule):
    """Values that share their first characters.

    Parameters
    ----------
    lengths : int or list of int
        How many characters are kept, one level each, from many to few. Groups are called ``123*``.

    Examples
    --------
    >>> Prefix([3, 2]).build("zip", ["12345", "12399", "12500"]).node_label
    ('*', '123*', '12500', '12345', '12399')
    """

    lengths: Any

    def __post_init__(self) -> None:
        given = self.lengths
        lengths = tuple(given) if isinstance(given, list | tuple) else (given,)
        object.__setattr__(self, "lengths", lengths)
        if not all(type(length) is int and length >= 1 for length in lengths):
            raise PolicyError("prefix takes whole numbers of at least 1", "for example prefix = [3, 2, 1]")
        if not lengths or list(lengths) != sorted(set(lengths), reverse=True):
            raise PolicyError("prefix takes lengths in falling order", "for example prefix = [3, 2, 1]")

    def build(self, column: str, labels: Sequence[str], class_counts: ClassCounts | None = None) -> Hierarchy:
        levels = [[f"{label[:length]}*" for label in labels] for length in self.lengths]
        return stacked(column, labels, levels)
