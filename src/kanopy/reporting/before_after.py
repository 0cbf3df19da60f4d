"""What became of every column: its role, what its values are, and a published cell of the largest group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kanopy._visible import shortened
from kanopy.auditing.text import TextColumn
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT, ReadCell, read_cell
from kanopy.frames.numbers import is_number
from kanopy.release import Release
from kanopy.reporting.group_facts import Example, ShownCell

_DECLARED = {"date": "dates", "time": "dates with a time of day", "number": "numbers", "category": "texts"}


@dataclass(frozen=True, slots=True)
class ColumnChange:
    """One column of the source; ``after`` is None where nothing of it is shown."""

    column: str
    role: str
    kind: str  # what its values are, as the policy declares or the published cells tell
    is_published: bool
    after: ShownCell


def column_changes(release: Release, examples: Sequence[Example]) -> tuple[ColumnChange, ...]:
    """Every column that the policy names, in the order of the roles; O(texts).

    PRIVACY: no cell of the source is shown, and what a column held is told by the manifest or by what is
    published of it (tests/unit/reporting/test_first_screen.py).
    """
    columns, roles = release.rows.table.columns, release.policy.roles
    after: Mapping[str, ShownCell] = {}
    if examples:
        after = dict(zip(columns, examples[0].cells, strict=True))
    return tuple(
        ColumnChange(
            name,
            role,
            _declared(release, name) or _kind(columns[name], role) if name in columns else "",
            name in columns or name in release.elsewhere,
            after.get(name),
        )
        for name, role in roles.items()
    )


def _declared(release: Release, name: str) -> str:
    """What the custodian said about the column; empty where nothing."""
    derived = release.manifest.get("derived", {}).get(name)
    if derived is not None:
        return f"derived from {shortened(derived['from'])}"
    return _DECLARED.get(release.manifest.get("columns", {}).get(name, {}).get("kind", ""), "")


def _kind(column: TextColumn, role: str) -> str:
    texts = set(column.words.to_pylist()) - {MISSING_TEXT}
    if role != "quasi_identifiers":
        return "numbers" if texts and all(map(is_number, texts)) else "texts"
    cells = [read_cell(text) for text in texts - {SUPPRESSED_TEXT}]
    if not cells:
        return "not shown"
    return "numbers" if all(map(_is_numeric, cells)) else "texts"


def _is_numeric(cell: ReadCell) -> bool:
    ends = (end for pair in cell.ranges for end in pair)
    return all(is_number(text) for text in (*cell.texts, *ends))
