"""The command line: one way in for every command, one way out for every failure."""

from __future__ import annotations

import contextlib
import gc
import json
import shlex
import sys
import warnings
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from kanopy._signals import signals_after
from kanopy.cli.libraries import load_libraries
from kanopy.cli.parser import build_parser
from kanopy.cli.signals import Terminated, catching_signals
from kanopy.cli.start import ENVIRONMENT
from kanopy.cli.terminal import give_up_output, printable, stand_in_for_closed_streams, standard_error
from kanopy.errors import KanopyError, KanopyWarning

DEFECT, INTERRUPTED, BROKEN_PIPE = 70, 130, 141
_WITHOUT_TABLES = ("completion", "methods", "referee", "serve")  # the page loads them when it needs them


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    stand_in_for_closed_streams()
    typed = sys.argv[1:] if arguments is None else list(arguments)
    parser = build_parser(*typed[:1])
    given = parser.parse_args(typed)
    given.typed = typed
    if given.command is None:
        parser.print_help()
        return 0
    with warnings.catch_warnings():
        warnings.simplefilter("always", KanopyWarning)
        warnings.showwarning = _show_warning
        return _run(given)


def _run(given: Namespace) -> int:
    try:
        with catching_signals():  # not while it is told below what happened: nobody interrupts that
            return _called(given)
    except KanopyError as error:
        return _fail(given, error.exit_code, error.message, getattr(error.hint, "for_shell", error.hint))
    except KeyboardInterrupt:
        return _fail(given, INTERRUPTED, "interrupted", _what_is_left(given))
    except Terminated as error:
        return _fail(given, error.exit_code, error.message, _what_is_left(given))
    except MemoryError:
        return _fail(given, ENVIRONMENT, "not enough memory", "close other programs or use a larger machine")
    except BrokenPipeError:  # whoever read our output has seen enough, but it may not have seen the verdict
        give_up_output()
        return BROKEN_PIPE
    except OSError as error:
        reason = error.strerror or type(error).__name__
        _fail(given, ENVIRONMENT, f"could not read or write: {reason}", "check disk space and permissions")
        give_up_output()
        return ENVIRONMENT
    except ImportError as error:
        message = f"a library could not be loaded: {error.name or 'unknown'}"
        return _fail(given, ENVIRONMENT, message, "it may be half installed, or there is too little memory")
    except Exception as error:  # nobody should see a traceback; it could show cells
        if given.debug:
            raise
        message = f"this should not have happened ({type(error).__name__})"
        return _fail(given, DEFECT, message, "run again with --debug and report it")


def _called(given: Namespace) -> int:
    # A command is imported when it is called: --help stays instant.
    with signals_after():
        if given.command not in _WITHOUT_TABLES:
            load_libraries()
        command: Callable[[Namespace], int] = import_module(f"kanopy.cli.{given.command}").run
    if not gc.isenabled():  # see start.py
        gc.freeze()
        gc.enable()
    exit_code = command(given)
    sys.stdout.flush()  # what cannot be printed must fail here, not when Python is already leaving
    return exit_code


def _what_is_left(given: Namespace) -> str:
    """What an interrupted run leaves: nothing, or a journal and the command that continues it."""
    if getattr(given, "journal", None) is None:
        return "nothing was published"
    again = " after the table is piped in again" if getattr(given, "input", None) == "-" else ""
    return f"what was measured is kept; to continue{again}: {shlex.join(['kanopy', *given.typed])}"


def _show_warning(message: Warning | str, *_place: Any, **_more: Any) -> None:
    """A warning without the line of code that it comes from."""
    standard_error().say_labelled("warning", printable(str(message)), "yellow")


def _fail(given: Namespace, exit_code: int, message: str, hint: str) -> int:
    with contextlib.suppress(OSError, ValueError):  # where nobody listens, the exit code still tells
        terminal = standard_error()
        terminal.say(f"{terminal.styled('error:', 'red', 'bold')} {printable(message)}")
        if hint:
            terminal.say(f"{terminal.styled(' hint:', 'cyan')} {printable(hint)}")
        if getattr(given, "json", False):
            print(json.dumps({"error": message, "hint": hint, "exit_code": exit_code}), flush=True)
    return exit_code
