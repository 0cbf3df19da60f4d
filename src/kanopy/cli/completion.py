"""``kanopy completion``: scripts that complete commands, flags and what flags take."""

from __future__ import annotations

from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import shtab

from kanopy.algorithms import methods
from kanopy.cli.parser import build_parser
from kanopy.cli.reproduce import known_experiments

_LEARNERS = ("c45", "id3", "part", "nb", "logistic")
_ENCODINGS = ("utf-8", "cp1252", "latin-1", "utf-16")
_TASKS = ("classify", "cluster", "rules")
_FILES = ("DATA", "RELEASE", "FILE")

_PREAMBLES = {
    # What stands before the last comma is typed already, and belongs to the word.
    "bash": """
_kanopy_list() {
  local typed="$1" head=""; shift
  case "$typed" in *,*) head="${typed%,*},";; esac
  compgen -P "$head" -W "$*" -- "${typed##*,}"
}""",
    "fish": """
function __kanopy_list
  set -l typed (commandline -ct | string replace -r '^--[a-z-]+=' '')
  set -l head (string match -r '^.*,' -- $typed; or echo '')
  for word in $argv
    echo "$head$word"
  end
end""",
}


def run(given: Namespace) -> int:
    parser = build_parser()
    names = [method.name for method in methods()]
    experiments, data = known_experiments()
    single = {"method": names, "task": _TASKS, "encoding": _ENCODINGS, "name": experiments}
    several = {"methods": names, "learners": _LEARNERS, "data": data}
    for action in _actions(parser):
        _offer(action, single, several)
    print(shtab.complete(parser, shell=given.shell, preamble=_PREAMBLES.get(given.shell, "")))
    return 0


def _actions(parser: ArgumentParser) -> Iterator[Action]:
    """All flags and arguments, of all commands."""
    for action in parser._actions:
        if isinstance(action.choices, dict):  # commands
            for command in action.choices.values():
                yield from _actions(command)
        else:
            yield action


def _offer(action: Any, single: Mapping[str, Sequence[str]], several: Mapping[str, Sequence[str]]) -> None:
    """Tell the script what an argument takes: one of some words, several of them, or a file."""
    if action.dest in several:
        action.complete = _list_of(action.dest, several[action.dest])
    elif action.dest in single:
        action.choices = list(single[action.dest])
    elif action.metavar in _FILES:
        action.complete = shtab.FILE
    elif action.metavar == "DIR":
        action.complete = shtab.DIRECTORY


def _list_of(name: str, words: Sequence[str]) -> dict[str, Any]:
    """Words that are separated by commas; tcsh knows no such lists and offers the first word."""
    own, text = f"_kanopy_{name}", " ".join(words)
    return {
        "bash": own,
        "zsh": f"_values -s , {name} {text}" if words else "",
        "fish": f"(__kanopy_list {text})",
        "tcsh": f"({text})",
        "preamble": {"bash": f'\n{own}() {{\n  _kanopy_list "$1" {text}\n}}'},
    }
