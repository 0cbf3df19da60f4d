"""What an audit found, as a report shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kanopy._visible import shortened
from kanopy.release import Release
from kanopy.release.telling import tell_audit

_NUMBER = re.compile(r"(?<![\w.,'])(\d+(?:,\d{3})*)(\.\d+)?(%)?(?![\w'])")
_PERSONS = "bounds on columns count rows, not persons: a person with many rows weighs more"


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """Something that the reader should know, and what to do about it."""

    severity: str  # as an audit has them
    message: str
    column: str | None
    advice: str


def told_findings(release: Release, floor: int) -> tuple[ShownFinding, ...]:
    """What may be told to anyone, the worst first.

    PRIVACY: counted on the published rows, and without counts of people below the floor
    (tests/unit/reporting/test_findings.py).
    """
    policy, n_rows, k = release.policy, release.rows.table.n_rows, release.policy.k
    shown = [
        ShownFinding(
            each["severity"],
            _with_short_name(without_small_counts(each["message"], floor, n_rows, k), each["column"]),
            each["column"],
            _with_short_name(each["advice"], each["column"]),
        )
        for each in tell_audit(release.audit, policy)["findings"]
    ]
    if policy.person is not None and policy.promise.columns:
        shown.append(ShownFinding("note", _PERSONS, None, ""))
    return tuple(shown)


def exact_findings(release: Release) -> tuple[ShownFinding, ...]:
    """All that the audit has found, with its counts; for the custodian."""
    return tuple(
        ShownFinding(each.severity, each.message, each.column, each.advice) for each in release.audit.findings
    )


def without_small_counts(message: str, floor: int, n_rows: int, k: int | None = None) -> str:
    """The message with bounds for counts of 1 to just below the floor, and for shares that tell one.

    Texts in quotes are names of columns; a promised ``k`` is no count.

    >>> without_small_counts("column 'q2' differs in 2 of 300 rows: 0.7%", 5, 300)
    "column 'q2' differs in fewer than 5 of 300 rows: a small share"
    """

    def bounded(found: re.Match[str]) -> str:
        number = float(found[1].replace(",", "") + (found[2] or ""))
        if found[3]:
            rows = round(number / 100 * n_rows, 6)
            if 0 < rows < floor:
                return "a small share"
            return "nearly all" if 0 < n_rows - rows < floor else found[0]
        is_small = not found[2] and 0 < number < floor and number != k
        return f"fewer than {floor:,}" if is_small else found[0]

    parts = re.split(r"('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", message)
    return "".join(part if place % 2 else _NUMBER.sub(bounded, part) for place, part in enumerate(parts))


def _with_short_name(text: str, column: str | None) -> str:
    return text if column is None else text.replace(repr(column), repr(shortened(column)))
