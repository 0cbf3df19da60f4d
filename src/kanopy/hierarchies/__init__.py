"""Rules that build the hierarchy of a column from its values."""

from typing import TYPE_CHECKING

from kanopy._lazy import loaded_when_used
from kanopy.hierarchies.rule import HierarchyRule

if TYPE_CHECKING:
    from kanopy.hierarchies.groups import Dates, Groups, Prefix
    from kanopy.hierarchies.icd10 import Icd10
    from kanopy.hierarchies.merge import Merge
    from kanopy.hierarchies.ranges import Cuts, Quantiles, Ranges
else:  # a policy without hierarchies needs none of them
    __getattr__ = loaded_when_used(__name__, {
        "kanopy.hierarchies.groups": ("Dates", "Groups", "Prefix"),
        "kanopy.hierarchies.icd10": ("Icd10",),
        "kanopy.hierarchies.merge": ("Merge",),
        "kanopy.hierarchies.ranges": ("Cuts", "Quantiles", "Ranges"),
    })  # fmt: skip

__all__ = ["Cuts", "Dates", "Groups", "HierarchyRule", "Icd10", "Merge", "Prefix", "Quantiles", "Ranges"]
