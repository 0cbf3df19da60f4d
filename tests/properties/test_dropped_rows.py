"""Rows that are dropped are not in the published table, which is all that groups can be compared with."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from effort import n_tables
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles_persons import promise_is_kept

import kanopy
from kanopy.algorithms.tree_release import released_at_root
from kanopy.auditing.text import TextRows, TextTable
from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts
from kanopy.errors import UnsatisfiableError
from kanopy.frames.encode import encode
from kanopy.hierarchies import Prefix
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
        accept=["identifier:row"],
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


some_mixed = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(["1", "2", "3", "10", "20"])), min_size=6, max_size=16
)
"""What somebody is known by, and a number; whoever is far away has none."""


OPTIONS: dict[str, dict[str, Any]] = {
    "muargus": {"all_columns": True},
    "loukides": {"delta": 0.5},
    "datafly": {"max_suppressed": 0.4},
    "incognito": {"max_suppressed": 0.4},
}


@pytest.mark.parametrize("method", OPTIONS)
@settings(max_examples=n_tables(15))
@given(people=some_mixed, share=st.integers(2, 12))
@example(people=[(0, "10"), (0, "2"), (1, "1"), (1, "20"), (2, "3"), (2, "10")], share=6)
def test_without_the_others_all_are_numbers(method: str, people: list[tuple[int, str]], share: int) -> None:
    """Texts lie in the order of texts; where no row has one that is no number, numbers by their size."""
    near, values = zip(*people, (90, "x"), strict=True)
    table = pa.table({"near": near, "far": [value // 50 for value in near], "d": values})
    policy = Policy(
        quasi_identifiers=["near", "far"],
        sensitive=["d"],
        k=2,
        privacy=[Closeness("d", Fraction(share, 24), "ordered")],
    )
    with suppress(UnsatisfiableError):
        assert kanopy.anonymize(table, policy, method=method, **OPTIONS[method]).audit.kept


@pytest.mark.parametrize(
    ("values", "hierarchy", "order"),
    [
        (["10", "9", "x"], None, ["9", "10"]),
        (["10", "9", "x", None], None, ["9", "10"]),
        (["10", "9", "x"], "categorical", ["10", "9"]),
        (["ab", "aa", "x"], Prefix([1]), ["aa", "ab"]),
    ],
)
def test_what_is_left_is_read_anew(values: list[str], hierarchy: Any, order: list[str]) -> None:
    """By the same rules as the audit of the published table."""
    given: dict[str, Any] = {"categorical": ["d"]} if hierarchy == "categorical" else {}
    given |= {"hierarchies": {"d": hierarchy}} if isinstance(hierarchy, Prefix) else {}
    policy = Policy(quasi_identifiers=["q"], sensitive=["d"], privacy=[Closeness("d", 1, "ordered")], **given)
    table = encode(pa.table({"q": [1] * len(values), "d": values}), policy).table
    groups = np.where(np.array(values) == "x", -1, 0).astype(np.int32)
    histogram = GroupCounts.of_published(table, groups, 1).histograms["d"]
    assert histogram.domain.labels == tuple(order)
    assert histogram.totals.tolist() == [1, 1, values.count(None)]
    published = TextTable.of_arrow(pa.table({"q": [1] * 2, "d": order}))
    rows = TextRows(published)
    assert list(rows.confidential(rows.members(rows.grouped(["q"])), "d", policy).code_of) == order


some_leaves = st.lists(st.tuples(st.integers(0, 2), st.sampled_from([0, 0, 1, 2])), min_size=6, max_size=20)
"""Group and value."""


@pytest.mark.parametrize("kind", ["equal", "ordered", "beta"])
@given(leaves=some_leaves, data=st.data(), n_left=st.integers(1, 2))
def test_leftovers_of_a_tree(
    kind: str, leaves: list[tuple[int, int]], data: st.DataObject, n_left: int
) -> None:
    """Groups that just keep the promise in the source keep it in what is published."""
    left = data.draw(st.lists(st.integers(0, 2), min_size=n_left, max_size=n_left))
    codes = np.array([*(value for _, value in leaves), *left], dtype=np.uint8)
    table = EncodedTable(len(codes), (), None, {"d": CodedColumn(Domain("d", ("a", "b", "c")), codes)})
    numbers = sorted({number for number, _ in leaves})
    group = np.array([*(numbers.index(number) for number, _ in leaves), *([-1] * n_left)], dtype=np.int32)
    counts = GroupCounts.of(table, group[: len(leaves)], len(numbers), np.arange(len(leaves)))
    drawn = data.draw(COMPARED[kind])
    # What the worst group reaches is the bound that dropping a row breaks most easily.
    reached = Fraction(drawn.level(counts)).limit_denominator(1000)
    if not reached:
        return
    bound = {"beta": reached} if kind == "beta" else {"t": min(reached, Fraction(1))}
    promise = KAnonymity(n_left + 1) & replace(drawn, **bound)
    found = released_at_root(group, np.arange(len(leaves), len(codes)), table, promise, len(numbers))
    assert is_kept(promise.parts[1], table, found)


def is_kept(promise: PrivacyModel, table: EncodedTable, group: np.ndarray) -> bool:
    codes = table.confidential["d"].codes.tolist()
    rows = [(number, row, "abc"[codes[row]]) for row, number in enumerate(group.tolist()) if number >= 0]
    groups = {number: [row for row in rows if row[0] == number] for number in {row[0] for row in rows}}
    return all(promise_is_kept(promise, some, rows) for some in groups.values())


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
