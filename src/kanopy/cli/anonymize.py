"""``kanopy anonymize``."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace

from kanopy.cli.policy_flags import options_from, policy_from
from kanopy.cli.signals import ignore_signals
from kanopy.cli.summary import say_release
from kanopy.cli.terminal import Terminal, standard_error
from kanopy.cli.threads import start_threads
from kanopy.engines.local import anonymize
from kanopy.methods import find_method
from kanopy.release import Destination, Release


def run(given: Namespace) -> int:
    policy = policy_from(given)
    options = options_from(given)
    find_method(given.method or policy.method).settle(options)  # wrong options are told before any work
    start_threads()
    terminal = standard_error()
    # The output is reserved first: an hour of work must not end at a closed door.
    source = None if given.input == "-" else given.input
    with Destination(
        given.output, force=given.force, source=source, before_commit=ignore_signals
    ) as destination:
        release = anonymize(
            given.input,
            policy,
            method=given.method,
            seed=given.seed,
            delimiter=given.delimiter,
            encoding=given.encoding,
            watch=terminal.progress,
            **options,
        )
        terminal.progress("writing and recounting", None)
        release.write_to(destination, spreadsheet_safe=given.spreadsheet_safe)
    try:
        _report(given, terminal, release)
        sys.stdout.flush()
    except OSError:
        # The release is written: that nobody could be told about it does not undo it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _report(given: Namespace, terminal: Terminal, release: Release) -> None:
    say_release(terminal, release)
    if not given.spreadsheet_safe and given.output.lower().endswith(".csv") and release.n_formulas:
        terminal.say_labelled(
            "note", "some texts begin like a formula; --spreadsheet-safe disarms them", "dim"
        )
    terminal.say_labelled("written", f"{given.output}, recounted from the disk", "green", "bold")
    if given.json:
        print(json.dumps({"manifest": release.manifest, "audit": release.audit.to_dict()}, indent=2))
