"""How objects show themselves in a notebook, and as one line of text.

What draws them stands above them all (``kanopy.reporting``), and nobody needs it who has no notebook: it is
loaded by its name when it is asked for, as the names of ``kanopy`` are.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

_MOST_NAMES = 6


class Displayed:
    """What a notebook shows as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """For IPython: a fragment without scripts, which follows light and dark themes."""
        return str(import_module("kanopy.reporting.notebook").html_of(self))


class Plotted(Displayed):
    """What also has a picture that says more than its figures."""

    __slots__ = ()

    def plot(self) -> Any:
        """A picture, which a notebook shows and ``save`` writes: ``release.plot().save("groups.html")``."""
        return import_module("kanopy.reporting.notebook").figure_of(self)


def few(names: Sequence[str]) -> str:
    """A list of names for one line of text, quoted and cut."""
    shown = ", ".join(repr(name if len(name) <= 30 else name[:29] + "…") for name in names[:_MOST_NAMES])
    return f"[{shown}, … {len(names):,} in all]" if len(names) > _MOST_NAMES else f"[{shown}]"


def number_of(number: int, many: str) -> str:
    """A number with its noun: ``1 row``, ``2 rows``."""
    return f"1 {many.removesuffix('s')}" if number == 1 else f"{number:,} {many}"
