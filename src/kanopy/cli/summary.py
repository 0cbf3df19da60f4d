"""A release and a verdict in a few lines of text."""

from __future__ import annotations

from kanopy.auditing import Audit
from kanopy.cli.terminal import Terminal
from kanopy.release import Release

_MARKS = {"broken": "red", "warning": "yellow", "note": "dim"}


def say_release(terminal: Terminal, release: Release) -> None:
    """What was promised, what it cost, what to know; exactly, as it is said to the custodian alone."""
    record = release.record
    rows, losses = record["rows"], record["losses"]
    say_promise(terminal, release.audit)
    rows_in_out = f"{rows['in']:,} in, {rows['out']:,} out, {rows['dropped']:,} dropped"
    terminal.say_labelled("rows", rows_in_out, "bold")
    lost = f"{losses['gcp']:.1%} of the detail of the quasi-identifiers"
    suppressed = f"{losses['missing_cell_ratio']:.1%} of their cells suppressed"
    terminal.say_labelled("cost", f"{lost}, {suppressed}", "bold")
    _say_risks(terminal, release.audit)
    for notice in record["notices"]:
        terminal.say_labelled("note", notice, "dim")
    _say_findings(terminal, release.audit)
    terminal.say_labelled("note", record["not_promised"], "dim")


def say_audit(terminal: Terminal, verdict: Audit) -> None:
    """The verdict, promise by promise."""
    word = (
        terminal.styled("kept", "green", "bold") if verdict.kept else terminal.styled("BROKEN", "red", "bold")
    )
    if verdict.kept and any(finding.severity == "warning" for finding in verdict.findings):
        word += ", with warnings"
    terminal.say_labelled("verdict", word, "bold")
    say_promise(terminal, verdict)
    smallest = ", ".join(str(size) for size in verdict.smallest_groups)
    sizes = f"{verdict.rows:,} in {verdict.groups:,} groups; the smallest: {smallest}"
    terminal.say_labelled("rows", sizes, "bold")
    _say_risks(terminal, verdict)
    _say_findings(terminal, verdict)


def _say_risks(terminal: Terminal, verdict: Audit) -> None:
    """What k does not cover, in figures."""
    unique = f"{verdict.unique_rows:.1%} of the rows are unique on all published columns together"
    terminal.say_labelled("unique", unique, "bold")
    if verdict.k_with_target is not None:
        known = f"rows in the smallest group if the attacker knows the class too: {verdict.k_with_target}"
        terminal.say_labelled("class", known, "bold")
    for column, share in verdict.certain.items():
        told = f"column {column!r} can be told for sure in {share:.1%} of the rows"
        terminal.say_labelled("certain", told, "bold")


def say_promise(terminal: Terminal, verdict: Audit) -> None:
    """Every promise with a mark, and what the worst group reaches."""
    for result in verdict.promises:
        mark = terminal.styled("kept", "green") if result.kept else terminal.styled("BROKEN", "red", "bold")
        text = f"{result.promise} [{mark}; worst group: {result.level:.6g}]"
        terminal.say_labelled("promise", text, "bold")


def _say_findings(terminal: Terminal, verdict: Audit) -> None:
    for finding in verdict.findings:
        terminal.say_labelled(finding.severity, finding.message, _MARKS[finding.severity])
