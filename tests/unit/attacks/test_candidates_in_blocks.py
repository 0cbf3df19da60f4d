"""More groups than are looked at at the same time."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from kanopy.attacks.candidates import Candidates
from kanopy.attacks.reading import People, ReleaseGroups, read
from kanopy.policy import Policy

POLICY = Policy(quasi_identifiers=["age"], k=2)
N_GROUPS = 150


def nested(room: int) -> Candidates:
    """Everybody of age ``a`` from 1 to 200 is covered by the groups ``[1, 200] .. [a, 200]``, at most 150."""
    source = pa.table({"age": [str(age) for age in range(1, 201)]})
    release = pa.table({"age": [f"[{low}, 200]" for low in range(1, N_GROUPS + 1) for _ in range(2)]})
    people = People.of(read(source, POLICY, where="the source"), POLICY)
    return Candidates(
        people, ReleaseGroups.of(read(release, POLICY, where="the release"), people, "the release"), room
    )


def test_blocks() -> None:
    whole, small = nested(1 << 22), nested(1)
    assert len(list(whole.pairs())) == 1
    assert len(list(small.pairs())) == 3 * 200
    expected = np.minimum(np.arange(1, 201), N_GROUPS)
    for candidates in (whole, small):
        assert candidates.counts.n_groups.tolist() == expected.tolist()
        assert candidates.counts.n_rows.tolist() == (2 * expected).tolist()
        assert sorted(candidates.counts.n_people.tolist()) == list(range(51, 201))
        first, groups = candidates.most_specific(100)
        assert np.diff(first).tolist() == np.minimum(expected, 100).tolist()
        # The most specific first: each covers more people than the one before.
        n_people = candidates.counts.n_people[groups[first[-2] :]]
        assert n_people.tolist() == list(range(51, 151))


def test_possible_values_in_blocks() -> None:
    for candidates in (nested(1 << 22), nested(1)):
        values = candidates.groups.group.astype(np.int64)
        found = candidates.possible(values, N_GROUPS)
        assert np.bitwise_count(found).sum(axis=1).tolist() == candidates.counts.n_groups.tolist()
