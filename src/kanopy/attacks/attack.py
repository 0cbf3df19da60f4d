"""All attacks on a release, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.attacks.candidates import Candidates
from kanopy.attacks.composition import measure_composition
from kanopy.attacks.downcoding import measure_downcoding
from kanopy.attacks.figures import AttackFigures, Composition, Inference
from kanopy.attacks.inference import Strangers, Words, measure_inference
from kanopy.attacks.linking import measure_linking, measure_sizes
from kanopy.attacks.placement import Placed, one_code, place_people
from kanopy.attacks.reading import Groups, People, Table, confidential_names, read, shared_codes
from kanopy.frames.new_rows import place_values
from kanopy.policy import Policy
from kanopy.privacy import promised_k

Ints = NDArray[np.int64]


def attack(
    release: Any,
    source: Any,
    policy: Policy,
    other: Any = None,
    *,
    strangers: Any = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
) -> AttackFigures:
    """Measure attacks that k-anonymity does not stop, on a release of one's own.

    The attacker has the release and knows the quasi-identifiers of everybody in the source. It takes
    O(different rows * groups * columns / 64), with another release also O((different rows)² / 64); memory is
    bounded beyond the tables themselves. ``docs/attacks.md`` says what is measured.

    Parameters
    ----------
    release : Release, frame or path
        What is published.
    source : frame or path
        The table that it was made from. Identifiers may be absent.
    policy : Policy
    other : Release, frame or path, optional
        Another release of the same people under the same policy.
    strangers : frame or path, optional
        People like those in the source who are not in it, with the same columns.
    delimiter, encoding : str
        Of the source and the strangers, where they are CSV files.

    Raises
    ------
    PolicyError
        Columns that the policy and a table do not share, values that a hierarchy does not cover.
    InputError
        Cells that cannot be read, or that have nothing to do with the source.
    """
    read_own = partial(read, policy=policy, delimiter=delimiter, encoding=encoding)
    tables = _Tables(
        source=read_own(source, where="the source"),
        release=read(release, policy, where="the release"),
        other=None if other is None else read(other, policy, where="the other release"),
        strangers=None if strangers is None else read_own(strangers, where="the strangers"),
    )
    return _measured(tables, policy)


@dataclass(frozen=True, slots=True, eq=False)
class _Tables:
    source: Table
    release: Table
    other: Table | None
    strangers: Table | None


@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """One confidential column in all tables, as codes that mean the same in each."""

    source: Ints
    release: Ints
    other: Ints | None
    strangers: Ints | None
    n_codes: int


def _measured(tables: _Tables, policy: Policy) -> AttackFigures:
    k = promised_k(policy.promise, policy.quasi_identifiers)
    people = People.of(tables.source, policy)
    found = Candidates(people, Groups.of(tables.release, people, "the release"))
    values = {name: _values(name, tables) for name in confidential_names(policy)}
    possible = {name: found.possible(column.release, column.n_codes) for name, column in values.items()}
    composition = None
    if tables.other is not None:
        others = Candidates(people, Groups.of(tables.other, people, "the other release"))
        composition = _composition(found, others, k, values, possible)
    linking = measure_linking(found, k)
    return AttackFigures(
        rows=tables.release.n_rows,
        people=people.n_rows,
        groups=found.groups.n_groups,
        k=k,
        linking=linking,
        inference=_inference(found, values, possible, _best_of_strangers(tables.strangers, found, policy)),
        sizes=measure_sizes(found, k),
        downcoding=measure_downcoding(found),
        composition=composition,
        notes=tuple(_notes(tables, policy, linking.uncovered)),
    )


def _inference(
    found: Candidates,
    values: Mapping[str, _Values],
    possible: Mapping[str, Words],
    best_of_strangers: Ints | None,
) -> tuple[Inference, ...]:
    figures = []
    for name, column in values.items():
        strangers = None
        if best_of_strangers is not None and column.strangers is not None:
            strangers = Strangers(best_of_strangers, column.strangers)
        figures.append(
            measure_inference(name, found, column.release, column.source, possible[name], strangers)
        )
    return tuple(figures)


def _values(name: str, tables: _Tables) -> _Values:
    given = (tables.source, tables.release, tables.other, tables.strangers)
    present = [table for table in given if table is not None]
    codes, n_codes = shared_codes([table.columns[name] for table in present])
    left = iter(codes)
    return _Values(
        next(left),
        next(left),
        None if tables.other is None else next(left),
        None if tables.strangers is None else next(left),
        n_codes,
    )


def _best_of_strangers(table: Table | None, found: Candidates, policy: Policy) -> Ints | None:
    if table is None:
        return None
    placed = [
        place_values(table.columns[column.domain.name], column.domain, policy)
        for column in found.groups.patterns.columns
    ]
    return found.groups.index.find(placed)


def _placed(candidates: Candidates, columns: list[tuple[Ints, Ints, int]]) -> Placed:
    n_people, n_rows = candidates.people.n_rows, len(candidates.groups.group)
    return place_people(candidates, *one_code(columns, n_people, n_rows))


def _composition(
    found: Candidates,
    others: Candidates,
    k: int | None,
    values: Mapping[str, _Values],
    possible: Mapping[str, Words],
) -> Composition:
    here, there, both = [], [], {}
    for name, column in values.items():
        assert column.other is not None
        here.append((column.source, column.release, column.n_codes))
        there.append((column.source, column.other, column.n_codes))
        both[name] = (possible[name], others.possible(column.other, column.n_codes))
    own = {name: column.source for name, column in values.items()}
    return measure_composition(_placed(found, here), _placed(others, there), k, own, both)


def _notes(tables: _Tables, policy: Policy, n_uncovered: int) -> list[str]:
    notes = []
    if policy.person is not None:
        notes.append("Rows were counted, not persons: the release does not tell which rows are one person's.")
    n_dropped = tables.source.n_rows - tables.release.n_rows
    if n_dropped > 0:
        notes.append(f"The source has {_rows(n_dropped)} more than the release.")
    if n_dropped < 0:
        notes.append(
            f"The release has {_rows(-n_dropped)} more than the source: is this the table it was made from?"
        )
    if n_uncovered > max(n_dropped, 0):
        notes.append(
            "More people are covered by no group than rows were dropped, so cells do not always hold what "
            "people had. What is said about linking, certainty and two releases is about the other people."
        )
    return notes


def _rows(number: int) -> str:
    return "1 row" if number == 1 else f"{number:,} rows"
