"""Recounts a table from its text. It knows promises and policies, and no method."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import combinations, repeat
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy._display import Plotted, number_of
from kanopy.auditing.contents import content_findings, contents_of_text
from kanopy.auditing.counted import Members
from kanopy.auditing.decide import Confidential, Decision, decide
from kanopy.auditing.decide import named_values as bounded_values
from kanopy.auditing.derived_dates import derived_findings
from kanopy.auditing.finding import Finding, colour_of
from kanopy.auditing.named_values import named_values
from kanopy.auditing.risks import Risks
from kanopy.auditing.text import Groups, TextRows, TextTable
from kanopy.auditing.warnings import (
    NOTHING_ADVICE,
    Told,
    count_unique,
    kept_findings,
    learning_findings,
    nameless_finding,
    set_findings,
    told_by_groups,
    told_findings,
)
from kanopy.data.grammar import has_half_character
from kanopy.errors import InputError, PolicyError
from kanopy.policy import Policy

_UNCHANGED = ("keep", "sensitive", "target")  # roles of columns that are published unchanged

READINGS = ("pessimistic", "optimistic")

Persons = NDArray[np.int32] | None


@dataclass(frozen=True, slots=True)
class PromiseResult:
    """One promise, as a sentence, recounted; the worst of the groups that it is about reaches ``level``."""

    promise: str
    kept: bool
    level: float
    groups_broken: int


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Plotted):
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
        The worst findings come first.
    smallest_groups : tuple of int
        The sizes of the ten smallest groups.
    k_with_target : int or None
        Rows of the smallest group for an attacker who knows the class.
    unique_rows : float
        Share of rows that no other row equals on all published columns.
    certain : dict of str to float
        For the target and every sensitive column, the share of rows whose group has a single value there.
    risks : Risks
        How likely an attacker is to find the right row.
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
    risks: Risks

    def __post_init__(self) -> None:
        worst_first = sorted(self.findings, key=lambda finding: finding.rank)
        object.__setattr__(self, "findings", tuple(worst_first))

    @property
    def colour(self) -> str:
        """What the worst finding makes of it: see ``colour_of``."""
        return colour_of(finding.severity for finding in self.findings)

    @property
    def broken(self) -> tuple[Finding, ...]:
        """Only what breaks the promise; empty where it is kept."""
        return tuple(finding for finding in self.findings if finding.severity == "broken")

    def with_findings(self, more: Iterable[Finding]) -> Audit:
        """The same audit with more findings, but for those that it has already."""
        known = {finding.code for finding in self.findings}
        added = [finding for finding in more if finding.code not in known]
        return replace(self, findings=(*self.findings, *added))

    def public(self) -> Audit:
        """Without what is for the custodian alone; the colour follows from what is left."""
        return replace(self, findings=tuple(each for each in self.findings if not each.is_private))

    def __repr__(self) -> str:
        kept = "kept" if self.kept else "BROKEN"
        counted = f"{number_of(self.rows, 'rows')} in {number_of(self.groups, 'groups')}"
        found = number_of(len(self.findings), "findings")
        return f"<Audit {self.colour}: {kept}, k = {self.k:,}, {counted}, {found}>"

    def to_dict(self) -> dict[str, Any]:
        """The audit as plain data, ready for JSON, the worst first; an infinite level is None."""
        plain = asdict(self)
        plain = {"colour": self.colour, "findings": plain.pop("findings"), **plain}
        for result in plain["promises"]:
            result["level"] = result["level"] if math.isfinite(result["level"]) else None
        return plain


class RequestedPromise(NamedTuple):
    """A promise of the policy as plain data: the audit takes its bounds, and none of its code."""

    kind: str
    bounds: Mapping[str, Any]
    sentence: str
    sets: tuple[tuple[str, ...], ...]  # the sets of quasi-identifiers whose combinations it is about
    column: str | None  # what it bounds; None for group sizes

    def is_about(self, columns: Iterable[str]) -> bool:
        """Whether it is about these columns together, or about more."""
        return any(set(columns) <= set(given) for given in self.sets)


def requested_promises(policy: Policy, unit: str) -> Iterator[RequestedPromise]:
    """Every promise of a policy as plain data."""
    for part in policy.promise.parts:
        bounds = {field.name: getattr(part, field.name) for field in fields(part)}  # type: ignore[arg-type]
        about = set(bounds.get("given", policy.quasi_identifiers))
        given, kind = tuple(name for name in policy.quasi_identifiers if name in about), type(part).__name__
        # PRIVACY: every set of so many columns, by name (tests/unit/auditing/test_combination_recount.py).
        size = min(bounds.get("size", len(given)), len(given))
        sets = tuple(combinations(given, size))
        yield RequestedPromise(kind, bounds, part.sentence(unit), sets, bounds.get("column"))


def check_reading(reading: str) -> None:
    """Refuse a reading that there is not."""
    if reading not in READINGS:
        raise PolicyError(f"no reading is called {reading!r}", f"readings: {', '.join(READINGS)}")


def judge(
    table: TextTable, policy: Policy, *, persons: Persons = None, reading: str = "pessimistic"
) -> Audit:
    """Recount a table against a policy; O(rows * columns).

    ``persons`` is the person behind each row, where the table itself no longer has the column. In the
    pessimistic reading, suppressed and missing cells are values like any other. In the optimistic one, a
    promise does not apply to rows whose quasi-identifiers, of those it is about, are all suppressed.
    """
    check_reading(reading)
    policy.check_columns(table.columns, released=True)
    if not table.n_rows:
        raise InputError("the table has no rows")
    every, exempts, rows = policy.quasi_identifiers, reading == "optimistic", TextRows(table, persons)
    if persons is None and policy.person and policy.person in table.columns:
        rows = TextRows.of_persons(table := table.expanded(), policy.person, policy.missing)
    counted = rows.with_information(every) if exempts else rows
    groups = counted.grouped(every)
    members = counted.members(groups)
    requested = list(requested_promises(policy, rows.unit))
    promises = tuple(_results(rows, policy, requested, members, exempts=exempts))
    told = told_by_groups(counted.table, policy, groups)
    all_groups = rows.grouped(every) if exempts else groups
    findings = [*_broken(table, policy, promises), *_warnings(rows, policy, requested, told, all_groups)]
    findings += _remarks(rows, policy, requested, members)
    return Audit(
        kept=not any(finding.severity == "broken" for finding in findings),
        k=int(members.number.min(initial=counted.table.n_rows)),
        groups=len(members.number),
        rows=table.n_rows,
        unit=rows.unit,
        promises=promises,
        findings=tuple(findings),
        smallest_groups=tuple(np.sort(members.number)[:10].tolist()),
        k_with_target=None if policy.target not in told else told[policy.target].smallest,
        unique_rows=_unique_share(table, policy, all_groups),
        certain={name: each.n_certain / each.n_rows for name, each in told.items()},
        risks=_risks(policy, members, _k_of_all(policy, requested)),
    )


def _risks(policy: Policy, members: Members, k: int | None) -> Risks:
    """Those of a table. PRIVACY: where persons are promised and not told apart, 1 / rows is no risk of theirs
    (tests/unit/auditing/test_risks.py)."""
    if policy.person is not None and members.persons is None:
        return Risks.not_bounded()
    return Risks.of(members.number, k, members.shares())


def _results(
    rows: TextRows, policy: Policy, requested: Iterable[RequestedPromise], members: Members, *, exempts: bool
) -> Iterator[PromiseResult]:
    """Every promise, recounted: O(rows * columns) for each set of columns other than that of ``members``."""
    counts = _SetCounts(rows, policy, {tuple(policy.quasi_identifiers): members}, exempts=exempts)
    for promise in requested:
        decision = Decision.joined([counts.decided(promise, given) for given in promise.sets])
        n_broken = int((~decision.holds).sum())
        yield PromiseResult(promise.sentence, not n_broken, decision.level, n_broken)


class _SetCounts:
    """The groups over sets of columns, counted when a promise is about them."""

    def __init__(
        self, rows: TextRows, policy: Policy, members: dict[tuple[str, ...], Members], *, exempts: bool
    ) -> None:
        self._rows, self._policy, self._members, self._exempts = rows, policy, members, exempts
        self._informed: dict[tuple[str, ...], TextRows] = {}
        self._columns: dict[tuple[tuple[str, ...], str], Confidential] = {}

    def decided(self, promise: RequestedPromise, given: tuple[str, ...]) -> Decision:
        """Whether the groups over one of its sets keep a promise; what is counted is kept for the next one,
        unless the promise is about many sets."""
        # PRIVACY: rows that agree on the columns a promise is about are one group of it, whatever the other
        # columns hold (tests/unit/auditing/test_judge.py).
        among, name = self._informed.get(given), promise.column
        if among is None:
            among = self._rows.with_information(given) if self._exempts else self._rows
        members = self._members.get(given)
        if members is None:
            members = among.members(among.grouped(given))
        if len(promise.sets) == 1:
            self._informed[given], self._members[given] = among, members
        if name is not None and (given, name) not in self._columns:
            self._columns[given, name] = among.confidential(members, name, self._policy)
        column = None if name is None else self._columns[given, name]
        # PRIVACY: by the audit's own counts and comparisons, not by those that methods use
        # (tests/sabotage/test_weak_promises.py).
        return decide(promise.kind, promise.bounds, members.number, column)


def _broken(table: TextTable, policy: Policy, promises: Iterable[PromiseResult]) -> Iterator[Finding]:
    for result in promises:
        if not result.kept:
            n_groups, level = result.groups_broken, f"The worst group reaches {result.level:.6g}."
            groups = "1 group breaks" if n_groups == 1 else f"{n_groups:,} groups break"
            advice = "do not publish it; kanopy anonymize makes a release that keeps the promise"
            yield Finding(
                "broken", f"{groups} the promise: {result.promise} {level}", None, "promise", advice
            )
    for name in policy.identifiers:
        if name in table.columns:
            message = f"column {name!r} is an identifier and must not be published"
            yield Finding("broken", message, name, f"identifier:{name}", "drop the column")


def _warnings(
    rows: TextRows,
    policy: Policy,
    requested: Sequence[RequestedPromise],
    told: Mapping[str, Told],
    groups: Groups,
) -> Iterator[Finding]:
    """What somebody should look at, beside the promise."""
    table, quasi = rows.table, policy.quasi_identifiers
    named = {name: named_values(table.columns[name]) for name in quasi}
    about_columns = list(content_findings(contents_of_text(table, named, policy), policy))
    yield from about_columns
    yield from derived_findings(table, policy)
    if rows.say_nothing(quasi):
        message = "every quasi-identifier is suppressed in every row: they say nothing"
        yield Finding("warning", message, None, "nothing", NOTHING_ADVICE)
    else:
        yield from learning_findings(told, policy)
    yield from told_findings(told, policy)
    sizes = [promise.bounds["k"] for promise in requested if promise.column is None]
    for finding in about_columns:  # that its sets are long is no news then
        named.pop(finding.column or "", None)
    yield from set_findings(table, named, max(sizes, default=None))
    yield from kept_findings(table, policy, groups)


def _remarks(
    rows: TextRows, policy: Policy, requested: Sequence[RequestedPromise], members: Members
) -> Iterator[Finding]:
    """What else to know about the policy and this table."""
    person = policy.person
    if person is not None and rows.persons is None:
        message = f"the person column {person!r} is not in the table, so rows were counted, not persons"
        yield Finding(
            "warning",
            message,
            person,
            f"rows:{person}",
            "trust what the publisher says: persons were counted when the file was made",
        )
    elif person is not None and person in rows.table.columns:
        message = f"column {person!r} tells persons apart; drop it"
        yield Finding("warning", message, person, f"person:{person}", "drop the column before you publish")
        if rows.n_nameless:
            yield nameless_finding(person, rows.n_nameless)
    for promise in requested:
        name, values = promise.column, bounded_values(promise.bounds)
        if name is None:
            continue
        # Half a character is in no table, and in no array.
        texts = pa.array([value for value in values if not has_half_character(value)], pa.string())
        occurring = pc.sum(pc.is_in(texts, value_set=rows.table.columns[name].words)).as_py() or 0
        message = f"a promise bounds a value of column {name!r} that does not occur there: any table keeps it"
        idle = Finding("warning", message, name, f"idle:{name}", "check the spelling of the value")
        yield from repeat(idle, len(values) - occurring)
    bounded = set(policy.promise.columns)
    for name in policy.sensitive:
        if name not in bounded:
            message = f"column {name!r} is sensitive, but no bound on what can be inferred is set"
            advice = "set one in [privacy], for example diversity"
            yield Finding("note", message, name, f"unbounded:{name}", advice)
    yield from _without_k(policy, requested, members, rows.unit)


def _k_of_all(policy: Policy, requested: Sequence[RequestedPromise]) -> int | None:
    """The largest k that is promised for all quasi-identifiers together."""
    sizes = [each for each in requested if each.column is None and each.is_about(policy.quasi_identifiers)]
    return max((int(promise.bounds["k"]) for promise in sizes), default=None)


def _without_k(
    policy: Policy, requested: Sequence[RequestedPromise], members: Members, unit: str
) -> Iterator[Finding]:
    """A reader must not take for k-anonymous what was not promised to be."""
    if len(members.number) and _k_of_all(policy, requested) is None:
        message = f"no k is promised for all quasi-identifiers together; {unit} in the smallest group that"
        advice = "set k, if all of them can be known together"
        smallest = int(members.number.min())
        yield Finding("note", f"{message} agrees on all of them: {smallest}", None, "no k", advice)
        yield from _combinations_only(requested)
    for name in policy.quasi_identifiers:
        if not any(promise.is_about([name]) for promise in requested):
            message = f"no promise is about quasi-identifier {name!r}"
            yield Finding("warning", message, name, f"no promise:{name}", "set k, or name it in a promise")


def _combinations_only(requested: Sequence[RequestedPromise]) -> Iterator[Finding]:
    """Promises about combinations of a few columns are taken for more than they are."""
    if any("size" in promise.bounds for promise in requested):
        message = "this is not k-anonymity: k is promised for combinations of a few quasi-identifiers only,"
        message += " and who knows more of them may find the row of one person"
        advice = "set k without combinations, unless nobody can know more of these columns of a person"
        yield Finding("warning", message, None, "combinations", advice)


def _unique_share(table: TextTable, policy: Policy, groups: Groups) -> float:
    """The share of rows that no other row equals on all published columns."""
    columns = table.columns
    unchanged = {name: columns[name] for name in columns if policy.roles[name] in _UNCHANGED}
    return count_unique(groups, unchanged, table.weight) / table.n_rows
