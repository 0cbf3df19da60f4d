"""The report on an evaluation: the document with the words of its figures."""

from __future__ import annotations

from kanopy.reporting import blocks
from kanopy.reporting.blocks import Faint, Mark, Paragraph, Section, Spot, Text
from kanopy.reporting.evaluation_summary import (
    GUESSING,
    SIGNIFICANT,
    ComparisonLine,
    DisclosureLine,
    EvaluationSummary,
    Figures,
    Measured,
    Reference,
    ScoreLine,
)
from kanopy.reporting.tally import percent

_NONE = Faint("none")
_HINTS = (
    "At least k rows or persons share every combination of quasi-identifiers: a larger k protects more.",
    "Excess: how much more often the class of a row is guessed from its group because the row is in the "
    "release, in points of a percent. An attacker who knows all quasi-identifiers guesses the most frequent "
    "class of the group whose cells fit best. The excess is the share of right guesses for training rows "
    "minus that for test rows. At 0 a release tells no more about its members than about strangers.",
    "Detail lost: 0% is the original table, 100% a table that says nothing in its quasi-identifiers (GCP).",
    "Accuracy is the share of test rows that are classified correctly. Test rows are not used for "
    "anonymization or training.",
    f"A release is {GUESSING} where the interval of its accuracy does not lie above the majority rate: the "
    "accuracy of always guessing the most frequent class. It may still rank rows: then its AUC is above 50%.",
    "Methods tie where no difference between them is shown; that does not prove that they are alike.",
    "AUC: how often a row of a class is given a higher probability of it than a row of another class (each "
    "class against the rest, then the mean); guessing has 50%. Balanced accuracy: the share of each class "
    "that is classified correctly, then the mean. Log loss and Brier score judge probabilities: smaller is "
    "better.",
    "Original test rows are exact; recoded test rows went through the recoding of the training rows.",
    '"Cells read as" says how the learner encodes ranges, sets and suppressed cells.',
    "Dashed lines: the same learner on the original table, and always guessing the most frequent class.",
)
_AXES = ("← more private · excess: members guessed more often than strangers, in points", "accuracy")


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
            _overview(summary),
            *_disclosures(summary),
            *(_learner(summary, learner) for learner in summary.learners),
            _comparisons(summary),
            Section("How to read this", (blocks.BulletList(_HINTS),)),
        ),
        foot=(
            f"Made by kanopy {summary.kanopy}. Accuracies are averages over all test rows; no row and no "
            "value of the table is shown. This report needs no network and runs no script."
        ),
    )


def _k(k: int | None) -> str:
    return "none" if k is None else f"{k:,}"


def _lost(share: float | None) -> Text:
    return _NONE if share is None else f"{share:.0%}"


def _overview(summary: EvaluationSummary) -> Section:
    """Privacy against usefulness: a picture per learner, and the verdicts in words."""
    content: list[blocks.Block] = [
        Paragraph(
            "Up is more useful: the accuracy on original test rows. Left is more private: what the release "
            "tells about its members beyond what it tells about strangers. Beside every point stand its k "
            f"and the detail lost. Hollow points are {GUESSING}."
        )
    ]
    for learner in summary.learners:
        plane = _plane(summary, learner)
        content += [] if plane is None else [plane]
    said = tuple(
        f"{line.learner}{'' if line.k is None else f', k = {line.k:,}'}: {line.said}."
        for line in summary.verdicts
    )
    content.append(blocks.BulletList(said) if said else Paragraph("Nothing could be measured."))
    return Section("Privacy against usefulness", tuple(content))


def _plane(summary: EvaluationSummary, learner: str) -> blocks.Plane | None:
    scores = [score for score in summary.scores if score.learner == learner]
    lines = tuple(
        (
            f"{method}{_lost_range(scores, method)}",
            tuple(filter(None, (_spot(score) for score in scores if score.method == method))),
        )
        for method in summary.methods
    )
    if not any(spots for _, spots in lines):
        return None
    header = ("method", "k", "excess, in points", "accuracy", "detail lost", "than guessing")
    rows = tuple(
        (
            score.method,
            _k(score.k),
            _points(score.excess),
            score.accuracy.text,
            _lost(score.lost),
            _judged(score),
        )
        for score in scores
    )
    title = f"Privacy against usefulness, {learner}"
    return blocks.Plane(
        title,
        f"Accuracy of {learner} against the excess, one line per method over k, with intervals.",
        _AXES,
        lines,
        _reference_lines(_reference(summary, learner)),
        blocks.TableBlock(title, header, rows, frozenset({1, 2, 3, 4})),
    )


