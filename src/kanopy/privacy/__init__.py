"""The promises: what may be said of every group of a published table."""

from typing import TYPE_CHECKING

from kanopy._lazy import loaded_when_used
from kanopy.privacy.anonymity import AnonymityOf, CombinationAnonymity, KAnonymity, largest_k
from kanopy.privacy.implied import promised_k, smallest_satisfiable, without_implied
from kanopy.privacy.model import AllOf, PrivacyModel
from kanopy.privacy.plain import plain_promise, promise_of

if TYPE_CHECKING:
    from kanopy.privacy.closeness import Closeness
    from kanopy.privacy.diversity import DistinctDiversity, EntropyDiversity, RecursiveDiversity
    from kanopy.privacy.shares import AlphaBound, BetaLikeness, DeltaDisclosure, Template
else:  # whoever promises k alone needs none of them
    __getattr__ = loaded_when_used(__name__, {
        "kanopy.privacy.closeness": ("Closeness",),
        "kanopy.privacy.diversity": ("DistinctDiversity", "EntropyDiversity", "RecursiveDiversity"),
        "kanopy.privacy.shares": ("AlphaBound", "BetaLikeness", "DeltaDisclosure", "Template"),
    })  # fmt: skip

__all__ = [
    "AllOf", "AlphaBound", "AnonymityOf", "BetaLikeness", "Closeness", "CombinationAnonymity",
    "DeltaDisclosure", "DistinctDiversity", "EntropyDiversity", "KAnonymity", "PrivacyModel",
    "RecursiveDiversity", "Template", "largest_k", "plain_promise", "promise_of", "promised_k",
    "smallest_satisfiable", "without_implied",
]  # fmt: skip
