"""What a report tells about an evaluation, section by section, in plain words."""

from __future__ import annotations

from kanopy.reporting.blocks import (
    Block,
    Document,
    Faint,
    Figures,
    Lines,
    Mark,
    Paragraph,
    Points,
    Section,
    Table,
    Text,
)
from kanopy.reporting.evaluation_summary import (
    ComparisonLine,
    EvaluationSummary,
    Measured,
    Reference,
    ScoreLine,
)
from kanopy.reporting.tally import percent

_DOUBT = 0.05
"""Below such a p value two methods are said to differ."""


def tell_evaluation(summary: EvaluationSummary) -> Document:
    """The report on an evaluation."""
    return Document(
        title="What classifiers learn from the releases",
        tone="neutral",
        verdict="Measured on rows that took no part in the anonymization",
        lead=summary.protocol,
        figures=Figures(
            (
                (f"about {summary.n_rows:,}", "rows"),
                (f"{len(summary.methods)}", "methods" if len(summary.methods) != 1 else "method"),
                (", ".join(_k(k) for k in summary.ks), "k"),
                (f"{len(summary.learners)}", "learners" if len(summary.learners) != 1 else "learner"),
            )
        ),
        sections=(
            *(_learner(summary, learner) for learner in summary.learners),
            _comparisons(summary),
            _reading(summary),
        ),
        foot=(
            f"Made by kanopy {summary.kanopy}. Accuracies are averages over all test rows; no row and no "
            "value of the table is shown. The report needs no network and runs no script."
        ),
    )


def _learner(summary: EvaluationSummary, learner: str) -> Section:
    scores = [score for score in summary.scores if score.learner == learner]
    reference = next((each for each in summary.references if each.learner == learner), None)
    blocks: list[Block] = [_sentence(scores, reference)]
    for is_recoded, title in (
        (False, "Accuracy on new rows as they are"),
        (True, "Accuracy on new rows that went through the same recoding"),
    ):
        lines = _lines(summary, scores, is_recoded=is_recoded)
        if lines:
            blocks.append(
                Lines(
                    title=title,
                    description=f"Accuracy of {learner} against k, one line per method, with intervals.",
                    places=tuple(_k(k) for k in summary.ks),
                    axis="k",
                    lines=lines,
                    references=_references(reference),
                )
            )
    blocks.append(_score_table(scores))
    refused = tuple(f"{_release(score)}: {score.refused}" for score in scores if score.refused is not None)
    if refused:
        blocks += [Paragraph("Not every release could be made:"), Points(refused, mark="open")]
    return Section(f"Learner {learner}", tuple(blocks))


def _release(score: ScoreLine) -> str:
    return score.method if score.k is None else f"{score.method} at k = {score.k:,}"


def _k(k: int | None) -> str:
    return "none" if k is None else f"{k:,}"


def _sentence(scores: list[ScoreLine], reference: Reference | None) -> Paragraph:
    measured = [(score.accuracy.value, score) for score in scores if score.accuracy.value is not None]
    if not measured:
        return Paragraph("Nothing could be measured.")
    best, score = max(measured, key=lambda pair: pair[0])
    text = f"The best release, {_release(score)}, lets it classify {percent(best)} of new rows right."
    if (
        reference is not None
        and reference.original.value is not None
        and reference.majority.value is not None
    ):
        text += (
            f" On the original table it is {percent(reference.original.value)}; always guessing the most "
            f"frequent class gives {percent(reference.majority.value)}."
        )
    return Paragraph(text)


def _lines(
    summary: EvaluationSummary, scores: list[ScoreLine], *, is_recoded: bool
) -> tuple[tuple[str, tuple[Mark, ...]], ...]:
    """The marks of every method; a method that has none keeps its look, so that looks stay the same."""
    place = {k: number for number, k in enumerate(summary.ks)}
    lines = []
    for method in summary.methods:
        marks = []
        for score in scores:
            measured = score.recoded if is_recoded else score.accuracy
            if score.method == method and score.k in place and measured.value is not None:
                marks.append(Mark(place[score.k], measured.value, measured.low, measured.high))
        lines.append((method, tuple(sorted(marks, key=lambda mark: mark.place))))
    return tuple(lines) if any(marks for _, marks in lines) else ()


def _references(reference: Reference | None) -> tuple[tuple[str, float], ...]:
    if reference is None:
        return ()
    named = (("original", reference.original.value), ("majority", reference.majority.value))
    return tuple((label, value) for label, value in named if value is not None)


def _score_table(scores: list[ScoreLine]) -> Table:
    rows = tuple(
        (
            score.method,
            _k(score.k),
            _measured(score.accuracy),
            _measured(score.recoded),
            score.encoding,
        )
        for score in scores
    )
    return Table(
        caption="Accuracy, with intervals",
        header=("method", "k", "rows as they are", "rows recoded", "cells read as"),
        rows=rows,
        numeric=frozenset({1, 2, 3}),
    )


def _measured(measured: Measured) -> Text:
    if measured.value is None:
        return Faint("none")
    if measured.low is None or measured.high is None:
        return percent(measured.value)
    return f"{percent(measured.value)} ({measured.low:.1%} to {measured.high:.1%})"


def _comparisons(summary: EvaluationSummary) -> Section:
    title = "Method against method"
    if not summary.comparisons:
        return Section(title, (Paragraph("There was nothing to compare."),))
    intro = Paragraph(
        "Each pair under the same learner and k, by the combined 5x2cv F-test on the same divisions. A p "
        f"value below {_DOUBT:.2f} says that the difference would be a rare accident if there were none; "
        "with many pairs some such accidents are to be expected."
    )
    table = Table(
        caption="Differences in accuracy",
        header=("learner", "k", "first", "second", "first minus second", "F", "p", "so"),
        rows=tuple(_compared(line) for line in summary.comparisons),
        numeric=frozenset({1, 4, 5, 6}),
    )
    return Section(title, (intro, table))


def _compared(line: ComparisonLine) -> tuple[Text, ...]:
    nothing = Faint("none")
    return (
        line.learner,
        _k(line.k),
        line.first,
        line.second,
        nothing if line.difference is None else f"{line.difference:+.1%}",
        nothing if line.statistic is None else f"{line.statistic:.2f}",
        nothing if line.p_value is None else _p(line.p_value),
        _so(line),
    )


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _so(line: ComparisonLine) -> str:
    if line.p_value is None or line.difference is None or line.p_value >= _DOUBT:
        return "no difference shown"
    return f"{line.first if line.difference > 0 else line.second} is better"


def _reading(summary: EvaluationSummary) -> Section:
    return Section(
        "How to read this",
        (
            Points(
                (
                    "k is how many rows or persons at least share every combination of what could be known; "
                    "a larger k protects more.",
                    "Accuracy is the share of test rows that are classified right. The test rows took no "
                    "part in the anonymization of the training rows.",
                    '"As they are": the classifier, trained on the release, sees exact test rows. "Recoded": '
                    "they went through the published patterns first.",
                    '"Cells read as" says what the learner made of ranges, sets and suppressed cells.',
                    "Dashed lines: the same learner on the original table, and always guessing the most "
                    "frequent class. A release that does not beat the guess teaches nothing.",
                )
            ),
        ),
    )
