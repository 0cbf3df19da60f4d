"""``kanopy evaluate --task``: tasks other than classification."""

from __future__ import annotations

import json
from argparse import Namespace

from kanopy.cli.prepare import policy_from, start_threads
from kanopy.cli.terminal import standard_error, standard_output
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.publishing import evaluate_task_to_file

_FOR_CLASSES = ("journal", "discretize", "permute_classes")


def run_task(given: Namespace) -> int:
    """Print a line for every method and k, and for every yardstick."""
    for name in _FOR_CLASSES:
        if getattr(given, name):
            flag = "--" + name.replace("_", "-")
            raise PolicyError(f"{flag} belongs to --task classify", "leave one of the two out")
    policy = policy_from(given)
    start_threads()
    terminal = standard_error()
    found = evaluate_task_to_file(
        given.input,
        policy,
        given.task,
        given.report,
        force=given.force,
        policy_file=given.policy,
        watch=terminal.progress,
        **{name: getattr(given, name) for name in ("methods", "ks", "seed", "jobs", "delimiter", "encoding")},
    )
    terminal.clear_progress()
    if given.json:
        print(json.dumps(found.told(), indent=2))
    else:
        out = standard_output()
        out.table(found.header, found.lines(), indent=0, longest=200)
        for score in found.scores:
            if score.refused is not None:
                out.say_labelled("refused", f"{score.release}: {score.refused}", "yellow")
        if found.of_no_use:
            words = "no better than a table whose quasi-identifiers are all suppressed"
            out.say_labelled("no use", f"{words}: {', '.join(found.of_no_use)}", "yellow")
        out.say_note(found.protocol)
    return UnsatisfiableError.exit_code if all(score.refused for score in found.scores) else 0
