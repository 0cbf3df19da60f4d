"""The report on an evaluation: its figures as plain data, and the document with their words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from kanopy._version import __version__
from kanopy.release.floor import round_number
from kanopy.reporting import blocks
from kanopy.reporting.blocks import Faint, Mark, Paragraph, Section, Text
from kanopy.reporting.tally import percent

_SIGNIFICANT = 0.05  # two methods with a smaller p value are said to differ
_NONE = Faint("none")
_HINTS = (
    "At least k rows or persons share every combination of quasi-identifiers: a larger k protects more.",
    "Accuracy is the share of test rows that are classified correctly. Test rows are not used for "
    "anonymization or training.",
    "Original test rows are exact; recoded test rows went through the recoding of the training rows.",
    '"Cells read as" says how the learner encodes ranges, sets and suppressed cells.',
    "Dashed lines: the same learner on the original table, and always guessing the most frequent class. A "
    "release that is not better than guessing is of no use for this learner.",
)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """An accuracy and its interval, rounded to tenths of a percent; None where it was not measured."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, *numbers: float | None) -> Accuracy:
        # PRIVACY: more digits could reveal the number of test rows, and single rows among them
        # (tests/unit/reporting/test_evaluation.py).
        return cls(*(None if number is None else round(float(number), 3) for number in numbers))

    @property
    def text(self) -> Text:
        if self.value is None:
            return _NONE
        if self.low is None or self.high is None:
            return percent(self.value)
        return f"{percent(self.value)} ({self.low:.1%} to {self.high:.1%})"


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One learner on the releases of one method at one k: on original and on recoded test rows."""

    method: str
    k: int | None
    learner: str
    encoding: str  # how the learner reads generalized cells
    accuracy: Accuracy
    recoded: Accuracy
    refused: str | None  # why there is no release

    @classmethod
    def of(cls, score: Any) -> ScoreLine:
        plain = Accuracy.of(score.accuracy, score.low, score.high)
        recoded = Accuracy.of(score.accuracy_recoded, score.low_recoded, score.high_recoded)
        return cls(score.method, score.k, score.learner, score.encoding, plain, recoded, score.refused)

    @property
    def release(self) -> str:
        return self.method if self.k is None else f"{self.method} at k = {self.k:,}"


@dataclass(frozen=True, slots=True)
class Reference:
    """The accuracy of a learner on the original table, and of always guessing the most frequent class."""

    learner: str
    original: Accuracy
    majority: Accuracy


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

    @classmethod
    def of(cls, line: Any) -> ComparisonLine:
        figures = ((line.difference, 3), (line.statistic, 2), (line.p_value, 4))
        rounded = [  # JSON has no infinity
            round(float(number), digits) if number is not None and math.isfinite(number) else None
            for number, digits in figures
        ]
        return cls(line.learner, line.k, line.first, line.second, *rounded)

    @property
    def conclusion(self) -> str:
        if self.p_value is None or self.difference is None or self.p_value >= _SIGNIFICANT:
            return "no difference shown"
        return f"{self.first if self.difference > 0 else self.second} is better"


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

    @classmethod
    def of(cls, evaluation: Any) -> EvaluationSummary:
        """Read an evaluation: ``scores``, ``comparisons``, ``protocol``, ``n_rows``; O(scores)."""
        references: dict[str, Reference | None] = dict.fromkeys(evaluation.learners)
        for score in evaluation.scores:  # the references of a learner are the same in all its scores
            if score.original is not None and references.get(score.learner) is None:
                original = Accuracy.of(score.original, score.original_low, score.original_high)
                references[score.learner] = Reference(score.learner, original, Accuracy.of(score.majority))
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
        )


def evaluation_document(summary: EvaluationSummary) -> blocks.Document:
    """The report on an evaluation."""
    n_methods, n_learners = len(summary.methods), len(summary.learners)
    return blocks.Document(
        title="What classifiers learn from the releases",
        tone="neutral",
        verdict="Measured on test rows that were not used for anonymization or training",
        lead=summary.protocol,
        figures=(
            (f"about {summary.n_rows:,}", "rows"),
            (f"{n_methods}", "method" if n_methods == 1 else "methods"),
            (", ".join(map(_k, summary.ks)), "k"),
            (f"{n_learners}", "learner" if n_learners == 1 else "learners"),
        ),
        sections=(
            *(_learner(summary, learner) for learner in summary.learners),
            _comparisons(summary),
            Section("How to read this", (blocks.BulletList(_HINTS),)),
        ),
        foot=(
            f"Made by kanopy {summary.kanopy}. Accuracies are averages over all test rows; no row and no "
            "value of the table is shown. This report needs no network and runs no script."
        ),
    )


def _learner(summary: EvaluationSummary, learner: str) -> Section:
    scores = [score for score in summary.scores if score.learner == learner]
    reference = next((each for each in summary.references if each.learner == learner), None)
    content: list[blocks.Block] = [_best(scores, reference)]
    description = f"Accuracy of {learner} against k, one line per method, with intervals."
    places, references = tuple(map(_k, summary.ks)), _reference_lines(reference)
    for is_recoded, tested in (
        (False, "original test rows"),
        (True, "test rows recoded like the training rows"),
    ):
        lines = _lines(summary, scores, is_recoded=is_recoded)
        if any(marks for _, marks in lines):
            content.append(blocks.Lines(f"Accuracy on {tested}", description, places, "k", lines, references))
    header = ("method", "k", "original test rows", "recoded test rows", "cells read as")
    rows = tuple(
        (score.method, _k(score.k), score.accuracy.text, score.recoded.text, score.encoding)
        for score in scores
    )
    content.append(blocks.TableBlock("Accuracy, with intervals", header, rows, frozenset({1, 2, 3})))
    refused = tuple(f"{score.release}: {score.refused}" for score in scores if score.refused is not None)
    if refused:
        content += [Paragraph("Not every release could be made:"), blocks.BulletList(refused, mark="open")]
    return Section(f"Learner {learner}", tuple(content))


def _k(k: int | None) -> str:
    return "none" if k is None else f"{k:,}"


def _best(scores: list[ScoreLine], reference: Reference | None) -> Paragraph:
    measured = [(score.accuracy.value, score) for score in scores if score.accuracy.value is not None]
    if not measured:
        return Paragraph("Nothing could be measured.")
    best, score = max(measured, key=lambda pair: pair[0])
    correct = f"it classifies {percent(best)} of test rows correctly."
    text = f"Trained on the best release, {score.release}, {correct}"
    known = dict(_reference_lines(reference))
    if len(known) == 2:
        text += (
            f" Trained on the original table: {percent(known['original'])}; always guessing the most "
            f"frequent class: {percent(known['majority'])}."
        )
    return Paragraph(text)


def _lines(
    summary: EvaluationSummary, scores: list[ScoreLine], *, is_recoded: bool
) -> tuple[tuple[str, tuple[Mark, ...]], ...]:
    """The marks of every method; one without marks keeps its place, so that colours stay the same."""
    marks: dict[str, list[Mark]] = {method: [] for method in summary.methods}
    for score in scores:
        found = score.recoded if is_recoded else score.accuracy
        if score.method in marks and score.k in summary.ks and found.value is not None:
            marks[score.method].append(Mark(summary.ks.index(score.k), found.value, found.low, found.high))
    return tuple((name, tuple(sorted(line, key=lambda mark: mark.place))) for name, line in marks.items())


def _reference_lines(reference: Reference | None) -> tuple[tuple[str, float], ...]:
    if reference is None:
        return ()
    named = (("original", reference.original.value), ("majority", reference.majority.value))
    return tuple((label, value) for label, value in named if value is not None)


def _comparisons(summary: EvaluationSummary) -> Section:
    title = "Method against method"
    if not summary.comparisons:
        return Section(title, (Paragraph("There was nothing to compare."),))
    intro = Paragraph(
        "Each pair of methods under the same learner and k, by the combined 5x2cv F-test on the same folds. "
        f"A p value below {_SIGNIFICANT:.2f} means that such a difference would be rare if the methods were "
        "equally good; among many pairs some small p values are to be expected by chance."
    )
    header = ("learner", "k", "first", "second", "first minus second", "F", "p", "conclusion")
    rows = tuple(map(_compared, summary.comparisons))
    table = blocks.TableBlock("Differences in accuracy", header, rows, frozenset({1, 4, 5, 6}))
    return Section(title, (intro, table))


def _compared(line: ComparisonLine) -> tuple[Text, ...]:
    p_value: Text = _NONE
    if line.p_value is not None:
        p_value = "< 0.001" if line.p_value < 0.001 else f"{line.p_value:.3f}"
    difference = _NONE if line.difference is None else f"{line.difference:+.1%}"
    statistic = _NONE if line.statistic is None else f"{line.statistic:.2f}"
    compared = (line.learner, _k(line.k), line.first, line.second)
    return (*compared, difference, statistic, p_value, line.conclusion)
