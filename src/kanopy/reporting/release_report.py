"""The words of a report on a release, section by section."""

from __future__ import annotations

from collections.abc import Sequence

from kanopy.data.grammar import read_any_text
from kanopy.reporting import blocks
from kanopy.reporting.before_after import ColumnChange
from kanopy.reporting.blocks import Bars, Block, BulletList, Faint, Name, Paragraph, Section, TableBlock, Text
from kanopy.reporting.board import BANNER, board_section
from kanopy.reporting.column_facts import Unnamed, Values
from kanopy.reporting.first_screen import (
    SHOWN_FINDINGS,
    first_screen,
    note_list,
    shown_findings,
    tone_of,
    verdict_words,
)
from kanopy.reporting.frontier_section import frontier_sections
from kanopy.reporting.group_facts import Certainty, ShownCell
from kanopy.reporting.lattice_section import lattice_sections
from kanopy.reporting.summary import ReleaseSummary
from kanopy.reporting.tally import Tally, percent

_ROLES = {
    "quasi_identifiers": (
        "quasi-identifiers: an attacker may know them about a person",
        "generalized until enough rows have the same values",
    ),
    "target": ("class, to be predicted", "published unchanged"),
    "sensitive": ("sensitive", "published unchanged"),
    "keep": ("other columns", "published unchanged, as the policy says"),
    "identifiers": ("identifiers of people", "removed"),
    "person": ("identifies persons", "used for counting, then removed"),
}
_SHORT_ROLES = {
    "quasi_identifiers": "quasi-identifier",
    "target": "class",
    "sensitive": "sensitive",
    "keep": "other column",
    "identifiers": "identifier",
    "person": "identifies persons",
}
_KIND_WORDS = ("exact", "generalized", "suppressed", "missing in the source")  # in the order of ``KINDS``
_LONGEST_CELL = 28
# How many columns a list, a row, a picture and a section show at most: tables may have ten thousand.
_MOST_NAMES, _MOST_CELLS, _MOST_STACKS, _MOST_CONCLUSIONS = 40, 12, 60, 12


def release_document(summary: ReleaseSummary) -> blocks.Document:
    """The report on a release: the decision first, then the promise, the columns and the groups."""
    sections = (
        _promise,
        _changes,
        _not_promised,
        _examples,
        size_section,
        _conclusions,
        cell_section,
        _cost,
        _method,
    )
    board: tuple[Section, ...] = ()
    if summary.board is not None:
        board = (
            board_section(summary.board, summary.unit),
            *lattice_sections(summary.board.facts, summary.board.rows_in),
            *frontier_sections(summary.board.facts),
        )
    return blocks.Document(
        title="What this release promises, and what it costs",
        verdict=verdict_words(summary),
        lead=_lead(summary),
        figures=(),
        sections=(*board, *(section(summary) for section in sections)),
        foot=_foot(summary),
        tone=tone_of(summary),
        opening=first_screen(summary),
        banner="" if summary.board is None else BANNER,
    )


def _foot(summary: ReleaseSummary) -> str:
    made = f"Made by kanopy {summary.kanopy}."
    if summary.board is not None:
        return f"{made} {BANNER} This report needs no network and runs no script."
    return (
        f"{made} This report is counted on the published rows. It shows no count of {summary.unit} below "
        f"{summary.floor:,} and no value that is rarer. It needs no network and runs no script."
    )


def _lead(summary: ReleaseSummary) -> str:
    if summary.synthetic:
        return (
            "The rows of the published table are synthetic: made from a decision tree, not those of people."
        )
    if summary.k is None:
        return (
            "The published table keeps the promises below. No minimal group size is promised: a person may "
            "be the only one with a combination of quasi-identifiers."
        )
    return (
        f"An attacker who knows the quasi-identifiers of a person finds at least {summary.k:,} "
        f"{summary.unit} with the same values in the published table, and cannot tell them apart by these "
        "columns."
    )


def _promise(summary: ReleaseSummary) -> Section:
    recounted = Paragraph(
        "Each promise was recounted from the text of the published table, by code that is independent of the "
        "method that made the table."
    )
    header = ("columns", "role", "what is done with them")
    rows = tuple((_listed(names), *_ROLES[role]) for role, names in summary.roles.items())
    table = TableBlock("Roles of the columns", header, rows)
    return Section("The promise", (BulletList(summary.promises, mark="kept"), recounted, table))


def _listed(names: Sequence[str]) -> Text:
    parts: list[blocks.Piece] = []
    for name in names[:_MOST_NAMES]:
        parts += [", ", Name(name)] if parts else [Name(name)]
    return (*parts, Faint(" and more")) if len(names) > _MOST_NAMES else tuple(parts)


