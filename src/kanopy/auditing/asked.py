"""What the custodian asked for, as plain data: the judge takes the bounds of a promise, and no code of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from kanopy.policy import Policy


@dataclass(frozen=True, slots=True)
class Asked:
    """One promise.

    Parameters
    ----------
    kind : str
        The name of its kind.
    bounds : mapping of str to values
        Its parameters, as they were written.
    sentence : str
        What it says.
    given : tuple of str
        The quasi-identifiers whose combinations it is about, in the order of the policy.
    """

    kind: str
    bounds: Mapping[str, Any]
    sentence: str
    given: tuple[str, ...]

    @property
    def column(self) -> str | None:
        """The confidential column that it bounds; None where it is about the size of groups."""
        return self.bounds.get("column")

    @property
    def value(self) -> str | None:
        """The one value that it bounds, if it is about one."""
        return self.bounds.get("value")


def asked_of(policy: Policy, unit: str) -> list[Asked]:
    """All promises of a policy; ``unit`` is what they count, rows or persons."""
    found = []
    for part in policy.promise.parts:
        bounds = {field.name: getattr(part, field.name) for field in fields(part)}  # type: ignore[arg-type]
        about = bounds.get("given", policy.quasi_identifiers)
        given = tuple(name for name in policy.quasi_identifiers if name in about)
        found.append(Asked(type(part).__name__, bounds, part.sentence(unit), given))
    return found
