"""``kanopy evaluate``."""

from __future__ import annotations

import json
from argparse import Namespace

from kanopy.cli.evaluate_task import run_task
from kanopy.cli.prepare import policy_from, start_threads
from kanopy.cli.terminal import Terminal, standard_error, standard_output
from kanopy.errors import UnsatisfiableError
from kanopy.evaluation import Evaluation
from kanopy.evaluation.evaluation import Score
from kanopy.evaluation.trial import ORIGINAL
from kanopy.publishing import evaluate_to_file
from kanopy.release.published_losses import told_share

LEVEL = 0.05
LABELS = (
    "a learner that reads labels takes every text as a value of its own, so no number of an original row "
    "matches a published range: look at the accuracy on recoded rows, or at learners that read cells"
)


def run(given: Namespace) -> int:
    if given.task != "classify":
        return run_task(given)
    policy = policy_from(given)
    start_threads()
    terminal = standard_error()
    passed_on = (
        "methods", "ks", "learners", "seed", "jobs", "journal", "discretize", "permute_classes", "delimiter",
        "encoding",
    )  # fmt: skip
    found = evaluate_to_file(
        given.input,
        policy,
        given.report,
        force=given.force,
        policy_file=given.policy,
        watch=terminal.progress,
        **{name: getattr(given, name) for name in passed_on},
    )
    terminal.clear_progress()
    if given.json:
        print(json.dumps(found.told(), indent=2))
    else:
        _say(standard_output(), found)
    # Where there is no score at all, nothing could be promised on this table.
    return UnsatisfiableError.exit_code if all(score.refused for score in found.scores) else 0


def _say(terminal: Terminal, found: Evaluation) -> None:
    """Accuracies in percent, with what they are to be compared with."""
    header = ("method", "k", "learner", "reads", "accuracy", "95%", "recoded", "original", "majority", "lost")
    # Methods may differ in the last option alone, learners in the end of their names: nothing is cut.
    terminal.table(header, [_line(score) for score in found.scores], indent=0, longest=200)
    for score in found.scores:
        if score.refused is not None:
            k = "" if score.k is None else f", k = {score.k}"
            terminal.say_labelled("refused", f"{score.method}{k}: {score.refused}", "yellow")
    for area in found.areas:
        figures = f"{area.area:.1f} under accuracy against k, mean {area.mean_accuracy:.2%}"
        terminal.say_labelled("area", f"{area.method}, {area.learner}: {figures}")
    if found.ranks is not None:
        ranked = zip(found.ranks.methods, found.ranks.mean_ranks, strict=True)
        ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in ranked)
        terminal.say_labelled("ranks", f"{ranks}; Friedman's p = {found.ranks.p_value:.3g}")
    _say_differences(terminal, found)
    if any(score.encoding == "labels" for score in found.scores):
        terminal.say_note(LABELS)
    terminal.say_note(found.protocol)


def _say_differences(terminal: Terminal, found: Evaluation) -> None:
    """Which methods differ by the combined F-test; to tell all that do not would say less."""
    if len(found.methods) < 2:
        return
    compared = [comparison for comparison in found.comparisons if comparison.second != ORIGINAL]
    differing = [comparison for comparison in compared if comparison.p_value < LEVEL]
    for comparison in differing:
        better, worse = comparison.first, comparison.second
        if comparison.difference < 0:
            better, worse = worse, better
        where = comparison.learner if comparison.k is None else f"{comparison.learner}, k = {comparison.k}"
        points = f"{100 * abs(comparison.difference):.2f} points (p = {comparison.p_value:.2g})"
        terminal.say_labelled("differ", f"{where}: {better} above {worse} by {points}")
    if not differing:
        terminal.say_labelled("differ", f"no two methods do, by the combined 5x2cv F-test at {LEVEL}")


def _line(score: Score) -> tuple[str, ...]:
    between = ""
    if score.low is not None and score.high is not None:
        between = f"{100 * score.low:.1f}-{100 * score.high:.1f}"
    return (
        score.method,
        "" if score.k is None else str(score.k),
        score.learner,
        score.encoding,
        _percent(score.accuracy),
        between,
        _percent(score.accuracy_recoded),
        _percent(score.original),
        _percent(score.majority),
        "refused" if score.gcp is None else f"{100 * told_share(score.gcp):.0f}",
    )


def _percent(share: float | None) -> str:
    return "refused" if share is None else f"{100 * share:.2f}"
