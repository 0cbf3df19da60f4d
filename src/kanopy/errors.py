"""What can go wrong, as the user sees it: what, where, what to do, and never a cell value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any


class Hint(str):
    """A hint that names settings, as in Python; ``for_shell`` names them as flags, ``naming`` otherwise.

    A setting is ``{name}`` in the text. Its value is ``...`` where it does not matter.

    >>> hint = Hint("use {force} to replace it", force=True)
    >>> hint, hint.for_shell
    ('use force=True to replace it', 'use --force to replace it')
    """

    _text: str
    _settings: dict[str, Any]

    def __new__(cls, text: str, **settings: Any) -> Hint:
        made = super().__new__(cls, _filled(text, settings, _argument))
        made._text, made._settings = text, settings
        return made

    @property
    def for_shell(self) -> str:
        """The hint with flags of the command line."""
        return self.naming(flag_of)

    def naming(self, name_of: Callable[[str, Any], str]) -> str:
        """The hint with settings named by what makes a name of a setting and its value."""
        return _filled(self._text, self._settings, name_of)


def _filled(text: str, settings: dict[str, Any], name_of: Callable[[str, Any], str]) -> str:
    # pickle passes a finished text alone, which may hold braces
    return text.format(**{name: name_of(name, settings[name]) for name in settings}) if settings else text


def _argument(name: str, value: Any) -> str:
    return name if value is ... else f"{name}={value!r}"


def flag_of(name: str, value: Any) -> str:
    """A setting as a flag of the command line."""
    flag = f"--{name.replace('_', '-')}"
    if value is ... or value is True:
        return flag
    if value is False:
        return f"--no-{flag.removeprefix('--')}"
    text = str(value)
    return f"{flag} {text if re.fullmatch(r'[A-Za-z0-9._-]+', text) else repr(text)}"


class KanopyError(Exception):
    """Base of every error that kanopy raises on purpose.

    Parameters
    ----------
    message : str
        What went wrong and where. Column names, counts and line numbers are allowed, cell values are not.
    hint : str
        What to do about it.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class PolicyError(KanopyError):
    """The request itself is wrong: usage, policy, options, output path."""

    exit_code = 2


class StoppedError(PolicyError):
    """Columns that would be published tell who people are; ``codes`` are what ``accept`` would take."""

    def __init__(self, message: str, hint: str = "", codes: tuple[str, ...] = ()) -> None:
        super().__init__(message, hint)
        self.codes = codes


class NoPromiseError(PolicyError):
    """A policy says what the columns are, and promises nothing."""


class InputError(KanopyError):
    """The table cannot be read, or cannot be read in one way only."""

    exit_code = 3


class UnsatisfiableError(KanopyError):
    """The promise cannot be kept on this table, or only by a release that says nothing."""

    exit_code = 4


class VerificationError(KanopyError):
    """The recount of what was about to be published disagrees with the promise."""

    exit_code = 5


class ResourceError(KanopyError):
    """Disk, permissions or memory do not allow the work."""

    exit_code = 6


class KanopyWarning(UserWarning):
    """Something that the user should know, and that does not stop the work."""


def near_name(name: str, known: Iterable[str]) -> str:
    """A hint such as ``did you mean 'age'?``, or an empty text where nothing is near."""
    from difflib import get_close_matches  # slow to load, and for mistakes alone

    close = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else ""