def _changes(summary: ReleaseSummary) -> Section:
    intro = Paragraph(
        "Every column, and a cell of the largest group as it is published. No value of the source is shown."
    )
    board = summary.board
    header = ("column", "role", "before", "after")
    rows = []
    for change in summary.changes[:_MOST_NAMES]:
        before: Text = change.kind if change.is_published else Faint("not shown")
        if board is not None and change.column in board.values:
            before = f"{change.kind}, {board.values[change.column]:,} different"
        rows.append((Name(change.column, _LONGEST_CELL), _SHORT_ROLES[change.role], before, _after(change)))
    table = TableBlock("Before and after", header, tuple(rows))
    return Section("Before and after", (intro, table, *_left_out(len(summary.changes), _MOST_NAMES)))


def _after(change: ColumnChange) -> Text:
    if not change.is_published:
        return "dropped"
    if change.role == "sensitive" or change.after is None:
        return Faint("published unchanged" if change.role != "quasi_identifiers" else "not shown")
    return _cell(change.after)


def _left_out(n_columns: int, most: int) -> list[Block]:
    return [Paragraph("Further columns are left out here.", is_remark=True)] if n_columns > most else []


def _not_promised(summary: ReleaseSummary) -> Section:
    items = (
        summary.not_promised,
        "It is not hidden whether a person is in the table.",
        "An attacker who has a second release about the same people may combine the two.",
        "An attacker who knows more than the quasi-identifiers may rule out rows of a group.",
        "This is not differential privacy.",
    )
    unique, share = "no row is unique", summary.unique.share
    if summary.unique.rows != 0:
        unique = (
            f"{summary.unique.words} rows{'' if share is None else f' ({percent(share)})'} are unique: an "
            "attacker who also knows the class and the other columns of a person may recognize the row"
        )
    unique = f"On all published columns together, {unique}."
    content: list[Block] = [BulletList(items, mark="open"), Paragraph(unique)]
    if summary.smallest_with_class is not None:
        words = summary.smallest_with_class.words
        content.append(Paragraph(f"Rows in the smallest group for an attacker who knows the class: {words}."))
    further = shown_findings(summary)[SHOWN_FINDINGS:]
    if further:
        content += [Paragraph("Further findings of the audit:"), note_list(further)]
    warnings: list[Text] = []
    if summary.synthetic:
        warnings.append("The rows are synthetic: made from a decision tree.")
    if summary.swapped.number != 0:
        warnings.append(
            f"Some values were swapped ({summary.swapped.words} cells): they are not those of the source, "
            "and columns that depend on them can reveal them."
        )
    if warnings:
        content += [Paragraph("Check before publishing:"), BulletList(tuple(warnings), mark="open")]
    return Section("What is not promised", tuple(content))


_SKETCHES = (
    " Sketches tell about all rows of a group: ~[23, 31] has the means of the smaller and of the larger half "
    "of their numbers, more means are those of more parts, and {a: 3, b: 2} says how many have each value."
)


def _has_sketches(summary: ReleaseSummary) -> bool:
    texts = (cell for example in summary.examples for cell in example.cells if isinstance(cell, str))
    return any(read_any_text(text).is_sketch for text in texts)


def _examples(summary: ReleaseSummary) -> Section:
    title = "What the rows look like"
    explained = Paragraph(
        "[20, 29] is a number from 20 to 29, {a, b} is one of these values, {, a} may also be missing, and * "
        "may be any value." + (_SKETCHES if _has_sketches(summary) else ""),
        is_remark=True,
    )
    if not summary.examples:
        few = f"No group has {summary.floor:,} {summary.unit} or more, so none is shown."
        return Section(title, (Paragraph(few), explained))
    intro = Paragraph(
        "The largest groups, as they are published. Every line stands for at least "
        f"{summary.floor:,} published {summary.unit}. Where the rows of a group differ too much, no value is "
        "shown. Sensitive columns are never shown here. A cell with a rare value is described instead."
    )
    sensitive = summary.roles.get("sensitive", ())
    places = [place for place, name in enumerate(summary.columns) if name not in sensitive]
    chosen = places[:_MOST_CELLS]
    header: tuple[Text, ...] = ("rows", *(Name(summary.columns[place], _LONGEST_CELL) for place in chosen))
    rows = tuple(
        (f"{example.rows:,}", *(_cell(example.cells[place]) for place in chosen))
        for example in summary.examples
    )
    table = TableBlock("The largest groups", header, rows, frozenset({0}))
    return Section(title, (intro, table, *_left_out(len(places), _MOST_CELLS), explained))


def _cell(cell: ShownCell) -> Name | Faint:
    if cell is None or isinstance(cell, Unnamed):
        return Faint("differs" if cell is None else cell.words)
    return Name(cell, _LONGEST_CELL) if cell else Faint("missing")


def size_section(summary: ReleaseSummary) -> Section:
    title = "Groups"
    if not summary.sizes:
        return Section(title, (Paragraph("The table is too small to show group sizes."),))
    intro = Paragraph(
        f"{summary.rows_out.words} rows form {summary.groups.words} groups (equivalence classes): rows with "
        "equal quasi-identifiers. The larger a group, the less its rows say about one person."
    )
    described = f"Share of the published rows by the number of {summary.unit} in their group."
    bars = tuple((stretch.label, stretch.rows) for stretch in summary.sizes)
    header = (f"{summary.unit} in the group", "rows")
    return Section(title, (intro, Bars("Rows by the size of their group", described, header, bars)))


