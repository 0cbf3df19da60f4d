"""People in groups that overlap."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import kanopy
from kanopy.algorithms import find_method
from kanopy.attacks.candidates import Candidates
from kanopy.attacks.composition import one_code, place_people
from kanopy.attacks.reading import People, ReleaseGroups, read
from kanopy.datasets import patients
from kanopy.engines.local import anonymize
from kanopy.frames.encode import encode
from kanopy.policy import Policy

POLICY = Policy(quasi_identifiers=["age"], target="ill", k=2)


def candidates(source: pa.Table, release: pa.Table, policy: Policy = POLICY) -> Candidates:
    people = People.of(read(source, policy, where="the source"), policy)
    return Candidates(
        people, ReleaseGroups.of(read(release, policy, where="the release"), people, "the release")
    )


def test_a_group_takes_as_many_as_it_has_rows() -> None:
    source = pa.table({"age": ["1", "2", "2", "3"], "ill": ["a"] * 4})
    release = pa.table({"age": ["[1, 2]", "[1, 2]", "[2, 3]", "[2, 3]"], "ill": ["a"] * 4})
    placed = place_people(candidates(source, release), np.zeros(4, np.int64), np.zeros(4, np.int64))
    low, high = placed.group[0], placed.group[3]
    assert low != high
    assert sorted(placed.group.tolist()) == sorted([low, low, high, high])


def test_values_decide() -> None:
    source = pa.table({"age": ["1", "2", "2", "3"], "ill": ["a", "b", "c", "d"]})
    release = pa.table({"age": ["[1, 2]", "[1, 2]", "[2, 3]", "[2, 3]"], "ill": ["a", "c", "b", "d"]})
    own, published = one_code([(np.array([0, 1, 2, 3]), np.array([0, 2, 1, 3]), 4)], 4, 4)
    placed = place_people(candidates(source, release), own, published)
    first, _, _, last = placed.group.tolist()
    assert placed.group.tolist() == [first, last, first, last]


def test_groups_that_cover_few_people_come_first() -> None:
    source = pa.table({"age": ["1", "50", "51", "52", "53"], "ill": ["a"] * 5})
    # The second group is narrower, but the first covers two people and the second four.
    release = pa.table({"age": ["[1, 50]"] * 2 + ["[50, 53]"] * 4, "ill": ["a"] * 6})
    placed = place_people(candidates(source, release), np.zeros(5, np.int64), np.zeros(6, np.int64))
    assert placed.group[1] == placed.group[0] != placed.group[2]


def test_nobody_is_put_where_she_does_not_fit() -> None:
    source = pa.table({"age": ["1", "2", "9"], "ill": ["a", "a", "a"]})
    release = pa.table({"age": ["[1, 2]"] * 3, "ill": ["a", "a", "a"]})
    placed = place_people(candidates(source, release), np.zeros(3, np.int64), np.zeros(3, np.int64))
    assert placed.group.tolist() == [0, 0, -1]


def test_groups_that_do_not_overlap_are_found_exactly() -> None:
    """The groups of strict Mondrian are boxes; compared with the method's own answer."""
    quasi, table = ["age", "sex", "zip"], patients(600, seed=5)
    table = table.select([*quasi, "diagnosis"])
    policy = Policy(quasi_identifiers=quasi, target="diagnosis", categorical=["zip"], k=5)
    method = find_method("mondrian")
    recoding = method.run(
        encode(table, policy).table,
        policy.promise,
        np.random.default_rng(0),
        lambda *_: False,
        **method.settle({}),
    )
    members, n_groups = recoding.groups
    found = candidates(table, anonymize(table, policy).frame, policy)
    zeros = np.zeros(600, np.int64)
    placed = place_people(found, zeros, zeros)
    assert found.groups.n_groups == n_groups
    pairs = set(zip(members.tolist(), placed.group.tolist(), strict=True))
    assert len(pairs) == n_groups


def test_membership_of_overlapping_clusters_is_nearly_found() -> None:
    """Two releases, of which one overlaps: what is reported lies near what the members themselves give."""
    quasi, table = ["age", "sex", "zip", "bmi"], patients(600, seed=5)
    table = table.select([*quasi, "diagnosis"])
    policy = Policy(quasi_identifiers=quasi, target="diagnosis", categorical=["zip"], k=5)
    encoded = encode(table, policy).table
    members = []
    for name in ("mondrian", "kmember"):
        method = find_method(name)
        run = method.run(
            encoded, policy.promise, np.random.default_rng(0), lambda *_: False, **method.settle({})
        )
        members.append(run.groups[0].astype(np.int64))
    _, pair, size = np.unique(members[0] * 1000 + members[1], return_inverse=True, return_counts=True)
    alone = float((size[pair] == 1).mean())
    releases = [anonymize(table, policy, method=name).frame for name in ("mondrian", "kmember")]
    found = kanopy.attack(releases[0], table, policy, releases[1]).composition
    assert found is not None
    assert found.alone <= alone
    assert abs(found.alone_in_groups - alone) < 0.1
