"""Linking and inference: which published rows could be those of a person, and what do they reveal?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kanopy.attacks.candidates import Candidates, Ints, Words
from kanopy.attacks.figures import Inference, Linking, Sizes
from kanopy.data.keys import count_keys

Bools = NDArray[np.bool_]


def measure_linking(candidates: Candidates, k: int | None) -> Linking:
    """Count the published rows that could be each person's; O(people + combinations * groups / 64)."""
    kind = candidates.people.kind
    n_groups, n_rows = candidates.counts.n_groups[kind], candidates.counts.n_rows[kind]
    is_covered = n_groups > 0
    covered = n_rows[is_covered]
    smallest = int(covered.min()) if len(covered) else 0
    return Linking(
        smallest=smallest,
        one_group=float((n_groups == 1).mean()),
        expected=float((1 / covered).sum() / len(kind)),
        largest=1 / smallest if smallest else 0.0,
        below_k=None if k is None else int((covered < k).sum()),
        uncovered=int((~is_covered).sum()),
    )


def measure_sizes(candidates: Candidates, k: int | None) -> Sizes | None:
    """Count groups of exactly k rows: the method had no choice, or filled them up."""
    if k is None:
        return None
    sizes = candidates.groups.sizes
    n_exact = int(np.count_nonzero(sizes == k))
    return Sizes(k, len(sizes), n_exact, n_exact * k / int(sizes.sum()))


def measure_inference(
    column: str,
    candidates: Candidates,
    published: Ints,
    own: Ints,
    possible: Words,
    strangers: tuple[Ints, Ints] | None,
) -> Inference:
    """Guess a column for people in the release and for strangers; O(rows log rows).

    ``published`` and ``own`` are the values of the published rows and of the people, ``possible`` those of
    the candidates of each combination, as bits. ``strangers`` are their best groups and their values; without
    them, the people whom no group covers, if rows were dropped.
    """
    people, groups = candidates.people, candidates.groups
    guess, overall = _most_frequent(groups.group, published, groups.n_groups)
    group = candidates.best[people.kind]
    is_covered = candidates.counts.n_groups[people.kind] > 0
    is_member = np.ones(people.n_rows, dtype=bool)
    if people.n_rows - len(published) >= int((~is_covered).sum()) > 0:
        # Rows were dropped, and the release cannot contain these people.
        is_member = is_covered
        strangers = strangers or (group[~is_member], own[~is_member])
    rate = share(guess[group[is_member]] == own[is_member])
    others = None if strangers is None else share(guess[strangers[0]] == strangers[1])
    return Inference(
        column=column,
        members=rate,
        majority=share(own[is_member] == overall),
        certain=share(is_certain_of(possible[people.kind], own)[is_member]),
        strangers=others,
        n_strangers=0 if strangers is None else len(strangers[1]),
        excess=None if others is None else rate - others,
    )


def _most_frequent(group: NDArray[np.int32], values: Ints, n_groups: int) -> tuple[Ints, int]:
    """The most frequent value of each group (of ties, the more frequent one overall), and of all rows."""
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


def share(is_so: Bools) -> float:
    """The share of true entries; 0 where there are none at all."""
    return float(is_so.mean()) if len(is_so) else 0.0