def _conclusions(summary: ReleaseSummary) -> Section:
    title = "What can be inferred about people"
    if not summary.certainties:
        return Section(title, (Paragraph("No class and no sensitive column is published."),))
    intro = Paragraph(
        "If all rows of a group have the same value, an attacker knows the value of everybody in it without "
        "knowing which row belongs to whom. The same is nearly true where one value makes up nearly all of "
        "a group. So what matters is how mixed the groups are."
    )
    content: list[Block] = [intro]
    for certainty, spread in list(zip(summary.certainties, summary.values, strict=True))[:_MOST_CONCLUSIONS]:
        content += [*_conclusion(certainty), _spread(spread, summary)]
    return Section(title, (*content, *_left_out(len(summary.certainties), _MOST_CONCLUSIONS)))


def _conclusion(certainty: Certainty) -> list[Block]:
    inferred = (
        f" can be inferred with certainty in {_of_rows(certainty.certain)}. Guessing the most frequent value "
        f"of each group is right in {_of_rows(certainty.guessed)}; guessing that of the whole table, in "
        f"{_of_rows(certainty.guessed_blindly)}."
    )
    sentence = Paragraph((Name(certainty.column), inferred))
    if not certainty.stretches:
        return [sentence]
    title = "Rows by the share of the most frequent value in their group"
    words = "Share of the published rows. If there is a marked bar, its rows can be inferred with certainty."
    bars = tuple((stretch.label, stretch.rows) for stretch in certainty.stretches)
    marked = frozenset(place for place, (label, _) in enumerate(bars) if label.endswith("certain"))
    return [sentence, Bars(title, words, ("share in the group", "rows"), bars, marked)]


def _spread(spread: Values, summary: ReleaseSummary) -> Paragraph | Bars:
    if not spread.shown:
        few = f" occurs in {summary.floor:,} or more {summary.unit}, so none is shown."
        return Paragraph(("No value of ", Name(spread.column), few), is_remark=True)
    bars = [(_cell(value.text), value.rows) for value in spread.shown]
    if spread.others.rows != 0:
        bars.append((Faint("others, not shown"), spread.others))
    described = "Share of the published rows with each value."
    return Bars("Distribution of its values", described, ("value", "rows"), tuple(bars))


def _of_rows(tally: Tally) -> str:
    if tally.rows == 0:
        return "no row"
    return f"{tally.percent} of the rows" if tally.share is not None else f"{tally.words} rows"


def cell_section(summary: ReleaseSummary) -> Section:
    intro = Paragraph(
        "The cells of the quasi-identifiers by kind: exact, generalized (a range, a set, a node of a "
        "hierarchy, a mean), or suppressed."
    )
    described = "Share of the published rows whose cell is exact, generalized, suppressed or missing."
    shown = tuple((Name(kind.column, _LONGEST_CELL), kind.rows) for kind in summary.kinds[:_MOST_STACKS])
    stacks = blocks.Stacks("Cells of each column", described, _KIND_WORDS, shown)
    return Section("How the columns changed", (intro, stacks, *_left_out(len(summary.kinds), _MOST_STACKS)))


def _cost(summary: ReleaseSummary) -> Section:
    cost, dropped = summary.cost, summary.dropped
    items = ["No row was dropped."]
    if dropped.number != 0:
        items = [f"Rows that were dropped: {dropped.words}. The exact number is not shown."]
    if cost.detail_lost is None:
        items.append("The lost detail is not shown: it could only be measured against the source.")
    else:
        items.append(
            f"{cost.detail_lost:.0%} of the detail of the quasi-identifiers is lost (0% is the exact table, "
            "100% an empty one), measured against the published values."
        )
    if cost.suppressed is not None:
        items.append(f"{cost.suppressed:.0%} of these cells are suppressed.")
    items.append(
        f"On average, {cost.look_alikes.words} rows have the same quasi-identifiers as a published row, "
        "itself included."
    )
    if summary.cut_short:
        items.append(
            "The method was stopped early: the promise is kept, but more detail could have been kept."
        )
    if summary.drafted_columns:
        items.append(
            f"Columns without a hierarchy, whose groups of values were drafted: {summary.drafted_columns}."
        )
    if summary.suppressed_columns:
        items.append(
            f"Columns without a hierarchy that were suppressed as a whole: {summary.suppressed_columns}."
        )
    return Section("What it cost", (BulletList(tuple(items)),))


def _method(summary: ReleaseSummary) -> Section:
    method = f"{summary.method}: {summary.method_title}"
    rows: list[tuple[Text, ...]] = [("method", method), ("paper", summary.paper)]
    for name, value in summary.options.items():
        rows.append((f"option {name}", Name(str(value).lower() if isinstance(value, bool) else str(value))))
    rows += [("promise counted in", summary.unit), ("kanopy", summary.kanopy)]
    return Section("How it was made", (TableBlock("Method and options", ("what", "setting"), tuple(rows)),))
