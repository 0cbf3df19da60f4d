"""Groups of codes that begin alike: zip codes, ICD."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kanopy.data import Hierarchy
from kanopy.errors import PolicyError
from kanopy.hierarchies.rule import ClassCounts, HierarchyRule, stacked


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
