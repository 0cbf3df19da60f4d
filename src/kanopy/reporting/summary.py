"""All that a report says about a release, as plain data; words and pictures are made from it.

PRIVACY: everything here is counted on the published rows, which anybody may count, or taken from the
manifest, which is what may be told to anyone. Nothing is taken from the record of the run, which speaks about
the source; the source is asked only which values are too rare to be named
(tests/unit/reporting/test_small_counts.py, tests/sabotage/test_manifest_attack.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kanopy.algorithms import find_method
from kanopy.auditing.profile import profile_column
from kanopy.policy import Policy
from kanopy.privacy import PrivacyModel, promised_k
from kanopy.release import Release
from kanopy.reporting.column_facts import KINDS, CellKinds, Values, cell_kinds, values
from kanopy.reporting.look_alikes import Certainty, Example, Stretch, certainty, examples, group_sizes
from kanopy.reporting.tally import Count, Counting, Tally, floor_of
from kanopy.reporting.wording import shortened

NOT_SHOWN = "(a rare value, not shown)"


@dataclass(frozen=True, slots=True)
class Cost:
    """What the release cost its reader.

    Parameters
    ----------
    detail_lost : float or None
        Mean width of a published quasi-identifier cell, 0 exact to 1 suppressed, in whole percent, as a share
        of what is published; None where only the source would tell.
    suppressed : float or None
        Share of their cells that are suppressed, in whole percent; None where few rows would show in it.
    look_alikes : Count
        Rows that read like a published row, itself among them, on average.
    """

    detail_lost: float | None
    suppressed: float | None
    look_alikes: Count


@dataclass(frozen=True, slots=True)
class ReleaseSummary:
    """What a report says about a release.

    Parameters
    ----------
    kanopy : str
        The version.
    floor : int
        No smaller count of people is told, no rarer value shown.
    unit : str
        What k counts: rows or persons.
    k : int or None
        Promised for all quasi-identifiers together.
    kept : bool
    promises : tuple of str
    not_promised : str
    rows_in, rows_out, dropped : Count
    groups, smallest_group, smallest_with_class : Count
        The last one with the class known as well; None where there is no class.
    unique : Tally
        Rows that no other row equals on all published columns.
    sizes : tuple of Stretch
    columns : tuple of str
        The published ones, in order.
    roles : dict of str to tuple of str
        Role to columns.
    examples : tuple of Example
    kinds : tuple of CellKinds
    values : tuple of Values
    certainties : tuple of Certainty
    cost : Cost
    method, method_title, paper : str
    options : dict
    truthful, synthetic, cut_short : bool
    swapped : Count
        Cells whose value is not that of the source.
    cautions : tuple of (str, str)
        A column, or the empty text, and what to know about it.
    """

    kanopy: str
    floor: int
    unit: str
    k: int | None
    kept: bool
    promises: tuple[str, ...]
    not_promised: str
    rows_in: Count
    rows_out: Count
    dropped: Count
    groups: Count
    smallest_group: Count
    smallest_with_class: Count | None
    unique: Tally
    sizes: tuple[Stretch, ...]
    columns: tuple[str, ...]
    roles: dict[str, tuple[str, ...]]
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
    swapped: Count
    cautions: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, release: Release) -> ReleaseSummary:
        """Count a release; O(rows * columns), plus sorts where values are many."""
        policy, manifest, rows = release.policy, release.manifest, release.rows
        table, every = rows.table, policy.quasi_identifiers
        floor = floor_of(policy.promise, every)
        counting = Counting(table.n_rows, floor, rows.persons)
        groups = rows.grouped(every)
        bounded = [(name, policy.roles[name]) for name in (policy.target, *policy.sensitive) if name]
        kinds = tuple(cell_kinds(table, counting, name, release.generalized_texts(name)) for name in every)
        method = release.method or find_method(manifest["method"])
        rows_in, dropped = _rows_in(manifest["rows"], floor)
        audit, facts = release.audit, manifest["facts"]
        return cls(
            kanopy=manifest["kanopy"],
            floor=floor,
            unit=audit.unit,
            k=promised_k(policy.promise, every),
            kept=audit.kept,
            promises=tuple(_sentence(part, release, counting) for part in policy.promise.parts),
            not_promised=manifest["not_promised"],
            rows_in=rows_in,
            rows_out=Count.of(table.n_rows, floor),
            dropped=dropped,
            groups=Count.of(audit.groups, floor),
            smallest_group=_smallest(manifest["groups"], floor),
            smallest_with_class=None if policy.target is None else Count.of(audit.k_with_target or 0, floor),
            unique=counting.tally(_is_unique(rows.grouped(list(table.columns)))),
            sizes=group_sizes(counting, groups),
            columns=tuple(table.columns),
            roles=_roles(policy),
            examples=examples(release, counting, groups),
            kinds=kinds,
            values=tuple(
                values(table, counting, *column, release.frequent_values(column[0])) for column in bounded
            ),
            certainties=tuple(certainty(table, counting, groups, *column) for column in bounded),
            cost=_cost(manifest, groups, kinds, counting),
            method=method.name,
            method_title=method.title,
            paper=method.paper,
            options=dict(manifest["options"]),
            truthful=manifest["truthful"],
            synthetic=method.is_synthetic,
            cut_short=bool(facts.get("cut_short")),
            swapped=_banded(facts.get("swapped_cells", 0)),
            cautions=tuple(_cautions(release)),
        )


def _rows_in(rows: Mapping[str, Any], floor: int) -> tuple[Count, Count]:
    """Rows that came in and rows that were dropped, as far as the manifest tells them."""
    rows_in = Count(None, "not told") if rows["in"] is None else Count.of(rows["in"], floor)
    return rows_in, _banded(rows["dropped"])


def _banded(told: int | str) -> Count:
    """None at all, or a band in words."""
    return Count(None, told) if isinstance(told, str) else Count(told, f"{told:,}")


def _smallest(groups: Mapping[str, Any], floor: int) -> Count:
    """PRIVACY: how many persons the smallest group has does not follow from the published rows; where k
    counts persons the promise is told instead (tests/unit/reporting/test_small_counts.py)."""
    if groups["smallest"] is None:
        return Count(None, "not told")
    told = Count.of(groups["smallest"], floor)
    is_bound = groups["counted"] == "persons" and told.number is not None
    return Count(told.number, f"at least {told.words}") if is_bound else told


def _sentence(part: PrivacyModel, release: Release, counting: Counting) -> str:
    """The promise in words, without long names and without a value that is rare in the release."""
    sentence = part.sentence(release.audit.unit)
    for name in {*part.columns, *(part.grouped_by or ())}:
        sentence = sentence.replace(repr(name), repr(shortened(name)))
    value = getattr(part, "value", None)
    if value is not None:
        column = release.rows.table.columns[part.columns[0]]
        code = column.words.index(value).as_py()
        is_frequent = value in release.frequent_values(part.columns[0])
        if code < 0 or not is_frequent or counting.members(column.codes == code) < counting.floor:
            return sentence.replace(repr(value), NOT_SHOWN)
        sentence = sentence.replace(repr(value), repr(shortened(value)))
    return sentence


def _is_unique(groups: tuple[np.ndarray[Any, Any], int]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    is_unique: np.ndarray[Any, np.dtype[np.bool_]] = (np.bincount(groups[0], minlength=groups[1]) == 1)[
        groups[0]
    ]
    return is_unique


def _roles(policy: Policy) -> dict[str, tuple[str, ...]]:
    roles: dict[str, tuple[str, ...]] = {}
    for name, role in policy.roles.items():
        roles[role] = (*roles.get(role, ()), name)
    return roles


def _cost(
    manifest: Mapping[str, Any],
    groups: tuple[np.ndarray[Any, Any], int],
    kinds: tuple[CellKinds, ...],
    counting: Counting,
) -> Cost:
    sizes = np.bincount(groups[0], minlength=groups[1])
    alike = float((sizes.astype(np.float64) ** 2).sum()) / max(counting.n_rows, 1)
    return Cost(
        detail_lost=manifest["losses"]["gcp"],
        suppressed=_suppressed(kinds),
        look_alikes=Count.of(round(alike), counting.floor),
    )


def _suppressed(kinds: tuple[CellKinds, ...]) -> float | None:
    shares = [None if kind.rows is None else kind.rows[KINDS.index("suppressed")].share for kind in kinds]
    told = [share for share in shares if share is not None]
    return round(sum(told) / len(told), 2) if len(told) == len(shares) else None


def _cautions(release: Release) -> list[tuple[str, str]]:
    """What the judge warns of, without its counts."""
    policy, table = release.policy, release.rows.table
    told = []
    about = {name for part in policy.promise.parts for name in part.grouped_by or policy.quasi_identifiers}
    told += [(name, "is a quasi-identifier that no promise is about") for name in policy.quasi_identifiers
             if name not in about]  # fmt: skip
    for name in (policy.target, *policy.sensitive, *policy.keep):
        looks_like = profile_column(name, table).looks_like if name else ""
        if name and looks_like:
            told.append((name, f"is published as it is, and looks like {_LOOKS[looks_like]}"))
    told += [(name, "is sensitive, but nothing bounds what can be concluded about it")
             for name in policy.sensitive if name not in policy.promise.columns]  # fmt: skip
    if policy.person is not None and policy.promise.columns:
        told.append(("", "Bounds on columns count rows, not persons: a person with many rows weighs more."))
    return told


_LOOKS = {
    "identifier": "an identifier", "email": "e-mail addresses", "date": "a date", "free text": "free text",
}  # fmt: skip

__all__ = ["KINDS", "NOT_SHOWN", "Cost", "ReleaseSummary"]
