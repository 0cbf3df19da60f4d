"""The figures of a report on an evaluation, as plain data that may be told."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from kanopy._version import __version__
from kanopy.release.floor import round_number
from kanopy.release.published_losses import told_share
from kanopy.reporting.blocks import Faint, Text
from kanopy.reporting.tally import percent

SIGNIFICANT = 0.05  # two methods with a smaller p value are said to differ
GUESSING = "no better than guessing"


def _rounded(number: float | None) -> float | None:
    # PRIVACY: more digits could reveal the number of test rows, and single rows among them
    # (tests/unit/reporting/test_evaluation.py).
    return None if number is None else round(float(number), 3)


def _told_lost(share: float | None) -> float | None:
    """PRIVACY: exact losses give hidden numbers back (tests/unit/reporting/test_evaluation.py)."""
    return None if share is None else told_share(share)


@dataclass(frozen=True, slots=True)
class Measured:
    """A share and its interval, rounded to tenths of a percent; None where it was not measured."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, *numbers: float | None) -> Measured:
        return cls(*map(_rounded, numbers))

    @property
    def bounds(self) -> tuple[float, float, float] | None:
        """The value with the ends of its interval."""
        if self.value is None or self.low is None or self.high is None:
            return None
        return self.value, self.low, self.high

    @property
    def text(self) -> Text:
        if self.value is None:
            return Faint("none")
        if self.low is None or self.high is None:
            return percent(self.value)
        return f"{percent(self.value)} ({self.low:.1%} to {self.high:.1%})"


@dataclass(frozen=True, slots=True)
class Figures:
    """What is measured beside accuracy; None where a learner gives no probabilities."""

    auc: float | None
    balanced_accuracy: float | None
    log_loss: float | None
    brier: float | None

    @classmethod
    def of(cls, score: Any, form: str = "{}") -> Figures:
        """Those of a score whose names have this form."""
        names = ("auc", "balanced_accuracy", "log_loss", "brier")
        return cls(*(_rounded(getattr(score, form.format(name))) for name in names))


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One learner on the releases of one method at one k: on original and on recoded test rows."""

    method: str
    k: int | None
    learner: str
    encoding: str  # how the learner reads generalized cells
    accuracy: Measured
    recoded: Measured
    refused: str | None  # why there is no release
    better_than_guessing: bool | None
    lost: float | None  # share of detail, in whole percent
    excess: Measured
    auc: Measured
    figures: Figures
    figures_recoded: Figures

    @classmethod
    def of(cls, score: Any) -> ScoreLine:
        return cls(
            *(score.method, score.k, score.learner, score.encoding),
            accuracy=Measured.of(score.accuracy, score.low, score.high),
            recoded=Measured.of(score.accuracy_recoded, score.low_recoded, score.high_recoded),
            refused=score.refused,
            better_than_guessing=score.better_than_guessing,
            lost=_told_lost(score.gcp),
            excess=Measured.of(score.excess, score.excess_low, score.excess_high),
            auc=Measured.of(score.auc, score.auc_low, score.auc_high),
            figures=Figures.of(score),
            figures_recoded=Figures.of(score, "{}_recoded"),
        )

    @property
    def release(self) -> str:
        return self.method if self.k is None else f"{self.method} at k = {self.k:,}"


@dataclass(frozen=True, slots=True)
class Reference:
    """A learner on the original table, and always guessing the most frequent class."""

    learner: str
    original: Measured
    majority: Measured
    original_figures: Figures
    majority_figures: Figures

    @classmethod
    def of(cls, score: Any) -> Reference:
        original = Measured.of(score.original, score.original_low, score.original_high)
        figures = (Figures.of(score, form) for form in ("original_{}", "majority_{}"))
        return cls(score.learner, original, Measured.of(score.majority), *figures)


@dataclass(frozen=True, slots=True)
class DisclosureLine:
    """How often a column is guessed for members and strangers, and the difference."""

    method: str
    k: int | None
    column: str
    members: float
    strangers: float
    excess: Measured
    lost: float | None

    @classmethod
    def of(cls, line: Any) -> DisclosureLine:
        rates = (round(float(line.members), 3), round(float(line.strangers), 3))
        excess = Measured.of(line.excess, line.low, line.high)
        return cls(line.method, line.k, line.column, *rates, excess, _told_lost(line.lost))


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """Which methods are best under one learner and k, in a sentence."""

    learner: str
    k: int | None
    best: tuple[str, ...]
    guessing: tuple[str, ...]
    said: str

    @classmethod
    def of(cls, line: Any) -> VerdictLine:
        return cls(line.learner, line.k, tuple(line.best), tuple(line.guessing), line.said)


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
    conclusion: str
    first_lost: float | None
    second_lost: float | None

    @classmethod
    def of(cls, line: Any) -> ComparisonLine:
        figures = ((line.difference, 3), (line.statistic, 2), (line.p_value, 4))
        difference, statistic, p_value = (  # JSON has no infinity
            round(float(number), digits) if number is not None and math.isfinite(number) else None
            for number, digits in figures
        )
        return cls(
            *(line.learner, line.k, line.first, line.second),
            *(difference, statistic, p_value, line.conclusion),
            *(_told_lost(line.first_lost), _told_lost(line.second_lost)),
        )


@dataclass(frozen=True, slots=True)
class EvaluationSummary:
    """The content of a report on an evaluation."""

    kanopy: str
    n_rows: int
    protocol: str
    methods: tuple[str, ...]
    ks: tuple[int | None, ...]
    learners: tuple[str, ...]
    scores: tuple[ScoreLine, ...]
    references: tuple[Reference, ...]
    comparisons: tuple[ComparisonLine, ...]
    verdicts: tuple[VerdictLine, ...]
    disclosures: tuple[DisclosureLine, ...]

    @classmethod
    def of(cls, evaluation: Any) -> EvaluationSummary:
        """Read an evaluation: its scores, comparisons, verdicts and disclosures; O(scores)."""
        references: dict[str, Reference | None] = dict.fromkeys(evaluation.learners)
        for score in evaluation.scores:  # the references of a learner are the same in all its scores
            if score.original is not None and references.get(score.learner) is None:
                references[score.learner] = Reference.of(score)
        return cls(
            kanopy=__version__,
            n_rows=round_number(evaluation.n_rows),
            protocol=evaluation.protocol,
            methods=tuple(evaluation.methods),
            ks=tuple(evaluation.ks),
            learners=tuple(evaluation.learners),
            scores=tuple(map(ScoreLine.of, evaluation.scores)),
            references=tuple(one for one in references.values() if one is not None),
            comparisons=tuple(map(ComparisonLine.of, evaluation.comparisons)),
            verdicts=tuple(map(VerdictLine.of, evaluation.verdicts)),
            disclosures=tuple(map(DisclosureLine.of, evaluation.disclosures)),
        )
