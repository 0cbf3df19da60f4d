"""Every method, found by its name: those of kanopy, and those of installed plug-ins."""

from collections.abc import Iterable

from kanopy.algorithms.apt import APT
from kanopy.algorithms.bottomup import BOTTOMUP
from kanopy.algorithms.clustering.methods import CLUSTERINGS
from kanopy.algorithms.kactus import KACTUS
from kanopy.algorithms.kactus2 import KACTUS2
from kanopy.algorithms.kadet import KADET
from kanopy.algorithms.method import Method, Option, Progress, silent
from kanopy.algorithms.mondrian import MONDRIAN
from kanopy.algorithms.plugins import load_plugin, plugin_names, plugins
from kanopy.algorithms.tds import TDD, TDR, TDS
from kanopy.errors import PolicyError, near_name

__all__ = ["Method", "Option", "Progress", "find_method", "methods", "silent"]

_METHODS = (MONDRIAN, KACTUS, KACTUS2, KADET, APT, TDD, TDS, TDR, BOTTOMUP, *CLUSTERINGS)


def methods() -> tuple[Method, ...]:
    """Every method: those of kanopy, then those of installed plug-ins (entry points ``kanopy.methods``).

    A plug-in that cannot be loaded is left out, with a warning.
    """
    return (*_METHODS, *plugins(_names(_METHODS)))


def find_method(method: str | Method) -> Method:
    """The method of that name; a Method is returned as it is.

    Raises
    ------
    PolicyError
        Where there is none, and the hint names a near one; where its plug-in cannot be loaded.
    """
    if isinstance(method, Method):
        return method
    for known in _METHODS:
        if known.name == method:
            return known
    names = [*_names(_METHODS), *plugin_names()]
    if method not in names:
        hint = near_name(str(method), names) or f"methods: {', '.join(names)}"
        raise PolicyError(f"no method is called {method!r}", hint)
    return load_plugin(method)


def _names(known: Iterable[Method]) -> list[str]:
    return [method.name for method in known]
