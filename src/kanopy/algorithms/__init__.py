"""Every method, found by its name: those of kanopy, and those of other packages.

Those are entry points of the group ``kanopy.methods``, each loaded when it is used.
"""

import warnings
from importlib.metadata import EntryPoint, entry_points

from kanopy.algorithms.apt import APT
from kanopy.algorithms.bottomup import BOTTOMUP
from kanopy.algorithms.clustering import CLUSTERINGS
from kanopy.algorithms.kactus import KACTUS
from kanopy.algorithms.kactus2 import KACTUS2
from kanopy.algorithms.kadet import KADET
from kanopy.algorithms.method import Method, Option, Progress, silent
from kanopy.algorithms.mondrian import MONDRIAN
from kanopy.algorithms.tds import TDD, TDR, TDS
from kanopy.errors import KanopyWarning, PolicyError, near_name

__all__ = ["Method", "Option", "Progress", "find_method", "methods", "silent"]

_METHODS = (MONDRIAN, KACTUS, KACTUS2, KADET, APT, TDD, TDS, TDR, BOTTOMUP, *CLUSTERINGS)
_OWN = [method.name for method in _METHODS]
_GROUP = "kanopy.methods"


def methods() -> tuple[Method, ...]:
    """Every method: those of kanopy, then those of installed plug-ins (entry points ``kanopy.methods``).

    A plug-in that cannot be loaded is left out, with a warning.
    """
    plugins = []
    for name in _plugin_names():
        if name in _OWN:
            _warn(f"the plug-in method {name!r} is ignored: kanopy has a method of that name")
            continue
        try:
            plugins.append(_load_plugin(name))
        except PolicyError as error:
            _warn(f"{error.message}; it is left out")
    return (*_METHODS, *plugins)


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
    names = [*_OWN, *_plugin_names()]
    if method not in names:
        hint = near_name(str(method), names) or f"methods: {', '.join(names)}"
        raise PolicyError(f"no method is called {method!r}", hint)
    return _load_plugin(method)


def _plugin_names() -> list[str]:
    """The names of the methods that plug-ins announce; none of them is loaded."""
    return sorted({entry.name for entry in entry_points(group=_GROUP)})


def _load_plugin(name: str) -> Method:
    """The method that a plug-in announces under a name, or a PolicyError that says why it cannot be used."""
    entries = list(entry_points(group=_GROUP, name=name))
    if len({entry.value for entry in entries}) > 1:
        raise PolicyError(f"two plug-ins announce a method {name!r}", "remove one of them")
    where = f"the plug-in of method {name!r} ({_place(entries[0])})"
    try:
        method = entries[0].load()
    except Exception as error:  # another package's code may raise anything
        message = f"{where} cannot be loaded: {type(error).__name__}"
        raise PolicyError(message, "reinstall or remove it") from error
    if not isinstance(method, Method) or method.name != name:
        raise PolicyError(
            f"{where} is no kanopy Method of that name",
            "its entry point must lead to a Method whose name is that of the entry point",
        )
    return method


def _place(entry: EntryPoint) -> str:
    return entry.value if entry.dist is None else f"{entry.value} of {entry.dist.name}"


def _warn(message: str) -> None:
    warnings.warn(message, KanopyWarning, stacklevel=3)
