"""The content of a report on a release as plain data; words and pictures are made from it.

PRIVACY: everything here is counted on the published rows, which anybody may count, or taken from the
manifest, which anybody may read. Nothing is taken from the record of the run, which is about the source; the
source only decides which values are too rare to be named
(tests/unit/reporting/test_small_counts.py, tests/sabotage/test_manifest_attack.py). The one exception is
``board``, which the public edition does not have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kanopy._visible import shortened
from kanopy.algorithms import find_method
from kanopy.privacy import PrivacyModel, promised_k
from kanopy.release import Release
from kanopy.release.floor import floor_of
from kanopy.release.telling import GroupSizes
from kanopy.reporting.before_after import ColumnChange, column_changes
from kanopy.reporting.board import BoardFacts
from kanopy.reporting.column_facts import KINDS, CellKinds, Values, cell_kinds, values
from kanopy.reporting.findings import ShownFinding, told_findings
from kanopy.reporting.group_facts import Certainty, Example, Stretch, certainty, examples, group_sizes
from kanopy.reporting.shown_risks import ShownRisks, shown_risks
from kanopy.reporting.tally import Count, Counting, Tally

EDITIONS = ("public", "board")
"""Who a report is for. That for the board has exact figures about the source, and is not for publication."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """The file that a report is about; ``date`` is that of its publication, as ISO 8601 writes it."""

    name: str
    sha256: str
    date: str


@dataclass(frozen=True, slots=True)
class Cost:
    """What the release lost, in whole percent; None where it would reveal rare rows or values."""

    detail_lost: float | None  # mean width of a published quasi-identifier cell, 0 exact to 1 suppressed
    suppressed: float | None
    look_alikes: Count  # mean number of rows with the same quasi-identifiers as a row, itself included


@dataclass(frozen=True, slots=True)
class ReleaseSummary:
    """The content of a report on a release."""

    kanopy: str
    edition: str
    file: WrittenFile | None  # None where the release is not written yet
    policy_digest: str
    colour: str  # of the verdict: green, yellow or red
    floor: int  # no count of people below it is shown, and no rarer value
    unit: str  # what k counts: rows or persons
    k: int | None  # of all quasi-identifiers together
    kept: bool
    promises: tuple[str, ...]
    not_promised: str
    rows_in: Count
    rows_out: Count
    dropped: Count
    groups: Count
    smallest_group: Count
    smallest_with_class: Count | None  # for an attacker who knows the class
    unique: Tally  # rows that equal no other row on all published columns
    sizes: tuple[Stretch, ...]
    columns: tuple[str, ...]
    roles: dict[str, tuple[str, ...]]  # the columns of each role
    examples: tuple[Example, ...]
    kinds: tuple[CellKinds, ...]
    values: tuple[Values, ...]
    certainties: tuple[Certainty, ...]
    cost: Cost
    method: str
    method_title: str
    paper: str
    options: dict[str, Any]
    truthful: bool
    synthetic: bool
    cut_short: bool
    drafted_columns: int  # whose groups of values nobody decided on
    suppressed_columns: int  # as a whole, as they have no hierarchy
    swapped: Count  # cells with another value than in the source
    findings: tuple[ShownFinding, ...]  # the worst first
    risks: ShownRisks
    changes: tuple[ColumnChange, ...]
    board: BoardFacts | None

    @classmethod
    def of(
        cls, release: Release, *, edition: str = "public", file: WrittenFile | None = None
    ) -> ReleaseSummary:
        """Count a release; O(rows * columns), plus sorts where values are many."""
        policy, table = release.policy, release.rows.table
        quasi = policy.quasi_identifiers
        counting = Counting(table.n_rows, floor_of(policy.promise, quasi), release.rows.persons)
        roles: dict[str, tuple[str, ...]] = {}
        for name, role in policy.roles.items():
            roles[role] = (*roles.get(role, ()), name)
        return cls(
            edition=edition,
            file=file,
            policy_digest=release.policy_digest,
            floor=counting.floor,
            k=promised_k(policy.promise, quasi),
            promises=tuple(_sentence(part, release, counting) for part in policy.promise.parts),
            columns=tuple(table.columns),
            roles=roles,
            findings=told_findings(release, counting.floor),
            # PRIVACY: what is exact is in one place, which the public edition leaves empty
            # (tests/unit/reporting/test_editions.py).
            board=BoardFacts.of(release) if edition == "board" else None,
            **_told(release, counting.floor),
            **_counted(release, counting),
        )


def _told(release: Release, floor: int) -> dict[str, Any]:
    """The fields that the manifest and the audit tell."""
    manifest, audit = release.manifest, release.audit
    rows, facts = manifest["rows"], manifest["facts"]
    method = release.method or find_method(manifest["method"])
    has_target = release.policy.target is not None
    return {
        "kanopy": manifest["kanopy"],
        "unit": audit.unit,
        "kept": audit.kept,
        # PRIVACY: what was found in the source alone does not colour the public edition
        # (tests/unit/reporting/test_findings.py).
        "colour": audit.public().colour,
        "not_promised": manifest["not_promised"],
        "rows_in": Count(None, "not shown") if rows["in"] is None else Count.of(rows["in"], floor),
        "dropped": _banded(rows["dropped"]),
        "groups": Count.of(audit.groups, floor),
        "smallest_group": _smallest(manifest["groups"], floor),
        "smallest_with_class": Count.of(audit.k_with_target or 0, floor) if has_target else None,
        "method": method.name,
        "method_title": method.title,
        "paper": method.paper,
        "options": dict(manifest["options"]),
        "truthful": manifest["truthful"],
        "synthetic": method.is_synthetic,
        "cut_short": bool(facts.get("cut_short")),
        "drafted_columns": facts.get("drafted_columns", 0),
        "suppressed_columns": facts.get("suppressed_columns", 0),
        "swapped": _banded(facts.get("swapped_cells", 0)),
    }


def _counted(release: Release, counting: Counting) -> dict[str, Any]:
    """The fields that are counted on the published rows."""
    policy, rows = release.policy, release.rows
    table, groups = rows.table, rows.grouped(policy.quasi_identifiers)
    bounded = [(name, policy.roles[name]) for name in (policy.target, *policy.sensitive) if name]
    generalized = release.generalized_texts
    kinds = [cell_kinds(table, counting, name, generalized(name)) for name in policy.quasi_identifiers]
    spreads = (values(table, counting, *column, release.frequent_values(column[0])) for column in bounded)
    look_alikes = float((np.bincount(groups[0]).astype(np.float64) ** 2).sum()) / max(counting.n_rows, 1)
    every, _ = rows.grouped(list(table.columns))
    told = [kind.rows[KINDS.index("suppressed")].share or 0.0 for kind in kinds if kind.rows is not None]
    suppressed = round(sum(told) / len(told), 2) if len(told) == len(kinds) else None
    gcp, rounded = release.manifest["losses"]["gcp"], Count.of(round(look_alikes), counting.floor)
    shown = examples(release, counting, groups)
    return {
        "rows_out": Count.of(table.n_rows, counting.floor),
        "unique": counting.tally((np.bincount(every) == 1)[every]),
        "sizes": group_sizes(counting, groups),
        "examples": shown,
        "changes": column_changes(release, shown),
        "risks": shown_risks(release.audit.risks, counting, groups),
        "kinds": tuple(kinds),
        "values": tuple(spreads),
        "certainties": tuple(certainty(table, counting, groups, *column) for column in bounded),
        "cost": Cost(gcp, suppressed, rounded),
    }


def _banded(told: int | str) -> Count:
    """A count of the manifest: a number, or a range in words."""
    return Count(None, told) if isinstance(told, str) else Count(told, f"{told:,}")


def _smallest(groups: GroupSizes, floor: int) -> Count:
    """PRIVACY: the number of persons in the smallest group does not follow from the published rows; where k
    counts persons, the promised k is shown instead (tests/unit/reporting/test_small_counts.py)."""
    if groups["smallest"] is None:
        return Count(None, "not shown")
    told = Count.of(groups["smallest"], floor)
    is_bound = groups["counted"] == "persons" and told.number is not None
    return Count(told.number, f"at least {told.words}") if is_bound else told


def _sentence(part: PrivacyModel, release: Release, counting: Counting) -> str:
    """The promise in words, without long names and without values that are rare in the release."""
    sentence = part.sentence(release.audit.unit)
    for name in {*part.columns, *(part.grouped_by or ())}:
        sentence = sentence.replace(repr(name), repr(shortened(name)))
    named = getattr(part, "value", None)
    for value in () if named is None else (named,) if isinstance(named, str) else named:
        column = release.rows.table.columns[part.columns[0]]
        code = column.words.index(value).as_py()
        is_frequent = code >= 0 and value in release.frequent_values(part.columns[0])
        is_shown = is_frequent and counting.members(column.codes == code) >= counting.floor
        shown = repr(shortened(value)) if is_shown else "(a rare value, not shown)"
        sentence = sentence.replace(repr(value), shown)
    return sentence
