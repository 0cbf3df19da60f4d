"""Policies as TOML files; every unknown key is an error, because a key that is ignored protects nobody."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from kanopy.errors import PolicyError, ResourceError, near_name
from kanopy.policy.hierarchy_file import read_hierarchies
from kanopy.policy.policy import Policy, normal_name
from kanopy.policy.toml_text import NotRegularError, parse_toml, read_regular
from kanopy.privacy import (
    AlphaBound,
    AnonymityOf,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)

MOST_BYTES = 1_000_000
"""Of a policy file; drafts of policies are no longer either."""
_PLAIN = (
    "quasi_identifiers", "target", "sensitive", "identifiers", "keep", "person", "missing",
    "numeric", "categorical", "value_statistics", "accept",
)  # fmt: skip
_SECTIONS = ("source", "columns", "derived", "warnings")


def load_policy(file: str | os.PathLike[str], instead: Mapping[str, Any] | None = None) -> Policy:
    """Read a policy file; hierarchy files are looked up beside it."""
    text = os.fspath(file) if isinstance(file, str | os.PathLike) else None
    if not isinstance(text, str) or "\0" in text:
        raise PolicyError(
            f"a policy file is named by its path; this is a {type(file).__name__}",
            'for example "policy.toml"; fields go into kanopy.Policy(...)',
        )
    path = Path(text)
    where = f"policy {path.name!r}"
    try:
        raw = read_regular(path, MOST_BYTES)
    except FileNotFoundError:
        hint = f"draft one: kanopy suggest DATA -o {path.name}"
        raise PolicyError(f"{where}: no such file", hint) from None
    except IsADirectoryError:
        raise PolicyError(f"{where} is a directory", "name a TOML file") from None
    except NotRegularError:
        raise PolicyError(f"{where} is not a regular file", "save it as a file first") from None
    except OSError as error:
        raise ResourceError(f"{where} cannot be read: {error.strerror}") from None
    if len(raw) > MOST_BYTES:
        raise PolicyError(f"{where} is larger than {MOST_BYTES:,} bytes", "a policy is a short text")
    return read_policy(raw, where, folder=path.parent, instead=instead)


def read_policy(
    raw: bytes, where: str = "policy", folder: Path | None = None, instead: Mapping[str, Any] | None = None
) -> Policy:
    """Turn the bytes of a policy file into a policy, with some of its fields replaced."""
    draft = "draft one: kanopy suggest DATA -o policy.toml"
    hints = {"draft": draft, "depth": "a policy has two levels", "example": 'target = "income"'}
    content = parse_toml(raw, where, **hints)
    return Policy(**{**_arguments(content, where, folder), **(instead or {})})


def _arguments(content: dict[str, Any], where: str, folder: Path | None) -> dict[str, Any]:
    _check_keys(where, content, (*_PLAIN, *_SECTIONS, "earlier", "privacy", "method", "hierarchies"))
    arguments = {key: content[key] for key in _PLAIN if key in content}
    arguments |= {name: _section(where, content, name) for name in _SECTIONS}
    if "earlier" in content:
        arguments["earlier"] = _beside(content["earlier"], folder)
    privacy = _section(where, content, "privacy")
    _check_keys(f"[privacy] of {where}", privacy, ("k", "combinations", *_PROMISES))
    arguments["privacy"] = tuple(
        promise for kind in _PROMISES if kind in privacy for promise in _promises(where, kind, privacy[kind])
    )
    arguments |= {name: _plain(privacy[name]) for name in ("k", "combinations") if name in privacy}
    method = dict(_section(where, content, "method"))
    if "name" in method:
        arguments["method"] = method.pop("name")
        if not isinstance(arguments["method"], str):
            raise PolicyError(f"[method] of {where}: name takes a text", 'for example name = "mondrian"')
    arguments["options"] = {name: _plain(value) for name, value in method.items()}
    arguments["hierarchies"] = read_hierarchies(_section(where, content, "hierarchies"), where, folder)
    return arguments


def _beside(files: Any, folder: Path | None) -> Any:
    """Files named in a policy are looked up beside it; what is no list of texts is refused by the policy."""
    is_list = isinstance(files, list) and all(isinstance(file, str) and file for file in files)
    return [folder / file for file in files] if is_list and folder is not None else files


def _section(where: str, content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = content.get(name, {})
    if not isinstance(section, dict):
        raise PolicyError(f"{where}: {name} is a section", f"write [{name}] on a line of its own")
    return section


def _check_keys(where: str, content: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in content:
        if key not in known:
            hint = near_name(key, known) or f"keys: {', '.join(known)}"
            raise PolicyError(f"{where} has no key {key!r}", hint)


def _plain(value: Any) -> Any:
    """A number as Python has it; one that is too large for that is infinite, which nothing takes."""
    try:
        return float(value) if isinstance(value, Fraction) else value
    except OverflowError:
        return math.inf


def _diversity(kind: str = "distinct", c: Any = None, **arguments: Any) -> PrivacyModel:
    if kind == "recursive":
        if c is None:
            raise PolicyError("recursive diversity needs c", "for example c = 2")
        return RecursiveDiversity(c=c, **arguments)
    if c is not None:
        raise PolicyError(f"{kind} diversity takes no c", 'c belongs to kind = "recursive"')
    if kind not in ("distinct", "entropy"):
        raise PolicyError("diversity takes kind distinct, entropy or recursive")
    return DistinctDiversity(**arguments) if kind == "distinct" else EntropyDiversity(**arguments)


def _template(given: Any = None, value: Any = None, **arguments: Any) -> PrivacyModel:
    given = _given_columns("a template", given)
    texts = value if isinstance(value, list) else [value]
    if not all(isinstance(text, str) for text in texts):
        hint = "put each in quotes: values are compared as text"
        raise PolicyError("a template takes value, a text or a list of texts", hint)
    return Template(given=given, value=value, **arguments)


def _given_columns(who: str, given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise PolicyError(f"{who} takes given, a list of columns", 'for example given = ["age", "zip"]')
    return tuple(normal_name(name) for name in given)


_PROMISES: dict[str, tuple[Callable[..., PrivacyModel], tuple[str, ...], tuple[str, ...]]] = {
    # TOML name: how to make it, the keys it must have, the keys it may have
    "anonymity": (lambda given, k: AnonymityOf(_given_columns("an anonymity", given), k), ("given", "k"), ()),
    "diversity": (_diversity, ("column", "l"), ("kind", "c")),
    "closeness": (Closeness, ("column", "t"), ("distance",)),
    "alpha": (AlphaBound, ("column", "alpha"), ("value",)),
    "disclosure": (DeltaDisclosure, ("column", "delta"), ("strict_zero",)),
    "likeness": (BetaLikeness, ("column", "beta"), ("kind",)),
    "template": (_template, ("given", "column", "value", "at_most"), ()),
}


def _promises(where: str, kind: str, tables: Any) -> list[PrivacyModel]:
    place = f"[[privacy.{kind}]] of {where}"
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise PolicyError(f"{where}: privacy.{kind} is a list of sections", f"write [[privacy.{kind}]]")
    make, needed, optional = _PROMISES[kind]
    made = []
    for table in tables:
        _check_keys(place, table, (*needed, *optional))
        for key in needed:
            if key not in table:
                raise PolicyError(f"{place} lacks {key}")
        for key in ("column", "value", "kind", "distance"):
            takes_list = (kind, key) == ("template", "value")
            if key in table and not isinstance(table[key], str | list if takes_list else str):
                hint = "put it in quotes: values are compared as text"
                raise PolicyError(f"{place}: {key} takes a text", hint)
        named = {"column": normal_name(table["column"])} if "column" in needed else {}
        made.append(make(**{**table, **named}))
    return made
