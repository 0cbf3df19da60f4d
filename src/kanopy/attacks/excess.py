"""What a release reveals about its members and not about strangers, without the other attacks."""

from __future__ import annotations

from typing import Any, NamedTuple

from kanopy.attacks.measures import most_frequent, share
from kanopy.attacks.reading import People, ReleaseGroups, confidential_names, read, read_people, shared_codes
from kanopy.frames.new_rows import place_values
from kanopy.policy import Policy


class GuessRates(NamedTuple):
    """How often a column is guessed for people in the release, and for people who are not in it."""

    members: float
    strangers: float


def guess_rates(release: Any, members: Any, strangers: Any, policy: Policy) -> dict[str, GuessRates]:
    """Guess the target and every sensitive column from all quasi-identifiers.

    For everybody the guess is the most frequent value of the best group: the most specific one whose cells
    cover the person, else the nearest, as in ``attack``, whose figures these are where no row was dropped.
    ``members`` are all rows that the release was made from. O(different rows * groups * columns / 64), for
    rows that no group covers without the 64.
    """
    tables = [read(release, policy, where="the release")]
    tables += [read_people(table, policy, where="the rows") for table in (members, strangers)]
    people = People.of(tables[1], policy)
    groups = ReleaseGroups.of(tables[0], people, "the release")
    domains = [column.domain for column in groups.patterns.columns]
    placed = [place_values(tables[2].columns[domain.name], domain) for domain in domains]
    best = (groups.index.find(people.placed)[people.kind], groups.index.find(placed))
    found = {}
    for name in confidential_names(policy):
        (published, *own), _ = shared_codes([table.columns[name] for table in tables])
        guess, _ = most_frequent(groups.group, published, groups.n_groups)
        rates = (share(guess[group] == values) for group, values in zip(best, own, strict=True))
        found[name] = GuessRates(*rates)
    return found
