"""What a release reveals about its members and not about strangers, without the other attacks."""

from __future__ import annotations

from typing import Any, NamedTuple

import pyarrow as pa

from kanopy.attacks.divided import divided
from kanopy.attacks.likely import frequent_values, likeliest, likely_cells
from kanopy.attacks.measures import most_frequent, share
from kanopy.attacks.reading import People, ReleaseGroups, confidential_names, read, read_people, shared_codes
from kanopy.data import PublishedReading
from kanopy.frames.new_rows import place_values
from kanopy.policy import Policy


class GuessRates(NamedTuple):
    """How often a column is guessed for people in the release, and for people who are not in it."""

    members: float
    strangers: float


def guess_rates(
    release: pa.Table,
    members: Any,
    strangers: Any,
    policy: Policy,
    reading: PublishedReading | None = None,
) -> dict[str, GuessRates]:
    """Guess the target and every sensitive column from all quasi-identifiers.

    For everybody the guess is the most frequent value of the best group: the most specific one whose cells
    cover the person, else the nearest, as in ``attack``, whose figures these are where no row was dropped.
    Where cells are sketches, every group counts, by how likely the person's values are in it: the guess is
    the likeliest value. ``members`` are all rows that the release was made from, ``reading`` what is told
    beside sketches: what it says about classes is used too.
    O(different rows * groups * columns / 64), for rows that no group covers, and sketches, without the 64.
    """
    tables = [read(divided(release, reading), policy, where="the release")]
    tables += [read_people(table, policy, where="the rows") for table in (members, strangers)]
    people = People.of(tables[1], policy)
    groups = ReleaseGroups.of(tables[0], people, "the release")
    domains = [column.domain for column in groups.patterns.columns]
    placed = [place_values(tables[2].columns[domain.name], domain) for domain in domains]
    cells = likely_cells(tables[0], people, groups)
    best = None if cells else (groups.index.find(people.placed)[people.kind], groups.index.find(placed))
    found = {}
    for name in confidential_names(policy):
        (published, *own), _ = shared_codes([table.columns[name] for table in tables])
        if cells is None:
            assert best is not None
            most, _ = most_frequent(groups.group, published, groups.n_groups)
            guesses = [most[group] for group in best]
        else:
            values, held = frequent_values(groups.group, published, groups.n_groups)
            known = [values[likeliest(cells, columns, domains, held)] for columns in (people.placed, placed)]
            guesses = [known[0][people.kind], known[1]]
        rates = (share(guess == values) for guess, values in zip(guesses, own, strict=True))
        found[name] = GuessRates(*rates)
    return found
