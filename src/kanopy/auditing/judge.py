"""The judge: recounts a table from its text. It knows promises and policies, and no method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.auditing.asked import Asked, asked_of
from kanopy.auditing.counted import Members
from kanopy.auditing.decide import Confidential, decide
from kanopy.auditing.groups import Groups, Rows, texts_in
from kanopy.auditing.profile import profile_column
from kanopy.auditing.text import TextTable
from kanopy.auditing.verdict import Audit, Finding, PromiseResult
from kanopy.data.keys import pack
from kanopy.errors import InputError, PolicyError
from kanopy.policy import Policy

_AS_THEY_ARE = ("keep", "sensitive", "target")
"""Roles of columns that are published unchanged."""

READINGS = ("pessimistic", "optimistic")


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
        ``"optimistic"``: rows whose quasi-identifiers, of those that a promise is about, are all suppressed
        are exempt from it, as some tools count.
    """
    if reading not in READINGS:
        raise PolicyError(f"no reading is called {reading!r}", f"readings: {', '.join(READINGS)}")
    policy.check_columns(table.columns, released=True)
    if not table.n_rows:
        raise InputError("the table has no rows")
    if persons is None and policy.person is not None and policy.person in table.columns:
        persons = table.columns[policy.person].codes
    every = policy.quasi_identifiers
    rows, exempts = Rows(table, persons), reading == "optimistic"
    judged = rows.that_tell(every) if exempts else rows
    groups = judged.grouped(every)
    members = judged.members(groups)
    asked = asked_of(policy, rows.unit)
    promises = tuple(_results(rows, policy, asked, members, exempts=exempts))
    findings = [*_broken(table, policy, promises), *_person_findings(table, policy, persons)]
    findings += [*_idle_bounds(table, asked), *_profiles(table, policy), *_unbounded(policy)]
    findings += _without_k(policy, asked, members, rows.unit)
    return Audit(
        kept=not any(finding.severity == "broken" for finding in findings),
        k=int(members.number.min(initial=judged.table.n_rows)),
        groups=len(members.number),
        rows=table.n_rows,
        unit=rows.unit,
        promises=promises,
        findings=tuple(findings),
        smallest_groups=tuple(np.sort(members.number)[:10].tolist()),
        k_with_target=_k_with_target(judged.table, policy, groups),
        unique_rows=_unique_share(table, policy, rows.grouped(every) if exempts else groups),
        certain=_certainty(judged.table, policy, groups),
    )


def recount(table: TextTable, policy: Policy, *, persons: NDArray[np.int32] | None = None) -> list[Finding]:
    """What breaks the promise, and nothing else about the table; empty where it is kept."""
    policy.check_columns(table.columns, released=True)
    rows = Rows(table, persons)
    members = rows.members(rows.grouped(policy.quasi_identifiers))
    asked = asked_of(policy, rows.unit)
    return list(_broken(table, policy, _results(rows, policy, asked, members, exempts=False)))


def _results(
    rows: Rows, policy: Policy, asked: Iterable[Asked], members: Members, *, exempts: bool
) -> Iterator[PromiseResult]:
    """Every promise, recounted on the groups that it speaks about; O(rows * columns) per set of columns.

    ``members`` are those of the groups over all quasi-identifiers, which most promises are about.
    """
    counted = {tuple(policy.quasi_identifiers): members}
    telling: dict[tuple[str, ...], Rows] = {}
    columns: dict[tuple[tuple[str, ...], str], Confidential] = {}
    for promise in asked:
        # PRIVACY: rows that agree on the columns a promise is about are one group of it, whatever stands in
        # the others (tests/unit/auditing/test_judge.py).
        given = promise.given
        if given not in telling:
            telling[given] = rows.that_tell(given) if exempts else rows
        among = telling[given]
        if given not in counted:
            counted[given] = among.members(among.grouped(given))
        column = None
        if promise.column is not None:
            key = (given, promise.column)
            if key not in columns:
                columns[key] = among.confidential(counted[given], promise.column, policy)
            column = columns[key]
        # PRIVACY: by the judge's own counts and comparisons, not by those that methods decide with
        # (tests/sabotage/test_weak_promises.py).
        decision = decide(promise.kind, promise.bounds, counted[given].number, column)
        yield PromiseResult(
            promise=promise.sentence,
            kept=bool(decision.holds.all()),
            level=decision.level,
            groups_broken=int((~decision.holds).sum()),
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


def _idle_bounds(table: TextTable, asked: Iterable[Asked]) -> Iterator[Finding]:
    """Bounds that say less than they seem to."""
    for promise in asked:
        if promise.column is None or promise.value is None:
            continue
        if pc.index(table.columns[promise.column].words, promise.value).as_py() < 0:
            yield Finding(
                "warning",
                f"a promise bounds a value of column {promise.column!r} that does not occur there: any table "
                "keeps it; check its spelling",
                promise.column,
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


def _without_k(policy: Policy, asked: Iterable[Asked], members: Members, unit: str) -> Iterator[Finding]:
    """Nobody should take for k-anonymous what was never promised to be."""
    asked = list(asked)
    sizes = [promise.given for promise in asked if promise.column is None]
    if len(members.number) and not any(set(given) >= set(policy.quasi_identifiers) for given in sizes):
        yield Finding(
            "note",
            f"no k is promised for all quasi-identifiers together; {unit} in the smallest group that agrees "
            f"on all of them: {members.number.min()}",
        )
    about = {name for promise in asked for name in promise.given}
    for name in policy.quasi_identifiers:
        if name not in about:
            yield Finding("warning", f"no promise is about quasi-identifier {name!r}", name)


def _k_with_target(table: TextTable, policy: Policy, groups: Groups) -> int | None:
    if policy.target is None or not table.n_rows:
        return None
    return int(texts_in(groups, table.columns[policy.target]).count.min())


def _unique_share(table: TextTable, policy: Policy, all_groups: Groups) -> float:
    """Rows that no other row equals on all published columns; a sort of one key per row."""
    groups, n_groups = all_groups
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
            held = texts_in(groups, table.columns[name])
            n_values = np.bincount(held.group, minlength=groups[1])
            shares[name] = float((n_values[groups[0]] == 1).mean())
    return shares
