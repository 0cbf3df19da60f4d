"""Numbers that a user typed: plain digits and nothing that only Python takes for a number."""

from __future__ import annotations

import re

_WHOLE = r"-?[0-9]{1,30}"
_DECIMAL = r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"


def typed_whole_number(text: str) -> int:
    """A whole number; ``5_0``, ``+5``, blanks and digits of other scripts raise a ValueError."""
    if not re.fullmatch(_WHOLE, text):
        raise ValueError("no whole number")
    return int(text)


def typed_number(text: str) -> float:
    """A number with or without a point and an exponent, just as strict."""
    if len(text) > 400 or not re.fullmatch(_DECIMAL, text):
        raise ValueError("no number")
    return float(text)
