"""kanopy: publish tables about people that others can learn from, and keep the promise made with them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kanopy._version import __version__

if TYPE_CHECKING:
    from kanopy.algorithms import methods
    from kanopy.attacks import AttackFigures, attack
    from kanopy.auditing import Audit, audit
    from kanopy.engines.local import anonymize
    from kanopy.errors import KanopyError
    from kanopy.evaluation import Evaluation, evaluate
    from kanopy.policy import Policy
    from kanopy.release import Release
    from kanopy.reporting import report

__all__ = [
    "AttackFigures",
    "Audit",
    "Evaluation",
    "KanopyError",
    "Policy",
    "Release",
    "__version__",
    "anonymize",
    "attack",
    "audit",
    "evaluate",
    "methods",
    "report",
]

_HOME = {
    "AttackFigures": "kanopy.attacks",
    "Audit": "kanopy.auditing",
    "Evaluation": "kanopy.evaluation",
    "KanopyError": "kanopy.errors",
    "Policy": "kanopy.policy",
    "Release": "kanopy.release",
    "anonymize": "kanopy.engines.local",
    "attack": "kanopy.attacks",
    "audit": "kanopy.auditing",
    "evaluate": "kanopy.evaluation",
    "methods": "kanopy.algorithms",
    "report": "kanopy.reporting",
}


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for: ``import kanopy`` costs next to nothing."""
    if name.endswith("Anonymizer"):  # one class per method; only they need scikit-learn
        return getattr(import_module("kanopy.estimators"), name)
    if name not in _HOME:
        raise AttributeError(f"module 'kanopy' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
