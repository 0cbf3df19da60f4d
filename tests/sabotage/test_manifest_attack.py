"""What is told beside a release gives no hidden value back.

The attacker is as strong as can be: she has the release and everything that is told with it, knows every row
of the source but one number, and has kanopy. She tries every number for the hidden one and keeps those for
which kanopy would publish and tell exactly the same.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from effort import IS_DEEP

import kanopy
from kanopy.errors import UnsatisfiableError
from kanopy.reporting import render

CANDIDATES = range(70, 130, 3 if IS_DEEP else 6)
"""Numbers that the hidden one may be; everybody else is below."""


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
    return kanopy.anonymize(people(seed, hidden), policy, method=method, allow_empty=True, **options)


def everything_told(release: kanopy.Release) -> tuple[str, ...]:
    """The manifest, what ``--json`` prints, and the report, which tells the same in all its formats."""
    return json.dumps(release.manifest), json.dumps(release.told()), render(release, ".json")


def left_over(seed: int, method: str, options: dict[str, Any]) -> tuple[set[int], set[int], int]:
    """The candidates that the release alone leaves, those that are left with what is told, and the truth."""
    truth = int(np.random.default_rng(1000 + seed).choice(CANDIDATES))
    published = released(seed, truth, method, options)
    told = everything_told(published)
    after_release, after_all = set(), set()
    for candidate in CANDIDATES:
        try:
            tried = released(seed, candidate, method, options)
        except UnsatisfiableError:
            continue
        if tried.frame.equals(published.frame):
            after_release.add(candidate)
            if everything_told(tried) == told:
                after_all.add(candidate)
    return after_release, after_all, truth


# A way to publish, and how many of five tables must leave two thirds of the numbers open. A mean gives the
# number away by itself to somebody who knows all others; the distances of loukides shift with it.
WAYS = {
    "kactus": ("kactus", {"publish": "range"}, 4),
    "kactus2": ("kactus2", {"preset": "paper"}, 5),
    "kactus2 with ranges": ("kactus2", {}, 3),
    "loukides": ("loukides", {"delta": 0.2}, 2),
    "suppressing mondrian": ("mondrian", {"publish": "suppress"}, 5),
    "means": ("mondrian", {"publish": "mean"}, 0),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_that_is_told_rules_out_a_hidden_number(way: str) -> None:
    """Whatever the release leaves open stays open: the truth is one of many."""
    method, options, n_open = WAYS[way]
    n_seeds = 5 if IS_DEEP else 3
    n_open -= 5 - n_seeds
    for seed in range(n_seeds):
        after_release, after_all, truth = left_over(seed, method, options)
        assert truth in after_all
        assert after_all == after_release
        n_open -= len(after_all) >= 0.65 * len(CANDIDATES)
    assert n_open <= 0


def test_the_attack_works_on_exact_losses() -> None:
    """What shows that the attacker above would find something: the private record gives the number back."""
    method, options, _ = WAYS["kactus2"]
    truth = released(0, 100, method, options)
    left = [
        candidate
        for candidate in CANDIDATES
        if released(0, candidate, method, options).record["losses"] == truth.record["losses"]
    ]
    assert left == [100]


def test_the_attack_works_on_the_edition_for_the_board() -> None:
    """That is why it is not for publication; the public edition is among what is told above."""
    method, options, _ = WAYS["kactus2"]
    truth = render(released(0, 100, method, options), ".json", edition="board")
    left = [
        candidate
        for candidate in CANDIDATES
        if render(released(0, candidate, method, options), ".json", edition="board") == truth
    ]
    assert left == [100]


@pytest.mark.parametrize("n_odd", [1, 2, 3, 4])
def test_how_many_rows_were_dropped_cannot_be_told(n_odd: int) -> None:
    """Odd rows that no group of ten takes in: whether one or four, the same is told."""
    odd = {"q": [f"odd{row}" for row in range(n_odd)], "class": ["y"] * n_odd}
    usual = {"q": ["a"] * 40 + ["b"] * 40, "class": ["y"] * 40 + ["n"] * 40}
    table = pa.table({name: usual[name] + odd[name] for name in usual})
    policy = kanopy.Policy(quasi_identifiers=["q"], target="class", k=10)
    release = kanopy.anonymize(table, policy, method="kactus2")
    assert release.record["rows"] == {"in": 80 + n_odd, "out": 80, "dropped": n_odd}
    assert release.manifest["rows"] == {"in": None, "out": 80, "dropped": "fewer than 10"}
    one_more = dict(odd, q=[*odd["q"], "odd"], **{"class": ["y"] * (n_odd + 1)})
    other = pa.table({name: usual[name] + one_more[name] for name in usual})
    again = kanopy.anonymize(other, policy, method="kactus2")
    assert again.frame.equals(release.frame)
    assert everything_told(again) == everything_told(release)
