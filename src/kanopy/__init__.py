"""kanopy: publish tables about people that others can learn from, and keep the promise made with them."""

import _signal  # type: ignore[import-not-found]  # built in: what signal imports could be interrupted
import os
import sys


def _leave(number: int, _frame: object) -> None:
    """Leave at once: before a command begins, there is nothing to be tidied up."""
    ends = {2: b"interrupted", 15: b"terminated"}.get(number, b"the terminal was closed")
    try:
        os.write(2, b"error: " + ends + b"\n hint: nothing was published\n")
    finally:
        os._exit(128 + number)


def _leave_on_signals() -> None:
    """What the command does first; a signal that is ignored, as below nohup, stays ignored."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        usual = (_signal.SIG_DFL, _signal.default_int_handler)
        if (number := getattr(_signal, name, None)) is not None and _signal.getsignal(number) in usual:
            _signal.signal(number, _leave)


def _is_command() -> bool:
    """Whether this is loaded for ``kanopy`` or ``python -m kanopy``, and not by a program of others."""
    typed = getattr(sys, "argv", None) or [""]
    # What Python was started with: processes that a command starts are given its arguments, not its name.
    named = "".join(sys.orig_argv[-len(typed) :][:1])
    if typed[0] == "-m":  # while Python looks for the module
        return named.removeprefix("-m") == "kanopy"
    return os.path.basename(named) in ("kanopy", "kanopy.exe")  # noqa: PTH119


if _is_command():  # before anything is imported: nobody should see the traceback of an import
    _leave_on_signals()

from importlib import import_module  # noqa: E402
from typing import TYPE_CHECKING, Any  # noqa: E402

from kanopy._lazy import loaded_when_used  # noqa: E402
from kanopy._version import __version__  # noqa: E402

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
