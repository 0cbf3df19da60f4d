"""All attacks on a release, in one call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from kanopy.attacks.candidates import Candidates, Words
from kanopy.attacks.composition import Placed, measure_composition, one_code, place_people
from kanopy.attacks.figures import AttackFigures, Composition, Inference
from kanopy.attacks.known_method import MethodRuns, measure_known_method
from kanopy.attacks.measures import measure_downcoding, measure_inference, measure_linking, measure_sizes
from kanopy.attacks.reading import (
    People,
    ReadTable,
    ReleaseGroups,
    confidential_names,
    read,
    read_people,
    shared_codes,
)
from kanopy.auditing.warnings import nameless_finding
from kanopy.data.arrays import Ints
from kanopy.frames.new_rows import place_values
from kanopy.frames.tables import read_own
from kanopy.frames.typed_dates import with_typed_dates
from kanopy.policy import Policy
from kanopy.privacy import promised_k


def attack(
    release: Any,
    source: Any,
    policy: Policy,
    other: Any = None,
    *,
    strangers: Any = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    known: MethodRuns | None = None,
) -> AttackFigures:
    """Measure attacks that k-anonymity does not stop, on a release of one's own; see ``docs/attacks.md``.

    The attacker has the release and knows the quasi-identifiers of everybody in the source.
    O(different rows * groups * columns / 64), with another release also O((different rows)² / 64).

    Parameters
    ----------
    release, other : Release, frame or path
        The release, and optionally another one of the same people under the same policy.
    source, strangers : frame or path
        The table that the release was made from, and optionally similar people who are not in it.
    policy : Policy
    delimiter, encoding : str
        Of the source and the strangers, where they are CSV files.
    known : MethodRuns, optional
        How to run the method again, which the attacker knows.

    A PolicyError where columns do not fit, an InputError where cells cannot be read or are not the source's.
    """
    policy = with_typed_dates(policy, source)
    form: dict[str, Any] = {"delimiter": delimiter, "encoding": encoding}
    tables = _tables(release, source, other, strangers, policy, form)
    figures = _measured(tables, policy)
    if known is not None:
        own = read_own(source, policy, where="the source", **form)[1]
        published = [tables["release"].columns[name] for name in policy.quasi_identifiers]
        figures = replace(figures, known_method=measure_known_method(own, policy, known, published))
    return figures


def _tables(
    release: Any, source: Any, other: Any, strangers: Any, policy: Policy, form: dict[str, Any]
) -> dict[str, ReadTable]:
    """The tables that are given, read."""
    tables = {"source": read_people(source, policy, where="the source", **form)}
    tables["release"] = read(release, policy, where="the release")
    if other is not None:
        tables["other"] = read(other, policy, where="the other release")
    if strangers is not None:
        tables["strangers"] = read_people(strangers, policy, where="the strangers", **form)
    return tables


class _Column(NamedTuple):
    """A confidential column: its codes in each table, and those that each combination may have, as bits."""

    codes: dict[str, Ints]
    n_codes: int
    possible: Words


def _measured(tables: Mapping[str, ReadTable], policy: Policy) -> AttackFigures:
    k = promised_k(policy.promise, policy.quasi_identifiers)
    people = People.of(tables["source"], policy)
    found = Candidates(people, ReleaseGroups.of(tables["release"], people, "the release"))
    columns = {}
    for name in confidential_names(policy):
        coded, n_codes = shared_codes([table.columns[name] for table in tables.values()])
        codes = dict(zip(tables, coded, strict=True))
        columns[name] = _Column(codes, n_codes, found.possible(codes["release"], n_codes))
    composition = None
    if "other" in tables:
        others = Candidates(people, ReleaseGroups.of(tables["other"], people, "the other release"))
        composition = _composition(found, others, k, columns)
    linking = measure_linking(found, k)
    return AttackFigures(
        rows=tables["release"].n_rows,
        people=people.n_rows,
        groups=found.groups.n_groups,
        k=k,
        linking=linking,
        inference=tuple(_inference(found, columns, tables.get("strangers"), policy)),
        sizes=measure_sizes(found, k),
        downcoding=measure_downcoding(found),
        composition=composition,
        notes=tuple(_notes(tables, policy, linking.uncovered)),
    )


def _inference(
    found: Candidates, columns: Mapping[str, _Column], strangers: ReadTable | None, policy: Policy
) -> Iterator[Inference]:
    best_groups = None
    if strangers is not None:
        domains = [column.domain for column in found.groups.patterns.columns]
        placed = [place_values(strangers.columns[domain.name], domain) for domain in domains]
        best_groups = found.groups.index.find(placed)
    for name, (codes, _, possible) in columns.items():
        others = None if best_groups is None else (best_groups, codes["strangers"])
        yield measure_inference(name, found, codes["release"], codes["source"], possible, others)


def _composition(
    found: Candidates, others: Candidates, k: int | None, columns: Mapping[str, _Column]
) -> Composition:
    def placed(candidates: Candidates, table: str) -> Placed:
        values = [(codes["source"], codes[table], n_codes) for codes, n_codes, _ in columns.values()]
        n_rows = len(candidates.groups.group)
        return place_people(candidates, *one_code(values, candidates.people.n_rows, n_rows))

    both = {
        name: (codes["source"], possible, others.possible(codes["other"], n_codes))
        for name, (codes, n_codes, possible) in columns.items()
    }
    return measure_composition(placed(found, "release"), placed(others, "other"), k, both)


def _notes(tables: Mapping[str, ReadTable], policy: Policy, n_uncovered: int) -> Iterator[str]:
    persons = tables["source"].persons
    if persons is not None and policy.person is not None:
        yield (
            "How likely a pick is right counts all rows of a person in a group. All other figures count "
            "rows, not persons: the release does not show which rows belong to one person."
        )
        if n_nameless := int((persons < 0).sum()):
            yield f"{nameless_finding(policy.person, n_nameless).message}."
    elif policy.person is not None:
        yield "Rows were counted, not persons: the source does not show which rows belong to one person."
    n_dropped = tables["source"].n_rows - tables["release"].n_rows
    rows = "1 row" if abs(n_dropped) == 1 else f"{abs(n_dropped):,} rows"
    if n_dropped > 0:
        yield f"The source has {rows} more than the release."
    if n_dropped < 0:
        yield f"The release has {rows} more than the source: check that it was made from this source."
    if n_uncovered > max(n_dropped, 0):
        yield (
            "More rows of the source are covered by no group than were dropped: cells do not always hold "
            "what people had. The figures on linking, certainty and two releases are about the other rows."
        )
