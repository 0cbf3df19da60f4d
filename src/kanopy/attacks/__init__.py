"""Attacks on a release that k-anonymity does not stop, measured by its custodian."""

from kanopy.attacks.attack import attack
from kanopy.attacks.figures import (
    AttackFigures,
    Composition,
    Downcoding,
    Inference,
    KnownMethod,
    Linking,
    Sizes,
)
from kanopy.attacks.known_method import MethodRuns

__all__ = [
    "AttackFigures", "Composition", "Downcoding", "Inference", "KnownMethod", "Linking", "MethodRuns",
    "Sizes", "attack",
]  # fmt: skip
