"""How hard hypothesis tries (at length with KANOPY_DEEP=1), and compiled modules for programs."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

settings.register_profile("default", max_examples=20, derandomize=True, deadline=None)
settings.register_profile(
    "deep", max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("deep" if os.environ.get("KANOPY_DEEP") == "1" else "default")

# Tests start hundreds of programs. Where no compiled modules may be written, each would compile all of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(__file__).parents[1] / ".pytest_cache" / "compiled"))
