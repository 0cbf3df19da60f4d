"""HTML and SVG: every text that is not markup is escaped."""

from __future__ import annotations

from html import escape
from typing import Any

from kanopy.reporting.blocks import Faint, Name, Piece, Text, pieces, plain, shown, visible

_VOID = frozenset({"meta", "rect", "line", "path"})  # elements without content
_LONGEST_TITLE = 400  # characters of a long name that a tooltip shows


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
    escaped = (child if isinstance(child, Markup) else escape(visible(child)) for child in children)
    return Markup("".join(escaped))


def written(text: Text) -> Markup:
    """A text of a block."""
    return joined(*map(_piece, pieces(text)))


def _piece(piece: Piece) -> str:
    if isinstance(piece, Name):
        is_cut = len(piece.text) > piece.longest
        return element("bdi", plain(piece), title=shown(piece.text, _LONGEST_TITLE) if is_cut else None)
    return element("em", piece.text, class_="faint") if isinstance(piece, Faint) else piece
