"""The scikit-learn face: one estimator per method, and learners that meet new rows as the release shows them.

The classes are made from the methods that are registered: ``MondrianAnonymizer`` for ``mondrian``, and so on.
"""

from __future__ import annotations

from typing import Any

from kanopy.algorithms import methods
from kanopy.errors import ResourceError, near_name

try:
    from sklearn.utils.validation import validate_data as _newest_name_we_need  # noqa: F401
except ImportError as error:
    raise ResourceError(
        "the estimators need scikit-learn, version 1.6 or newer", 'pip install "kanopy[sklearn]"'
    ) from error

from kanopy.estimators.anonymizer import Anonymizer, class_name, estimator_for
from kanopy.estimators.recoded import RecodedClassifier, Recoder

_CLASSES = {class_name(method): estimator_for(method) for method in methods()}
globals().update(_CLASSES)  # where pickle looks for them

__all__ = ["Anonymizer", "RecodedClassifier", "Recoder", *_CLASSES]


def __getattr__(name: str) -> Any:
    hint = near_name(name, __all__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}" + (f"; {hint}" if hint else ""))


def __dir__() -> list[str]:
    return sorted(__all__)
