"""``kanopy audit``."""

from __future__ import annotations

import json
from argparse import Namespace

from kanopy.audit import audit
from kanopy.cli.policy_flags import policy_from
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
    if given.json:
        print(json.dumps(verdict.to_dict(), indent=2))
    else:
        say_audit(standard_output(), verdict)
    return 0 if verdict.kept else 1
