"""``kanopy anonymize``."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from contextlib import ExitStack

from kanopy.cli.policy_flags import options_from, policy_from
from kanopy.cli.signals import StopRequest, ignore_signals
from kanopy.cli.summary import say_release
from kanopy.cli.terminal import Terminal, standard_error
from kanopy.cli.threads import start_threads
from kanopy.engines.local import anonymize
from kanopy.errors import PolicyError
from kanopy.methods import find_method
from kanopy.release import RECORD_SUFFIXES, TREE_SUFFIXES, Destination, Release
from kanopy.report import REPORT_SUFFIXES, write_report_to


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
    # The output is reserved first: an hour of work must not end at a closed door.
    source = None if given.input == "-" else given.input
    with ExitStack() as reserved:
        destination = reserved.enter_context(
            Destination(given.output, force=given.force, source=source, before_commit=ignore_signals)
        )
        place_of_tree = None
        if given.tree is not None:
            place_of_tree = reserved.enter_context(
                Destination(given.tree, force=given.force, source=source, suffixes=TREE_SUFFIXES)
            )
        place_of_report = None
        if given.report is not None:
            place_of_report = reserved.enter_context(
                Destination(given.report, force=given.force, source=source, suffixes=REPORT_SUFFIXES)
            )
        place_of_record = None
        if given.record is not None:
            place_of_record = reserved.enter_context(
                Destination(
                    given.record, force=given.force, source=source, suffixes=RECORD_SUFFIXES, private=True
                )
            )
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
        # Tree, report and record wait, fully written, until the table is in its place.
        if place_of_tree is not None:
            release.write_tree_to(place_of_tree)
        if place_of_report is not None:
            write_report_to(release, place_of_report)
        if place_of_record is not None:
            release.write_record_to(place_of_record)
        release.write_to(destination, spreadsheet_safe=given.spreadsheet_safe)
        for place in (place_of_tree, place_of_report, place_of_record):
            if place is not None:
                place.commit()
    try:
        _say(given, terminal, release)
        sys.stdout.flush()
    except OSError:
        # The release is written: that nobody could be told about it does not undo it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _say(given: Namespace, terminal: Terminal, release: Release) -> None:
    say_release(terminal, release)
    if not given.spreadsheet_safe and given.output.lower().endswith(".csv") and release.n_formulas:
        terminal.say_labelled(
            "note", "some texts begin like a formula; --spreadsheet-safe disarms them", "dim"
        )
    terminal.say_labelled("written", f"{given.output}, recounted from the disk", "green", "bold")
    if given.json:
        print(json.dumps(release.told(), indent=2))
