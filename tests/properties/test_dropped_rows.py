"""Rows that are dropped are not in the published table, which is all that groups can be compared with."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracles_persons import promise_is_kept

import kanopy
from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts
from kanopy.errors import UnsatisfiableError
from kanopy.methods.leftovers import released_at_root
from kanopy.methods.limits import check_satisfiable
from kanopy.policy import Policy
from kanopy.privacy import BetaLikeness, Closeness, DeltaDisclosure, KAnonymity, PrivacyModel

some_factor = st.fractions(Fraction(1, 8), 2, max_denominator=8)
some_share = st.fractions(Fraction(1, 12), Fraction(1, 2), max_denominator=24)
COLUMN = st.just("d")
COMPARED: dict[str, st.SearchStrategy[PrivacyModel]] = {
    "equal": st.builds(Closeness, COLUMN, some_share),
    "ordered": st.builds(Closeness, COLUMN, some_share, st.just("ordered")),
    "delta": st.builds(DeltaDisclosure, COLUMN, some_factor),
    "strict delta": st.builds(DeltaDisclosure, COLUMN, some_factor, strict_zero=st.just(True)),
    "beta": st.builds(BetaLikeness, COLUMN, some_factor),
    "enhanced beta": st.builds(BetaLikeness, COLUMN, some_factor, st.just("enhanced")),
}
some_people = st.lists(
    st.tuples(
        st.integers(20, 60), st.sampled_from("uvwxyz"), st.sampled_from("aaaabbbccd"), st.integers(0, 9)
    ),
    min_size=10,
    max_size=30,
)


@pytest.mark.parametrize("by_person", [False, True])
@pytest.mark.parametrize("kind", COMPARED)
@settings(max_examples=settings.default.max_examples // 3)
@given(people=some_people, data=st.data())
def test_clusters_that_are_dropped(
    kind: str, by_person: bool, people: list[tuple[int, str, str, int]], data: st.DataObject
) -> None:
    """Loukides' method drops whole clusters, and so may leave another distribution."""
    ages, zips, values, persons = zip(*people, strict=True)
    frame = pa.table({"age": ages, "zip": zips, "d": values, "row": range(len(people))})
    if by_person:
        frame = frame.append_column("who", pa.array(persons))
    policy = Policy(
        quasi_identifiers=["age", "zip"],
        sensitive=["d"],
        keep=["row"],
        person="who" if by_person else None,
        k=2,
        privacy=[data.draw(COMPARED[kind])],
    )
    try:
        release = kanopy.anonymize(frame, policy, method="loukides", delta=0.5)
    except UnsatisfiableError:
        return
    published = release.frame.to_pydict()
    members = [persons[row] if by_person else row for row in published["row"]]
    groups = list(zip(published["age"], published["zip"], strict=True))
    rows = list(zip(groups, members, published["d"], strict=True))
    for group in set(groups):
        some = [row for row in rows if row[0] == group]
        for part in policy.promise.parts:
            assert promise_is_kept(part, some, rows)


some_leaves = st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 3)), min_size=6, max_size=30)
"""Group, or -1 for leftovers, and value."""


@pytest.mark.parametrize("kind", COMPARED)
@given(leaves=some_leaves, data=st.data(), k=st.integers(2, 4))
def test_leftovers_of_a_tree(kind: str, leaves: list[tuple[int, int]], data: st.DataObject, k: int) -> None:
    """Groups that keep the promise in the source keep it in what is published."""
    codes = np.array([value for _, value in leaves], dtype=np.uint8)
    column = CodedColumn(Domain("d", ("a", "b", "c", "d")), codes)
    table = EncodedTable(len(leaves), (), None, {"d": column})
    promise = KAnonymity(k) & data.draw(COMPARED[kind])
    group = np.array([number for number, _ in leaves], dtype=np.int32)
    # Groups that do not keep it are leftovers: no tree would release them.
    counts = GroupCounts.of(table, np.where(group < 0, 4, group), 5)
    group[~np.append(promise.holds(counts)[:4], False)[group]] = -1
    try:
        check_satisfiable(table, promise)
    except UnsatisfiableError:
        assume(False)
    found = released_at_root(group, np.flatnonzero(group < 0), table, promise, 4)
    assume((found >= 0).any())
    assert is_kept(promise, table, found)


def is_kept(promise: PrivacyModel, table: EncodedTable, group: np.ndarray) -> bool:
    codes = table.confidential["d"].codes.tolist()
    rows = [(number, row, "abcd"[codes[row]]) for row, number in enumerate(group.tolist()) if number >= 0]
    groups = {number: [row for row in rows if row[0] == number] for number in {row[0] for row in rows}}
    return all(promise_is_kept(part, some, rows) for part in promise.parts for some in groups.values())


def test_dropping_changes_what_groups_are_compared_with() -> None:
    """Of four with the value a, one is dropped: more than half of the source had it, and half of the rest."""
    column = CodedColumn(Domain("d", ("a", "b")), np.array([0, 0, 0, 1, 1, 1, 0], dtype=np.uint8))
    table = EncodedTable(7, (), None, {"d": column})
    group = np.array([0, 0, 0, 1, 1, 1, -1], dtype=np.int32)
    promise = BetaLikeness("d", Fraction(3, 4))
    assert promise.holds(GroupCounts.of(table, group[:6], 2, np.arange(6))).tolist() == [True, False]
    published = GroupCounts.of_published(table, group, 2)
    assert published.histograms["d"].totals.tolist() == [3, 3, 0]
    assert promise.holds(published).tolist() == [False, False]
