"""Every method, found by its name: those of kanopy, and those of other packages.

Those are entry points of the group ``kanopy.methods``, each loaded when it is used.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING

from kanopy.algorithms.method import Method, Option, Progress, silent
from kanopy.errors import KanopyWarning, PolicyError, near_name

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Method", "Option", "Progress", "find_method", "methods", "silent"]

_OWN = {
    "mondrian": "kanopy.algorithms.mondrian",
    "sketch": "kanopy.algorithms.sketch",
    "kactus": "kanopy.algorithms.kactus",
    "kactus2": "kanopy.algorithms.kactus2",
    "kadet": "kanopy.algorithms.kadet",
    "apt": "kanopy.algorithms.apt",
    "tdd": "kanopy.algorithms.tds",
    "tds": "kanopy.algorithms.tds",
    "tdr": "kanopy.algorithms.tds",
    "bottomup": "kanopy.algorithms.bottomup",
    "kmeans": "kanopy.algorithms.clustering.kmeans",
    "kmember": "kanopy.algorithms.clustering.kmember",
    "oka": "kanopy.algorithms.clustering.oka",
    "loukides": "kanopy.algorithms.clustering.loukides",
    "wfcmeans": "kanopy.algorithms.clustering.wfcmeans",
    "mdav": "kanopy.algorithms.clustering.mdav",
    "datafly": "kanopy.algorithms.fulldomain.datafly",
    "samarati": "kanopy.algorithms.fulldomain.samarati",
    "incognito": "kanopy.algorithms.fulldomain.incognito",
    "optimal": "kanopy.algorithms.fulldomain.optimal",
    "koptimize": "kanopy.algorithms.fulldomain.koptimize",
    "muargus": "kanopy.algorithms.fulldomain.muargus",
    "genetic": "kanopy.algorithms.fulldomain.genetic",
}
"""The modules of kanopy's methods, each loaded when its method is used: there it has its name in capitals."""
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
    return (*map(_load_own, _OWN), *plugins)


def find_method(method: str | Method) -> Method:
    """The method of that name; a Method is returned as it is.

    Raises
    ------
    PolicyError
        Where there is none, and the hint names a near one; where its plug-in cannot be loaded.
    """
    if isinstance(method, Method):
        return method
    if method in _OWN:
        return _load_own(method)
    names = [*_OWN, *_plugin_names()]
    if method not in names:
        hint = near_name(str(method), names) or f"methods: {', '.join(names)}"
        raise PolicyError(f"no method is called {method!r}", hint)
    return _load_plugin(method)


def _load_own(name: str) -> Method:
    method: Method = getattr(import_module(_OWN[name]), name.upper())
    return method


def _plugin_names() -> list[str]:
    """The names of the methods that plug-ins announce; none of them is loaded."""
    from importlib.metadata import entry_points  # reads mail headers and archives, for plug-ins alone

    return sorted({entry.name for entry in entry_points(group=_GROUP)})


def _load_plugin(name: str) -> Method:
    """The method that a plug-in announces under a name, or a PolicyError that says why it cannot be used."""
    from importlib.metadata import entry_points

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
