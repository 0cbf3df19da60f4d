"""Composition: two releases of the same people, intersected.

Ganta, Kasiviswanathan, Smith, *Composition attacks and auxiliary information in data privacy* (2008).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanopy.attacks.candidates import Candidates, Words, place_in_run, set_bits
from kanopy.attacks.figures import Composition
from kanopy.attacks.measures import is_certain_of, share
from kanopy.data.arrays import Ints
from kanopy.data.keys import group_rows, rank

_MOST_BYTES = 1 << 24  # of one matrix of bits
_FEWEST = 1 << 12  # so many combinations are processed at a time, whatever memory that takes
_MOST_GROUPS = 16  # so many groups are tried for a person, the most specific ones
_ROUNDS = 200


class Placed(NamedTuple):
    """A release, and the group of each person in it."""

    candidates: Candidates
    group: Ints  # -1 where none covers the person


def measure_composition(
    first: Placed, second: Placed, k: int | None, columns: dict[str, tuple[Ints, Words, Words]]
) -> Composition:
    """Intersect the groups of each person; O(people * combinations / 64), plus the search for candidates.

    An attacker can prove who is covered by both groups; where groups overlap, these are more people than are
    in both. ``columns`` have the values of the people, and those that each combination may have in the two
    releases, as bits.
    """
    chosen = np.flatnonzero((first.group >= 0) & (second.group >= 0))
    kind = first.candidates.people.kind[chosen]
    n_first, n_second = (placed.candidates.groups.n_groups for placed in (first, second))
    pair, n_pairs = rank(first.group[chosen] * n_second + second.group[chosen], n_first * n_second)
    example = np.zeros(n_pairs, dtype=np.int64)
    example[pair] = chosen
    fitting = _covered_by_both(first, second, example)[pair]
    members = np.bincount(pair, minlength=n_pairs)[pair]
    certain = {}
    for name, (own, one, other) in columns.items():
        held = {"first": one, "second": other, "both": one & other}
        certain[name] = {which: share(is_certain_of(held[which][kind], own[chosen])) for which in held}
    return Composition(
        people=len(chosen),
        alone=share(fitting == 1),
        below_k=None if k is None else share(fitting < k),
        alone_in_groups=share(members == 1),
        below_k_in_groups=None if k is None else share(members < k),
        certain=certain,
    )


def _covered_by_both(first: Placed, second: Placed, example: Ints) -> Ints:
    """How many people are covered by both groups of each example: bits of combinations, pair by pair."""
    weight = np.bincount(first.candidates.people.kind)
    n_people = np.zeros(len(example), dtype=np.int64)
    most_groups = max(placed.candidates.groups.n_groups for placed in (first, second))
    step = max(8 * _MOST_BYTES // most_groups, _FEWEST)
    for top in range(0, len(weight), step):
        bottom = min(top + step, len(weight))
        left, right = (_people_bits(placed.candidates, top, bottom) for placed in (first, second))
        planes = _weight_planes(weight[top:bottom], left.shape[1])
        height = max(_MOST_BYTES // (8 * left.shape[1]), 1)
        for start in range(0, len(example), height):
            some = slice(start, start + height)
            both = left[first.group[example[some]]] & right[second.group[example[some]]]
            for power, plane in enumerate(planes):  # a combination counts for all people who have it
                n_people[some] += np.bitwise_count(both & plane).sum(axis=1, dtype=np.int64) << power
    return n_people


def _people_bits(candidates: Candidates, top: int, bottom: int) -> Words:
    """For each group (down), a bit for each combination (across) from ``top`` on that it covers."""
    n_words = -(-(bottom - top) // 64)
    bits = np.zeros((candidates.groups.n_groups, n_words), dtype=np.uint64)
    for row, group in candidates.pairs(top, bottom):
        set_bits(bits, group, row - top)
    return bits


def _weight_planes(weight: Ints, n_words: int) -> Words:
    """The binary digits of the weights: plane ``p`` has the bits of those that have ``2 ** p`` in them."""
    powers = np.arange(int(weight.max()).bit_length())
    is_set = np.zeros((len(powers), 64 * n_words), dtype=np.uint8)
    is_set[:, : len(weight)] = (weight >> powers[:, None]) & 1
    return np.packbits(is_set, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def place_people(candidates: Candidates, own: Ints, published: Ints) -> Placed:
    """Find the probable group of each person; O(people * log(people)) a round, usually a few dozen rounds.

    Everybody applies to the group that covers the fewest people, of those that cover her and have a row with
    her values. A group accepts as many as it has such rows, first those with the fewest other choices; the
    others apply to their next group. Who is left gets the most specific group that covers her. Where groups
    do not overlap this is the group that the person is in; else it is a guess. ``own`` and ``published`` are
    the values of people and of published rows, all columns in one code.
    """
    kind, choices = candidates.people.kind, _choices(candidates, own, published)
    slot = _matched(choices)
    group = np.where(slot < 0, candidates.best[kind], choices.group_of_slot[slot])
    return Placed(candidates, np.where(candidates.counts.n_groups[kind] > 0, group, -1))


class _Choices(NamedTuple):
    """What people apply to: slots, which are the rows of one group with the same values."""

    slot: Ints  # person ``p`` applies to ``slot[start[p]:start[p + 1]]``, the best choice first
    start: Ints
    capacity: Ints  # rows of each slot
    group_of_slot: Ints


def _choices(candidates: Candidates, own: Ints, published: Ints) -> _Choices:
    n_values = int(max(own.max(), published.max())) + 1
    keys = candidates.groups.group.astype(np.int64) * n_values + published
    slots, capacity = np.unique(keys, return_counts=True)
    first, groups = candidates.most_specific(_MOST_GROUPS)
    kind = candidates.people.kind
    person = np.repeat(np.arange(len(kind)), np.diff(first)[kind])
    group = groups[first[kind][person] + place_in_run(person)]
    # A group that covers fewer people is more specific than its width can show.
    group = group[np.lexsort((candidates.counts.n_people[group], person))]
    key = group * n_values + own[person]
    place = np.minimum(np.searchsorted(slots, key), len(slots) - 1)
    is_there = slots[place] == key
    n_choices = np.bincount(person[is_there], minlength=len(kind))
    return _Choices(place[is_there], np.append(0, np.cumsum(n_choices)), capacity, slots // n_values)


def _matched(choices: _Choices) -> Ints:
    """The slot of each person, -1 for those whom none accepted (deferred acceptance)."""
    choice, end = choices.start[:-1].copy(), choices.start[1:]
    slot = np.full(len(choice), -1, dtype=np.int64)
    for _ in range(_ROUNDS):
        applying = np.flatnonzero((slot < 0) & (choice < end))
        if not len(applying):
            break
        slot[applying] = choices.slot[choice[applying]]
        there = np.flatnonzero(slot >= 0)
        there = there[np.lexsort((end[there] - choice[there], slot[there]))]
        refused = there[place_in_run(slot[there]) >= choices.capacity[slot[there]]]
        slot[refused] = -1
        choice[refused] += 1
    return slot


def one_code(columns: list[tuple[Ints, Ints, int]], n_people: int, n_published: int) -> tuple[Ints, Ints]:
    """Several columns of people and of published rows as one, with common codes; O(rows log rows)."""
    values = [np.concatenate([own, published]) for own, published, _ in columns]
    code, _ = group_rows(values, [n_codes for *_, n_codes in columns], n_people + n_published)
    return code[:n_people].astype(np.int64), code[n_people:].astype(np.int64)
