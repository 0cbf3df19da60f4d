"""``kanopy suggest``."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from kanopy.cli.prepare import start_threads
from kanopy.cli.terminal import Terminal, standard_error
from kanopy.drafting import Suggestion, draft_hierarchies, suggest, write_drafts
from kanopy.errors import PolicyError
from kanopy.frames.tables import read_table


def run(given: Namespace) -> int:
    if given.force and given.hierarchies is None:
        raise PolicyError("--force replaces drafts of hierarchies", "use it with --hierarchies DIR")
    start_threads()
    terminal = standard_error()
    terminal.progress("reading", None)
    _, table = read_table(given.input, delimiter=given.delimiter, encoding=given.encoding)
    suggestion = suggest(table, target=given.target)
    if given.hierarchies is not None:
        suggestion = _with_hierarchies(given, terminal, table, suggestion)
    terminal.clear_progress()
    print(json.dumps(suggestion.to_dict(), indent=2) if given.json else suggestion.to_toml(), end="")
    terminal.say(
        f"{terminal.styled('next', 'bold')}  read the draft, correct it, save it as policy.toml, then: "
        f"kanopy anonymize {given.input} -o release.csv --policy policy.toml"
    )
    return 0


def _with_hierarchies(
    given: Namespace, terminal: Terminal, table: pa.Table, suggestion: Suggestion
) -> Suggestion:
    if any("\ud800" <= letter <= "\udfff" for letter in given.hierarchies):
        message = f"a policy file cannot name the folder {given.hierarchies!r}"
        raise PolicyError(message, "name one that is UTF-8")
    terminal.progress("drafting hierarchies", None)
    written = write_drafts(draft_hierarchies(table, suggestion), Path(given.hierarchies), force=given.force)
    terminal.say(
        f"{terminal.styled('note', 'yellow')}  {len(written)} hierarchies are drafted in "
        f"{given.hierarchies}; they list values of the table, so do not publish them"
    )
    return replace(suggestion, hierarchies=written)
