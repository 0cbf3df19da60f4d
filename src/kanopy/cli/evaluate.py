"""``kanopy evaluate``."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

from kanopy._arrow_start import start_pyarrow
from kanopy.cli.evaluate_task import check_flags, say_task
from kanopy.cli.prepare import policy_from
from kanopy.cli.terminal import Terminal, standard_error, standard_output
from kanopy.errors import UnsatisfiableError
from kanopy.evaluation import Comparison, Disclosure, Evaluation, Score, Verdict
from kanopy.evaluation.trial import ORIGINAL
from kanopy.evaluation.verdicts import LEVEL, signed
from kanopy.publishing import evaluate_task_to_file, evaluate_to_file
from kanopy.release.published_losses import told_share

LABELS = (
    "a learner that reads labels takes every text as a value of its own, so no number of an original row "
    "matches a published range: look at the accuracy on recoded rows, or at learners that read cells"
)

_COMMON = ("methods", "ks", "seed", "jobs", "delimiter", "encoding")
_FOR_CLASSES = ("learners", "journal", "discretize", "permute_classes")


def run(given: Namespace) -> int:
    is_task = given.task != "classify"
    work: Callable[..., Any] = evaluate_to_file
    passed_on: tuple[str, ...] = _COMMON + _FOR_CLASSES
    if is_task:
        check_flags(given)
        work, passed_on = partial(evaluate_task_to_file, task=given.task), _COMMON
    if given.policy is None and given.k is None and given.ks:
        given.k = str(min(given.ks))  # each is promised in its turn: no other is needed
    policy = policy_from(given)
    start_pyarrow()
    terminal = standard_error()
    found = work(
        given.input,
        policy,
        report=given.report,
        force=given.force,
        policy_file=given.policy,
        watch=terminal.progress,
        **{name: getattr(given, name) for name in passed_on},
    )
    terminal.clear_progress()
    if given.json:
        print(json.dumps(found.told(), indent=2))
    else:
        (say_task if is_task else _say)(standard_output(), found)
    # Where there is no score at all, nothing could be promised on this table.
    return UnsatisfiableError.exit_code if all(score.refused for score in found.scores) else 0


def _say(terminal: Terminal, found: Evaluation) -> None:
    """Accuracies in percent, with what they are to be compared with."""
    # Methods may differ in the last option alone, learners in the end of their names: nothing is cut.
    for header, line in ((_ACCURACIES, _line), (_FIGURES, _more)):
        terminal.table(header, [line(score) for score in found.scores], indent=0, longest=200)
    if found.disclosures:
        terminal.table(_DISCLOSURES, [_told(one) for one in found.disclosures], indent=0, longest=200)
    for score in found.scores:
        if score.refused is not None:
            k = "" if score.k is None else f", k = {score.k}"
            terminal.say_labelled("refused", f"{score.method}{k}: {score.refused}", "yellow")
    for verdict in found.verdicts:
        terminal.say_labelled("verdict", f"{_where(verdict)}: {verdict.said}")
    for area in found.areas:
        figures = f"{area.area:.1f} under accuracy against k, mean {area.mean_accuracy:.2%}"
        terminal.say_labelled("area", f"{area.method}, {area.learner}: {figures}, {_lost(area.lost)}")
    if found.ranks is not None:
        ranked = zip(found.ranks.methods, found.ranks.mean_ranks, strict=True)
        ranks = ", ".join(f"{name} {rank:.2f} ({_lost(found.lost(name))})" for name, rank in ranked)
        terminal.say_labelled("ranks", f"{ranks}; Friedman's p = {found.ranks.p_value:.3g}")
    _say_differences(terminal, found)
    if any(score.encoding == "labels" for score in found.scores):
        terminal.say_note(LABELS)
    terminal.say_note(found.protocol)


def _where(found: Verdict | Comparison) -> str:
    return found.learner if found.k is None else f"{found.learner}, k = {found.k}"


def _lost(share: float | None) -> str:
    return "nothing measured" if share is None else f"{told_share(share):.0%} of detail lost"


def _say_differences(terminal: Terminal, found: Evaluation) -> None:
    """Which methods differ by the combined F-test; to tell all that do not would say less."""
    if len(found.methods) < 2:
        return
    compared = [comparison for comparison in found.comparisons if comparison.second != ORIGINAL]
    differing = [comparison for comparison in compared if comparison.better is not None]
    for comparison in differing:
        both = ((comparison.first, comparison.first_lost), (comparison.second, comparison.second_lost))
        better, worse = both if comparison.better == comparison.first else both[::-1]
        names = " above ".join(f"{name} ({_lost(lost)})" for name, lost in (better, worse))
        by = f"{100 * abs(comparison.difference):.2f} points (p = {comparison.p_value:.2g})"
        terminal.say_labelled("differ", f"{_where(comparison)}: {names} by {by}")
    if not differing:
        none = f"no method is shown to be better than another, by the combined 5x2cv F-test at {LEVEL}"
        terminal.say_labelled("differ", none)


_ACCURACIES = (
    "method", "k", "learner", "reads", "accuracy", "95%", "recoded", "original", "majority", "excess", "lost",
)  # fmt: skip
_FIGURES = (
    "method", "k", "learner", "AUC", "95%", "original", "balanced", "log loss", "majority", "Brier",
    "majority", "lost",
)  # fmt: skip

_DISCLOSURES = ("method", "k", "tells of", "members", "strangers", "excess", "95%", "lost")


def _line(score: Score) -> tuple[str, ...]:
    return (
        score.method,
        "" if score.k is None else str(score.k),
        score.learner,
        score.encoding,
        _percent(score.accuracy),
        _between(score.low, score.high),
        _percent(score.accuracy_recoded),
        _percent(score.original),
        _percent(score.majority),
        "" if score.excess is None else signed(score.excess),
        _told_lost(score),
    )


def _more(score: Score) -> tuple[str, ...]:
    """The figures beside accuracy, with what they are to be compared with; shares in percent."""
    return (
        score.method,
        "" if score.k is None else str(score.k),
        score.learner,
        _figure(score.auc, 100),
        _between(score.auc_low, score.auc_high),
        _figure(score.original_auc, 100),
        _figure(score.balanced_accuracy, 100),
        _figure(score.log_loss),
        _figure(score.majority_log_loss),
        _figure(score.brier),
        _figure(score.majority_brier),
        _told_lost(score),
    )


def _told(one: Disclosure) -> tuple[str, ...]:
    """How often a column is guessed, in percent."""
    k, rates = "" if one.k is None else str(one.k), (_percent(one.members), _percent(one.strangers))
    between = f"{signed(one.low)} to {signed(one.high)}"
    return (
        one.method,
        k,
        one.column,
        *rates,
        signed(one.excess),
        between,
        f"{100 * told_share(one.lost):.0f}",
    )


def _told_lost(score: Score) -> str:
    return "refused" if score.gcp is None else f"{100 * told_share(score.gcp):.0f}"


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{100 * low:.1f}-{100 * high:.1f}"


def _figure(value: float | None, unit: int = 1) -> str:
    return "" if value is None else f"{unit * value:.{1 if unit > 1 else 3}f}"


def _percent(share: float | None) -> str:
    return "refused" if share is None else f"{100 * share:.2f}"
