"""Policies: the roles of the columns and the promise, from keyword arguments or a TOML file."""

from typing import TYPE_CHECKING

from kanopy._lazy import loaded_when_used
from kanopy.policy.digest import policy_digest
from kanopy.policy.policy import Policy, check_policy, normal_name, shown_name

if TYPE_CHECKING:
    from kanopy.policy.hierarchy_file import load_hierarchy
else:  # most policies have no hierarchy
    __getattr__ = loaded_when_used(__name__, {"kanopy.policy.hierarchy_file": ("load_hierarchy",)})

__all__ = ["Policy", "check_policy", "load_hierarchy", "normal_name", "policy_digest", "shown_name"]
