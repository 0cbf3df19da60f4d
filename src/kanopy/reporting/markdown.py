"""A report as Markdown (GitHub's): the same words, with pictures as tables."""

from __future__ import annotations

import re
from dataclasses import replace

from kanopy.reporting.blocks import (
    Bars,
    Block,
    Document,
    Faint,
    Figures,
    Lines,
    Name,
    Paragraph,
    Points,
    Section,
    Stacks,
    Table,
    Text,
)
from kanopy.reporting.figures import of_bars, of_stacks
from kanopy.reporting.wording import shown, visible

_SPECIAL = re.compile(r"[\\`*_\[\]#|~!$^@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
_BAR = 24


def as_markdown(document: Document) -> str:
    """The whole text."""
    parts = [
        f"# {_escaped(document.title)}",
        f"**{_escaped(document.verdict)}.** {_written(document.lead)}",
        _figures(document.figures),
        *(_section(section) for section in document.sections),
        "---",
        _escaped(document.foot),
    ]
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> str:
    return "\n\n".join([f"## {_escaped(section.title)}", *(_block(block) for block in section.blocks)])


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return _written(block.text)
        case Points():
            return "\n".join(f"- {_written(item)}" for item in block.items)
        case Figures():
            return _figures(block)
        case Table():
            return _table(block)
        case Bars():
            return _bars(block)
        case Stacks():
            return _table(of_stacks(block))
        case Lines():
            return ""  # the tables beside it say the same


def _figures(block: Figures) -> str:
    return "\n".join(f"- **{_escaped(number)}** {_escaped(what)}" for number, what in block.items)


def _table(block: Table) -> str:
    alignment = ("--:" if place in block.numeric else "---" for place in range(len(block.header)))
    lines = [
        f"**{_escaped(block.caption)}**\n",
        _line(block.header),
        f"|{'|'.join(alignment)}|",
        *(_line(row) for row in block.rows),
    ]
    return "\n".join(lines)


def _line(cells: tuple[Text, ...]) -> str:
    return "| " + " | ".join(_written(cell) for cell in cells) + " |"


def _bars(block: Bars) -> str:
    longest = max((tally.share or 0.0 for _, tally in block.bars), default=0.0) or 1.0
    drawn = ["█" * round((tally.share or 0.0) / longest * _BAR) for _, tally in block.bars]
    table = of_bars(block)
    rows = tuple((*row, bar) for row, bar in zip(table.rows, drawn, strict=True))
    return _table(replace(table, header=(*table.header, ""), rows=rows))


def _written(text: Text) -> str:
    if isinstance(text, tuple):
        return "".join(_written(part) for part in text)
    if isinstance(text, Name):
        return _escaped(shown(text.text, text.longest))
    if isinstance(text, Faint):
        return f"*{_escaped(text.text)}*"
    return _escaped(text)


def _escaped(text: str) -> str:
    """PRIVACY: a hostile name or value is shown, not obeyed (tests/unit/reporting/test_hostile_names.py)."""
    whole = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\g<0>", whole)
