"""A report as one HTML page without scripts or network access, for light and dark screens and for paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import count

from kanopy.reporting import blocks, markup, plane
from kanopy.reporting.markup import Markup, element, written

# The contrast of every text is at least 4.5 to 1.
STYLE = files("kanopy.reporting").joinpath("report.css").read_text("utf-8").strip()
# The page may load and run nothing but its own style.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
# Tables with more columns are set smaller, and their words may be broken on paper.
_MANY, _CROWDED = 6, 10


def as_html(document: blocks.Document) -> str:
    """The whole page."""
    header, main = page_parts(document)
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
    banner = element("p", document.banner, class_="banner") if document.banner else ""
    footer = element("footer", element("p", document.foot))
    body = element("body", banner, header, main, footer)
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def page_parts(document: blocks.Document, brand: str = "kanopy") -> tuple[Markup, Markup]:
    """What a page shows first, with the verdict, and the sections below; its style is ``STYLE``."""
    numbers = count(1)
    opening = [_section(each, numbers, f"first{place}") for place, each in enumerate(document.opening)]
    sections = [_section(each, numbers, f"section{place}") for place, each in enumerate(document.sections)]
    verdict = element("p", document.verdict, class_="verdict-word")
    figures = (element("div", element("dt", what), element("dd", value)) for value, what in document.figures)
    parts = [
        element("p", brand, class_="brand") if brand else "",
        element("h1", document.title) if brand else "",
        element("div", verdict, element("p", written(document.lead)), class_=f"verdict {document.tone}"),
        element("dl", *figures, class_="figures") if document.figures else "",
        element("div", *opening, class_="opening") if opening else "",
    ]
    return element("header", *parts), element("main", *sections)


def _section(section: blocks.Section, numbers: Iterator[int], name: str) -> Markup:
    content = (block_markup(block, numbers) for block in section.blocks)
    return element("section", element("h2", section.title, id=name), *content, aria_labelledby=name)


def block_markup(block: blocks.Block, numbers: Iterator[int]) -> Markup:
    """A block; ``numbers`` gives every picture of the page its own."""
    match block:
        case blocks.Paragraph():
            return element("p", written(block.text), class_="remark" if block.is_remark else None)
        case blocks.BulletList():
            return element("ul", *(element("li", written(item)) for item in block.items), class_=block.mark)
        case blocks.TableBlock():
            return _table(block)
        case blocks.FactList():
            facts = (
                element("div", element("dt", what), element("dd", written(v))) for what, v in block.items
            )
            return element("dl", *facts, class_="facts")
        case blocks.NoteList():
            return element("ul", *(_note(*item) for item in block.items), class_="notes")
        case blocks.Bars():
            return _drawn(block, (), [markup.bars(block)])
        case blocks.Ladders():
            return _drawn(block, (), [markup.ladders(block)])
        case blocks.Stacks():
            signs = [(markup.kind_sign(kind), label) for kind, label in enumerate(block.kinds)]
            return _drawn(block, signs, [markup.stacks(block)])
        case blocks.Lines() | blocks.Plane():
            signs = [(markup.series_sign(series), label) for series, (label, _) in enumerate(block.lines)]
            return _drawn(block, signs, [_picture(block, next(numbers), frame) for frame in markup.FRAMES])


def _picture(block: blocks.Lines | blocks.Plane, number: int, frame: markup.Frame) -> Markup:
    if isinstance(block, blocks.Lines):
        return markup.lines(block, number, frame)
    return plane.drawn(block, number, frame)


def _note(level: str, said: blocks.Text, advice: blocks.Text) -> Markup:
    sign = element("span", level, class_=f"level {level}")
    parts = [sign, " ", written(said)]
    return element("li", *parts, *([element("p", written(advice), class_="advice")] if advice else []))


def _drawn(block: blocks.Picture, legend: Sequence[tuple[Markup, str]], pictures: Sequence[Markup]) -> Markup:
    """A picture with its title and legend, and the same as a table for readers who do not see it.

    Of several pictures the style shows the one that fits the screen.
    """
    parts = [element("figcaption", block.title)]
    if legend:
        parts.append(element("p", *(element("span", *item) for item in legend), class_="legend"))
    parts += pictures
    if not isinstance(block, blocks.Lines):
        parts.append(element("details", element("summary", "as a table"), _table(block.table())))
    return element("figure", *parts)


def _table(block: blocks.TableBlock) -> Markup:
    def cells(tag: str, texts: Iterable[blocks.Text], first: int, scope: str | None) -> list[Markup]:
        return [
            element(tag, written(text), scope=scope, class_="number" if place in block.numeric else None)
            for place, text in enumerate(texts, first)
        ]

    head = element("thead", element("tr", *cells("th", block.header, 0, "col")))
    rows = [(*cells("th", row[:1], 0, "row"), *cells("td", row[1:], 1, None)) for row in block.rows]
    body = element("tbody", *(element("tr", *row) for row in rows))
    table = element("table", element("caption", block.caption), head, body)
    n_columns = len(block.header)
    look = "wide" + " many" * (n_columns > _MANY) + " crowded" * (n_columns > _CROWDED)
    # A table wider than the page scrolls by itself; tabindex makes it reachable with the keyboard.
    return element("div", table, class_=look, tabindex=0, role="region", aria_label=block.caption)
