"""Every method of every paper, found by its name."""

from kanopy.algorithms.apt import APT
from kanopy.algorithms.bottomup import BOTTOMUP
from kanopy.algorithms.clustering.methods import CLUSTERINGS
from kanopy.algorithms.kactus import KACTUS
from kanopy.algorithms.kactus2 import KACTUS2
from kanopy.algorithms.kadet import KADET
from kanopy.algorithms.method import Method, Option, Progress, silent
from kanopy.algorithms.mondrian import MONDRIAN
from kanopy.algorithms.tds import TDD, TDR, TDS
from kanopy.errors import PolicyError, near_name

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
