"""``kanopy anonymize``."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import Any

from kanopy.algorithms import find_method
from kanopy.cli.policy_flags import options_from, policy_from
from kanopy.cli.signals import StopRequest, ignore_signals
from kanopy.cli.streams import give_up_output
from kanopy.cli.summary import say_release
from kanopy.cli.terminal import Terminal, standard_error
from kanopy.cli.threads import start_threads
from kanopy.engines.local import anonymize
from kanopy.errors import PolicyError
from kanopy.policy import Policy
from kanopy.release import RECORD_SUFFIXES, TREE_SUFFIXES, Inputs, Release, Transaction
from kanopy.reporting import REPORT_SUFFIXES, write_report_to


def run(given: Namespace) -> int:
    policy = policy_from(given)
    options = options_from(given)
    method = find_method(given.method or policy.method)
    method.settle(options)  # wrong options are told before any work
    if given.tree is not None and not method.publishes_tree:
        raise PolicyError(f"method {method.name!r} publishes no tree", "leave --tree out, or use kadet")
    start_threads()
    terminal = standard_error()
    stop = StopRequest()
    if method.is_anytime:
        stop.listen(lambda message: terminal.say_labelled("note", message, "dim"))
    release = _released(given, policy, options, terminal, stop)
    try:
        _say(given, terminal, release)
        sys.stdout.flush()
    except Exception:
        # The release is written: that nobody could be told about it does not undo it.
        give_up_output()
    return 0


def _released(
    given: Namespace, policy: Policy, options: dict[str, Any], terminal: Terminal, stop: StopRequest
) -> Release:
    """The release, when it and everything beside it is in its place."""
    # The outputs are reserved first: an hour of work must not end at a closed door.
    inputs = Inputs.of(given.input, policy, given.policy)
    with Transaction(force=given.force, inputs=inputs, before_commit=ignore_signals) as transaction:
        place = transaction.reserve(given.output)
        place_of_tree = place_of_report = place_of_record = None
        if given.tree is not None:
            place_of_tree = transaction.reserve(given.tree, suffixes=TREE_SUFFIXES)
        if given.report is not None:
            place_of_report = transaction.reserve(given.report, suffixes=REPORT_SUFFIXES)
        if given.record is not None:
            place_of_record = transaction.reserve(given.record, suffixes=RECORD_SUFFIXES, private=True)
        release = anonymize(
            given.input,
            policy,
            method=given.method,
            seed=given.seed,
            delimiter=given.delimiter,
            encoding=given.encoding,
            time_limit=given.time_limit,
            watch=terminal.progress,
            stop=stop,
            **options,
        )
        terminal.progress("writing and recounting", None)
        if place_of_tree is not None:
            release.write_tree_to(place_of_tree)
        if place_of_report is not None:
            write_report_to(release, place_of_report)
        if place_of_record is not None:
            release.write_record_to(place_of_record)
        release.write_to(place, spreadsheet_safe=given.spreadsheet_safe)
        transaction.commit()
    return release


def _say(given: Namespace, terminal: Terminal, release: Release) -> None:
    say_release(terminal, release)
    if not given.spreadsheet_safe and given.output.lower().endswith(".csv") and release.n_formulas:
        terminal.say_labelled(
            "note", "some texts begin like a formula; --spreadsheet-safe disarms them", "dim"
        )
    terminal.say_labelled("written", f"{given.output}, recounted from the disk", "green", "bold")
    if given.json:
        print(json.dumps(release.told(), indent=2))
