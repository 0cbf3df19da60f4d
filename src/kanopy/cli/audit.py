"""``kanopy audit``, and how a verdict is printed."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter

from kanopy._arrow_start import start_pyarrow
from kanopy.auditing import Audit, Finding, check_request
from kanopy.cli.engine import spark_session, uses_spark
from kanopy.cli.prepare import policy_from
from kanopy.cli.terminal import Terminal, printable, printing_verdict, standard_error, standard_output
from kanopy.engines.audit import audit
from kanopy.errors import NoPromiseError, PolicyError
from kanopy.policy import Policy

_SHOWN_FINDINGS = 10
MARKS = {"broken": "red", "serious": "red", "warning": "yellow", "note": "dim"}


def run(given: Namespace) -> int:
    try:
        policy = policy_from(given)
    except NoPromiseError:
        return _measured(given)
    start_pyarrow()
    terminal = standard_error()
    terminal.progress("recounting", None)
    if uses_spark(given):
        verdict = _audited_by_spark(given, policy, terminal)
    else:
        named = ("reading", "delimiter", "encoding", "source", "manifest")
        verdict = audit(given.input, policy, **{name: getattr(given, name) for name in named})
    terminal.clear_progress()
    with printing_verdict(terminal):
        if given.json:
            print(json.dumps(verdict.to_dict(), indent=2))
        else:
            _say(standard_output(), verdict)
    return 0 if verdict.kept else 1


def _measured(given: Namespace) -> int:
    """Nothing is promised, so nothing can be broken: the figures of the table as it is."""
    if given.reading != "pessimistic" or given.source is not None or given.manifest is not None:
        hint = "add --k 5, or leave --reading, --source and --manifest out"
        raise PolicyError("without a promise there is nothing to audit", hint)
    from kanopy.cli.profile import say_figures
    from kanopy.profiling import profile_without_promise

    given.k = "2"  # no policy is without a promise; this one is not looked at
    policy = policy_from(given)
    start_pyarrow()
    terminal = standard_error()
    terminal.progress("counting", None)
    form = {"delimiter": given.delimiter, "encoding": given.encoding}
    if uses_spark(given):
        from kanopy.engines.spark.files import judged_frame

        with spark_session(given, terminal, "counting") as session:
            found = profile_without_promise(judged_frame(session, given.input, policy, **form), policy)
    else:
        found = profile_without_promise(given.input, policy, **form)
    terminal.clear_progress()
    if given.json:
        print(json.dumps(found.to_dict(), indent=2))
    else:
        say_figures(standard_output(), found)
    terminal.say_note("no k was given, so nothing is judged; add one to audit a promise, for example --k 5")
    return 0


def _audited_by_spark(given: Namespace, policy: Policy, terminal: Terminal) -> Audit:
    """The same with files that Spark reads, also the source."""
    from kanopy.engines.spark.files import frame_of_files, judged_frame

    check_request(policy, given.reading, given.source, given.manifest)
    form = {"delimiter": given.delimiter, "encoding": given.encoding}
    with spark_session(given, terminal, "recounting") as session:
        table, source = judged_frame(session, given.input, policy, **form), None
        if given.source is not None:
            source = frame_of_files(session, given.source, policy.source, **form)
        return audit(table, policy, reading=given.reading, source=source, manifest=given.manifest)


def _say(terminal: Terminal, verdict: Audit) -> None:
    say_verdict(terminal, verdict)
    say_promise(terminal, verdict)
    smallest = ", ".join(str(size) for size in verdict.smallest_groups)
    sizes = f"{verdict.rows:,} in {verdict.groups:,} groups; the smallest: {smallest}"
    terminal.say_labelled("rows", sizes)
    say_risks(terminal, verdict)
    say_findings(terminal, verdict)


def say_verdict(terminal: Terminal, verdict: Audit) -> None:
    """The colour as a word, what it means, and the worst finding with what to do about it."""
    terminal.say_labelled(
        "verdict", f"{terminal.styled(verdict.colour, verdict.colour, 'bold')}: {_meaning(verdict)}"
    )
    if verdict.colour != "green":
        _say_finding(terminal, verdict.findings[0])


def _meaning(verdict: Audit) -> str:
    if not verdict.kept:
        return "the promise is BROKEN"
    number = Counter(finding.severity for finding in verdict.findings)
    listed = [_counted(number[severity], severity) for severity in ("serious", "warning") if number[severity]]
    return ", but ".join(["the promise is kept", *filter(None, [" and ".join(listed)])])


def _counted(number: int, severity: str) -> str:
    word = "serious finding" if severity == "serious" else severity
    return f"there is 1 {word}" if number == 1 else f"there are {number} {word}s"


def say_promise(terminal: Terminal, verdict: Audit) -> None:
    """Every promise with a mark, and what the worst group reaches."""
    for result in verdict.promises:
        mark = terminal.styled("kept", "green") if result.kept else terminal.styled("BROKEN", "red", "bold")
        terminal.say_labelled("promise", f"{result.promise} [{mark}; worst group: {result.level:.6g}]")


def say_risks(terminal: Terminal, verdict: Audit) -> None:
    """How likely people are found, and what k does not cover, in figures."""
    terminal.say_labelled("risk", verdict.risks.sentence)
    unique = f"{verdict.unique_rows:.1%} of the rows are unique on all published columns together"
    terminal.say_labelled("unique", unique)
    if verdict.k_with_target is not None:
        known = f"rows in the smallest group if the attacker knows the class too: {verdict.k_with_target}"
        terminal.say_labelled("class", known)
    for column, share in verdict.certain.items():
        told = f"column {column!r} can be told for sure in {share:.1%} of the rows"
        terminal.say_labelled("certain", told)


def say_findings(terminal: Terminal, verdict: Audit) -> None:
    """The worst of what else the audit has found, after the one that ``say_verdict`` has said."""
    first = 0 if verdict.colour == "green" else 1
    for finding in verdict.findings[first:_SHOWN_FINDINGS]:
        _say_finding(terminal, finding)
    if len(verdict.findings) > _SHOWN_FINDINGS:
        terminal.say_note(f"and {len(verdict.findings) - _SHOWN_FINDINGS} more; --json lists all")


def _say_finding(terminal: Terminal, finding: Finding) -> None:
    terminal.say_labelled(finding.severity, printable(finding.message), MARKS[finding.severity])
    if finding.advice:
        terminal.say_labelled("", printable(f"to do: {finding.advice}"), "dim")
