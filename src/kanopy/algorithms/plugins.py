"""Methods of other packages: entry points of the group ``kanopy.methods``, each loaded when it is used."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from importlib.metadata import EntryPoint, entry_points

from kanopy.algorithms.method import Method
from kanopy.errors import KanopyWarning, PolicyError

GROUP = "kanopy.methods"


def plugin_names() -> list[str]:
    """The names of the methods that plug-ins announce; none of them is loaded."""
    return sorted({entry.name for entry in entry_points(group=GROUP)})


def plugins(taken: Collection[str]) -> list[Method]:
    """The methods of all plug-ins, by name; one that cannot be used is left out, with a warning.

    Parameters
    ----------
    taken : collection of str
        The names of kanopy's own methods, which no plug-in can replace.
    """
    found = []
    for name in plugin_names():
        if name in taken:
            _warn(f"the plug-in method {name!r} is ignored: kanopy has a method of that name")
            continue
        try:
            found.append(load_plugin(name))
        except PolicyError as error:
            _warn(f"{error.message}; it is left out")
    return found


def load_plugin(name: str) -> Method:
    """The method that a plug-in announces under a name.

    Raises
    ------
    PolicyError
        Where it cannot be loaded, is no Method or has another name, or where two plug-ins announce it.
    """
    entries = list(entry_points(group=GROUP, name=name))
    if len({entry.value for entry in entries}) > 1:
        raise PolicyError(f"two plug-ins announce a method {name!r}", "remove one of them")
    try:
        method = entries[0].load()
    except Exception as error:  # another package's code may raise anything
        raise PolicyError(
            f"the plug-in of method {name!r} ({_place(entries[0])}) cannot be loaded: {type(error).__name__}",
            "reinstall or remove it",
        ) from error
    if not isinstance(method, Method) or method.name != name:
        raise PolicyError(
            f"the plug-in of method {name!r} ({_place(entries[0])}) is no kanopy Method of that name",
            "its entry point must lead to a Method whose name is that of the entry point",
        )
    return method


def _place(entry: EntryPoint) -> str:
    return entry.value if entry.dist is None else f"{entry.value} of {entry.dist.name}"


def _warn(message: str) -> None:
    warnings.warn(message, KanopyWarning, stacklevel=4)
