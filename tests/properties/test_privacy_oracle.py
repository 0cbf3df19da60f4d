"""Every model judges small nasty tables as its definition does, and merging breaks no monotone model."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles import (
    Tree,
    Value,
    counts_of,
    entropy_size,
    equal_distance,
    group_sizes,
    hierarchical_distance,
    hierarchy_of,
    is_recursively_diverse,
    keeps_beta,
    keeps_delta,
    largest_share,
    n_distinct,
    ordered_distance,
    share,
)
from promises import some_factor, some_monotone_promise, some_share

from kanopy.auditing import TextTable, judge
from kanopy.data import GroupCounts
from kanopy.policy import Policy
from kanopy.privacy import (
    AlphaBound,
    AnonymityOf,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)

LABELS = ("a", "b", "c", "d")
TREES: tuple[Tree, ...] = (
    ("a", "b", "c", "d"),
    (("a", "b"), ("c", "d")),
    ((("a", "b"), "c"), "d"),
    ("a", ("b", "c", "d")),
)
QUASI = ["p", "q", "r"]
Groups = list[list[Value]]

some_value = st.sampled_from([*LABELS, None])
some_group = st.lists(some_value, min_size=1, max_size=8)
some_groups = st.lists(some_group, min_size=1, max_size=4)
some_dropped = st.lists(some_value, max_size=6)
some_distance = st.sampled_from(["equal", "ordered", "hierarchical"])


def whole_table(groups: Groups, dropped: list[Value]) -> list[Value]:
    return [value for group in groups for value in group] + dropped


@given(st.lists(st.integers(1, 12), min_size=1, max_size=6), st.data(), st.integers(2, 12))
def test_k_counts_persons_where_known(sizes: list[int], data: st.DataObject, k: int) -> None:
    persons = [data.draw(st.integers(1, size)) for size in sizes]
    rows_only = GroupCounts(np.array(sizes))
    assert KAnonymity(k).holds(rows_only).tolist() == [size >= k for size in sizes]
    with_persons = GroupCounts(np.array(sizes), np.array(persons))
    assert KAnonymity(k).holds(with_persons).tolist() == [number >= k for number in persons]
    assert KAnonymity(k).level(with_persons) == min(persons)


some_rows = st.lists(st.tuples(*[st.sampled_from(["1", "2", "*", ""])] * 3, st.integers(0, 5)), min_size=1)
some_known = st.lists(st.sampled_from(QUASI), min_size=1, unique=True)


@given(some_rows, st.lists(st.tuples(some_known, st.integers(2, 5)), min_size=1, max_size=3), st.booleans())
def test_the_judge_counts_sets_of_quasi_identifiers(
    rows: list[tuple[str, str, str, int]], sets: list[tuple[list[str], int]], by_person: bool
) -> None:
    """Every promise about some columns, against a count of the rows that agree on these, one by one."""
    columns = {name: [row[place] for row in rows] for place, name in enumerate(QUASI)}
    persons = np.array([row[-1] for row in rows], dtype=np.int32) if by_person else None
    policy = Policy(quasi_identifiers=QUASI, privacy=[AnonymityOf(known, k) for known, k in sets])
    audit = judge(TextTable.of_arrow(pa.table(columns)), policy, persons=persons)
    members = [row[-1] if by_person else number for number, row in enumerate(rows)]
    promised = {part.sentence(audit.unit): (part.given, part.k) for part in policy.promise.parts}
    assert len(audit.promises) == len(promised)
    for result in audit.promises:
        known, k = promised[result.promise]
        sizes = group_sizes(columns, known, members)
        assert result.level == min(sizes)
        assert result.kept == (min(sizes) >= k)
        assert result.groups_broken == sum(size < k for size in sizes)
    assert audit.kept == all(result.kept for result in audit.promises)
    assert audit.k == min(group_sizes(columns, QUASI, members))


@given(some_groups, st.integers(2, 5))
def test_distinct_diversity(groups: Groups, l: int) -> None:  # noqa: E741
    counts = counts_of(groups)
    different = [n_distinct(group) for group in groups]
    assert DistinctDiversity("d", l).holds(counts).tolist() == [number >= l for number in different]
    assert DistinctDiversity("d", l).level(counts) == min(different)


@given(some_groups, st.fractions(Fraction(11, 10), 5, max_denominator=10))
def test_entropy_diversity(groups: Groups, l: Fraction) -> None:  # noqa: E741
    counts = counts_of(groups)
    sizes = [entropy_size(group) for group in groups]
    assert EntropyDiversity("d", l).holds(counts).tolist() == [
        size >= l - Fraction(1, 10**9) for size in sizes
    ]
    assert EntropyDiversity("d", l).level(counts) == pytest.approx(min(sizes))


@given(some_groups, some_factor, st.integers(2, 4))
def test_recursive_diversity(groups: Groups, c: Fraction, l: int) -> None:  # noqa: E741
    model = RecursiveDiversity("d", c, l)
    counts = counts_of(groups)
    assert model.holds(counts).tolist() == [is_recursively_diverse(group, c, l) for group in groups]
    level = model.level(counts)
    if level < float("inf"):
        assert RecursiveDiversity("d", level + 1e-6, l).holds(counts).all()
        assert not RecursiveDiversity("d", level - 1e-6, l).holds(counts).all()
    else:
        assert min(n_distinct(group) for group in groups) < l


@given(some_groups, some_dropped, some_distance, st.sampled_from(TREES), st.data())
def test_closeness(
    groups: Groups, dropped: list[Value], distance: str, tree: Tree, data: st.DataObject
) -> None:
    table = whole_table(groups, dropped)
    if distance == "equal":
        counts = counts_of(groups, dropped=dropped)
        expected = [equal_distance(group, table) for group in groups]
    elif distance == "ordered":
        order = data.draw(st.permutations(LABELS))
        counts = counts_of(groups, dropped=dropped, labels=order)
        expected = [ordered_distance(group, table, [*order, None]) for group in groups]
    else:
        counts = counts_of(groups, dropped=dropped, hierarchy=hierarchy_of(tree))
        expected = [hierarchical_distance(group, table, tree) for group in groups]
    # The distances themselves are the sharpest bounds: exactness shows there or nowhere.
    t = data.draw(st.sampled_from([each for each in expected if each > 0] or [Fraction(1)]) | some_share)
    assert Closeness("d", t, distance).holds(counts).tolist() == [each <= t for each in expected]
    assert Closeness("d", t, distance).level(counts) == pytest.approx(float(max(expected)), abs=1e-12)


@given(st.lists(st.lists(st.sampled_from(["a", None]), min_size=1), min_size=1, max_size=3), some_share)
def test_closeness_over_a_single_leaf(groups: Groups, t: Fraction) -> None:
    table = whole_table(groups, [])
    expected = [hierarchical_distance(group, table, "a") for group in groups]
    counts = counts_of(groups, hierarchy=hierarchy_of("a"))
    assert Closeness("d", t, "hierarchical").holds(counts).tolist() == [each <= t for each in expected]


@given(some_groups, st.data())
def test_alpha_and_templates(groups: Groups, data: st.DataObject) -> None:
    counts = counts_of(groups, labels=LABELS)
    shares = {largest_share(group) for group in groups} | {share(group, "a") for group in groups}
    bound = data.draw(st.sampled_from([each for each in shares if 0 < each < 1] or [Fraction(1, 2)]))
    of_a = [share(group, "a") <= bound for group in groups]
    assert AlphaBound("d", bound, "a").holds(counts).tolist() == of_a
    assert Template(["age"], "d", "a", bound).holds(counts).tolist() == of_a
    of_all = [largest_share(group) <= bound for group in groups]
    assert AlphaBound("d", bound).holds(counts).tolist() == of_all
    assert AlphaBound("d", bound).level(counts) == pytest.approx(float(max(map(largest_share, groups))))
    assert Template(["age"], "d", "a", bound).level(counts) == pytest.approx(
        float(max(share(group, "a") for group in groups))
    )


@given(some_groups, some_dropped, some_factor, st.booleans())
def test_delta_disclosure(groups: Groups, dropped: list[Value], delta: Fraction, strict_zero: bool) -> None:
    table = whole_table(groups, dropped)
    expected = [keeps_delta(group, table, delta, strict_zero=strict_zero) for group in groups]
    model = DeltaDisclosure("d", delta, strict_zero=strict_zero)
    assert model.holds(counts_of(groups, dropped=dropped)).tolist() == expected


@given(some_groups, some_dropped, some_factor, st.sampled_from(["basic", "enhanced"]))
def test_beta_likeness(groups: Groups, dropped: list[Value], beta: Fraction, kind: str) -> None:
    table = whole_table(groups, dropped)
    expected = [keeps_beta(group, table, beta, enhanced=kind == "enhanced") for group in groups]
    assert BetaLikeness("d", beta, kind).holds(counts_of(groups, dropped=dropped)).tolist() == expected


@given(some_monotone_promise, some_group, some_group, some_dropped, st.sampled_from(TREES))
def test_merging_keeps_what_is_monotone(
    model: PrivacyModel, one: list[Value], other: list[Value], dropped: list[Value], tree: Tree
) -> None:
    hierarchy = hierarchy_of(tree)
    apart = counts_of([one, other], dropped=dropped, hierarchy=hierarchy)
    assume(model.holds(apart).all())
    assert model.monotone
    assert model.holds(counts_of([one + other], dropped=dropped, hierarchy=hierarchy)).all()


def test_merging_can_break_delta_disclosure() -> None:
    with_it, without_it, rest = ["s", "t", "t"], ["t", "t", "t"], ["s", "s", "s", "s"]
    model = DeltaDisclosure("d", 1.1)
    assert model.holds(counts_of([with_it, without_it, rest])).all()
    assert model.holds(counts_of([with_it + without_it, rest])).tolist() == [False, True]
    assert not model.monotone
