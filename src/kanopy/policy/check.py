"""Whether something that was handed over is a policy."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from kanopy.errors import PolicyError
from kanopy.policy.policy import Policy


def check_policy(policy: Any) -> None:
    """Raise a PolicyError, with what to write instead, where this is no Policy."""
    if isinstance(policy, Policy):
        return
    hint = 'for example kanopy.Policy(quasi_identifiers=["age", "sex"], k=10)'
    if isinstance(policy, str | os.PathLike):
        hint = "load the file first: kanopy.Policy.load(path)"
    elif isinstance(policy, Mapping):
        hint = "make one of it: kanopy.Policy(**fields)"
    raise PolicyError(f"the policy must be a kanopy.Policy; this is a {type(policy).__name__}", hint)
