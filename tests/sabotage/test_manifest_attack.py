"""What is told beside a release gives no hidden value back.

The attacker is as strong as can be: she has the release and everything that is told with it, knows every row of
the source but one number, and has kanopy. She tries every number for the hidden one and keeps those for
which kanopy would publish and tell exactly the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kanopy
from kanopy.report import render

CANDIDATES = range(70, 130)
"""Numbers that the hidden one may be; everybody else is below."""

N_TABLES = 12
Told = Callable[[kanopy.Release], Any]


def people(seed: int, hidden: int) -> pa.Table:
    """Ordinary people, and one whose income lies far above all others."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 24))
    age, income = rng.integers(20, 60, n), rng.integers(10, 60, n)
    income[-1] = hidden
    classes = np.where(age + rng.integers(-8, 9, n) > 40, "y", "n")
    return pa.table({"age": age, "income": income, "class": classes})


def released(seed: int, hidden: int, method: str, options: dict[str, Any]) -> kanopy.Release:
    policy = kanopy.Policy(quasi_identifiers=["age", "income"], target="class", k=3)
    return kanopy.anonymize(people(seed, hidden), policy, method=method, **options)


def manifest(release: kanopy.Release) -> Any:
    return json.dumps(release.manifest)


def printed(release: kanopy.Release) -> Any:
    return json.dumps(release.told())


def report(release: kanopy.Release) -> Any:
    return render(release, ".json")


def left_over(seed: int, method: str, options: dict[str, Any], told: Told) -> tuple[set[int], set[int], int]:
    """The candidates that the release alone leaves, those that are left with what is told, and the truth."""
    truth = int(np.random.default_rng(1000 + seed).integers(CANDIDATES.start + 5, CANDIDATES.stop))
    published = released(seed, truth, method, options)
    after_release, after_all = set(), set()
    for candidate in CANDIDATES:
        tried = released(seed, candidate, method, options)
        if tried.frame.equals(published.frame):
            after_release.add(candidate)
            if told(tried) == told(published):
                after_all.add(candidate)
    return after_release, after_all, truth


WAYS = {
    "kactus": ("kactus", {"publish": "range"}),
    "kactus2": ("kactus2", {}),
    "loukides": ("loukides", {"delta": 0.2}),
    "suppress": ("mondrian", {"publish": "suppress"}),
    "mean": ("mondrian", {"publish": "mean"}),
}


@pytest.mark.parametrize("told", [manifest, printed, report], ids=lambda each: each.__name__)
@pytest.mark.parametrize("way", WAYS)
def test_nothing_that_is_told_rules_out_a_hidden_number(way: str, told: Told) -> None:
    """Whatever the release leaves open stays open: the truth is one of many."""
    n_open = 0
    for seed in range(N_TABLES):
        after_release, after_all, truth = left_over(seed, *WAYS[way], told)
        assert truth in after_all
        assert after_all == after_release
        n_open += len(after_all) >= 20
    # A release may give a number away by itself (a mean, an end of a range): such tables show nothing here.
    assert n_open >= (1 if way in ("loukides", "mean") else N_TABLES // 2)
