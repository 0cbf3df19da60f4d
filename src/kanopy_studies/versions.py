"""Of everything that a number may depend on."""

from __future__ import annotations

import platform

import numpy as np

from kanopy._version import __version__


def versions() -> dict[str, str]:
    return {"kanopy": __version__, "python": platform.python_version(), "numpy": np.__version__}
