"""All that a report says about an evaluation, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kanopy._version import __version__
from kanopy.release.floor import round_number


@dataclass(frozen=True, slots=True)
class Measured:
    """An accuracy and its interval, in tenths of a percent; None where it was not measured."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, value: Any, low: Any = None, high: Any = None) -> Measured:
        # PRIVACY: more digits could tell how many rows a test had, and single rows in it
        # (tests/unit/reporting/test_evaluation.py).
        return cls(*(None if number is None else round(float(number), 3) for number in (value, low, high)))


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """What one learner reached on the releases of one method at one k.

    Parameters
    ----------
    method, learner, encoding : str
        ``encoding`` is how the learner read generalized cells.
    k : int or None
        None where the promise has none.
    accuracy : Measured
        On test rows as they are.
    recoded : Measured
        On test rows that went through the recoding of the training rows.
    refused : str or None
        Why there is no release, and so no accuracy.
    """

    method: str
    k: int | None
    learner: str
    encoding: str
    accuracy: Measured
    recoded: Measured
    refused: str | None


@dataclass(frozen=True, slots=True)
class Reference:
    """What a learner reaches without any anonymization, and what guessing the most frequent class does."""

    learner: str
    original: Measured
    majority: Measured


@dataclass(frozen=True, slots=True)
class ComparisonLine:
    """Two methods under the same learner and k, by the combined 5x2cv F-test."""

    learner: str
    k: int | None
    first: str
    second: str
    difference: float | None
    statistic: float | None
    p_value: float | None


@dataclass(frozen=True, slots=True)
class EvaluationSummary:
    """What a report says about an evaluation."""

    kanopy: str
    n_rows: int
    protocol: str
    methods: tuple[str, ...]
    ks: tuple[int | None, ...]
    learners: tuple[str, ...]
    scores: tuple[ScoreLine, ...]
    references: tuple[Reference, ...]
    comparisons: tuple[ComparisonLine, ...]

    @classmethod
    def of(cls, evaluation: Any) -> EvaluationSummary:
        """Read an evaluation: ``scores``, ``comparisons``, ``protocol``, ``n_rows``; O(scores)."""
        learners = tuple(str(learner) for learner in evaluation.learners)
        return cls(
            kanopy=__version__,
            n_rows=round_number(int(evaluation.n_rows)),
            protocol=str(evaluation.protocol),
            methods=tuple(str(method) for method in evaluation.methods),
            ks=tuple(_k(k) for k in evaluation.ks),
            learners=learners,
            scores=tuple(_score(score) for score in evaluation.scores),
            references=tuple(
                reference
                for learner in learners
                if (reference := _reference(learner, evaluation.scores)) is not None
            ),
            comparisons=tuple(_comparison(comparison) for comparison in evaluation.comparisons),
        )


def _score(score: Any) -> ScoreLine:
    return ScoreLine(
        method=str(score.method),
        k=_k(score.k),
        learner=str(score.learner),
        encoding=str(score.encoding),
        accuracy=Measured.of(score.accuracy, score.low, score.high),
        recoded=Measured.of(score.accuracy_recoded, score.low_recoded, score.high_recoded),
        refused=None if score.refused is None else str(score.refused),
    )


def _reference(learner: str, scores: Any) -> Reference | None:
    """The references of a learner are the same in all its scores; the first that has them tells."""
    for score in scores:
        if str(score.learner) == learner and score.original is not None:
            original = Measured.of(score.original, score.original_low, score.original_high)
            return Reference(learner, original, Measured.of(score.majority))
    return None


def _comparison(comparison: Any) -> ComparisonLine:
    return ComparisonLine(
        learner=str(comparison.learner),
        k=_k(comparison.k),
        first=str(comparison.first),
        second=str(comparison.second),
        difference=_rounded(comparison.difference, 3),
        statistic=_rounded(comparison.statistic, 2),
        p_value=_rounded(comparison.p_value, 4),
    )


def _k(k: Any) -> int | None:
    return None if k is None else int(k)


def _rounded(number: Any, digits: int) -> float | None:
    """A number that JSON knows; no figure where there is none, or where it is not finite."""
    if number is None or not abs(float(number)) < float("inf"):
        return None
    return round(float(number), digits)
