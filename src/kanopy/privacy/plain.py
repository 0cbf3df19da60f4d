"""Promises as plain data, for files that hold them, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from importlib import import_module
from typing import Any

from kanopy.errors import PolicyError, near_name
from kanopy.privacy.model import PrivacyModel

_KINDS = (
    "KAnonymity", "AnonymityOf", "CombinationAnonymity", "DistinctDiversity", "EntropyDiversity",
    "RecursiveDiversity", "Closeness", "AlphaBound", "Template", "DeltaDisclosure", "BetaLikeness",
)  # fmt: skip
"""Names of this package, each loaded when it is used."""


def plain_promise(part: PrivacyModel) -> dict[str, Any]:
    """The name of a promise and its bounds; a fraction is a text, so that it stays exact.

    >>> from kanopy.privacy import AlphaBound
    >>> plain_promise(AlphaBound("diagnosis", "0.3"))
    {'promise': 'AlphaBound', 'column': 'diagnosis', 'alpha': '3/10', 'value': None}
    """
    bounds = {field.name: _plain(getattr(part, field.name)) for field in fields(part)}  # type: ignore[arg-type]
    return {"promise": type(part).__name__, **bounds}


def promise_of(data: Any) -> PrivacyModel:
    """The promise that ``plain_promise`` told, or a PolicyError: nothing is guessed, nothing is left out."""
    if not isinstance(data, Mapping) or not isinstance(name := data.get("promise"), str):
        hint = 'for example "promise": "KAnonymity", "k": 5'
        raise PolicyError("a promise is told by its name and its bounds", hint)
    if name not in _KINDS:
        raise PolicyError("a promise is of a kind that is not known", near_name(name, _KINDS))
    bounds = {key: value for key, value in data.items() if key != "promise"}
    kind = getattr(import_module("kanopy.privacy"), name)
    known = {field.name for field in fields(kind)}
    if bounds.keys() != known:
        raise PolicyError(f"a promise of the kind {name} has the bounds {', '.join(sorted(known))}")
    try:
        made: PrivacyModel = kind(**bounds)
    except TypeError:  # a list where a text should be
        raise PolicyError(f"a bound of a promise of the kind {name} is of the wrong type") from None
    return made


def _plain(bound: Any) -> Any:
    if isinstance(bound, Fraction):
        return str(bound)
    return list(bound) if isinstance(bound, tuple) else bound
