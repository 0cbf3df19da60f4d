"""A policy from a file, from flags, or from both."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from kanopy._numbers import typed_whole_number
from kanopy.errors import PolicyError
from kanopy.policy import Policy

_FIELDS = {
    "quasi": "quasi_identifiers", "target": "target", "sensitive": "sensitive", "identifiers": "identifiers",
    "keep": "keep", "person": "person", "missing": "missing", "numeric": "numeric",
    "categorical": "categorical",
}  # fmt: skip


def policy_from(given: Namespace) -> Policy:
    """The policy that the flags describe; what a flag says replaces what the file says."""
    fields: dict[str, Any] = {
        field: getattr(given, flag) for flag, field in _FIELDS.items() if getattr(given, flag) is not None
    }
    if given.k is not None:
        fields["k"] = _whole_number(given.k)
    if given.policy is not None:
        return Policy.load(given.policy, **fields)
    if "quasi_identifiers" not in fields:
        raise PolicyError(
            "no policy: say what the columns are",
            f"draft one with: kanopy suggest {given.input} > policy.toml, or use --quasi and --k",
        )
    return Policy(**fields)


def options_from(given: Namespace) -> dict[str, str]:
    """The options of the method, as texts."""
    options = {}
    for text in given.option:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise PolicyError("--option takes NAME=VALUE", "for example --option publish=members")
        if name in options:
            raise PolicyError(f"option {name!r} is given twice", "keep one of them")
        options[name] = value
    return options


def _whole_number(text: str) -> int:
    try:
        return typed_whole_number(text)
    except ValueError:
        raise PolicyError("k must be a whole number of at least 2", "for example --k 10") from None
