"""``kanopy suggest``."""

from __future__ import annotations

import json
from argparse import Namespace

from kanopy.cli.terminal import standard_error
from kanopy.cli.threads import start_threads
from kanopy.frames.source import read_source
from kanopy.suggest import suggest


def run(given: Namespace) -> int:
    start_threads()
    terminal = standard_error()
    terminal.progress("reading", None)
    table = read_source(given.input, delimiter=given.delimiter, encoding=given.encoding)
    suggestion = suggest(table, target=given.target)
    terminal.clear_progress()
    print(json.dumps(suggestion.to_dict(), indent=2) if given.json else suggestion.to_toml(), end="")
    terminal.say(
        f"{terminal.styled('next', 'bold')}  read the draft, correct it, save it as policy.toml, then: "
        f"kanopy anonymize {given.input} -o release.csv --policy policy.toml"
    )
    return 0
