"""A report as one HTML page: no script, no network, light and dark, on screen and on paper."""

from __future__ import annotations

from kanopy.reporting import svg
from kanopy.reporting.blocks import (
    Bars,
    Block,
    Document,
    Figures,
    Lines,
    Paragraph,
    Points,
    Section,
    Stacks,
    Table,
)
from kanopy.reporting.figures import of_bars, of_stacks
from kanopy.reporting.markup import Markup, element, joined, plain, written
from kanopy.reporting.style import STYLE

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What the page may load or run: nothing but its own style."""

_MANY, _CROWDED = 6, 10
"""Tables with more columns are set smaller, and on paper their words may be broken."""


def as_html(document: Document) -> str:
    """The whole page."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", document.title),
        Markup(f"<style>{STYLE}</style>"),
    )
    pictures = _Pictures()
    sections = (_section(section, number, pictures) for number, section in enumerate(document.sections))
    body = element(
        "body",
        element("header", *_header(document)),
        element("main", *sections),
        element("footer", element("p", document.foot)),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


class _Pictures:
    """Numbers the pictures of a page, whose names must differ."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        self._last += 1
        return self._last


def _header(document: Document) -> list[Markup]:
    return [
        element("p", "kanopy", class_="brand"),
        element("h1", document.title),
        element(
            "div",
            element("p", document.verdict, class_="verdict-word"),
            element("p", written(document.lead)),
            class_=f"verdict {document.tone}",
        ),
        _figures(document.figures),
    ]


def _section(section: Section, number: int, pictures: _Pictures) -> Markup:
    blocks = [_block(block, pictures) for block in section.blocks]
    name = f"section{number}"
    return element("section", element("h2", section.title, id=name), *blocks, aria_labelledby=name)


def _block(block: Block, pictures: _Pictures) -> Markup:
    match block:
        case Paragraph():
            return element("p", written(block.text), class_="remark" if block.is_remark else None)
        case Points():
            return element("ul", *(element("li", written(item)) for item in block.items), class_=block.mark)
        case Figures():
            return _figures(block)
        case Table():
            return _table(block)
        case Bars():
            return _drawn(svg.bars(block, pictures.next()), block.title, _table(of_bars(block)))
        case Stacks():
            return _drawn(
                svg.stacks(block, pictures.next()),
                block.title,
                _table(of_stacks(block)),
                _kinds_legend(block),
            )
        case Lines():
            return _drawn(svg.lines(block, pictures.next()), block.title, None, _lines_legend(block))


def _figures(block: Figures) -> Markup:
    items = (element("div", element("dt", what), element("dd", number)) for number, what in block.items)
    return element("dl", *items, class_="figures")


def _drawn(picture: Markup, title: str, table: Markup | None, legend: Markup | None = None) -> Markup:
    """A picture with its title and legend, and the same in figures for those who do not see it."""
    parts = [element("figcaption", title), *([legend] if legend else []), picture]
    if table is not None:
        parts.append(element("details", element("summary", "in figures"), table))
    return element("figure", *parts)


def _kinds_legend(block: Stacks) -> Markup:
    items = (joined(svg.swatch(f"kind{number}"), kind) for number, kind in enumerate(block.kinds))
    return element("p", *(element("span", item) for item in items), class_="legend")


def _lines_legend(block: Lines) -> Markup:
    items = (
        joined(svg.swatch(f"marker s{series % svg.N_SERIES}", svg.marker(series, 7, 8)), label)
        for series, (label, _) in enumerate(block.lines)
    )
    return element("p", *(element("span", item) for item in items), class_="legend")


def _table(block: Table) -> Markup:
    def look(place: int) -> str | None:
        return "number" if place in block.numeric else None

    header = (
        element("th", written(text), scope="col", class_=look(place))
        for place, text in enumerate(block.header)
    )
    rows = (
        element(
            "tr",
            element("th", written(first), scope="row", class_=look(0)),
            *(element("td", written(text), class_=look(place)) for place, text in enumerate(rest, 1)),
        )
        for first, *rest in block.rows
    )
    table = element(
        "table",
        element("caption", block.caption),
        element("thead", element("tr", *header)),
        element("tbody", *rows),
    )
    n_columns = len(block.header)
    look_of_all = "wide" + " many" * (n_columns > _MANY) + " crowded" * (n_columns > _CROWDED)
    # What is wider than the page scrolls by itself; whoever has no mouse can reach it with the keyboard.
    return element(
        "div", table, class_=look_of_all, tabindex=0, role="region", aria_label=plain(block.caption)
    )
