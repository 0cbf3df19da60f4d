"""Composition: two releases of the same people, laid on top of each other.

Ganta, Kasiviswanathan, Smith, *Composition attacks and auxiliary information in data privacy* (2008).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from kanopy.attacks.candidates import Candidates
from kanopy.attacks.figures import Composition
from kanopy.attacks.inference import Words, is_certain_of
from kanopy.attacks.placement import Placed
from kanopy.data.keys import rank

Ints = NDArray[np.int64]

_ROOM = 1 << 24
"""Bytes that one matrix of bits may take."""

_FEWEST = 1 << 12
"""So many combinations are looked at at the same time, whatever room that takes."""


def measure_composition(
    first: Placed,
    second: Placed,
    k: int | None,
    own: Mapping[str, Ints],
    possible: Mapping[str, tuple[Words, Words]],
) -> Composition:
    """Intersect the groups of each person; O(people * combinations / 64), plus what finding candidates costs.

    What the attacker can prove is who is covered by both groups; where groups overlap, these are more people
    than are in both.

    Parameters
    ----------
    first, second : Placed
        The same people in the two releases.
    k : int or None
    own : mapping of str to array of int
        The values of each person, by column.
    possible : mapping of str to pair of bits
        The values that each combination's candidates hold in the two releases, by column.
    """
    kind = first.candidates.people.kind
    chosen = np.flatnonzero((first.group >= 0) & (second.group >= 0))
    n_first, n_second = (placed.candidates.groups.n_groups for placed in (first, second))
    pair, n_pairs = rank(first.group[chosen] * n_second + second.group[chosen], n_first * n_second)
    example = np.zeros(n_pairs, dtype=np.int64)
    example[pair] = chosen
    fitting = _covered_by_both(first, second, example, np.bincount(kind))[pair]
    members = np.bincount(pair, minlength=n_pairs)[pair]
    return Composition(
        people=len(chosen),
        alone=_share(fitting == 1),
        below_k=None if k is None else _share(fitting < k),
        alone_in_groups=_share(members == 1),
        below_k_in_groups=None if k is None else _share(members < k),
        certain={
            column: _certain(possible[column], kind[chosen], values[chosen]) for column, values in own.items()
        },
    )


def _certain(possible: tuple[Words, Words], kind: NDArray[np.int32], own: Ints) -> dict[str, float]:
    first, second = possible
    bits = {"first": first, "second": second, "both": first & second}
    return {name: _share(is_certain_of(held[kind], own)) for name, held in bits.items()}


def _share(is_so: NDArray[np.bool_]) -> float:
    return float(is_so.mean()) if len(is_so) else 0.0


def _covered_by_both(first: Placed, second: Placed, example: Ints, weight: Ints) -> Ints:
    """How many people are covered by both groups of each example: bits of people, combined pair by pair.

    A combination that several people have counts for all of them. Bits have no weight, so they are counted
    once for each binary digit of these numbers.
    """
    first_group, second_group = first.group[example], second.group[example]
    n_people = np.zeros(len(first_group), dtype=np.int64)
    n_combinations = len(weight)
    most = max(placed.candidates.groups.n_groups for placed in (first, second))
    step = max(8 * _ROOM // most, _FEWEST)
    for top in range(0, n_combinations, step):
        bottom = min(top + step, n_combinations)
        left, right = (_people_bits(placed.candidates, top, bottom) for placed in (first, second))
        planes = _weight_planes(weight[top:bottom], left.shape[1])
        height = max(_ROOM // (8 * left.shape[1]), 1)
        for start in range(0, len(first_group), height):
            some = slice(start, start + height)
            both = left[first_group[some]] & right[second_group[some]]
            for power, plane in enumerate(planes):
                n_people[some] += np.bitwise_count(both & plane).sum(axis=1, dtype=np.int64) << power
    return n_people


def _people_bits(candidates: Candidates, top: int, bottom: int) -> Words:
    """For each group (down), a bit for each combination (across) from ``top`` on that it covers."""
    n_words = -(-(bottom - top) // 64)
    bits = np.zeros((candidates.groups.n_groups, n_words), dtype=np.uint64)
    for row, group in candidates.pairs(top, bottom):
        place = row - top
        bit = np.left_shift(np.uint64(1), (place % 64).astype(np.uint64))
        np.bitwise_or.at(bits, (group, place // 64), bit)
    return bits


def _weight_planes(weight: Ints, n_words: int) -> list[Words]:
    """The bits of each weight: plane ``p`` has the bit of a combination whose weight has ``2 ** p`` in it."""
    planes = []
    for power in range(int(weight.max()).bit_length()):
        is_set = np.zeros(64 * n_words, dtype=np.uint8)
        is_set[: len(weight)] = (weight >> power) & 1
        packed = np.packbits(is_set, bitorder="little").view("<u8").astype(np.uint64)
        planes.append(packed)
    return planes
