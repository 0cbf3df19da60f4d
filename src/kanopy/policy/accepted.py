"""What a reviewer agreed to publish all the same, and from which share on a warning is given."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from kanopy.errors import PolicyError, near_name
from kanopy.privacy.exact import exact_share

STOPPING = ("identifier", "free text")
"""What stops a release unless the policy accepts it, written ``KIND:COLUMN``."""

LIMITS = {"certain": Fraction(1, 5), "above_majority": Fraction(1, 10)}
"""Shares of rows above which there is a warning, and their defaults."""


def check_accept(accept: Sequence[str], columns: Collection[str]) -> None:
    """Refuse a code whose kind or column does not exist: it would accept nothing."""
    for code in accept:
        kind, colon, column = code.partition(":")
        if not colon or kind not in STOPPING:
            hint = near_name(kind, STOPPING) or f"kinds: {', '.join(STOPPING)}"
            raise PolicyError(f"accept takes KIND:COLUMN, and has no kind {kind!r}", hint)
        if column not in columns:
            hint = near_name(column, columns) or "declare its role"
            raise PolicyError(f"accept names column {column!r}, which has no role", hint)


def checked_limits(given: Any) -> dict[str, Fraction]:
    """Every limit that is given, as the fraction that was written."""
    if not isinstance(given, Mapping):
        raise PolicyError("warnings takes names and shares", 'for example warnings = {"certain": 0.2}')
    for name in given:
        if name not in LIMITS:
            hint = near_name(str(name), LIMITS) or f"warnings: {', '.join(LIMITS)}"
            raise PolicyError(f"warnings has no key {name!r}", hint)
    return {name: exact_share(name, value) for name, value in given.items()}
