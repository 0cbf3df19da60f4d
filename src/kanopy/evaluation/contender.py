"""What is compared: methods, with options where needed: ``kmeans``, ``kmeans:variant=2;max_iter=10``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kanopy.algorithms import find_method
from kanopy.errors import PolicyError
from kanopy.policy import Policy

ORIGINAL = "original"
"""The label of the original rows."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A method with its options, under the name that the results give it."""

    label: str
    method: str
    options: Mapping[str, Any] = field(default_factory=dict)


def contenders_of(methods: Sequence[str] | str | None, policy: Policy) -> list[Contender]:
    """The methods to compare, checked; without any the policy's own, with its options."""
    if isinstance(methods, str):
        methods = [methods]
    found = [_contender(text, policy) for text in methods or [policy.method_name]]
    if len({contender.label for contender in found}) < len(found):
        raise PolicyError("a method is named twice", "name each once, or with other options")
    return found


def _contender(text: str, policy: Policy) -> Contender:
    if not isinstance(text, str):
        raise PolicyError("the names of methods are strings", 'for example methods=["kactus", "mondrian"]')
    name, _, written = text.partition(":")
    method = find_method(name.strip())
    options: dict[str, Any] = {}
    for part in filter(None, written.split(";")):
        option, equals, value = part.partition("=")
        if not equals:
            raise PolicyError(
                "options of a method are written NAME=VALUE", "for example kmeans:variant=2;max_iter=10"
            )
        options[option.strip()] = value.strip()
    # As in ``anonymize``: the options of the policy are defaults for its own method.
    options = {**(policy.options if method.name == policy.method_name else {}), **options}
    return Contender(text.strip(), method.name, method.settle(options))
