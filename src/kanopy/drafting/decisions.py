"""What somebody decided about a drafted policy: other roles, the promise, the method, what was agreed to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

ROLES = ("quasi_identifiers", "sensitive", "target", "keep", "identifiers", "person")
"""All that a column can be."""

ONE_COLUMN = ("target", "person")
"""Roles of at most one column."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A promise beside k: ``[[privacy.KIND]]`` of a policy file, and its keys."""

    kind: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DraftDecisions:
    """What replaces a draft; ``None``, or a column without a role here, is as drafted.

    So are bounds on columns that have none in ``bounds`` and are not in ``unbounded``.
    """

    roles: Mapping[str, str] = field(default_factory=dict)
    k: int | None = None
    bounds: tuple[Bound, ...] | None = None
    method: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    accept: tuple[str, ...] = ()
    unbounded: tuple[str, ...] = ()

    def with_role(self, column: str, role: str) -> DraftDecisions:
        """One more column decided; of the roles that one column has, the other one is as drafted again."""
        is_one = role in ONE_COLUMN
        others = {
            name: old for name, old in self.roles.items() if name != column and not (is_one and old == role)
        }
        return replace(self, roles={**others, column: role})


AS_DRAFTED = DraftDecisions()
