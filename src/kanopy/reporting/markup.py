"""HTML and SVG: every text that is not markup is escaped."""

from __future__ import annotations

from html import escape
from typing import Any

from kanopy.reporting.blocks import Faint, Name, Piece, Text, pieces, shown, visible

_VOID = frozenset({"meta", "rect", "line", "path"})
"""Elements without content."""

_LONGEST_TITLE = 400
"""Characters of a long name that a tooltip shows."""


class Markup(str):
    """Text that is markup already; everything else is escaped."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: Any) -> Markup:
    """An element; children that are not markup are escaped, attributes always are.

    ``class_`` stands for ``class``; ``_`` inside a name stands for ``-``.
    """
    opening = tag + "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(visible(str(value)))}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Markup(f"<{opening}>" if tag == "meta" else f"<{opening}/>")
    return Markup(f"<{opening}>{joined(*children)}</{tag}>")


def joined(*children: str) -> Markup:
    """Children one after the other, escaped where they are not markup."""
    # PRIVACY: a hostile name or value is shown, not interpreted (tests/unit/reporting/test_hostile_names.py).
    return Markup(
        "".join(child if isinstance(child, Markup) else escape(visible(child)) for child in children)
    )


def written(text: Text) -> Markup:
    """A text of a block."""
    return joined(*map(_piece, pieces(text)))


def _piece(piece: Piece) -> str:
    if isinstance(piece, Name):
        is_cut = len(piece.text) > piece.longest
        return element("bdi", piece.shown, title=shown(piece.text, _LONGEST_TITLE) if is_cut else None)
    if isinstance(piece, Faint):
        return element("em", piece.text, class_="faint")
    return piece


def plain(text: Text) -> str:
    """A text of a block without markup, for SVG; still to be escaped."""
    return "".join(
        piece.shown if isinstance(piece, Name) else visible(piece.text if isinstance(piece, Faint) else piece)
        for piece in pieces(text)
    )
