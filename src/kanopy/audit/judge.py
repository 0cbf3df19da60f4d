"""The judge: recounts a table from its text. It knows promises and policies, and no method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.audit.profile import profile_column
from kanopy.audit.text import TextColumn, TextTable
from kanopy.audit.verdict import Audit, Finding, PromiseResult
from kanopy.data import GroupCounts, Histogram
from kanopy.data.counts import count_distinct
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT
from kanopy.data.keys import group_rows, pack
from kanopy.errors import InputError, PolicyError
from kanopy.frames.distinct import DistinctColumn
from kanopy.frames.domains import coded_column
from kanopy.policy import Policy
from kanopy.privacy import AlphaBound, Template

_AS_THEY_ARE = ("keep", "sensitive", "target")
"""Roles of columns that are published unchanged."""

READINGS = ("pessimistic", "optimistic")

Groups = tuple[NDArray[np.int32], int]


def judge(
    table: TextTable,
    policy: Policy,
    *,
    persons: NDArray[np.int32] | None = None,
    reading: str = "pessimistic",
) -> Audit:
    """Recount a table against a policy; O(rows * columns).

    Parameters
    ----------
    table : TextTable
    policy : Policy
    persons : array of int, optional
        The person behind each row, where the table itself no longer tells.
    reading : str
        ``"pessimistic"``: suppressed and missing cells are values that count like any other.
        ``"optimistic"``: rows whose quasi-identifiers are all suppressed are exempt, as some tools count.
    """
    if reading not in READINGS:
        raise PolicyError(f"no reading is called {reading!r}", f"readings: {', '.join(READINGS)}")
    policy.check_columns(table.columns, released=True)
    if not table.n_rows:
        raise InputError("the table has no rows")
    if persons is None and policy.person is not None and policy.person in table.columns:
        persons = table.columns[policy.person].codes
    judged = table
    if reading == "optimistic":
        is_judged = ~_is_suppressed(table, policy)
        judged = _with_rows(table, is_judged)
        persons = None if persons is None else persons[is_judged]

    groups = _grouped(judged, policy.quasi_identifiers)
    counts = _counts(judged, policy, groups, persons)
    promises = tuple(_recount(judged, policy, counts, persons))
    findings = [*_broken(table, policy, promises), *_person_findings(table, policy, persons)]
    findings += [*_idle_bounds(table, policy), *_profiles(table, policy), *_unbounded(policy)]
    return Audit(
        kept=not any(finding.severity == "broken" for finding in findings),
        k=int(counts.members.min(initial=judged.n_rows)),
        groups=counts.n_groups,
        rows=table.n_rows,
        unit="rows" if persons is None else "persons",
        promises=promises,
        findings=tuple(findings),
        smallest_groups=tuple(np.sort(counts.members)[:10].tolist()),
        k_with_target=_k_with_target(judged, policy, groups),
        unique_rows=_unique_share(table, policy, groups if judged is table else None),
        certain=_certainty(judged, policy, groups),
    )


def recount(table: TextTable, policy: Policy, *, persons: NDArray[np.int32] | None = None) -> list[Finding]:
    """What breaks the promise, and nothing else about the table; empty where it is kept."""
    policy.check_columns(table.columns, released=True)
    counts = _counts(table, policy, _grouped(table, policy.quasi_identifiers), persons)
    return list(_broken(table, policy, _recount(table, policy, counts, persons)))


def _is_suppressed(table: TextTable, policy: Policy) -> NDArray[np.bool_]:
    suppressed = np.ones(table.n_rows, dtype=bool)
    for name in policy.quasi_identifiers:
        column = table.columns[name]
        suppressed &= column.codes == pc.index(column.words, SUPPRESSED_TEXT).as_py()
    return suppressed


def _with_rows(table: TextTable, is_chosen: NDArray[np.bool_]) -> TextTable:
    columns = {
        name: TextColumn(column.words, column.codes[is_chosen]) for name, column in table.columns.items()
    }
    return TextTable(columns, int(is_chosen.sum()))


def _grouped(table: TextTable, names: Sequence[str]) -> Groups:
    columns = [table.columns[name] for name in names]
    return group_rows([c.codes for c in columns], [len(c.words) for c in columns], table.n_rows)


def _counts(
    table: TextTable, policy: Policy, groups: Groups, persons: NDArray[np.int32] | None
) -> GroupCounts:
    histograms = {}
    for name in policy.promise.columns:
        column = coded_column(_as_distinct(name, table.columns[name], policy), policy)
        histograms[name] = Histogram.of(column, *groups)
    n_persons = None if persons is None else count_distinct(persons, *groups)
    return GroupCounts(np.bincount(groups[0], minlength=groups[1]), n_persons, histograms)


def _as_distinct(name: str, column: TextColumn, policy: Policy) -> DistinctColumn:
    """Missing apart from the texts, as promises want it; nothing else about the texts changes."""
    is_missing = pc.is_in(column.words, value_set=pa.array([MISSING_TEXT, *policy.missing], pa.string()))
    is_missing = is_missing.to_numpy(zero_copy_only=False)
    words = column.words.filter(pa.array(~is_missing))
    place = np.where(is_missing, len(words), np.cumsum(~is_missing) - 1).astype(np.int32)
    return DistinctColumn(name, words, words, place[column.codes])


def _recount(
    table: TextTable, policy: Policy, counts: GroupCounts, persons: NDArray[np.int32] | None
) -> Iterator[PromiseResult]:
    unit = "rows" if persons is None else "persons"
    for part in policy.promise.parts:
        seen = counts
        if isinstance(part, Template):
            # A template speaks about its own columns: rows that agree on those are one group.
            seen = _counts(table, policy, _grouped(table, part.given), persons)
        holds = part.holds(seen)
        yield PromiseResult(
            promise=part.sentence(unit),
            kept=bool(holds.all()),
            level=part.level(seen) if seen.n_groups else float("nan"),
            groups_broken=int((~holds).sum()),
        )


def _broken(table: TextTable, policy: Policy, promises: Iterable[PromiseResult]) -> Iterator[Finding]:
    for result in promises:
        if not result.kept:
            yield Finding(
                "broken",
                f"{_counted_groups(result.groups_broken)} the promise: {result.promise} "
                f"The worst group reaches {result.level:.6g}.",
            )
    for name in policy.identifiers:
        if name in table.columns:
            yield Finding("broken", f"column {name!r} is an identifier and must not be published", name)


def _counted_groups(number: int) -> str:
    return "1 group breaks" if number == 1 else f"{number:,} groups break"


def _person_findings(
    table: TextTable, policy: Policy, persons: NDArray[np.int32] | None
) -> Iterator[Finding]:
    if policy.person is None:
        return
    if persons is None:
        yield Finding(
            "warning",
            f"the person column {policy.person!r} is not in the table, so rows were counted, not persons",
            policy.person,
        )
    elif policy.person in table.columns:
        yield Finding("warning", f"column {policy.person!r} tells persons apart; drop it", policy.person)


def _idle_bounds(table: TextTable, policy: Policy) -> Iterator[Finding]:
    """Bounds that say less than they seem to."""
    for part in policy.promise.parts:
        if not isinstance(part, AlphaBound | Template) or part.value is None:
            continue
        if pc.index(table.columns[part.column].words, part.value).as_py() < 0:
            yield Finding(
                "warning",
                f"a promise bounds a value of column {part.column!r} that does not occur there: any table "
                "keeps it; check its spelling",
                part.column,
            )
    if policy.person is not None and policy.promise.columns:
        yield Finding(
            "warning",
            "bounds on columns count rows, not persons: a person with many rows weighs more",
        )


def _profiles(table: TextTable, policy: Policy) -> Iterator[Finding]:
    for name in table.columns:
        if policy.roles[name] not in _AS_THEY_ARE:
            continue
        profile = profile_column(name, table)
        if profile.looks_like:
            yield Finding(
                "warning",
                f"column {name!r} is published as it is and looks like {_with_article(profile.looks_like)}: "
                f"{profile.n_values:,} values in {profile.n_rows:,} rows",
                name,
            )


def _with_article(noun: str) -> str:
    return {"identifier": "an identifier", "email": "e-mail addresses", "date": "a date"}.get(noun, noun)


def _unbounded(policy: Policy) -> Iterator[Finding]:
    for name in policy.sensitive:
        if name not in policy.promise.columns:
            yield Finding(
                "note", f"column {name!r} is sensitive, but no bound on what can be inferred is set", name
            )


def _k_with_target(table: TextTable, policy: Policy, groups: Groups) -> int | None:
    if policy.target is None or not table.n_rows:
        return None
    target = table.columns[policy.target]
    cells, n_cells = group_rows([groups[0], target.codes], [groups[1], len(target.words)], table.n_rows)
    return int(np.bincount(cells, minlength=n_cells).min())


def _unique_share(table: TextTable, policy: Policy, known: Groups | None) -> float:
    """Rows that no other row equals on all published columns; a sort of one key per row."""
    groups, n_groups = known or _grouped(table, policy.quasi_identifiers)
    others = [column for name, column in table.columns.items() if policy.roles[name] in _AS_THEY_ARE]
    codes, sizes = [column.codes for column in others], [len(column.words) for column in others]
    keys = np.sort(pack([groups, *codes], [n_groups, *sizes], table.n_rows)[0])
    differs = np.ones(table.n_rows + 1, dtype=bool)
    differs[1:-1] = keys[1:] != keys[:-1]
    return float((differs[1:] & differs[:-1]).mean())


def _certainty(table: TextTable, policy: Policy, groups: Groups) -> dict[str, float]:
    shares = {}
    for name in [policy.target, *policy.sensitive]:
        if name is not None and table.n_rows:
            column = table.columns[name]
            n_values = count_distinct(column.codes, *groups)
            shares[name] = float((n_values[groups[0]] == 1).mean())
    return shares
