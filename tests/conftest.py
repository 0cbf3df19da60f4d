"""How hard hypothesis tries: reproducibly everywhere, and at length where KANOPY_DEEP=1 asks for it."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("default", max_examples=40, derandomize=True, deadline=None)
settings.register_profile(
    "deep", max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("deep" if os.environ.get("KANOPY_DEEP") == "1" else "default")
