"""The command line: one way in for every command, one way out for every failure."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from kanopy.cli.parser import build_parser
from kanopy.cli.terminal import standard_error
from kanopy.errors import KanopyError

INTERRUPTED, TERMINATED, OUT_OF_MEMORY = 130, 143, 6


class _Terminated(BaseException):
    """SIGTERM, as something that runs the clean-up on its way out."""


def run() -> None:
    """The console script."""
    sys.exit(main())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = build_parser()
    given = parser.parse_args(arguments)
    if given.command is None:
        parser.print_help()
        return 0
    # A command is imported when it is called: --help stays instant.
    command: Callable[[Namespace], int] = import_module(f"kanopy.cli.{given.command}").run
    with contextlib.suppress(ValueError):  # not in the main thread: then nobody sends us signals
        signal.signal(signal.SIGTERM, _terminate)
    try:
        return command(given)
    except KanopyError as error:
        return _fail(given, error.exit_code, error.message, error.hint)
    except KeyboardInterrupt:
        return _fail(given, INTERRUPTED, "interrupted", "nothing was published")
    except _Terminated:
        return _fail(given, TERMINATED, "terminated", "nothing was published")
    except MemoryError:
        return _fail(
            given, OUT_OF_MEMORY, "not enough memory", "close other programs or use a larger machine"
        )
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # nobody should see a traceback; it could show cells
        if given.debug:
            raise
        kind = type(error).__name__
        return _fail(
            given, 1, f"this should not have happened ({kind})", "run again with --debug and report it"
        )


def _terminate(_number: int, _frame: Any) -> None:
    raise _Terminated


def _fail(given: Namespace, exit_code: int, message: str, hint: str) -> int:
    terminal = standard_error()
    terminal.say(f"{terminal.styled('error:', 'red', 'bold')} {message}")
    if hint:
        terminal.say(f"{terminal.styled(' hint:', 'cyan')} {hint}")
    if getattr(given, "json", False):
        print(json.dumps({"error": message, "hint": hint, "exit_code": exit_code}))
    return exit_code
