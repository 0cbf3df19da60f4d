"""Nothing that is no better than guessing is called best or better, and ties are called ties."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from kanopy.evaluation import Evaluation, evaluate
from kanopy.evaluation.scores import Score
from kanopy.evaluation.verdicts import conclusion, verdict
from kanopy.policy import Policy
from kanopy.reporting import render


@pytest.mark.parametrize(
    ("better", "guessing", "said"),
    [
        ("a", [], "a is better"),
        (None, [], "tie: no difference shown"),
        ("a", ["b"], "a is better; b is no better than guessing"),
        ("b", ["b"], "b is no better than guessing"),
        (None, ["b"], "tie: no difference shown; b is no better than guessing"),
        ("a", ["a", "b"], "both are no better than guessing"),
    ],
)
def test_conclusions(better: str | None, guessing: list[str], said: str) -> None:
    assert conclusion("a", "b", better, guessing) == said


def score(method: str, accuracy: float, *, able: bool = True, auc_low: float = 0.4) -> Score:
    figures = {"better_than_guessing": able, "auc": 0.7, "auc_low": auc_low, "excess": -0.0001}
    return Score(
        method, 5, "nb", "cells", accuracy, *[0.5] * 5, 0.5, 0.9, 0.9, 0.9, 0.256, 0.0, 0.0, 10, **figures
    )


def test_the_best_is_named_with_those_that_tie() -> None:
    scores = [score("a", 0.7), score("b", 0.8), score("c", 0.79), score("d", 0.85, able=False)]
    found = verdict(scores, {frozenset("ab"), frozenset("ac"), frozenset("ad")})
    assert found is not None
    assert (found.best, found.worse, found.guessing) == (("b", "c"), ("a",), ("d",))
    figures = "26% of detail lost, excess +0.0 points"
    assert found.said == (
        f"b (80.0% correct, {figures}), c (79.0% correct, {figures}) tie; "
        f"worse: a (70.0% correct, {figures}); "
        f"no better than guessing: d (85.0% correct, {figures})"
    )
    alone = verdict([score("a", 0.7)], set())
    assert alone is not None
    assert "is better than guessing" in alone.said
    ranking = verdict([score("a", 0.5, able=False, auc_low=0.6)], set())
    assert ranking is not None
    assert "though it ranks rows better than chance: AUC 0.700" in ranking.said
    assert verdict([], set()) is None


@pytest.fixture(scope="module")
def rare() -> Evaluation:
    """16 in 100 rows are positive, nothing tells which, and kactus suppresses everything."""
    rng = np.random.default_rng(3)
    age, town = rng.integers(18, 80, 300), rng.choice(["A", "B", "C", "D"], 300)
    is_ill = rng.permutation(300) < 48
    table = pa.table({"age": age, "town": town, "ill": np.where(is_ill, "yes", "no")})
    policy = Policy(quasi_identifiers=["age", "town"], target="ill", k=5)
    methods = ["kactus", "mondrian:cut=median"]
    return evaluate(table, policy, methods=methods, ks=[5], learners=["id3", "nb"], jobs=1)


def test_an_empty_table_is_not_crowned(rare: Evaluation) -> None:
    empty = [one for one in rare.scores if one.method == "kactus"]
    assert all(one.gcp == 1 and one.accuracy == one.majority for one in empty)
    # By the test alone it is far above mondrian, as id3 does not prune.
    first = rare.comparisons[0]
    assert first.difference > 0.05
    assert first.p_value < 0.05
    assert (first.better, first.conclusion) == (None, "both are no better than guessing")
    assert all(one.better_than_guessing is False for one in empty)
    assert all("kactus" in one.guessing and "kactus" not in one.best for one in rare.verdicts)
    assert all(one.better != "kactus" for one in rare.comparisons)
    assert rare.ranks is not None
    assert len(set(rare.ranks.mean_ranks)) == 1


@pytest.mark.parametrize("suffix", [".html", ".md", ".json"])
def test_no_report_crowns_it(rare: Evaluation, suffix: str) -> None:
    text = render(rare, suffix)
    assert "kactus is better" not in text
    assert "kactus is best" not in text
    assert "best release" not in text
    assert "no better than guessing" in text
