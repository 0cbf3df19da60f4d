"""``kanopy audit``."""

from __future__ import annotations

import json
import sys
from argparse import Namespace

from kanopy.auditing import Audit, audit
from kanopy.cli.policy_flags import policy_from
from kanopy.cli.streams import give_up_output
from kanopy.cli.summary import say_audit
from kanopy.cli.terminal import standard_error, standard_output
from kanopy.cli.threads import start_threads


def run(given: Namespace) -> int:
    policy = policy_from(given)
    start_threads()
    terminal = standard_error()
    terminal.progress("recounting", None)
    verdict = audit(
        given.input, policy, reading=given.reading, delimiter=given.delimiter, encoding=given.encoding
    )
    terminal.clear_progress()
    try:
        _say(given, verdict)
    except OSError as error:
        # The exit code is the verdict, whether or not anybody can read more about it.
        if not isinstance(error, BrokenPipeError):
            terminal.say_labelled("warning", f"the verdict could not be printed: {error.strerror}", "yellow")
        give_up_output()
    return 0 if verdict.kept else 1


def _say(given: Namespace, verdict: Audit) -> None:
    if given.json:
        print(json.dumps(verdict.to_dict(), indent=2))
    else:
        say_audit(standard_output(), verdict)
    sys.stdout.flush()
