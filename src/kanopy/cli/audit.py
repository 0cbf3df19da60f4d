"""``kanopy audit``, and how a verdict is printed."""

from __future__ import annotations

import json
import sys
from argparse import Namespace

from kanopy.auditing import Audit, audit
from kanopy.cli.prepare import policy_from, start_threads
from kanopy.cli.terminal import Terminal, give_up_output, standard_error, standard_output

_MARKS = {"broken": "red", "warning": "yellow", "note": "dim"}


def run(given: Namespace) -> int:
    policy = policy_from(given)
    start_threads()
    terminal = standard_error()
    terminal.progress("recounting", None)
    named = ("reading", "delimiter", "encoding", "source", "manifest")
    verdict = audit(given.input, policy, **{name: getattr(given, name) for name in named})
    terminal.clear_progress()
    try:
        if given.json:
            print(json.dumps(verdict.to_dict(), indent=2))
        else:
            _say(standard_output(), verdict)
        sys.stdout.flush()
    except OSError as error:
        # The exit code is the verdict, whether or not anybody can read more about it.
        if not isinstance(error, BrokenPipeError):
            terminal.say_labelled("warning", f"the verdict could not be printed: {error.strerror}", "yellow")
        give_up_output()
    return 0 if verdict.kept else 1


def _say(terminal: Terminal, verdict: Audit) -> None:
    word = _mark(terminal, "bold", is_kept=verdict.kept)
    if verdict.kept and any(finding.severity == "warning" for finding in verdict.findings):
        word += ", with warnings"
    terminal.say_labelled("verdict", word)
    say_promise(terminal, verdict)
    smallest = ", ".join(str(size) for size in verdict.smallest_groups)
    sizes = f"{verdict.rows:,} in {verdict.groups:,} groups; the smallest: {smallest}"
    terminal.say_labelled("rows", sizes)
    say_risks(terminal, verdict)
    say_findings(terminal, verdict)


def _mark(terminal: Terminal, *styles: str, is_kept: bool) -> str:
    return terminal.styled("kept", "green", *styles) if is_kept else terminal.styled("BROKEN", "red", "bold")


def say_promise(terminal: Terminal, verdict: Audit) -> None:
    """Every promise with a mark, and what the worst group reaches."""
    for result in verdict.promises:
        mark = _mark(terminal, is_kept=result.kept)
        terminal.say_labelled("promise", f"{result.promise} [{mark}; worst group: {result.level:.6g}]")


def say_risks(terminal: Terminal, verdict: Audit) -> None:
    """What k does not cover, in figures."""
    unique = f"{verdict.unique_rows:.1%} of the rows are unique on all published columns together"
    terminal.say_labelled("unique", unique)
    if verdict.k_with_target is not None:
        known = f"rows in the smallest group if the attacker knows the class too: {verdict.k_with_target}"
        terminal.say_labelled("class", known)
    for column, share in verdict.certain.items():
        told = f"column {column!r} can be told for sure in {share:.1%} of the rows"
        terminal.say_labelled("certain", told)


def say_findings(terminal: Terminal, verdict: Audit) -> None:
    """What else the audit has found."""
    for finding in verdict.findings:
        terminal.say_labelled(finding.severity, finding.message, _MARKS[finding.severity])
