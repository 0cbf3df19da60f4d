"""Texts of a table as people may see them: nothing invisible, and not too long."""

from __future__ import annotations

import unicodedata

LONGEST = 60  # characters of a name or a value that are shown
# Unicode categories of control characters, direction marks and characters without a known form
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def visible(text: str) -> str:
    """The text with every invisible or control character spelled out."""
    return "".join(
        f"‹U+{ord(letter):04X}›" if unicodedata.category(letter) in _INVISIBLE else letter for letter in text
    )


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text, cut where it is longer."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def shown(text: str, longest: int = LONGEST) -> str:
    """A name or value of a table, cut and visible."""
    return visible(shortened(text, longest))
