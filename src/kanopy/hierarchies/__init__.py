"""Rules that build the hierarchy of a column from its values."""

from kanopy.hierarchies.groups import Dates, Groups, Prefix
from kanopy.hierarchies.icd10 import Icd10
from kanopy.hierarchies.merge import Merge
from kanopy.hierarchies.ranges import Cuts, Quantiles, Ranges
from kanopy.hierarchies.rule import HierarchyRule

__all__ = ["Cuts", "Dates", "Groups", "HierarchyRule", "Icd10", "Merge", "Prefix", "Quantiles", "Ranges"]
