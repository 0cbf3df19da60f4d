"""``kanopy evaluate --task``: what is different for tasks other than classification."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from kanopy.cli.terminal import Terminal
from kanopy.errors import PolicyError

if TYPE_CHECKING:
    from kanopy.evaluation.tasks import TaskEvaluation

_FOR_CLASSES = ("journal", "discretize", "permute_classes")


def check_flags(given: Namespace) -> None:
    """Refuse what only classification takes."""
    for name in _FOR_CLASSES:
        if getattr(given, name):
            flag = "--" + name.replace("_", "-")
            raise PolicyError(f"{flag} belongs to --task classify", "leave one of the two out")


def say_task(terminal: Terminal, found: TaskEvaluation) -> None:
    """A line for every method and k, and for every yardstick."""
    terminal.table(found.header, found.lines(), indent=0, longest=200)
    for score in found.scores:
        if score.refused is not None:
            terminal.say_labelled("refused", f"{score.release}: {score.refused}", "yellow")
    if found.of_no_use:
        words = "no better than a table whose quasi-identifiers are all suppressed"
        terminal.say_labelled("no use", f"{words}: {', '.join(found.of_no_use)}", "yellow")
    terminal.say_note(found.protocol)
