"""The digest of a policy: the same for whatever file or arguments say the same."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import date, time
from numbers import Number
from typing import Any

from kanopy.data import Hierarchy
from kanopy.policy.policy import Policy
from kanopy.privacy import plain_promise

_APART = ("k", "combinations", "privacy", "method", "hierarchies")  # fields that are told in another form


def policy_digest(policy: Policy) -> str:
    """The SHA-256 of everything that a policy says, as hexadecimal digits.

    The order of keys, comments and folders do not matter; the order of columns does. The file of a hierarchy
    counts by what it holds, that of an earlier release by its name. What says nothing (an empty list) is left
    out, so that a key which a later version knows does not change the digest of policies without it.

    Raises
    ------
    PolicyError, ResourceError
        Where the file of a hierarchy cannot be read.
    """
    policy = policy.with_calendar_trees()  # a run may add them; the policy says the same with and without
    said = {each.name: getattr(policy, each.name) for each in fields(policy) if each.name not in _APART}
    said = {name: value for name, value in said.items() if not _says_nothing(value)}
    said |= {"method": policy.method_name, "promise": [plain_promise(part) for part in policy.promise.parts]}
    said["hierarchies"] = {name: _hierarchy(name, of) for name, of in policy.hierarchies.items()}
    plain = {name: _plain(value) for name, value in said.items() if value}
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _says_nothing(value: Any) -> bool:
    """Whether nothing was written: an empty list, or a section in which everything is as usual."""
    is_section = is_dataclass(value) and not isinstance(value, type)
    return not value or (is_section and bool(value == type(value)()))


def _hierarchy(column: str, source: Any) -> Any:
    if isinstance(source, Hierarchy):
        parents = source.node_parent.tolist()
        return {"leaves": source.leaves, "labels": source.node_label, "parents": parents}
    if isinstance(source, str | os.PathLike):
        from kanopy.policy.hierarchy_file import hierarchy_text  # most policies have no such file

        return {"file": hashlib.sha256(hierarchy_text(column, source)).hexdigest()}
    return source


def _plain(value: Any) -> Any:
    """Plain data that is the same in every run; of a function or an object of another library its name."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, Set):
        return sorted((_plain(inner) for inner in value), key=json.dumps)
    if isinstance(value, os.PathLike):
        return os.path.basename(os.fspath(value))  # noqa: PTH119 (the folder is another one elsewhere)
    if isinstance(value, date | time):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        said = {each.name: _plain(getattr(value, each.name)) for each in fields(value) if each.compare}
        later = [each.name for each in fields(value) if each.metadata.get("is_later")]
        said = {name: said[name] for name in said if name not in later or said[name] is not None}
        return {type(value).__name__: said}
    numeric = (str(value),) if isinstance(value, Number) else ()
    kind = value if hasattr(value, "__qualname__") else type(value)
    return [f"{kind.__module__}.{kind.__qualname__}", *numeric]
