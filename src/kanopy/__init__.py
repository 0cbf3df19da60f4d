"""kanopy: publish tables about people that others can learn from, and keep the promise made with them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kanopy._lazy import loaded_when_used
from kanopy._version import __version__

if TYPE_CHECKING:
    from kanopy.algorithms import methods
    from kanopy.attacks import AttackFigures, attack
    from kanopy.auditing import Audit
    from kanopy.certificate import Verification, verify
    from kanopy.drafting import suggest
    from kanopy.engines.local import anonymize
    from kanopy.errors import KanopyError
    from kanopy.estimators import (  # isort: skip
        AptAnonymizer, BottomupAnonymizer, DataflyAnonymizer, GeneticAnonymizer, IncognitoAnonymizer,
        Kactus2Anonymizer, KactusAnonymizer, KadetAnonymizer, KmeansAnonymizer, KmemberAnonymizer,
        KoptimizeAnonymizer, LoukidesAnonymizer, MdavAnonymizer, MondrianAnonymizer, MuargusAnonymizer,
        OkaAnonymizer, OptimalAnonymizer, SamaratiAnonymizer, SketchAnonymizer, TddAnonymizer,
        TdrAnonymizer, TdsAnonymizer, WfcmeansAnonymizer,
    )  # fmt: skip
    from kanopy.evaluation import Evaluation, evaluate
    from kanopy.policy import Policy
    from kanopy.profiling import Profile, audit, profile
    from kanopy.receiving import draw, read_release
    from kanopy.release import Manifest, Release
    from kanopy.reporting import report

__all__ = [
    "AptAnonymizer", "AttackFigures", "Audit", "BottomupAnonymizer", "DataflyAnonymizer", "Evaluation",
    "GeneticAnonymizer", "IncognitoAnonymizer", "Kactus2Anonymizer", "KactusAnonymizer",
    "KadetAnonymizer", "KanopyError", "KmeansAnonymizer", "KmemberAnonymizer", "KoptimizeAnonymizer",
    "LoukidesAnonymizer", "Manifest", "MdavAnonymizer", "MondrianAnonymizer", "MuargusAnonymizer",
    "OkaAnonymizer", "OptimalAnonymizer", "Policy", "Profile", "Release", "SamaratiAnonymizer",
    "SketchAnonymizer", "TddAnonymizer", "TdrAnonymizer", "TdsAnonymizer", "Verification",
    "WfcmeansAnonymizer", "__version__", "anonymize", "attack", "audit", "draw", "evaluate", "methods",
    "profile", "read_release", "report", "suggest", "verify",
]  # fmt: skip

_HOME = {
    "kanopy.algorithms": ("methods",),
    "kanopy.attacks": ("AttackFigures", "attack"),
    "kanopy.auditing": ("Audit",),
    "kanopy.certificate": ("Verification", "verify"),
    "kanopy.drafting": ("suggest",),
    "kanopy.engines.local": ("anonymize",),
    "kanopy.errors": ("KanopyError",),
    "kanopy.evaluation": ("Evaluation", "evaluate"),
    "kanopy.policy": ("Policy",),
    "kanopy.profiling": ("Profile", "audit", "profile"),
    "kanopy.receiving": ("draw", "read_release"),
    "kanopy.release": ("Manifest", "Release"),
    "kanopy.reporting": ("report",),
}


_load = loaded_when_used(__name__, _HOME)

if not TYPE_CHECKING:  # type checkers would take any name for a public one

    def __getattr__(name: str) -> Any:
        """Load a public name when it is used: ``import kanopy`` costs next to nothing."""
        if name.endswith("Anonymizer"):  # one class per method; only they need scikit-learn
            return getattr(import_module("kanopy.estimators"), name)
        return _load(name)


def __dir__() -> list[str]:
    return sorted(__all__)
