"""Recounts a table from its text. It knows promises and policies, and no method."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.auditing.counted import Members
from kanopy.auditing.decide import Confidential, decide, named_values
from kanopy.auditing.text import Groups, TextRows, TextTable, profile_column, texts_in
from kanopy.data.keys import pack
from kanopy.errors import InputError, PolicyError
from kanopy.policy import Policy

_UNCHANGED = ("keep", "sensitive", "target")  # roles of columns that are published unchanged

READINGS = ("pessimistic", "optimistic")

Persons = NDArray[np.int32] | None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something the custodian should know; the message never holds a cell value.

    ``severity`` is ``"broken"`` (the promise does not hold), ``"warning"`` or ``"note"``.
    """

    severity: str
    message: str
    column: str | None = None


@dataclass(frozen=True, slots=True)
class PromiseResult:
    """One promise, as a sentence, recounted; the worst of the groups that it is about reaches ``level``."""

    promise: str
    kept: bool
    level: float
    groups_broken: int


@dataclass(frozen=True, slots=True)
class Audit:
    """A table recounted from its text against a policy.

    Parameters
    ----------
    kept : bool
        Whether every promise holds and no column is published that the policy drops.
    k : int
        Rows (or persons) of the smallest group over all quasi-identifiers, whether a k is promised or not.
    groups, rows : int
        Different combinations of the quasi-identifiers, and rows of the table.
    unit : str
        What k counts: ``"rows"`` or ``"persons"``.
    promises, findings : tuples of PromiseResult and of Finding
    smallest_groups : tuple of int
        The sizes of the ten smallest groups.
    k_with_target : int or None
        Rows of the smallest group for an attacker who knows the class.
    unique_rows : float
        Share of rows that no other row equals on all published columns.
    certain : dict of str to float
        For the target and every sensitive column, the share of rows whose group has a single value there.
    """

    kept: bool
    k: int
    groups: int
    rows: int
    unit: str
    promises: tuple[PromiseResult, ...]
    findings: tuple[Finding, ...]
    smallest_groups: tuple[int, ...]
    k_with_target: int | None
    unique_rows: float
    certain: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        """The audit as plain data, ready for JSON; an infinite level is None."""
        plain = asdict(self)
        for result in plain["promises"]:
            result["level"] = result["level"] if math.isfinite(result["level"]) else None
        return plain


class RequestedPromise(NamedTuple):
    """A promise of the policy as plain data: the audit takes its bounds, and none of its code."""

    kind: str
    bounds: Mapping[str, Any]
    sentence: str
    given: tuple[str, ...]  # the quasi-identifiers it is about
    column: str | None  # what it bounds; None for group sizes


def requested_promises(policy: Policy, unit: str) -> Iterator[RequestedPromise]:
    """Every promise of a policy as plain data."""
    for part in policy.promise.parts:
        bounds = {field.name: getattr(part, field.name) for field in fields(part)}  # type: ignore[arg-type]
        about = bounds.get("given", policy.quasi_identifiers)
        given, kind = tuple(name for name in policy.quasi_identifiers if name in about), type(part).__name__
        yield RequestedPromise(kind, bounds, part.sentence(unit), given, bounds.get("column"))


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
    members = Members.of(*groups, counted.persons)
    requested = list(requested_promises(policy, rows.unit))
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
    members = Members.of(*rows.grouped(policy.quasi_identifiers), persons)
    requested = requested_promises(policy, rows.unit)
    return list(_broken(table, policy, _results(rows, policy, requested, members, exempts=False)))


def _results(
    rows: TextRows, policy: Policy, requested: Iterable[RequestedPromise], members: Members, *, exempts: bool
) -> Iterator[PromiseResult]:
    """Every promise, recounted: O(rows * columns) for each set of columns other than that of ``members``."""
    counted = {tuple(policy.quasi_identifiers): members}
    informed: dict[tuple[str, ...], TextRows] = {}
    columns: dict[tuple[tuple[str, ...], str], Confidential] = {}
    for promise in requested:
        given = promise.given
        # PRIVACY: rows that agree on the columns a promise is about are one group of it, whatever the other
        # columns hold (tests/unit/auditing/test_judge.py).
        if given not in informed:
            informed[given] = rows.with_information(given) if exempts else rows
        among = informed[given]
        if given not in counted:
            counted[given] = Members.of(*among.grouped(given), among.persons)
        name = promise.column
        if name is not None and (given, name) not in columns:
            columns[given, name] = among.confidential(counted[given], name, policy)
        column = None if name is None else columns[given, name]
        # PRIVACY: by the audit's own counts and comparisons, not by those that methods use
        # (tests/sabotage/test_weak_promises.py).
        decision = decide(promise.kind, promise.bounds, counted[given].number, column)
        n_broken = int((~decision.holds).sum())
        yield PromiseResult(promise.sentence, not n_broken, decision.level, n_broken)


def _broken(table: TextTable, policy: Policy, promises: Iterable[PromiseResult]) -> Iterator[Finding]:
    for result in promises:
        if not result.kept:
            n_groups, level = result.groups_broken, f"The worst group reaches {result.level:.6g}."
            groups = "1 group breaks" if n_groups == 1 else f"{n_groups:,} groups break"
            yield Finding("broken", f"{groups} the promise: {result.promise} {level}")
    for name in policy.identifiers:
        if name in table.columns:
            yield Finding("broken", f"column {name!r} is an identifier and must not be published", name)


def _remarks(
    rows: TextRows, policy: Policy, requested: Sequence[RequestedPromise], members: Members
) -> Iterator[Finding]:
    if rows.say_nothing(policy.quasi_identifiers):
        yield Finding("warning", "every quasi-identifier is suppressed in every row: they say nothing")
    person = policy.person
    if person is not None and rows.persons is None:
        message = f"the person column {person!r} is not in the table, so rows were counted, not persons"
        yield Finding("warning", message, person)
    elif person is not None and person in rows.table.columns:
        yield Finding("warning", f"column {person!r} tells persons apart; drop it", person)
    for promise in requested:
        name = promise.column
        for value in named_values(promise.bounds):
            if name is not None and pc.index(rows.table.columns[name].words, value).as_py() < 0:
                idle = f"a promise bounds a value of column {name!r} that does not occur there"
                yield Finding("warning", f"{idle}: any table keeps it; check its spelling", name)
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


def _without_k(
    policy: Policy, requested: Sequence[RequestedPromise], members: Members, unit: str
) -> Iterator[Finding]:
    """A reader must not take for k-anonymous what was not promised to be."""
    sizes = [promise.given for promise in requested if promise.column is None]
    if len(members.number) and not any(set(given) >= set(policy.quasi_identifiers) for given in sizes):
        message = f"no k is promised for all quasi-identifiers together; {unit} in the smallest group that"
        yield Finding("note", f"{message} agrees on all of them: {members.number.min()}")
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
    for name in (policy.target, *policy.sensitive):
        if name is not None and table.n_rows:
            held = texts_in(groups, table.columns[name])
            smallest = int(held.count.min()) if name == policy.target else smallest
            n_values = np.bincount(held.group, minlength=groups[1])
            certain[name] = float((n_values[groups[0]] == 1).mean())
    return {"k_with_target": smallest, "certain": certain}
