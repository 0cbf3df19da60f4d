"""What went wrong, in the words of the page: it has names of files and controls, but no paths and flags."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from kanopy.errors import Hint, KanopyError, flag_of

CONTROLS = {"delimiter": "Between fields", "encoding": "Encoding", "sheet": "Sheet of a workbook"}
"""What the settings of a file are called where people choose them."""

DELIMITERS = {"": "found out", ",": "comma", ";": "semicolon", "tab": "tab", "|": "bar"}


def in_words_of_the_page(error: KanopyError, source: str) -> tuple[str, str]:
    """Message and hint of an error about a table; of its path, the name alone is shown."""
    hint = error.hint.naming(_control) if isinstance(error.hint, Hint) else error.hint
    name = PurePath(source).name
    return error.message.replace(source, name), hint.replace(source, name)


def _control(name: str, value: Any) -> str:
    """What to choose on the page; what cannot be chosen there is a flag of the command."""
    if name not in CONTROLS:
        return f"{flag_of(name, value)} on the command line"
    shown = DELIMITERS.get("tab" if value == "\t" else value, value)
    return f"“{CONTROLS[name]}”" + ("" if value is ... else f": {shown}")
