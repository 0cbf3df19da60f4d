"""What a report tells about a release, section by section, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from kanopy.reporting.blocks import (
    Bars,
    Block,
    Document,
    Faint,
    Figures,
    Name,
    Paragraph,
    Points,
    Section,
    Stacks,
    Table,
    Text,
)
from kanopy.reporting.column_facts import KINDS, Values
from kanopy.reporting.look_alikes import Certainty
from kanopy.reporting.naming import Unnamed
from kanopy.reporting.summary import ReleaseSummary
from kanopy.reporting.tally import Tally

_ROLES = {
    "quasi_identifiers": (
        "quasi-identifiers: somebody may know them about a person",
        "generalized, until enough rows read alike",
    ),
    "target": ("the class, to be predicted", "published as it is"),
    "sensitive": ("sensitive", "published as they are"),
    "keep": ("others", "published as they are, knowingly"),
    "identifiers": ("they identify people", "removed"),
    "person": ("tells persons apart", "used for counting, then removed"),
}
_KIND_WORDS = ("exact", "generalized", "suppressed", "missing in the source")
_LONGEST_CELL = 28
_MISSING = Faint("missing")
_MOST_NAMES, _MOST_CELLS, _MOST_STACKS, _MOST_CONCLUSIONS = 40, 12, 60, 12
"""How many columns a list, a row, a picture and a section may have: a table may have ten thousand."""


def tell_release(summary: ReleaseSummary) -> Document:
    """The report on a release."""
    return Document(
        title="What this release promises, and what it costs",
        verdict="The promise is kept" if summary.kept else "The promise is broken",
        lead=_lead(summary),
        figures=_figures(summary),
        sections=(
            _promise(summary),
            _not_promised(summary),
            _examples(summary),
            _groups(summary),
            _conclusions(summary),
            _columns(summary),
            _cost(summary),
            _making(summary),
        ),
        foot=(
            f"Made by kanopy {summary.kanopy}. This report was counted on the published rows. It shows no "
            f"count of people below {summary.floor:,} and no value that is rarer; it needs no network and "
            "runs no script."
        ),
        tone="good" if summary.kept else "bad",
    )


def _lead(summary: ReleaseSummary) -> str:
    if summary.synthetic:
        return "The rows of the published table are made up from a decision tree; they are nobody's."
    if summary.k is None:
        return (
            "The published table keeps the promises below. No minimal group size is promised: somebody may "
            "stand alone in it."
        )
    return (
        "In the published table nobody stands alone: whoever knows the quasi-identifiers of a person finds "
        f"at least {summary.k:,} {summary.unit} that read exactly alike, and cannot tell which one it is."
    )


def _figures(summary: ReleaseSummary) -> Figures:
    items = [(summary.rows_out.words, "rows published")]
    if summary.k is not None:
        items.append((summary.smallest_group.words, f"{summary.unit} in the smallest group"))
    items.append((summary.groups.words, "groups of look-alikes"))
    if summary.cost.detail_lost is not None:
        items.append((f"{summary.cost.detail_lost:.0%}", "of the detail given up"))
    return Figures(tuple(items))


def _promise(summary: ReleaseSummary) -> Section:
    recounted = (
        "Each promise was recounted from the text of the published table, by a part of the program that does "
        "not know how the table was made."
    )
    table = Table(
        caption="Every column has a role",
        header=("columns", "what they are", "what is done with them"),
        rows=tuple((_listed(names), *_ROLES[role]) for role, names in summary.roles.items()),
    )
    return Section("The promise", (Points(summary.promises, mark="kept"), Paragraph(recounted), table))


def _listed(names: Sequence[str]) -> Text:
    parts: list[str | Name | Faint] = []
    for name in names[:_MOST_NAMES]:
        parts += [", ", Name(name)] if parts else [Name(name)]
    return (*parts, Faint(" and more")) if len(names) > _MOST_NAMES else tuple(parts)


def _left_out(n_columns: int, most: int) -> list[Block]:
    return [Paragraph("Further columns are left out here.", is_remark=True)] if n_columns > most else []


def _not_promised(summary: ReleaseSummary) -> Section:
    items: list[Text] = [
        summary.not_promised,
        "It is not hidden whether somebody is in the table at all.",
        "Whoever holds a second release about the same people may combine the two.",
        "Whoever knows more than the quasi-identifiers may rule out look-alikes.",
        "This is not differential privacy.",
    ]
    unique = "On all published columns together, no row is unlike all others."
    if summary.unique.rows != 0:
        unique = (
            f"On all published columns together, {summary.unique.sentence} are unlike any other row: whoever "
            "knows the class and the other columns of a person as well may recognize them."
        )
    blocks: list[Block] = [Points(tuple(items), mark="open"), Paragraph(unique)]
    if summary.smallest_with_class is not None:
        blocks.append(
            Paragraph(
                "Rows in the smallest group for somebody who knows the class as well: "
                f"{summary.smallest_with_class.words}."
            )
        )
    warnings: list[Text] = [(Name(name), f" {text}.") if name else text for name, text in summary.cautions]
    if summary.synthetic:
        warnings.append("The rows are synthetic: made up from a tree, and nobody's.")
    if summary.swapped.number != 0:
        warnings.append(
            f"Some values were swapped ({summary.swapped.words} cells): they are not those of the source, "
            "and columns that depend on them can give them away."
        )
    if warnings:
        blocks += [Paragraph("Look here before publishing:"), Points(tuple(warnings), mark="open")]
    return Section("What is not promised", tuple(blocks))


def _examples(summary: ReleaseSummary) -> Section:
    explained = Paragraph(
        "[20, 29] is a number from 20 to 29, {a, b} is one of the values, {, a} may also be missing, and * "
        "may be anything.",
        is_remark=True,
    )
    if not summary.examples:
        few = f"No group has {summary.floor:,} {summary.unit} or more, so none is shown."
        return Section("What the rows look like", (Paragraph(few), explained))
    intro = Paragraph(
        "These are the largest groups, as they are published. Every line is what at least "
        f"{summary.floor:,} published {summary.unit} read like; where the rows of a group differ too much, "
        "no value is shown, and sensitive columns are never shown beside the others. A cell that would name "
        "a rare value is described instead."
    )
    sensitive = frozenset(summary.roles.get("sensitive", ()))
    open_ = [place for place, name in enumerate(summary.columns) if name not in sensitive]
    places = open_[:_MOST_CELLS]
    rows = tuple(
        (f"{example.rows:,}", *(_cell(example.cells[place]) for place in places))
        for example in summary.examples
    )
    table = Table(
        caption="The largest groups of look-alikes",
        header=("rows", *(Name(summary.columns[place], _LONGEST_CELL) for place in places)),
        rows=rows,
        numeric=frozenset({0}),
    )
    return Section("What the rows look like", (intro, table, *_left_out(len(open_), _MOST_CELLS), explained))


def _cell(cell: str | Unnamed | None) -> Text:
    if cell is None:
        return Faint("differs")
    if isinstance(cell, Unnamed):
        return Faint(cell.words)
    return Name(cell, _LONGEST_CELL) if cell else _MISSING


def _groups(summary: ReleaseSummary) -> Section:
    if not summary.sizes:
        return Section("Groups of look-alikes", (Paragraph("The table is too small to be divided here."),))
    intro = Paragraph(
        f"{summary.rows_out.words} rows form {summary.groups.words} groups; rows of a group read alike in "
        "all quasi-identifiers. The larger the group, the less its rows say about one person."
    )
    bars = Bars(
        title="Rows by the size of their group",
        description=f"Share of the published rows whose group has so many {summary.unit}.",
        header=(f"{summary.unit} in the group", "rows"),
        bars=tuple((stretch.label, stretch.rows) for stretch in summary.sizes),
    )
    return Section("Groups of look-alikes", (intro, bars))


def _conclusions(summary: ReleaseSummary) -> Section:
    title = "What can be concluded about people"
    if not summary.certainties:
        return Section(title, (Paragraph("No class and no sensitive column is published."),))
    intro = Paragraph(
        "Nobody needs to know which row is whose if all rows of a group say the same. So what matters is "
        "how mixed the groups are: where the most frequent value makes up nearly all of a group, it is "
        "nearly certain for everybody in it."
    )
    blocks: list[Block] = [intro]
    for certainty, spread in list(zip(summary.certainties, summary.values, strict=True))[:_MOST_CONCLUSIONS]:
        blocks += _conclusion(certainty)
        blocks.append(_spread(spread, summary))
    blocks += _left_out(len(summary.certainties), _MOST_CONCLUSIONS)
    return Section(title, tuple(blocks))


def _conclusion(certainty: Certainty) -> list[Block]:
    name = Name(certainty.column)
    sure = Paragraph(
        (
            name,
            f" can be told for sure in {_of_rows(certainty.certain)}. Whoever guesses the most frequent "
            f"value of each group is right in {_of_rows(certainty.guessed)}; without the groups, in "
            f"{_of_rows(certainty.guessed_blindly)}.",
        )
    )
    if not certainty.stretches:
        return [sure]
    labels = [stretch.label for stretch in certainty.stretches]
    bars = Bars(
        title="Rows by how much of their group has its most frequent value",
        description="Share of the published rows; the last bar, where it is there, holds those who can be "
        "told for sure.",
        header=("of the group", "rows"),
        bars=tuple((stretch.label, stretch.rows) for stretch in certainty.stretches),
        marked=frozenset(place for place, label in enumerate(labels) if label.endswith("certain")),
    )
    return [sure, bars]


def _spread(spread: Values, summary: ReleaseSummary) -> Paragraph | Bars:
    if not spread.shown:
        return Paragraph(
            (
                "No value of ",
                Name(spread.column),
                f" is had by {summary.floor:,} {summary.unit}; none is shown.",
            ),
            is_remark=True,
        )
    bars: list[tuple[Text, Tally]] = [
        (Name(value.text, _LONGEST_CELL) if value.text else _MISSING, value.rows) for value in spread.shown
    ]
    if spread.others.rows != 0:
        bars.append((Faint("others, not shown"), spread.others))
    return Bars(
        title="How its values are spread",
        description="Share of the published rows that have each value.",
        header=("value", "rows"),
        bars=tuple(bars),
    )


def _of_rows(tally: Tally) -> str:
    if tally.rows == 0:
        return "no row"
    return f"{tally.percent} of the rows" if tally.share is not None else f"{tally.words} rows"


def _columns(summary: ReleaseSummary) -> Section:
    intro = Paragraph(
        "What became of the cells of the quasi-identifiers: exact, generalized (a range, a set, a "
        "wider term, a mean), or suppressed."
    )
    stacks = Stacks(
        title="Cells of each column",
        description="Share of the published rows whose cell is exact, generalized, suppressed or missing.",
        kinds=_KIND_WORDS,
        stacks=tuple((Name(kind.column, _LONGEST_CELL), kind.rows) for kind in summary.kinds[:_MOST_STACKS]),
    )
    assert len(_KIND_WORDS) == len(KINDS)
    return Section(
        "What happened to the columns", (intro, stacks, *_left_out(len(summary.kinds), _MOST_STACKS))
    )


def _cost(summary: ReleaseSummary) -> Section:
    cost, dropped = summary.cost, summary.dropped
    kept = "No row was dropped."
    if dropped.number != 0:
        kept = f"Rows that were dropped: {dropped.words}. How many exactly is not told."
    lost = "How much detail is gone is not told: only the source tells how wide the published cells are."
    if cost.detail_lost is not None:
        lost = (
            f"{cost.detail_lost:.0%} of the detail of the quasi-identifiers is gone (0% is the exact table, "
            "100% an empty one), measured against the values that are published."
        )
    items: list[Text] = [
        kept,
        lost,
        f"A published row reads like {cost.look_alikes.words} rows on average, itself among them.",
    ]
    if cost.suppressed is not None:
        items.insert(2, f"{cost.suppressed:.0%} of these cells are suppressed altogether.")
    if summary.cut_short:
        items.append("The work was cut short: the promise is kept, more could have been disclosed.")
    return Section("What it cost", (Points(tuple(items)),))


def _making(summary: ReleaseSummary) -> Section:
    rows: list[tuple[Text, ...]] = [
        ("method", (f"{summary.method}: {summary.method_title}",)),
        ("paper", summary.paper),
        *((f"option {name}", Name(_plain(value))) for name, value in summary.options.items()),
        ("promise counted in", summary.unit),
        ("kanopy", summary.kanopy),
    ]
    table = Table("Method and options", ("what", "setting"), tuple(rows))
    return Section("How it was made", (table,))


def _plain(option: object) -> str:
    return str(option).lower() if isinstance(option, bool) else str(option)
