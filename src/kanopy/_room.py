"""Rooms that are also doors: ``kanopy.audit`` is a package and ``kanopy.audit(...)`` its main function."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _CallableRoom(ModuleType):
    """Importing a submodule binds its name in the package, over any function of that name; so the module
    itself answers the call."""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return getattr(self, self.__name__.rpartition(".")[2])(*arguments, **keywords)


def make_callable(name: str) -> None:
    """Let a module be called like the function in it that has the same name."""
    sys.modules[name].__class__ = _CallableRoom