def _spot(score: ScoreLine) -> Spot | None:
    if score.accuracy.bounds is None or score.excess.bounds is None:
        return None
    lost = "" if score.lost is None else f"{score.lost:.0%} lost"
    label = lost if score.k is None else f"k={score.k:,}, {lost}"
    return Spot(label, score.excess.bounds, score.accuracy.bounds, not score.better_than_guessing)


def _judged(score: ScoreLine) -> Text:
    if score.better_than_guessing is None:
        return _NONE
    return "better" if score.better_than_guessing else GUESSING


def _points(excess: Measured) -> Text:
    """A difference of shares with its interval, in points of a percent."""
    if excess.bounds is None:
        return _NONE
    value, low, high = (f"{round(100 * number, 1) + 0.0:+.1f}" for number in excess.bounds)
    return f"{value} ({low} to {high})"


def _lost_range(scores: list[ScoreLine], method: str) -> str:
    """What a method lost, for the legend of a picture."""
    lost = sorted({score.lost for score in scores if score.method == method and score.lost is not None})
    if not lost:
        return ""
    return f", {lost[0]:.0%} lost" if len(lost) == 1 else f", {lost[0]:.0%} to {lost[-1]:.0%} lost"


def _disclosures(summary: EvaluationSummary) -> tuple[Section, ...]:
    if not summary.disclosures:
        return ()
    header = ("method", "k", "column", "members", "strangers", "excess, in points", "detail lost")
    table = blocks.TableBlock(
        "How often a column is guessed from all quasi-identifiers",
        header,
        tuple(map(_disclosed, summary.disclosures)),
        frozenset({1, 3, 4, 5, 6}),
    )
    intro = Paragraph(
        "For every row the attacker guesses the most frequent value of the group whose published cells fit "
        "the row best. Members are training rows, strangers are test rows. What is guessed about both is "
        "what was learned about people in general; the excess is what is told about those in the release."
    )
    return (Section("What releases tell about their members", (intro, table)),)


def _disclosed(line: DisclosureLine) -> tuple[Text, ...]:
    rates = (percent(line.members), percent(line.strangers))
    return (line.method, _k(line.k), blocks.Name(line.column), *rates, _points(line.excess), _lost(line.lost))


def _learner(summary: EvaluationSummary, learner: str) -> Section:
    scores = [score for score in summary.scores if score.learner == learner]
    reference = _reference(summary, learner)
    content: list[blocks.Block] = [] if scores else [Paragraph("Nothing could be measured.")]
    content += [*accuracy_lines(summary, learner), _accuracies(scores), *_more_figures(scores, reference)]
    refused = tuple(f"{score.release}: {score.refused}" for score in scores if score.refused is not None)
    if refused:
        content += [Paragraph("Not every release could be made:"), blocks.BulletList(refused, mark="open")]
    return Section(f"Learner {learner}", tuple(content))


def accuracy_lines(summary: EvaluationSummary, learner: str) -> list[blocks.Lines]:
    """Accuracy against k, on original and on recoded test rows, as far as either was measured."""
    scores = [score for score in summary.scores if score.learner == learner]
    description = f"Accuracy of {learner} against k, one line per method, with intervals."
    places, references = tuple(map(_k, summary.ks)), _reference_lines(_reference(summary, learner))
    found = []
    for is_recoded, tested in (
        (False, "original test rows"),
        (True, "test rows recoded like the training rows"),
    ):
        lines = _lines(summary, scores, is_recoded=is_recoded)
        if any(marks for _, marks in lines):
            found.append(blocks.Lines(f"Accuracy on {tested}", description, places, "k", lines, references))
    return found


