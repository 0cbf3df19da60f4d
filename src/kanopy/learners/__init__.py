"""Learners that read what was published: a cell is a set of values, and one value is a set of one."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kanopy.errors import ResourceError, near_name

try:
    from sklearn.utils.validation import validate_data as _newest_name_we_need  # noqa: F401
except ImportError as error:
    raise ResourceError(
        "the learners need scikit-learn, version 1.6 or newer", 'pip install "kanopy[sklearn]"'
    ) from error

from kanopy.learners.draws import CellSampler, EncodedClassifier
from kanopy.learners.encoder import GeneralizedEncoder
from kanopy.learners.naive_bayes import GeneralizedNaiveBayes
from kanopy.learners.registry import Learner, find_learner

if TYPE_CHECKING:
    from kanopy.learners.rule_classifier import GeneralizedRuleClassifier
    from kanopy.learners.tree_classifier import GeneralizedTreeClassifier

__all__ = [
    "CellSampler", "EncodedClassifier", "GeneralizedEncoder", "GeneralizedNaiveBayes",
    "GeneralizedRuleClassifier", "GeneralizedTreeClassifier", "Learner", "find_learner",
]  # fmt: skip

# Large: loaded when they are used.
_MODULES = {"GeneralizedRuleClassifier": "rule_classifier", "GeneralizedTreeClassifier": "tree_classifier"}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"kanopy.learners.{_MODULES[name]}"), name)
    hint = near_name(name, __all__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}" + (f"; {hint}" if hint else ""))


def __dir__() -> list[str]:
    return sorted(__all__)
