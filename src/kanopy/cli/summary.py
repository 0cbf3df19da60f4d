"""A release and a verdict in a few lines of text."""

from __future__ import annotations

from kanopy.audit import Audit
from kanopy.cli.terminal import Terminal
from kanopy.release import Release

_MARKS = {"broken": "red", "warning": "yellow", "note": "dim"}


def say_release(terminal: Terminal, release: Release) -> None:
    """What was promised, what it cost, what to know."""
    manifest = release.manifest
    rows = manifest["rows"]
    losses = manifest["losses"]
    say_promise(terminal, release.audit)
    rows_in_out = f"{rows['in']:,} in, {rows['out']:,} out, {rows['dropped']:,} dropped"
    terminal.say(f"{terminal.styled('rows', 'bold')}     {rows_in_out}")
    terminal.say(
        f"{terminal.styled('cost', 'bold')}     {losses['gcp']:.1%} of the detail of the quasi-identifiers, "
        f"{losses['missing_cell_ratio']:.1%} of their cells suppressed"
    )
    _say_risks(terminal, release.audit)
    for notice in manifest["notices"]:
        terminal.say(f"{terminal.styled('note', 'dim')}     {notice}")
    _say_findings(terminal, release.audit)
    terminal.say(f"{terminal.styled('note', 'dim')}     {manifest['not_promised']}")


def say_audit(terminal: Terminal, verdict: Audit) -> None:
    """The verdict, promise by promise."""
    word = (
        terminal.styled("kept", "green", "bold") if verdict.kept else terminal.styled("BROKEN", "red", "bold")
    )
    if verdict.kept and any(finding.severity == "warning" for finding in verdict.findings):
        word += ", with warnings"
    terminal.say(f"{terminal.styled('verdict', 'bold')}  {word}")
    say_promise(terminal, verdict)
    terminal.say(
        f"{terminal.styled('rows', 'bold')}     {verdict.rows:,} in {verdict.groups:,} groups; "
        f"the smallest: {', '.join(str(size) for size in verdict.smallest_groups)}"
    )
    _say_risks(terminal, verdict)
    _say_findings(terminal, verdict)


def _say_risks(terminal: Terminal, verdict: Audit) -> None:
    """What k does not cover, in figures."""
    unique = f"{verdict.unique_rows:.1%} of the rows are unique on all published columns together"
    terminal.say(f"{terminal.styled('unique', 'bold')}   {unique}")
    if verdict.k_with_target is not None:
        known = f"rows in the smallest group if the attacker knows the class too: {verdict.k_with_target}"
        terminal.say(f"{terminal.styled('class', 'bold')}    {known}")
    for column, share in verdict.certain.items():
        told = f"column {column!r} can be told for sure in {share:.1%} of the rows"
        terminal.say(f"{terminal.styled('certain', 'bold')}  {told}")


def say_promise(terminal: Terminal, verdict: Audit) -> None:
    """Every promise with a mark, and what the worst group reaches."""
    for result in verdict.promises:
        mark = terminal.styled("kept", "green") if result.kept else terminal.styled("BROKEN", "red", "bold")
        level = f"worst group: {result.level:.6g}"
        terminal.say(f"{terminal.styled('promise', 'bold')}  {result.promise} [{mark}; {level}]")


def _say_findings(terminal: Terminal, verdict: Audit) -> None:
    for finding in verdict.findings:
        label = terminal.styled(finding.severity, _MARKS[finding.severity])
        terminal.say(f"{label}{' ' * (9 - len(finding.severity))}{finding.message}")
