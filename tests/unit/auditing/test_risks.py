"""Prosecutor, journalist and marketer risk, against their definitions written out row by row."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanopy
from kanopy.auditing.risks import Risks
from kanopy.privacy import AnonymityOf
from kanopy.release.telling import tell_audit


@given(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=60), st.integers(2, 8))
def test_every_row_is_one_pick_out_of_its_group(values: list[str], k: int) -> None:
    sizes = Counter(values)
    picks = [Fraction(1, sizes[value]) for value in values]  # of each row
    risks = kanopy.audit(pa.table({"q": values}), kanopy.Policy(quasi_identifiers=["q"], k=k)).risks
    assert risks.prosecutor_highest == risks.journalist_at_most == float(max(picks))
    assert risks.prosecutor_average == risks.marketer == float(sum(picks) / len(picks))
    assert risks.expected_matches == sum(picks) == len(sizes)
    assert risks.high_risk == sum(pick > Fraction(1, 5) for pick in picks) / len(picks)
    assert risks.above_promise == sum(pick > Fraction(1, k) for pick in picks) / len(picks)
    assert not risks.is_bound


def test_persons_are_picked_where_k_counts_persons() -> None:
    table = pa.table({"q": ["a"] * 6 + ["b"] * 2, "who": [1, 1, 1, 1, 2, 3, 4, 5]})
    risks = kanopy.audit(table, kanopy.Policy(quasi_identifiers=["q"], person="who", k=2)).risks
    assert (risks.prosecutor_highest, risks.prosecutor_average) == (1 / 2, 2 / 5)


def test_without_a_k_of_all_nothing_is_above_it() -> None:
    some = kanopy.Policy(quasi_identifiers=["q", "r"], privacy=AnonymityOf(["q"], 2))
    found = kanopy.audit(pa.table({"q": ["a"] * 4, "r": [1, 1, 1, 2]}), some)
    assert found.kept
    assert (found.risks.prosecutor_highest, found.risks.above_promise) == (1.0, None)


def test_they_are_among_the_figures_for_machines() -> None:
    found = kanopy.audit(pa.table({"q": ["a"] * 4}), kanopy.Policy(quasi_identifiers=["q"], k=3))
    assert found.to_dict()["risks"]["marketer"] == 0.25


@pytest.mark.parametrize(("k", "high_risk"), [(3, None), (5, 0.0)])
def test_of_persons_only_what_follows_from_the_promise_is_told(k: int, high_risk: float | None) -> None:
    """How many persons a group has does not follow from the published rows."""
    rng = np.random.default_rng(0)
    table = pa.table({"q": rng.integers(0, 9, 200), "who": rng.integers(0, 90, 200)})
    policy = kanopy.Policy(quasi_identifiers=["q"], person="who", k=k)
    release = kanopy.anonymize(table, policy)
    told = tell_audit(release.audit, policy)["risks"]
    assert release.audit.risks.prosecutor_average < 1 / k
    assert {name: told[name] for name in told if name.startswith(("prosecutor", "journalist", "market"))} == (
        dict.fromkeys(("prosecutor_highest", "prosecutor_average", "journalist_at_most", "marketer"), 1 / k)
    )
    assert (told["is_bound"], told["expected_matches"], told["high_risk"]) == (True, None, high_risk)


def test_one_line_says_it() -> None:
    assert Risks.of(np.array([10, 30]), 10).sentence == (
        "prosecutor 10.0% (average 5.0%), journalist at most 10.0%, marketer 5.0%, 2 expected right pairs"
    )
    assert "average at most 10.0%" in Risks.at_most(10).sentence
