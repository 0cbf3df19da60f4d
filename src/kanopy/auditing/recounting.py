"""Recounts a table from its text. It knows promises and policies, and no method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.auditing.counted import Members
from kanopy.auditing.decide import Confidential, decide
from kanopy.auditing.groups import Groups, TextRows, texts_in
from kanopy.auditing.profile import profile_column
from kanopy.auditing.text import TextTable
from kanopy.auditing.verdict import Audit, Finding, PromiseResult
from kanopy.data.keys import pack
from kanopy.errors import InputError, PolicyError
from kanopy.policy import Policy

_UNCHANGED = ("keep", "sensitive", "target")
"""Roles of columns that are published unchanged."""

READINGS = ("pessimistic", "optimistic")

Persons = NDArray[np.int32] | None


class RequestedPromise(NamedTuple):
    """A promise of the policy as plain data: the audit takes its bounds, and none of its code.

    ``given`` are the quasi-identifiers it is about; ``column`` is what it bounds, None for group sizes.
    """

    kind: str
    bounds: Mapping[str, Any]
    sentence: str
    given: tuple[str, ...]
    column: str | None


def _requested(policy: Policy, unit: str) -> Iterator[RequestedPromise]:
    for part in policy.promise.parts:
        bounds = {field.name: getattr(part, field.name) for field in fields(part)}  # type: ignore[arg-type]
        about = bounds.get("given", policy.quasi_identifiers)
        given = tuple(name for name in policy.quasi_identifiers if name in about)
        column = bounds.get("column")
        yield RequestedPromise(type(part).__name__, bounds, part.sentence(unit), given, column)


def judge(
    table: TextTable, policy: Policy, *, persons: Persons = None, reading: str = "pessimistic"
) -> Audit:
    """Recount a table against a policy; O(rows * columns).

    ``persons`` is the person behind each row, where the table itself no longer has the column. In the
    pessimistic reading, suppressed and missing cells are values like any other. In the optimistic one, a
    promise does not apply to rows whose quasi-identifiers, of those it is about, are all suppressed.
    """
    if reading not in READINGS:
        raise PolicyError(f"no reading is called {reading!r}", f"readings: {', '.join(READINGS)}")
    policy.check_columns(table.columns, released=True)
    if not table.n_rows:
        raise InputError("the table has no rows")
    if persons is None and policy.person is not None and policy.person in table.columns:
        persons = table.columns[policy.person].codes
    every, exempts, rows = policy.quasi_identifiers, reading == "optimistic", TextRows(table, persons)
    counted = rows.with_information(every) if exempts else rows
    groups = counted.grouped(every)
    members = counted.members(groups)
    requested = list(_requested(policy, rows.unit))
    promises = tuple(_results(rows, policy, requested, members, exempts=exempts))
    findings = (*_broken(table, policy, promises), *_remarks(rows, policy, requested, members))
    return Audit(
        kept=not any(finding.severity == "broken" for finding in findings),
        k=int(members.number.min(initial=counted.table.n_rows)),
        groups=len(members.number),
        rows=table.n_rows,
        unit=rows.unit,
        promises=promises,
        findings=findings,
        smallest_groups=tuple(np.sort(members.number)[:10].tolist()),
        unique_rows=_unique_share(table, policy, rows.grouped(every) if exempts else groups),
        **_revealed(counted.table, policy, groups),
    )


def recount(table: TextTable, policy: Policy, *, persons: Persons = None) -> list[Finding]:
    """Only what breaks the promise; empty where it is kept."""
    policy.check_columns(table.columns, released=True)
    rows = TextRows(table, persons)
    members = rows.members(rows.grouped(policy.quasi_identifiers))
    requested = _requested(policy, rows.unit)
    return list(_broken(table, policy, _results(rows, policy, requested, members, exempts=False)))


def _results(
    rows: TextRows, policy: Policy, requested: Iterable[RequestedPromise], members: Members, *, exempts: bool
) -> Iterator[PromiseResult]:
    """Every promise, recounted on the groups that it is about; O(rows * columns) per set of columns.

    ``members`` are those of the groups over all quasi-identifiers, which most promises are about.
    """
    counted = {tuple(policy.quasi_identifiers): members}
    informed: dict[tuple[str, ...], TextRows] = {}
    columns: dict[tuple[tuple[str, ...], str], Confidential] = {}
    for promise in requested:
        # PRIVACY: rows that agree on the columns a promise is about are one group of it, whatever the other
        # columns hold (tests/unit/auditing/test_judge.py).
        given = promise.given
        if given not in informed:
            informed[given] = rows.with_information(given) if exempts else rows
        among = informed[given]
        if given not in counted:
            counted[given] = among.members(among.grouped(given))
        column = None
        if promise.column is not None:
            key = (given, promise.column)
            if key not in columns:
                columns[key] = among.confidential(counted[given], promise.column, policy)
            column = columns[key]
        # PRIVACY: by the audit's own counts and comparisons, not by those that methods use
        # (tests/sabotage/test_weak_promises.py).
        decision = decide(promise.kind, promise.bounds, counted[given].number, column)
        n_broken = int((~decision.holds).sum())
        yield PromiseResult(promise.sentence, not n_broken, decision.level, n_broken)


def _broken(table: TextTable, policy: Policy, promises: Iterable[PromiseResult]) -> Iterator[Finding]:
    for result in promises:
        if not result.kept:
            number = result.groups_broken
            groups = "1 group breaks" if number == 1 else f"{number:,} groups break"
            level = f"The worst group reaches {result.level:.6g}."
            yield Finding("broken", f"{groups} the promise: {result.promise} {level}")
    for name in policy.identifiers:
        if name in table.columns:
            yield Finding("broken", f"column {name!r} is an identifier and must not be published", name)


def _remarks(
    rows: TextRows, policy: Policy, requested: Sequence[RequestedPromise], members: Members
) -> Iterator[Finding]:
    yield from _person_remarks(rows, policy)
    for promise in requested:
        name, value = promise.column, promise.bounds.get("value")
        if name and value is not None and pc.index(rows.table.columns[name].words, value).as_py() < 0:
            idle = (
                f"a promise bounds a value of column {name!r} that does not occur there: any table keeps it"
            )
            yield Finding("warning", f"{idle}; check its spelling", name)
    for name in rows.table.columns:
        if policy.roles[name] in _UNCHANGED:
            profile = profile_column(name, rows.table)
            if profile.looks_like:
                counts = f"{profile.n_values:,} values in {profile.n_rows:,} rows"
                message = f"column {name!r} is published as it is and looks like {profile.look}: {counts}"
                yield Finding("warning", message, name)
    for name in policy.sensitive:
        if name not in policy.promise.columns:
            message = f"column {name!r} is sensitive, but no bound on what can be inferred is set"
            yield Finding("note", message, name)
    yield from _without_k(policy, requested, members, rows.unit)


def _person_remarks(rows: TextRows, policy: Policy) -> Iterator[Finding]:
    name = policy.person
    if name is not None and rows.persons is None:
        message = f"the person column {name!r} is not in the table, so rows were counted, not persons"
        yield Finding("warning", message, name)
    elif name is not None and name in rows.table.columns:
        yield Finding("warning", f"column {name!r} tells persons apart; drop it", name)


def _without_k(
    policy: Policy, requested: Sequence[RequestedPromise], members: Members, unit: str
) -> Iterator[Finding]:
    """A reader must not take for k-anonymous what was not promised to be."""
    sizes = [promise.given for promise in requested if promise.column is None]
    if len(members.number) and not any(set(given) >= set(policy.quasi_identifiers) for given in sizes):
        yield Finding(
            "note",
            f"no k is promised for all quasi-identifiers together; {unit} in the smallest group that agrees "
            f"on all of them: {members.number.min()}",
        )
    about = {name for promise in requested for name in promise.given}
    for name in policy.quasi_identifiers:
        if name not in about:
            yield Finding("warning", f"no promise is about quasi-identifier {name!r}", name)


def _unique_share(table: TextTable, policy: Policy, all_groups: Groups) -> float:
    """The share of rows that no other row equals on all published columns; a sort of one key per row."""
    groups, n_groups = all_groups
    others = [column for name, column in table.columns.items() if policy.roles[name] in _UNCHANGED]
    codes, sizes = [column.codes for column in others], [len(column.words) for column in others]
    keys = np.sort(pack([groups, *codes], [n_groups, *sizes], table.n_rows)[0])
    differs = np.ones(table.n_rows + 1, dtype=bool)
    differs[1:-1] = keys[1:] != keys[:-1]
    return float((differs[1:] & differs[:-1]).mean())


def _revealed(table: TextTable, policy: Policy, groups: Groups) -> dict[str, Any]:
    """The fields of an audit that say what groups reveal about class and sensitive columns."""
    smallest, certain = None, {}
    for name in [policy.target, *policy.sensitive]:
        if name is not None and table.n_rows:
            held = texts_in(groups, table.columns[name])
            if name == policy.target:
                smallest = int(held.count.min())
            n_values = np.bincount(held.group, minlength=groups[1])
            certain[name] = float((n_values[groups[0]] == 1).mean())
    return {"k_with_target": smallest, "certain": certain}
