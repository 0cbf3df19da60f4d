"""``kanopy suggest``."""

from __future__ import annotations

import json
import os
import shlex
import stat
import sys
from argparse import Namespace
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from kanopy._arrow_start import start_pyarrow
from kanopy.cli.engine import spark_session, uses_spark
from kanopy.cli.prepare import free_name, shown_file
from kanopy.cli.terminal import Terminal, printable, standard_error
from kanopy.data.grammar import has_half_character
from kanopy.drafting import Suggestion, draft_frame, draft_hierarchies, draft_policy, write_drafts
from kanopy.errors import KanopyError, PolicyError
from kanopy.frames.detected_file import read_detected
from kanopy.frames.source import files_of
from kanopy.release import Inputs, Transaction

_STANDARD_INPUT = 0


def run(given: Namespace) -> int:
    if given.force and given.hierarchies is None and given.output is None:
        raise PolicyError("--force replaces existing files", "use it with -o FILE or --hierarchies DIR")
    start_pyarrow()
    terminal = standard_error()
    try:
        suggestion = _drafted(given, terminal)
    except KanopyError as error:
        if given.output is None and _is_file(sys.stdout):
            told = getattr(error.hint, "for_shell", error.hint)
            error.hint = f"{told or 'correct it'}; -o policy.toml leaves no empty file behind"
        raise
    if given.output is None and not given.json:
        print(suggestion.to_toml(), end="")
    elif given.json:
        print(json.dumps(suggestion.to_dict(), indent=2))
    _say_next(given, terminal, suggestion)
    return 0


def _drafted(given: Namespace, terminal: Terminal) -> Suggestion:
    """The draft, written to its file where one is named: the file is reserved first and named last."""
    with ExitStack() as opened:
        place = transaction = None
        if given.output is not None:
            transaction = Transaction(force=given.force, inputs=_inputs(given.input))
            place = opened.enter_context(transaction).reserve(given.output, suffixes=(".toml",))
        form = {"delimiter": given.delimiter, "encoding": given.encoding}
        if uses_spark(given):
            from kanopy.engines.spark.files import detected_frame

            session = opened.enter_context(spark_session(given, terminal, "reading"))
            table, dialect = detected_frame(session, given.input, **form)
            suggestion = draft_frame(table, dialect, target=given.target)
        else:
            terminal.progress("reading", None)
            table, dialect = read_detected(given.input, **form, sheet=given.sheet)
            suggestion = draft_policy(table, dialect, target=given.target)
        if given.hierarchies is not None:
            suggestion = _with_hierarchies(given, terminal, table, suggestion)
        if place is not None and transaction is not None:
            with place.writing() as stream:
                stream.write(suggestion.to_toml().encode())
            transaction.commit()
    terminal.clear_progress()
    return suggestion


def _inputs(table: str) -> Inputs:
    """What is read, which the draft must not replace."""
    if table == "-":
        return Inputs((("input", _STANDARD_INPUT),))
    return Inputs(tuple(("input", os.path.abspath(file)) for file in files_of(table) or [table]))  # noqa: PTH100


def _with_hierarchies(given: Namespace, terminal: Terminal, table: Any, suggestion: Suggestion) -> Suggestion:
    if has_half_character(given.hierarchies):
        message = f"a policy file cannot name the folder {given.hierarchies!r}"
        raise PolicyError(message, "name one that is UTF-8")
    terminal.progress("drafting hierarchies", None)
    written = write_drafts(draft_hierarchies(table, suggestion), Path(given.hierarchies), force=given.force)
    terminal.say(
        f"{terminal.styled('note', 'yellow')}  {len(written)} hierarchies are drafted in "
        f"{shown_file(given.hierarchies)}; they list values of the table, so do not publish them"
    )
    if given.output is not None:  # a policy names files as seen from its own folder
        beside = Path(given.output).absolute().parent
        written = tuple(
            replace(made, file=Path(os.path.relpath(str(made.file), beside)).as_posix()) for made in written
        )
    replaced = {made.name for made in written}
    others = tuple(made for made in suggestion.hierarchies if made.name not in replaced)
    return replace(suggestion, hierarchies=(*written, *others))


def _say_next(given: Namespace, terminal: Terminal, suggestion: Suggestion) -> None:
    """The next command, as it can be typed."""
    policy = "policy.toml" if given.output is None else given.output
    if n_checks := suggestion.n_checks:
        guesses = "1 guess is doubtful" if n_checks == 1 else f"{n_checks:,} guesses are doubtful"
        terminal.say(f'{terminal.styled("note", "yellow")}  {guesses}: look for "check:" in the draft')
    save = "" if given.output is not None else f", save it as {policy}"
    read = f"read the draft, correct it{save}"
    if not any(column.role == "quasi_identifiers" for column in suggestion.columns):
        _say(terminal, f"{read}: it names no quasi-identifier, so nothing can be released yet")
        return
    piped = ", pipe the table in again" if given.input == "-" else ""
    # PRIVACY: what is printed is pasted elsewhere, and folders may tell about people
    # (tests/unit/test_suggest.py).
    table, policy = shown_file(given.input), shown_file(policy)
    command = ["kanopy", "anonymize", _as_argument(table), "-o", free_name()]
    if given.engine == "spark":
        master = [] if given.master is None else ["--master", given.master]
        command = [*command[:-1], free_name(""), "--engine", "spark", *master]
    where = "" if (table, policy) == (given.input, given.output or policy) else " in their folder"
    _say(terminal, f"{read}{piped}, then{where}: {shlex.join([*command, '--policy', _as_argument(policy)])}")


def _say(terminal: Terminal, text: str) -> None:
    terminal.say(f"{terminal.styled('next', 'bold')}  {printable(text)}")


def _as_argument(name: str) -> str:
    """A file name that no command takes for a flag."""
    return f"./{name}" if name.startswith("-") and name != "-" else name


def _is_file(stream: object) -> bool:
    """Whether what is printed goes into a file, which the shell has created already."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)  # type: ignore[attr-defined]
    except (OSError, ValueError, AttributeError):
        return False
