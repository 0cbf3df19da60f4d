"""Inference: is the value of a column told by the group that a person is in?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kanopy.attacks.candidates import Candidates
from kanopy.attacks.figures import Inference
from kanopy.data.keys import count_keys

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Strangers:
    """People who are not in the release.

    Parameters
    ----------
    group : array of int
        The group that fits each of them best.
    values : array of int
        What they really have.
    """

    group: Ints
    values: Ints


def measure_inference(
    column: str,
    candidates: Candidates,
    published: Ints,
    own: Ints,
    possible: Words,
    strangers: Strangers | None,
) -> Inference:
    """Guess a column for members and strangers; O(rows log rows).

    Parameters
    ----------
    column : str
    candidates : Candidates
    published, own : arrays of int
        The value of each published row, and of each person.
    possible : array of bits
        The values that the candidates of each combination hold.
    strangers : Strangers or None
        None: people whom no group covers, if rows were dropped.
    """
    people, groups = candidates.people, candidates.groups
    guess, overall = most_frequent(groups.group, published, groups.n_groups)
    group = candidates.best[people.kind]
    is_covered = candidates.counts.n_groups[people.kind] > 0
    is_member = np.ones(people.n_rows, dtype=bool)
    if people.n_rows - len(published) >= int((~is_covered).sum()) > 0:
        # Rows were dropped, and these people cannot be among those that were not.
        is_member = is_covered
        if strangers is None:
            strangers = Strangers(group[~is_member], own[~is_member])
    rate = _share(guess[group[is_member]] == own[is_member])
    others = None if strangers is None else _share(guess[strangers.group] == strangers.values)
    is_certain = is_certain_of(possible[people.kind], own)
    return Inference(
        column=column,
        members=rate,
        majority=_share(own[is_member] == overall),
        certain=_share(is_certain[is_member]),
        strangers=others,
        n_strangers=0 if strangers is None else len(strangers.values),
        excess=None if others is None else rate - others,
    )


def most_frequent(group: NDArray[np.int32], values: Ints, n_groups: int) -> tuple[Ints, int]:
    """The most frequent value of each group, and of all; of equals, the more frequent one of all.

    O(rows log rows).
    """
    totals = np.bincount(values)
    pairs, count = count_keys(group.astype(np.int64) * len(totals) + values, n_groups * len(totals))
    owner, value = np.divmod(pairs, len(totals))
    order = np.lexsort((-value, totals[value], count, owner))
    last = np.flatnonzero(np.diff(owner[order], append=n_groups))
    return value[order][last], int(totals.argmax())


def is_certain_of(possible: Words, own: Ints) -> Bools:
    """Whether a single value is possible (a set of bits for each person) and the person has it."""
    n_values = np.bitwise_count(possible).sum(axis=1)
    word = possible[np.arange(len(own)), own // 64]
    has_own = (word >> (own % 64).astype(np.uint64)) & np.uint64(1)
    certain: Bools = (n_values == 1) & (has_own == 1)
    return certain


def _share(is_so: Bools) -> float:
    return float(is_so.mean()) if len(is_so) else 0.0
