"""What the custodian decided, from keyword arguments or a TOML file."""

from kanopy.policy.check import check_policy
from kanopy.policy.hierarchy_file import load_hierarchy
from kanopy.policy.policy import Policy, normal_name, shown_name

__all__ = ["Policy", "check_policy", "load_hierarchy", "normal_name", "shown_name"]
