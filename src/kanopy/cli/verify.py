"""``kanopy verify``."""

from __future__ import annotations

import json
from argparse import Namespace

from kanopy._arrow_start import start_pyarrow
from kanopy.certificate import NOT_PROVEN, Verification, verify
from kanopy.certificate.check import FAILS
from kanopy.cli.audit import MARKS
from kanopy.cli.terminal import Terminal, printable, printing_verdict, standard_error, standard_output
from kanopy.policy import Policy

_SHOWN_FINDINGS = 10
_LONGEST = 1_000  # characters of a text of the certificate
_STYLES = {"holds": "green", "fails": "red", "not checked": "yellow"}


def run(given: Namespace) -> int:
    policy = None if given.policy is None else Policy.load(given.policy)
    start_pyarrow()
    terminal = standard_error()
    terminal.progress("recounting", None)
    found = verify(given.input, certificate=given.certificate, policy=policy, source=given.source)
    terminal.clear_progress()
    with printing_verdict(terminal):
        if given.json:
            print(json.dumps(found.to_dict(), indent=2))
        else:
            _say(standard_output(), found)
    return 0 if found.kept else 1


def _say(terminal: Terminal, found: Verification) -> None:
    terminal.say_labelled(
        "verdict", f"{terminal.styled(found.colour, found.colour, 'bold')}: {_meaning(found)}"
    )
    for check in sorted(found.checks, key=lambda check: check.outcome != FAILS):  # the worst first
        mark = terminal.styled(check.outcome, _STYLES[check.outcome])
        terminal.say(f"  [{mark}] {check.name}: {printable(check.message)}")
    findings = [
        finding for finding in (found.audit.findings if found.audit else ()) if finding.severity != "broken"
    ]
    for finding in findings[:_SHOWN_FINDINGS]:
        terminal.say_labelled(finding.severity, printable(finding.message), MARKS[finding.severity])
    if len(findings) > _SHOWN_FINDINGS:
        terminal.say_note(f"and {len(findings) - _SHOWN_FINDINGS} more; --json lists all")
    what = "listing of the parts" if found.parts else "file"
    for name, sha256 in ((what, found.sha256), ("certificate", found.certificate.sha256)):
        terminal.say_labelled("SHA-256", f"{sha256}  {name}")
    terminal.say_note(printable(found.certificate.contents["promise"]["not_promised"][:_LONGEST]))
    terminal.say_note(NOT_PROVEN)


def _meaning(found: Verification) -> str:
    if not found.kept:
        return "the check FAILS"
    what = "parts" if found.parts else "file"
    words = f"{what}, certificate and promise hold"
    if not found.certificate.is_ours:
        words = f"{what} and promise hold"
    if not found.is_complete:
        words += ", as far as it can be counted without the source"
    return words if found.colour == "green" else f"{words}; read the warnings"
