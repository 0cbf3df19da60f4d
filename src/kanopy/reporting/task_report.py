"""The report on a task other than classification: one table, with its yardsticks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kanopy._version import __version__
from kanopy.reporting import blocks
from kanopy.reporting.blocks import Section

_TITLES = {
    "cluster": "Which clusters of the original the releases have",
    "rules": "Which association rules of the original the releases have",
}
_HINTS = (
    "At least k rows or persons share every combination of quasi-identifiers: a larger k protects more.",
    "Lost is the share of the detail of the quasi-identifiers that is gone, in percent.",
    "A release that is not above the line of suppressed quasi-identifiers is of no use for this task: what "
    "it has comes from the columns that were not changed.",
    "A release that is near the line of two halves differs from the original no more than a table of half of "
    "the people differs from that of the other half.",
)


@dataclass(frozen=True, slots=True)
class TaskSummary:
    """The content of the report."""

    kanopy: str
    found: dict[str, Any]  # as it may be told
    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    refused: tuple[str, ...]

    @classmethod
    def of(cls, evaluation: Any) -> TaskSummary:
        """Read what was found; O(scores)."""
        scores = evaluation.scores
        refused = [f"{score.release}: {score.refused}" for score in scores if score.refused is not None]
        lines = tuple(evaluation.lines())
        return cls(__version__, evaluation.told(), evaluation.header, lines, tuple(refused))


def task_document(summary: TaskSummary) -> blocks.Document:
    """The report on a task."""
    settings = summary.found["settings"].items()
    numeric = frozenset(range(1, len(summary.header)))
    content: list[blocks.Block] = [
        blocks.TableBlock("Releases, then yardsticks", summary.header, summary.lines, numeric)
    ]
    if summary.found["of_no_use"]:
        content += [
            blocks.Paragraph("No better than a table whose quasi-identifiers are all suppressed:"),
            blocks.BulletList(tuple(summary.found["of_no_use"]), mark="open"),
        ]
    if summary.refused:
        content += [
            blocks.Paragraph("Not every release could be made:"),
            blocks.BulletList(summary.refused, mark="open"),
        ]
    return blocks.Document(
        title=_TITLES[summary.found["task"]],
        tone="neutral",
        verdict="Measured on the original table",
        lead=summary.found["protocol"],
        figures=(
            (f"about {summary.found['n_rows']:,}", "rows"),
            *((f"{value:g}", name) for name, value in settings),
        ),
        sections=(
            Section("Found", tuple(content)),
            Section("How to read this", (blocks.BulletList(_HINTS),)),
        ),
        foot=(
            f"Made by kanopy {summary.kanopy}. No row, cluster, rule or value of the table is shown. This "
            "report needs no network and runs no script."
        ),
    )