def _accuracies(scores: list[ScoreLine]) -> blocks.TableBlock:
    tested, read = ("original test rows", "recoded test rows"), "cells read as"
    header = ("method", "k", *tested, "detail lost", "than guessing", read)
    rows = []
    for score in scores:
        accuracies = (score.accuracy.text, score.recoded.text)
        rows.append((*_place(score), *accuracies, _lost(score.lost), _judged(score), score.encoding))
    return blocks.TableBlock("Accuracy, with intervals", header, tuple(rows), frozenset({1, 2, 3, 4}))


def _place(score: ScoreLine) -> tuple[str, str]:
    return score.method, _k(score.k)


def _more_figures(scores: list[ScoreLine], reference: Reference | None) -> list[blocks.Block]:
    """The figures beside accuracy, with those of the original table and of guessing."""
    if all(score.figures.balanced_accuracy is None for score in scores):
        return []
    rows: list[tuple[Text, ...]] = [
        (*_place(score), score.auc.text, *_worded(score.figures), _lost(score.lost)) for score in scores
    ]
    if reference is not None:
        known = (
            ("original table", reference.original_figures),
            ("majority class", reference.majority_figures),
        )
        for name, figures in known:
            auc = _NONE if figures.auc is None else percent(figures.auc)
            rows.append((name, "", auc, *_worded(figures), "0%" if name.startswith("original") else "100%"))
    header = ("method", "k", "AUC", "balanced accuracy", "log loss", "Brier score", "detail lost")
    title = "Other figures on original test rows"
    return [blocks.TableBlock(title, header, tuple(rows), frozenset(range(1, 7)))]


def _worded(figures: Figures) -> tuple[Text, ...]:
    balanced = _NONE if figures.balanced_accuracy is None else percent(figures.balanced_accuracy)
    losses = (figures.log_loss, figures.brier)
    return (balanced, *(_NONE if loss is None else f"{loss:.3f}" for loss in losses))


def _lines(
    summary: EvaluationSummary, scores: list[ScoreLine], *, is_recoded: bool
) -> tuple[tuple[str, tuple[Mark, ...]], ...]:
    """The marks of every method; one without marks keeps its place, so that colours stay the same."""
    marks: dict[str, list[Mark]] = {method: [] for method in summary.methods}
    for score in scores:
        found = score.recoded if is_recoded else score.accuracy
        if score.method in marks and score.k in summary.ks and found.value is not None:
            marks[score.method].append(Mark(summary.ks.index(score.k), found.value, found.low, found.high))
    return tuple(
        (f"{name}{_lost_range(scores, name)}", tuple(sorted(line, key=lambda mark: mark.place)))
        for name, line in marks.items()
    )


def _reference(summary: EvaluationSummary, learner: str) -> Reference | None:
    return next((each for each in summary.references if each.learner == learner), None)


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
        f"A p value below {SIGNIFICANT:.2f} means that such a difference would be rare if the methods were "
        "equally good; among many pairs some small p values are to be expected by chance. Nothing that is "
        f"{GUESSING} is called better."
    )
    header = (
        "learner", "k", "first", "second", "first minus second", "F", "p", "lost, first", "lost, second",
        "conclusion",
    )  # fmt: skip
    rows = tuple(map(_compared, summary.comparisons))
    table = blocks.TableBlock("Differences in accuracy", header, rows, frozenset({1, 4, 5, 6, 7, 8}))
    return Section(title, (intro, table))


def _compared(line: ComparisonLine) -> tuple[Text, ...]:
    p_value: Text = _NONE
    if line.p_value is not None:
        p_value = "< 0.001" if line.p_value < 0.001 else f"{line.p_value:.3f}"
    difference = _NONE if line.difference is None else f"{line.difference:+.1%}"
    statistic = _NONE if line.statistic is None else f"{line.statistic:.2f}"
    compared = (line.learner, _k(line.k), line.first, line.second)
    lost = (_lost(line.first_lost), _lost(line.second_lost))
    return (*compared, difference, statistic, p_value, *lost, line.conclusion)
