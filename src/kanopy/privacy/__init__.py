"""The promises: what may be said of every group of a published table."""

from kanopy.privacy.anonymity import KAnonymity
from kanopy.privacy.closeness import Closeness
from kanopy.privacy.confidence import AlphaBound, Template
from kanopy.privacy.diversity import DistinctDiversity, EntropyDiversity, RecursiveDiversity
from kanopy.privacy.likeness import BetaLikeness, DeltaDisclosure
from kanopy.privacy.model import AllOf, PrivacyModel

__all__ = [
    "AllOf",
    "AlphaBound",
    "BetaLikeness",
    "Closeness",
    "DeltaDisclosure",
    "DistinctDiversity",
    "EntropyDiversity",
    "KAnonymity",
    "PrivacyModel",
    "RecursiveDiversity",
    "Template",
]
