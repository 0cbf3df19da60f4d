"""Releases and an evaluation for the tests of reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

import kanopy
from kanopy.privacy import PrivacyModel


def people(n_rows: int, seed: int = 0, *, n_rare: int = 0) -> pa.Table:
    """A table with a few quasi-identifiers; the last ``n_rare`` rows have a diagnosis of their own."""
    rng = np.random.default_rng(seed)
    illness = rng.choice(["flu", "cold", "asthma"], n_rows, p=[0.6, 0.3, 0.1]).astype(object)
    if n_rare:
        illness[-n_rare:] = "RareIllness"
    return pa.table(
        {
            "age": rng.integers(18, 80, n_rows),
            "sex": rng.choice(["f", "m"], n_rows),
            "town": rng.choice(["A", "B", "C", None], n_rows, p=[0.5, 0.3, 0.15, 0.05]),
            "illness": pa.array(illness.tolist()),
            "hours": rng.integers(1, 4, n_rows),
            "who": rng.integers(0, max(n_rows // 2, 1), n_rows),
            "income": rng.choice(["low", "high"], n_rows, p=[0.7, 0.3]),
        }
    )


def policy(k: int | None = 5, *, person: bool = False, privacy: Any = (), **more: Any) -> kanopy.Policy:
    given: dict[str, Any] = {"person": "who"} if person else {"identifiers": ["who"]}
    promises: PrivacyModel | tuple[PrivacyModel, ...] = privacy
    return kanopy.Policy(
        quasi_identifiers=["age", "sex", "town"],
        target="income",
        sensitive=["illness"],
        keep=["hours"],
        k=k,
        privacy=promises,
        **given,
        **more,
    )


@dataclass(frozen=True)
class Score:
    """As evaluations have them."""

    method: str
    k: int | None
    learner: str
    encoding: str = "cells"
    accuracy: float | None = 0.81234567
    low: float | None = 0.80
    high: float | None = 0.82
    accuracy_recoded: float | None = 0.8
    low_recoded: float | None = 0.79
    high_recoded: float | None = 0.81
    majority: float | None = 0.75
    original: float | None = 0.85
    original_low: float | None = 0.84
    original_high: float | None = 0.86
    gcp: float | None = 0.234567
    n_folds: int = 10
    refused: str | None = None
    better_than_guessing: bool | None = True
    auc: float | None = 0.71234567
    auc_low: float | None = 0.7
    auc_high: float | None = 0.72
    balanced_accuracy: float | None = 0.6
    log_loss: float | None = 0.51234567
    brier: float | None = 0.17
    auc_recoded: float | None = 0.7
    balanced_accuracy_recoded: float | None = 0.6
    log_loss_recoded: float | None = 0.5
    brier_recoded: float | None = 0.17
    original_auc: float | None = 0.8
    original_balanced_accuracy: float | None = 0.7
    original_log_loss: float | None = 0.4
    original_brier: float | None = 0.15
    majority_auc: float | None = 0.5
    majority_balanced_accuracy: float | None = 0.5
    majority_log_loss: float | None = 0.56
    majority_brier: float | None = 0.19
    excess: float | None = 0.03456789
    excess_low: float | None = -0.01
    excess_high: float | None = 0.06


@dataclass(frozen=True)
class Disclosure:
    method: str
    k: int | None
    column: str = "illness"
    members: float = 0.51234567
    strangers: float = 0.4
    excess: float = 0.11234567
    low: float = 0.1
    high: float = 0.12
    lost: float = 0.234567


@dataclass(frozen=True)
class Verdict:
    learner: str
    k: int | None
    best: tuple[str, ...] = ("kactus",)
    guessing: tuple[str, ...] = ("mondrian",)
    said: str = "kactus (81.2% correct, 23% of detail lost) is best"


@dataclass(frozen=True)
class Comparison:
    learner: str
    k: int | None
    first: str
    second: str
    difference: float = 0.012
    statistic: float = 5.5
    p_value: float = 0.03
    conclusion: str = "kactus is better"
    first_lost: float | None = 0.234567
    second_lost: float | None = 0.5


@dataclass(frozen=True)
class FakeEvaluation:
    """The interface that reports rely on."""

    scores: list[Score]
    comparisons: list[Comparison]
    methods: list[str]
    ks: list[int | None]
    learners: list[str]
    n_rows: int = 1234
    protocol: str = "5x2 cross-validation: each half is anonymized and learned from alone."
    areas: list[Any] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    disclosures: list[Disclosure] = field(default_factory=list)


def evaluation(*, refused: str | None = "the promise cannot be kept") -> FakeEvaluation:
    methods, ks, learners = ["kactus", "mondrian"], [5, 50], ["c45", "nb"]
    scores = [Score(method, k, learner) for method in methods for k in ks for learner in learners]
    if refused is not None:
        nothing = dict.fromkeys(
            ("accuracy", "low", "high", "accuracy_recoded", "low_recoded", "high_recoded", "gcp", "excess")
        )
        scores[-1] = Score("mondrian", 50, "nb", refused=refused, **nothing)
    comparisons = [Comparison("c45", k, "kactus", "mondrian") for k in ks]
    more = {"verdicts": [Verdict("c45", 5)], "disclosures": [Disclosure("kactus", 5)]}
    return FakeEvaluation(scores, comparisons, methods, list(ks), learners, **more)
