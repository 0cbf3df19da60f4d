"""How texts that come from a table are shown: not obeyed, and not longer than a line."""

from __future__ import annotations

import unicodedata

LONGEST = 60
"""Characters of a name or a value that are shown."""

_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Controls, direction marks and other characters that are not seen but do something, or nothing known."""


def visible(text: str) -> str:
    """The text with a name in the place of every character that would be obeyed instead of seen."""
    return "".join(f"‹U+{ord(letter):04X}›" if _is_unseen(letter) else letter for letter in text)


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text, cut where it is longer."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def shown(text: str, longest: int = LONGEST) -> str:
    """A name or value of a table as a reader sees it."""
    return visible(shortened(text, longest))


def _is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) in _UNSEEN
