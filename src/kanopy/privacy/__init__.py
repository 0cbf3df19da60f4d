"""The promises: what may be said of every group of a published table."""

from kanopy.privacy.anonymity import AnonymityOf, KAnonymity, largest_k
from kanopy.privacy.closeness import Closeness
from kanopy.privacy.diversity import DistinctDiversity, EntropyDiversity, RecursiveDiversity
from kanopy.privacy.implied import promised_k, smallest_satisfiable, without_implied
from kanopy.privacy.model import AllOf, PrivacyModel
from kanopy.privacy.plain import plain_promise, promise_of
from kanopy.privacy.shares import AlphaBound, BetaLikeness, DeltaDisclosure, Template

__all__ = [
    "AllOf",
    "AlphaBound",
    "AnonymityOf",
    "BetaLikeness",
    "Closeness",
    "DeltaDisclosure",
    "DistinctDiversity",
    "EntropyDiversity",
    "KAnonymity",
    "PrivacyModel",
    "RecursiveDiversity",
    "Template",
    "largest_k",
    "plain_promise",
    "promise_of",
    "promised_k",
    "smallest_satisfiable",
    "without_implied",
]
