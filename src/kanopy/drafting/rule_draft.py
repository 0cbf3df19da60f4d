"""Hierarchies as rules in the policy file: those that group something, and say how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kanopy.hierarchies.icd10 import groups_of

FEW_VALUES = 5  # fewer values need no groups
_LEVELS = 3
_MOST_RANGES = 8


@dataclass(frozen=True, slots=True)
class HierarchySuggestion:
    """The drafted hierarchy of a column: a rule, or a file with its values; and how it groups them.

    Where it is not ``is_advised``, the policy has it as a comment.
    """

    name: str
    reason: str
    rule: dict[str, Any] | None = None
    file: str | None = None
    is_advised: bool = True


def draft_rule(name: str, kind: str, texts: Sequence[str]) -> HierarchySuggestion | None:
    """The rule for a column of this kind; None where it would group nothing. O(values).

    Dates need none: the levels of their column are one.
    """
    if len(texts) < FEW_VALUES:
        return None
    if kind == "code":
        lengths = prefix_lengths(texts)
        reason = prefix_reason(lengths)
        return HierarchySuggestion(name, reason, {"prefix": lengths}) if lengths else None
    if kind == "icd10":
        units = icd10_units(texts)
        return HierarchySuggestion(name, f"by {', '.join(units)}", {"icd10": units}) if units else None
    if kind == "number" and len(texts) >= 2 * _MOST_RANGES:
        reason = "ranges of equally many rows; mondrian keeps more detail without them"
        return HierarchySuggestion(name, reason, {"quantiles": _MOST_RANGES}, is_advised=False)
    return None


def prefix_lengths(texts: Sequence[str]) -> list[int]:
    """The shortest prefix that distinguishes groups, and up to two longer ones; the longest comes first."""
    lengths: list[int] = []
    n_groups = 1
    for length in range(1, max(map(len, texts))):
        n_longer = len({text[:length] for text in texts})
        if n_groups < n_longer < len(texts) and len(lengths) < _LEVELS:
            lengths.insert(0, length)
            n_groups = n_longer
    return lengths


def prefix_reason(lengths: Sequence[int]) -> str:
    """How prefixes of these lengths group texts, in words."""
    if list(lengths) == [1]:
        return "by the first character"
    return f"by the first {', '.join(map(str, lengths))} characters"


def icd10_units(texts: Sequence[str]) -> list[str]:
    """The levels of ICD-10 that put some codes together, and not all of them."""
    groups = [groups_of(text) for text in texts]
    n_below, units = len(texts), []
    for place, unit in enumerate(("category", "block", "chapter")):
        n_groups = len({group[place] for group in groups})
        if 1 < n_groups < n_below:
            units.append(unit)
            n_below = n_groups
    return units
