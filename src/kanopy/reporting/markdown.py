"""A report as Markdown (GitHub's): the same words, with pictures as tables."""

from __future__ import annotations

import re

from kanopy._visible import visible
from kanopy.reporting import blocks
from kanopy.reporting.blocks import Faint, Text, pieces, plain

_SPECIAL = re.compile(r"[\\`*_\[\]#|~!$^@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
_BAR = 24


def as_markdown(document: blocks.Document) -> str:
    """The whole text."""
    parts = [f"# {_escaped(document.title)}"]
    parts += [f"**{_escaped(document.banner)}**"] if document.banner else []
    parts.append(f"**{_escaped(document.verdict)}.** {_written(document.lead)}")
    if document.figures:
        parts.append(
            "\n".join(f"- **{_escaped(value)}** {_escaped(what)}" for value, what in document.figures)
        )
    for section in (*document.opening, *document.sections):
        parts += [f"## {_escaped(section.title)}", *map(_block, section.blocks)]
    return "\n\n".join([*parts, "---", _escaped(document.foot)]) + "\n"


def _block(block: blocks.Block) -> str:
    match block:
        case blocks.Paragraph():
            return _written(block.text)
        case blocks.BulletList():
            return "\n".join(f"- {_written(item)}" for item in block.items)
        case blocks.TableBlock():
            return _table(block)
        case blocks.FactList():
            return "\n".join(f"- {_escaped(what)}: {_written(value)}" for what, value in block.items)
        case blocks.NoteList():
            return "\n".join(
                f"- **{_escaped(level)}**: {_written(said)}{f' {_written(advice)}' if advice else ''}"
                for level, said, advice in block.items
            )
        case blocks.Bars():
            return _table(_with_bars(block))
        case blocks.Stacks() | blocks.Ladders() | blocks.Plane():
            return _table(block.table())
        case blocks.Lines():
            return ""  # the tables beside it say the same


def _table(block: blocks.TableBlock) -> str:
    alignment = ("--:" if place in block.numeric else "---" for place in range(len(block.header)))
    header, *lines = ("| " + " | ".join(map(_written, row)) + " |" for row in (block.header, *block.rows))
    return "\n".join([f"**{_escaped(block.caption)}**\n", header, f"|{'|'.join(alignment)}|", *lines])


def _with_bars(block: blocks.Bars) -> blocks.TableBlock:
    """The table of a picture with a bar of characters in every row."""
    drawn = ("█" * round((tally.share or 0.0) / block.longest * _BAR) for _, tally in block.bars)
    table = block.table()
    rows = tuple((*row, bar) for row, bar in zip(table.rows, drawn, strict=True))
    return table._replace(header=(*table.header, ""), rows=rows)


def _written(text: Text) -> str:
    escaped = ((piece, _escaped(plain(piece))) for piece in pieces(text))
    return "".join(f"*{words}*" if isinstance(piece, Faint) else words for piece, words in escaped)


def _escaped(text: str) -> str:
    """PRIVACY: a hostile name or value is shown, not interpreted
    (tests/unit/reporting/test_hostile_names.py)."""
    whole = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\g<0>", whole)
