"""What commands do before their work: read the policy and the options, start pyarrow, create folders."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from kanopy._numbers import typed_whole_number
from kanopy.errors import PolicyError, ResourceError
from kanopy.policy import Policy

_FIELDS = {
    "quasi": "quasi_identifiers", "target": "target", "sensitive": "sensitive", "identifiers": "identifiers",
    "keep": "keep", "person": "person", "missing": "missing", "numeric": "numeric",
    "categorical": "categorical", "value_statistics": "value_statistics", "accept": "accept",
}  # fmt: skip


def policy_from(given: Namespace) -> Policy:
    """The policy of a file, of flags, or of both; what a flag says replaces what the file says."""
    fields: dict[str, Any] = {
        field: getattr(given, flag) for flag, field in _FIELDS.items() if getattr(given, flag) is not None
    }
    for name, least, example in (("k", 2, 10), ("combinations", 1, 3)):
        if (typed := getattr(given, name)) is not None:
            try:
                fields[name] = typed_whole_number(typed)
            except ValueError:
                what, hint = f"{name} must be a whole number of at least {least}", f"--{name} {example}"
                raise PolicyError(what, f"for example {hint}") from None
    if given.policy is not None:
        return _with_sheet(Policy.load(given.policy, **fields), given)
    if "quasi_identifiers" not in fields:
        draft = f"kanopy suggest {shlex.quote(shown_file(given.input))} -o policy.toml"
        hint = f"draft one with: {draft}, or use --quasi and --k"
        raise PolicyError("no policy: say what the columns are", hint)
    return _with_sheet(Policy(**fields), given)


def _with_sheet(policy: Policy, given: Namespace) -> Policy:
    """The policy with the sheet that a flag names: what it says about other files stays."""
    return (
        policy if given.sheet is None else replace(policy, source=replace(policy.source, sheet=given.sheet))
    )


def options_from(given: Namespace) -> dict[str, str]:
    """The options of the method, as texts."""
    options: dict[str, str] = {}
    for text in given.option:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise PolicyError("--option takes NAME=VALUE", "for example --option publish=members")
        if name in options:
            raise PolicyError(f"option {name!r} is given twice", "keep one of them")
        options[name] = value
    return options


def created_folder(path: str) -> Path:
    """The folder of this name, which is created where it does not exist."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ResourceError(f"could not create the folder: {reason}", "name another folder") from None
    return Path(path)


def shown_file(path: str) -> str:
    """The name of a file without its folders, or of a folder; the text itself where it has none."""
    return PurePath(path).name or path


def free_name(suffix: str = ".csv") -> str:
    """A name for a release that nothing has yet."""
    names = (f"release{suffix}", *(f"release_{number}{suffix}" for number in range(2, 100)))
    return next((name for name in names if not os.path.lexists(name)), names[0])
