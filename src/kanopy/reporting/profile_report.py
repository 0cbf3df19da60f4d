"""The report on a profile: the figures of a table as it is, with what each of them means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kanopy._version import __version__
from kanopy.profiling import Profile, SensitiveFigures
from kanopy.reporting import blocks
from kanopy.reporting.blocks import Bars, BulletList, Name, Paragraph, Section, TableBlock, Text
from kanopy.reporting.tally import Tally, percent

PROFILE_BANNER = "Exact figures about a table of people. Not for publication."
_SHOWN_SUBSETS = 10  # of each size
_SHOWN_NAMES = 12
_HINTS = (
    "A group is all rows that agree on the quasi-identifiers, compared as text; missing is a value.",
    "k: the smallest group has so many members. l: every group has at least so many different values of a "
    "sensitive column. t: the largest distance of a group's values from those of the table, from 0 to 1.",
    "Prosecutor: an attacker who knows that a person is in the table. Journalist: one who finds any person. "
    "Marketer: one who wants as many as possible.",
    "No cell of the table is shown, only names of columns and figures.",
)


@dataclass(frozen=True, slots=True)
class ProfileSummary:
    """A profile, and the version of kanopy that measured it."""

    kanopy: str
    profile: Profile

    @classmethod
    def of(cls, profile: Profile) -> ProfileSummary:
        """The summary of a profile, which holds what may be shown to its owner."""
        return cls(__version__, profile)


def profile_document(summary: ProfileSummary) -> blocks.Document:
    """The report on a profile."""
    found = summary.profile
    return blocks.Document(
        title="What the table tells as it is",
        verdict=f"k = {found.k:,}: the smallest group has {counted(found.k, found.unit)}",
        lead=("These columns are what an attacker may know: ", *_listed(found.quasi_identifiers), "."),
        figures=(
            (f"{found.rows:,}", "rows"),
            *(() if found.persons is None else ((f"{found.persons:,}", "persons"),)),
            (f"{found.groups:,}", "groups"),
            (percent(found.unique_share), f"of the {found.unit} are alone in their group"),
        ),
        sections=tuple(
            filter(None, (_sizes(found), _inferred(found), _subsets(found), _risk(found), _reading()))
        ),
        foot=f"Made by kanopy {summary.kanopy}. {PROFILE_BANNER} It needs no network and runs no script.",
        tone="neutral",
        banner=PROFILE_BANNER,
    )


def counted(number: int, many: str) -> str:
    """A number of rows or persons, in words."""
    return f"1 {many.removesuffix('s')}" if number == 1 else f"{number:,} {many}"


def small_group_bars(found: Profile) -> Bars:
    """How many are alone, and in groups of fewer than 3, 5 and 10."""
    alone = ("alone in a group", Tally(found.unique, found.unique_share, f"{found.unique:,}"))
    few = (
        (f"in groups of fewer than {each.below}", Tally(each.members, each.share, f"{each.members:,}"))
        for each in found.small_groups
    )
    title = f"{found.unit.capitalize()} in small groups"
    described = f"Share of all {found.unit} that are alone in a group, or in a group of few."
    return Bars(title, described, ("group", found.unit), (alone, *few), frozenset({0}), is_of_whole=True)


def _listed(names: tuple[str, ...]) -> tuple[blocks.Piece, ...]:
    parts: list[blocks.Piece] = []
    for name in names[:_SHOWN_NAMES]:
        parts += [", ", Name(name)] if parts else [Name(name)]
    return (*parts, " and more") if len(names) > _SHOWN_NAMES else tuple(parts)


def _sizes(found: Profile) -> Section:
    finds = "Who knows these columns of a person that is alone in a group finds the row. "
    smallest = ", ".join(map(str, found.smallest_groups))
    intro = Paragraph(f"{finds if found.unique else ''}Sizes of the smallest groups: {smallest}.")
    return Section("Who stands out", (intro, small_group_bars(found)))


def _inferred(found: Profile) -> Section | None:
    if not found.sensitive:
        return None
    header = ("column", "different values", "l", "t", "what l says")
    rows = tuple(
        (Name(each.column), f"{each.values:,}", str(each.l), f"{each.t:.3g}", _meaning(each, found.unit))
        for each in found.sensitive
    )
    table = TableBlock("Sensitive columns", header, rows, frozenset({1, 2, 3}))
    return Section("What can be inferred", (table,))


def _meaning(each: SensitiveFigures, unit: str) -> Text:
    if each.l == 1:
        return f"all {unit} of some group have the same value, so it is known of each of them"
    return f"every group has at least {each.l} different values"


def _subsets(found: Profile) -> Section:
    """Of each number of columns the most telling subsets."""
    content: list[blocks.Block] = [Paragraph("What few of the columns tell; what tells most comes first.")]
    for size in range(1, found.largest_subset + 1):
        of_size = [each for each in found.subsets if len(each.columns) == size]
        rows = tuple(
            (
                _listed(each.columns),
                f"{each.groups:,}",
                f"{each.smallest:,}",
                f"{each.unique:,}",
                percent(each.unique_share),
            )
            for each in of_size[:_SHOWN_SUBSETS]
        )
        words = "1 column" if size == 1 else f"{size} columns"
        more = "" if len(rows) == len(of_size) else f", {len(rows)} of {len(of_size):,} subsets"
        header = ("columns", "groups", "smallest group", f"unique {found.unit}", "share")
        content.append(TableBlock(f"{words}{more}", header, rows, frozenset({1, 2, 3, 4})))
    return Section("What few columns tell", tuple(content))


def _risk(found: Profile) -> Section:
    notes: list[Any] = [Paragraph(note, is_remark=True) for note in found.notes]
    return Section("How likely people are found", (Paragraph(f"{found.risks.sentence}."), *notes))


def _reading() -> Section:
    return Section("How to read this", (BulletList(_HINTS),))
