"""HTML and SVG whose every text is escaped, unless it was made here."""

from __future__ import annotations

from html import escape
from typing import Any

from kanopy.reporting.blocks import Faint, Name, Text
from kanopy.reporting.wording import shown, visible

_VOID = frozenset({"meta", "rect", "line", "circle", "path", "br"})
"""Elements without content."""


class Markup(str):
    """Text that is markup already; everything else is escaped."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: Any) -> Markup:
    """An element; children that are not markup are escaped, attributes always are.

    An attribute whose name is a word of Python takes a trailing ``_``; ``_`` inside stands for ``-``.
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(visible(str(value)))}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Markup(f"<{tag}{written}>" if tag in ("meta", "br") else f"<{tag}{written}/>")
    return Markup(f"<{tag}{written}>{joined(*children)}</{tag}>")


def joined(*children: str) -> Markup:
    """Children one after the other, escaped where they are not markup."""
    # PRIVACY: a hostile name or value is shown, not obeyed (tests/unit/reporting/test_hostile_names.py).
    return Markup(
        "".join(child if isinstance(child, Markup) else escape(visible(child)) for child in children)
    )


def written(text: Text) -> Markup:
    """A text of a block."""
    if isinstance(text, tuple):
        return joined(*(written(part) for part in text))
    if isinstance(text, Name):
        return element("bdi", shown(text.text, text.longest), title=_whole(text))
    if isinstance(text, Faint):
        return element("em", text.text, class_="faint")
    return joined(text)


def plain(text: Text) -> str:
    """A text of a block without markup, for SVG and attributes; still to be escaped."""
    if isinstance(text, tuple):
        return "".join(plain(part) for part in text)
    return (
        shown(text.text, text.longest)
        if isinstance(text, Name)
        else visible(text.text if isinstance(text, Faint) else text)
    )


def _whole(name: Name) -> str | None:
    """More of a name that is cut, for those who point at it; still not all of a very long one."""
    return shown(name.text, 400) if len(name.text) > name.longest else None
