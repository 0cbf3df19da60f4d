"""What can be told about a table as it is, before there is a policy or a k: figures, and never a cell."""

from kanopy.profiling.answering import audit, profile_without_promise
from kanopy.profiling.figures import Profile, SensitiveFigures, SmallGroups, SubsetFigures
from kanopy.profiling.measuring import asked_policy, profile

__all__ = [
    "Profile", "SensitiveFigures", "SmallGroups", "SubsetFigures", "asked_policy", "audit", "profile",
    "profile_without_promise",
]  # fmt: skip
