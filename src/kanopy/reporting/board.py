"""The edition for the board: exact figures, also about the source, which are not for publication."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from kanopy.release import Release
from kanopy.reporting import blocks
from kanopy.reporting.blocks import BulletList, Digest, FactList, Name, Paragraph, Section, TableBlock, Text
from kanopy.reporting.findings import ShownFinding, exact_findings

BANNER = "For the board: not for publication. Exact figures about the source can give hidden values back."
_LARGEST_SHARE = "so much of the rows of a group is one person's, where it is most"
_LOSSES = {
    "gcp": "detail of the quasi-identifiers lost, against the values of the source",
    "missing_cell_ratio": "cells suppressed, dropped rows included",
}


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What the private record of a run tells beyond the manifest; never a cell value."""

    colour: str  # with the findings that are for the custodian alone
    rows_in: int
    dropped: int
    smallest_group: int
    source: str | None  # the SHA-256 of the file that the table was read from
    findings: tuple[ShownFinding, ...]
    notices: tuple[str, ...]
    facts: dict[str, Any]
    losses: dict[str, float]
    risks: dict[str, Any]
    unique_rows: float
    certain: dict[str, float]
    values: dict[str, int]  # different values of each published column in the source

    @classmethod
    def of(cls, release: Release) -> BoardFacts:
        """Take them from the record; O(columns)."""
        record, audit = release.record, release.audit
        return cls(
            colour=audit.colour,
            rows_in=record["rows"]["in"],
            dropped=record["rows"]["dropped"],
            smallest_group=audit.k,
            source=record["source"]["sha256"],
            findings=exact_findings(release),
            notices=tuple(record["notices"]),
            facts=dict(record["facts"]),
            losses={name: float(value) for name, value in record["losses"].items()},
            risks=asdict(audit.risks),
            unique_rows=audit.unique_rows,
            certain=dict(audit.certain),
            values=dict(record["values"]),
        )


def board_section(facts: BoardFacts, unit: str) -> Section:
    """The exact figures in words."""
    source: Text = "not a file" if facts.source is None else Digest(facts.source)
    items: list[tuple[str, Text]] = [
        ("SHA-256 of the source", source),
        ("rows in", f"{facts.rows_in:,}"),
        ("rows dropped", f"{facts.dropped:,}"),
        (f"{unit} in the smallest group", f"{facts.smallest_group:,}"),
        ("unique on all published columns", f"{facts.unique_rows:.2%} of the rows"),
    ]
    if unit == "persons":
        items += [
            ("highest risk of being found", f"{facts.risks['prosecutor_highest']:.1%}: {_LARGEST_SHARE}"),
            ("the same on average over persons", f"{facts.risks['prosecutor_average']:.1%}"),
        ]
    items += [(what, f"{facts.losses[name]:.2%}") for name, what in _LOSSES.items() if name in facts.losses]
    items += [
        (name.replace("_", " "), _worded(value))
        for name, value in facts.facts.items()
        if not isinstance(value, dict | list)  # drawn in a section of its own
    ]
    certain = tuple((Name(name), f"{share:.2%}") for name, share in facts.certain.items())
    content: list[blocks.Block] = [
        Paragraph("These figures are exact and partly counted on the source. They stay with the custodian."),
        FactList(tuple(items)),
    ]
    if certain:
        header = ("column", "rows whose group has a single value")
        content.append(TableBlock("What can be inferred with certainty", header, certain, frozenset({1})))
    if facts.notices:
        content += [Paragraph("Notices of the run:"), BulletList(facts.notices, mark="open")]
    return Section("Exact figures, for the board alone", tuple(content))


def _worded(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else str(value)
