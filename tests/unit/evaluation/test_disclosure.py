"""What releases tell about their members: the excess, beside every accuracy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import kanopy
from kanopy.attacks.excess import guess_rates
from kanopy.evaluation import evaluate
from kanopy.evaluation.halves import Halves
from kanopy.evaluation.trial import Trial, contenders_of, run
from kanopy.policy import Policy


@pytest.fixture
def patients(people: pa.Table) -> pa.Table:
    """With a column that has nothing to do with the others."""
    blood = np.random.default_rng(1).choice(["0", "A", "B", "AB"], people.num_rows)
    return people.append_column("blood", pa.array(blood))


@pytest.fixture
def strict(policy: Policy) -> Policy:
    return replace(policy, sensitive=["blood"], k=3)


@pytest.mark.parametrize("method", ["mondrian", "kactus", "mdav", "tdd"])
def test_the_same_figures_as_the_attack_with_strangers(
    patients: pa.Table, strict: Policy, method: str
) -> None:
    halves = Halves.of(patients, strict)
    train, test = (patients.take(rows) for rows in halves.fold(0, 0, 0))
    release = kanopy.anonymize(train, halves.policy, method=method)
    rates = guess_rates(release, train, test, halves.policy)
    figures = kanopy.attack(release, train, halves.policy, strangers=test)
    assert list(rates) == ["ill", "blood"]
    assert {one.column: (one.members, one.strangers) for one in figures.inference} == rates


def test_members_are_the_training_half_and_strangers_the_other(patients: pa.Table, strict: Policy) -> None:
    halves = Halves.of(patients, strict)
    contender = contenders_of(["mondrian:cut=median"], strict)[0]
    outcome = run(Trial(1, 0, contender, 3), halves, [], 5, discretize=False, in_full=True)
    train, test = (patients.take(rows) for rows in halves.fold(5, 1, 0))
    chance = int(np.random.SeedSequence((5, 1, 0)).generate_state(1)[0])
    release = kanopy.anonymize(train, strict, method="mondrian", seed=chance, cut="median")
    assert outcome.guessed == guess_rates(release, train, test, halves.policy)
    assert not run(Trial(1, 0, contender, 3), halves, [], 5, discretize=False).guessed


def test_small_groups_tell_about_their_members_and_large_ones_do_not(
    patients: pa.Table, strict: Policy
) -> None:
    methods = ["mondrian:cut=median"]
    found = evaluate(patients, strict, methods=methods, ks=[3, 110], learners=["nb"], jobs=1)
    places = [(one.k, one.column) for one in found.disclosures]
    assert places == [(3, "ill"), (3, "blood"), (110, "ill"), (110, "blood")]
    small, large = found.disclosures[1], found.disclosures[3]
    assert small.excess == pytest.approx(small.members - small.strangers)
    assert small.low > 0.1  # blood is drawn: whatever is guessed of it above chance is disclosed
    assert large.low < 0.05 < small.low
    assert large.lost > small.lost
    score = found.scores[0]
    of_class = found.disclosures[0]
    assert (score.excess, score.excess_low, score.members) == (
        of_class.excess,
        of_class.low,
        of_class.members,
    )
    assert found.told()["disclosures"][0]["excess"] == round(of_class.excess, 3)
    assert found.told()["disclosures"][0]["lost"] == round(of_class.lost, 2)
