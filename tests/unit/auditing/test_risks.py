"""Prosecutor, journalist and marketer risk, against their definitions written out row by row."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given
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


PERSONS = kanopy.Policy(quasi_identifiers=["q"], person="who", k=2)


@pytest.mark.parametrize("seed", range(9))
def test_the_order_of_groups_changes_no_digit(seed: int) -> None:
    """A file whose texts are written in another way has its groups in another order."""
    rng = np.random.default_rng(seed)
    most, more = rng.integers(1, 9, 30), rng.integers(0, 90, 30)
    found = Risks.of(1 + more // 2, 2, (most, most + more))
    order = rng.permutation(30)
    assert Risks.of((1 + more // 2)[order], 2, (most[order], (most + more)[order])) == found


def test_of_persons_the_largest_share_of_the_rows_counts() -> None:
    """1 of 12 persons is no 8%, where that one has 93% of the rows."""
    who = ["ada"] * 93 + [f"p{number}" for number in range(7)] + ["q1", "q1", "q2", "q3"]
    found = kanopy.audit(pa.table({"q": ["a"] * 100 + ["b"] * 4, "who": who}), PERSONS)
    risks = found.risks
    assert (found.k, found.kept) == (3, True)
    assert (risks.prosecutor_highest, risks.journalist_at_most) == (0.93, 0.93)
    assert risks.prosecutor_average == pytest.approx((8 * 0.93 + 3 * 0.5) / 11)
    assert (risks.expected_matches, risks.marketer) == (95, 95 / 104)
    assert (risks.high_risk, risks.above_promise) == (1.0, 8 / 11)  # half of the rows is not more than 1/2


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.integers(0, 4)), min_size=1, max_size=40),
    st.integers(2, 4),
)
def test_shares_are_those_of_the_definition(rows: list[tuple[str, int | None]], k: int) -> None:
    """Person by person, written out; rows without a person are in no number."""
    assume(any(person is not None for _, person in rows))
    table = pa.table({"q": [q for q, _ in rows], "who": pa.array([p for _, p in rows], pa.int64())})
    risks = kanopy.audit(table, kanopy.Policy(quasi_identifiers=["q"], person="who", k=k)).risks
    groups = {q: Counter(p for other, p in rows if other == q and p is not None) for q, _ in rows}
    shares = {q: Fraction(max(held.values()), held.total()) for q, held in groups.items() if held}
    of_members = [shares[q] for q in shares for _ in groups[q]]
    assert risks.prosecutor_highest == float(max(shares.values()))
    assert risks.prosecutor_average == pytest.approx(float(sum(of_members) / len(of_members)))
    assert risks.expected_matches == sum(max(groups[q].values()) for q in shares)
    assert risks.marketer == risks.expected_matches / sum(held.total() for held in groups.values())
    assert risks.high_risk == sum(share > Fraction(1, 5) for share in of_members) / len(of_members)
    assert risks.above_promise == sum(share > Fraction(1, k) for share in of_members) / len(of_members)


def test_without_the_person_column_nothing_is_known() -> None:
    """The audit of a release counts rows; a share of one person does not follow from them."""
    risks = kanopy.audit(pa.table({"q": ["a"] * 20}), PERSONS).risks
    assert risks == Risks.not_bounded()
    assert (risks.is_bound, risks.prosecutor_highest, risks.high_risk) == (True, 1.0, None)
    assert risks.sentence.startswith("not known: the promise counts persons")


def test_without_a_k_of_all_nothing_is_above_it() -> None:
    some = kanopy.Policy(quasi_identifiers=["q", "r"], privacy=AnonymityOf(["q"], 2))
    found = kanopy.audit(pa.table({"q": ["a"] * 4, "r": [1, 1, 1, 2]}), some)
    assert found.kept
    assert (found.risks.prosecutor_highest, found.risks.above_promise) == (1.0, None)


def test_they_are_among_the_figures_for_machines() -> None:
    found = kanopy.audit(pa.table({"q": ["a"] * 4}), kanopy.Policy(quasi_identifiers=["q"], k=3))
    assert found.to_dict()["risks"]["marketer"] == 0.25


def test_a_promise_of_k_persons_tells_no_share() -> None:
    """1/k would be wrong: what one person has of the rows of a group follows neither from k nor from rows."""
    rng = np.random.default_rng(0)
    table = pa.table({"q": rng.integers(0, 9, 200), "who": rng.integers(0, 90, 200)})
    policy = kanopy.Policy(quasi_identifiers=["q"], person="who", k=5)
    release = kanopy.anonymize(table, policy)
    assert tell_audit(release.audit, policy)["risks"] == asdict(Risks.not_bounded())
    exact = release.record["audit"]["risks"]
    assert (exact["is_bound"], exact["prosecutor_highest"]) == (False, release.audit.risks.prosecutor_highest)


def test_one_line_says_it() -> None:
    assert Risks.of(np.array([10, 30]), 10).sentence == (
        "prosecutor 10.0% (average 5.0%), journalist at most 10.0%, marketer 5.0%, 2 expected right pairs"
    )
