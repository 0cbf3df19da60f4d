"""The referee on a written file: loaded by its path, as a board does that has nothing else of kanopy."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

GROUPS = {"food": {"fruit": ["apple", "pear"], "[root]": ["beet", "leek"]}, "stone": ["rock"]}
"""The tree of the random tables, of tests and of cases, as it is written in a policy."""

FILE = Path(__file__).parents[1] / "src" / "kanopy" / "referee.py"


@cache
def referee() -> Any:
    """The module, under a name of its own."""
    spec = importlib.util.spec_from_file_location("second_opinion", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def opinion(
    release: Path,
    source: Mapping[str, Sequence[str]],
    policy: Mapping[str, Any],
    certificate: Mapping[str, Any] | None = None,
) -> list[tuple[str, str, str]]:
    """What the referee finds about a written file, whose source is given as columns of texts."""
    module = referee()
    wanted = {name for names in policy.values() for name in ([names] if isinstance(names, str) else names)}
    names = [name for name in source if name in wanted]
    rows = Counter(zip(*(source[name] for name in names), strict=True))
    case = module.Case(policy, module.read_table(release, {}), (names, rows), certificate or {}, Path())
    checks: list[tuple[str, str, str]] = case.judge()
    return checks


def broken(checks: Sequence[tuple[str, str, str]]) -> list[str]:
    """What is broken, in words."""
    return [f"{what}: {message}" for what, outcome, message in checks if outcome == "broken"]
