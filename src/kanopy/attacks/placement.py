"""Placement: which group is a person probably in? A release does not say, where groups overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kanopy.attacks.candidates import Candidates
from kanopy.data.keys import rank

Ints = NDArray[np.int64]

LONGEST = 16
"""So many groups are tried for a person, the most specific ones."""

_ROUNDS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A release and the people in its groups.

    Parameters
    ----------
    candidates : Candidates
    group : array of int
        The group of each person, -1 where none covers her.
    """

    candidates: Candidates
    group: Ints


def place_people(candidates: Candidates, own: Ints, published: Ints) -> Placed:
    """Find the group of each person.

    Everybody asks for the group that covers the fewest people, of those that cover her and have a row with
    her values. A group takes as many as it has such rows, first those with the fewest other choices; the
    others ask for the next group. Whoever is left in the end is put into the most specific group that covers
    her. Where groups do not overlap, this is the group that the person is in; else it is a guess.

    O(people * log(people)) a round; there are usually a few dozen.

    Parameters
    ----------
    candidates : Candidates
    own, published : arrays of int
        The values of each person and of each published row, all columns in one code.
    """
    kind = candidates.people.kind
    is_covered = candidates.counts.n_groups[kind] > 0
    wishes = _Wishes.of(candidates, own, published)
    slot = _settle(wishes)
    group = np.where(slot < 0, candidates.best[kind], wishes.group_of_slot[slot])
    return Placed(candidates, np.where(is_covered, group, -1))


@dataclass(frozen=True, slots=True, eq=False)
class _Wishes:
    """Slots are rows of one group with the same values.

    Parameters
    ----------
    slot : array of int
        What people ask for, person by person, in the order of their preference.
    start : array of int, one entry more than people
        Where the wishes of each person begin.
    room : array of int
        The rows of each slot.
    group_of_slot : array of int
    """

    slot: Ints
    start: Ints
    room: Ints
    group_of_slot: Ints

    @classmethod
    def of(cls, candidates: Candidates, own: Ints, published: Ints) -> _Wishes:
        n_values = int(max(own.max(), published.max())) + 1
        keys = candidates.groups.group.astype(np.int64) * n_values + published
        slots, room = np.unique(keys, return_counts=True)
        first, groups = candidates.most_specific(LONGEST)
        kind = candidates.people.kind
        lengths = np.diff(first)[kind]
        person = np.repeat(np.arange(len(kind)), lengths)
        within = np.arange(len(person)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        group = groups[first[kind][person] + within]
        # Fewer people fit: it is more specific than a width can tell.
        group = group[np.lexsort((candidates.counts.n_people[group], person))]
        key = group * n_values + own[person]
        place = np.minimum(np.searchsorted(slots, key), len(slots) - 1)
        is_there = slots[place] == key
        start = np.zeros(len(kind) + 1, dtype=np.int64)
        np.cumsum(np.bincount(person[is_there], minlength=len(kind)), out=start[1:])
        return cls(place[is_there], start, room, slots // n_values)


def _settle(wishes: _Wishes) -> Ints:
    """The slot of each person, -1 for those whom none took (deferred acceptance)."""
    wish, end = wishes.start[:-1].copy(), wishes.start[1:]
    slot = np.full(len(wish), -1, dtype=np.int64)
    for _ in range(_ROUNDS):
        asking = np.flatnonzero((slot < 0) & (wish < end))
        if not len(asking):
            break
        slot[asking] = wishes.slot[wish[asking]]
        there = np.flatnonzero(slot >= 0)
        there = there[np.lexsort((end[there] - wish[there], slot[there]))]
        begins = np.flatnonzero(np.diff(slot[there], prepend=-1))
        lengths = np.diff(np.append(begins, len(there)))
        number = np.arange(len(there)) - np.repeat(begins, lengths)
        refused = there[number >= wishes.room[slot[there]]]
        slot[refused] = -1
        wish[refused] += 1
    return slot


def one_code(columns: list[tuple[Ints, Ints, int]], n_people: int, n_published: int) -> tuple[Ints, Ints]:
    """Several columns of people and of published rows as one, numbered alike; O(rows log rows)."""
    code, n_codes = np.zeros(n_people + n_published, dtype=np.int64), 1
    for own, published, size in columns:
        ranks, n_codes = rank(code * size + np.concatenate([own, published]), n_codes * size)
        code = ranks.astype(np.int64)
    return code[:n_people], code[n_people:]
