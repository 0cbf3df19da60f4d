"""How much groups would tell with other dials, and how well strangers are guessed: for the board alone."""

from __future__ import annotations

from typing import Any

from kanopy.reporting.blocks import Paragraph, Plane, Section, Spot, TableBlock

_TITLE = "Usefulness against what groups tell"


def frontier_sections(facts: dict[str, Any]) -> tuple[Section, ...]:
    """The section, where the method has tried several dials; O(what was tried)."""
    frontier = facts.get("frontier")
    if not isinstance(frontier, dict):
        return ()
    words = Paragraph(
        "Before the release, four fifths of the rows, or of a sample, were grouped with several dials, "
        "and the others were held back. Somebody who knows all quasi-identifiers of a row guesses its "
        "class from the cells. How often he is right for rows that were held back is what a learner can "
        "gain; how much more often for members is the excess, which only groups can have told."
    )
    return (Section("How much the groups tell", (words, _plane(frontier, facts))),)


def _plane(frontier: dict[str, Any], facts: dict[str, Any]) -> Plane:
    chosen = [facts["group_rows"], facts["spread"]]
    points = frontier["sketch"]
    of_spread = [point for point in points if point[0] == chosen[0]]
    of_size = [point for point in points if point[1] == chosen[1]]
    excess, right = frontier["mondrian"]
    lines = (
        (f"spread, groups of {chosen[0]:,} rows", tuple(_spot(f"{p[1]:g}", p, chosen) for p in of_spread)),
        (f"size of groups, spread {chosen[1]:g}", tuple(_spot(f"{p[0]:,} rows", p, chosen) for p in of_size)),
        ("mondrian", (Spot("mondrian", (excess,) * 3, (right,) * 3, True),)),
    )
    table = (*(_line(point, chosen) for point in points), ("mondrian", "", f"{excess:.1%}", f"{right:.1%}"))
    header = ("rows of a group", "spread", "excess", "held-back rows guessed")
    return Plane(
        _TITLE,
        "Better is up and to the left. The filled point was chosen; figures are means over divisions.",
        ("excess, in percent", "held-back rows whose class is guessed"),
        lines,
        (),
        TableBlock(_TITLE, header, table, frozenset({0, 1, 2, 3})),
    )


def _spot(label: str, point: list[float], chosen: list[float]) -> Spot:
    _, _, excess, right = point
    return Spot(label, (excess,) * 3, (right,) * 3, point[:2] != chosen)


def _line(point: list[float], chosen: list[float]) -> tuple[str, ...]:
    rows, spread, excess, right = point
    mark = ", chosen" if point[:2] == chosen else ""
    return f"{rows:,}", f"{spread:g}{mark}", f"{excess:.1%}", f"{right:.1%}"
