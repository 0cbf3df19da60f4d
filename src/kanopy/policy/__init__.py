"""Policies: the roles of the columns and the promise, from keyword arguments or a TOML file."""

from kanopy.policy.digest import policy_digest
from kanopy.policy.hierarchy_file import load_hierarchy
from kanopy.policy.policy import Policy, check_policy, normal_name, shown_name

__all__ = ["Policy", "check_policy", "load_hierarchy", "normal_name", "policy_digest", "shown_name"]
