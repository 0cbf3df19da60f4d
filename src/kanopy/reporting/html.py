"""A report as one HTML page without scripts or network access, for light and dark screens and for paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import count

from kanopy.reporting import blocks, svg
from kanopy.reporting.markup import Markup, element, joined, written

STYLE = files("kanopy.reporting").joinpath("report.css").read_text("utf-8").strip()
"""For light and dark screens and for paper. The contrast of every text is at least 4.5 to 1."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What the page may load or run: nothing but its own style."""

_MANY, _CROWDED = 6, 10
"""Tables with more columns are set smaller, and their words may be broken on paper."""


def as_html(document: blocks.Document) -> str:
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
    numbers = count(1)
    sections = (
        _section(section, f"section{place}", numbers) for place, section in enumerate(document.sections)
    )
    body = element(
        "body",
        element("header", *_header(document)),
        element("main", *sections),
        element("footer", element("p", document.foot)),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _header(document: blocks.Document) -> list[Markup]:
    verdict = element("p", document.verdict, class_="verdict-word")
    figures = (
        element("div", element("dt", what), element("dd", number)) for number, what in document.figures
    )
    return [
        element("p", "kanopy", class_="brand"),
        element("h1", document.title),
        element("div", verdict, element("p", written(document.lead)), class_=f"verdict {document.tone}"),
        element("dl", *figures, class_="figures"),
    ]


def _section(section: blocks.Section, name: str, numbers: Iterator[int]) -> Markup:
    content = (_block(block, numbers) for block in section.blocks)
    return element("section", element("h2", section.title, id=name), *content, aria_labelledby=name)


def _block(block: blocks.Block, numbers: Iterator[int]) -> Markup:
    """A block; ``numbers`` gives every picture of the page its own."""
    match block:
        case blocks.Paragraph():
            return element("p", written(block.text), class_="remark" if block.is_remark else None)
        case blocks.BulletList():
            return element("ul", *(element("li", written(item)) for item in block.items), class_=block.mark)
        case blocks.TableBlock():
            return _table(block)
        case blocks.Bars():
            return _drawn(block.title, None, svg.bars(block, next(numbers)), block.table())
        case blocks.Stacks():
            legend = _legend((svg.swatch(f"kind{kind}"), label) for kind, label in enumerate(block.kinds))
            return _drawn(block.title, legend, svg.stacks(block, next(numbers)), block.table())
        case blocks.Lines():
            legend = _legend(
                (svg.series_swatch(series), label) for series, (label, _) in enumerate(block.lines)
            )
            return _drawn(block.title, legend, svg.lines(block, next(numbers)), None)


def _drawn(title: str, legend: Markup | None, picture: Markup, table: blocks.TableBlock | None) -> Markup:
    """A picture with its title and legend, and the same as a table for readers who do not see it."""
    parts = [element("figcaption", title), *([legend] if legend else []), picture]
    if table is not None:
        parts.append(element("details", element("summary", "as a table"), _table(table)))
    return element("figure", *parts)


def _legend(items: Iterable[tuple[Markup, str]]) -> Markup:
    return element("p", *(element("span", joined(*item)) for item in items), class_="legend")


def _table(block: blocks.TableBlock) -> Markup:
    def cells(tag: str, texts: Iterable[blocks.Text], first: int, scope: str | None) -> list[Markup]:
        return [
            element(tag, written(text), scope=scope, class_="number" if place in block.numeric else None)
            for place, text in enumerate(texts, first)
        ]

    rows = (
        element("tr", *cells("th", row[:1], 0, "row"), *cells("td", row[1:], 1, None)) for row in block.rows
    )
    table = element(
        "table",
        element("caption", block.caption),
        element("thead", element("tr", *cells("th", block.header, 0, "col"))),
        element("tbody", *rows),
    )
    n_columns = len(block.header)
    look = "wide" + " many" * (n_columns > _MANY) + " crowded" * (n_columns > _CROWDED)
    # A table wider than the page scrolls by itself; tabindex makes it reachable with the keyboard.
    return element("div", table, class_=look, tabindex=0, role="region", aria_label=block.caption)
