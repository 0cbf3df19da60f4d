"""``kanopy anonymize``."""

from __future__ import annotations

import json
import sys
from argparse import Namespace

from kanopy.algorithms import find_method
from kanopy.cli.policy_flags import options_from, policy_from
from kanopy.cli.signals import StopRequest, ignore_signals
from kanopy.cli.streams import give_up_output
from kanopy.cli.summary import say_release
from kanopy.cli.terminal import Terminal, standard_error
from kanopy.cli.threads import start_threads
from kanopy.publishing import Outputs, Publication, anonymize_to_files


def run(given: Namespace) -> int:
    policy = policy_from(given)
    options = options_from(given)
    method = find_method(given.method or policy.method)
    method.settle(options)  # wrong options are told before any work
    start_threads()
    terminal = standard_error()
    stop = StopRequest()
    if method.is_anytime:
        stop.listen(lambda message: terminal.say_labelled("note", message, "dim"))
    publication = anonymize_to_files(
        given.input,
        policy,
        Outputs(given.output, given.tree, given.report, given.record, given.force, given.spreadsheet_safe),
        policy_file=given.policy,
        watch=terminal.progress,
        before_commit=ignore_signals,
        method=given.method,
        seed=given.seed,
        delimiter=given.delimiter,
        encoding=given.encoding,
        time_limit=given.time_limit,
        stop=stop,
        **options,
    )
    try:
        _say(given, terminal, publication)
        sys.stdout.flush()
    except Exception:
        # The release is written: that nobody could be told about it does not undo it.
        give_up_output()
    return 0


def _say(given: Namespace, terminal: Terminal, publication: Publication) -> None:
    say_release(terminal, publication.release)
    if publication.n_formulas:
        terminal.say_labelled(
            "note", "some texts begin like a formula; --spreadsheet-safe puts ' in front of them", "dim"
        )
    terminal.say_labelled("written", f"{given.output}, recounted from the disk", "green", "bold")
    if given.json:
        print(json.dumps(publication.release.told(), indent=2))
