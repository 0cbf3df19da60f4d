"""How hard hypothesis tries (at length with KANOPY_DEEP=1), and compiled modules for programs."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", max_examples=20, derandomize=True, deadline=None)
settings.register_profile(
    "deep", max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("deep" if os.environ.get("KANOPY_DEEP") == "1" else "default")

# Tests start hundreds of programs. Where no compiled modules may be written, each would compile all of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(__file__).parents[1] / ".pytest_cache" / "compiled"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: Any, log: Any) -> Any:
    """Divide tests among processes one by one, but for those that share a session of Spark."""
    if find_spec("pyspark") is None:
        return None  # then all tests are divided as usual
    from xdist.scheduler import LoadScopeScheduling

    class SharedSession(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            has_session = "tests/spark/" in file and not file.endswith("test_on_clusters.py")
            return "one session of Spark" if has_session else nodeid

    return SharedSession(config, log)
