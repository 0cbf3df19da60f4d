"""The verbs of the house: every method of every paper, found by its name."""

from kanopy._room import make_callable
from kanopy.errors import PolicyError, near_name
from kanopy.methods.apt import APT
from kanopy.methods.bottomup import BOTTOMUP
from kanopy.methods.clustering.methods import CLUSTERINGS
from kanopy.methods.kactus import KACTUS
from kanopy.methods.kactus2 import KACTUS2
from kanopy.methods.kadet import KADET
from kanopy.methods.method import Method, Option, Progress, silent
from kanopy.methods.mondrian import MONDRIAN
from kanopy.methods.tdd import TDD
from kanopy.methods.tds import TDR, TDS

__all__ = ["DEFAULT_METHOD", "Method", "Option", "Progress", "find_method", "methods", "silent"]

_METHODS = (MONDRIAN, KACTUS, KACTUS2, KADET, APT, TDD, TDS, TDR, BOTTOMUP, *CLUSTERINGS)

DEFAULT_METHOD = "mondrian"


def methods() -> tuple[Method, ...]:
    """Every method that kanopy knows."""
    return _METHODS


def find_method(name: str) -> Method:
    """The method of that name.

    Raises
    ------
    PolicyError
        Where there is none; the hint names a near one.
    """
    for method in _METHODS:
        if method.name == name:
            return method
    known = [method.name for method in _METHODS]
    raise PolicyError(
        f"no method is called {name!r}", near_name(name, known) or f"methods: {', '.join(known)}"
    )


make_callable(__name__)
