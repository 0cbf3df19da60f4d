"""The judge decides as the promises do that methods ask, by other code: on rows and on persons."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import Tree, Value, hierarchy_of
from oracles_persons import Row, promise_is_kept
from promises import KINDS

from kanopy.auditing.counted import Held, Members
from kanopy.auditing.decide import Confidential, Decision, decide
from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel

TREES: tuple[Tree, ...] = (("a", "b", "c", "d"), (("a", "b"), ("c", "d")), ((("a", "b"), "c"), "d"))
EXAMPLES = settings.default.max_examples * 2 // 5
VALUES = ("a", "b", "c", "d", None)
some_rows = st.lists(
    st.tuples(st.integers(0, 3), st.none() | st.integers(0, 6), st.sampled_from(VALUES)),
    min_size=1,
    max_size=24,
)
"""Group, person (None: not known), value."""


def numbers_of(rows: list[Row]) -> np.ndarray:
    return np.array([-1 if row[1] is None else row[1] for row in rows], dtype=np.int32)


def bounds_of(promise: PrivacyModel) -> dict[str, Any]:
    return {name: getattr(promise, name) for name in promise.__dataclass_fields__}


def judged(promise: PrivacyModel, rows: list[Row], *, by_person: bool, tree: Tree) -> Decision:
    """By the judge's code, from arrays that are made here."""
    hierarchy = hierarchy_of(tree)
    labels = [*hierarchy.leaves, None]
    numbers = {group: place for place, group in enumerate(sorted({row[0] for row in rows}))}
    group = np.array([numbers[row[0]] for row in rows], dtype=np.int32)
    persons = numbers_of(rows) if by_person else None
    members = Members.of(group, len(numbers), persons)
    values = np.array([labels.index(row[2]) for row in rows])
    code_of = {leaf: code for code, leaf in enumerate(hierarchy.leaves)}
    arrays = (hierarchy.node_parent, hierarchy.node_height, hierarchy.ancestors[0].astype(np.int64))
    column = Confidential(Held.of(members, values, len(labels)), code_of, arrays)
    return decide(type(promise).__name__, bounds_of(promise), members.number, column)


def asked(promise: PrivacyModel, rows: list[Row], *, by_person: bool, tree: Tree) -> tuple[list[bool], float]:
    """As a method asks the promise."""
    hierarchy = hierarchy_of(tree)
    domain = Domain("d", hierarchy.leaves, hierarchy=hierarchy)
    numbers = {group: place for place, group in enumerate(sorted({row[0] for row in rows}))}
    code_of: dict[Value, int] = {None: domain.missing_code} | domain.code_of
    codes = np.array([code_of[row[2]] for row in rows], dtype=np.uint8)
    persons = numbers_of(rows) if by_person else None
    table = EncodedTable(len(rows), (), None, {"d": CodedColumn(domain, codes)}, persons)
    counts = GroupCounts.of(table, np.array([numbers[row[0]] for row in rows]), len(numbers))
    return promise.holds(counts).tolist(), promise.level(counts)


@pytest.mark.parametrize("by_person", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=EXAMPLES)
@given(rows=some_rows, data=st.data(), tree=st.sampled_from(TREES))
def test_judge_promise_and_definition_agree(
    by_person: bool, kind: str, rows: list[Row], data: st.DataObject, tree: Tree
) -> None:
    promise = data.draw(KINDS[kind])
    decision = judged(promise, rows, by_person=by_person, tree=tree)
    holds, level = asked(promise, rows, by_person=by_person, tree=tree)
    assert decision.holds.tolist() == holds
    assert decision.level == pytest.approx(level, abs=1e-12)
    whole = rows if by_person else [(group, place, value) for place, (group, _, value) in enumerate(rows)]
    for number, group in enumerate(sorted({row[0] for row in whole})):
        some = [row for row in whole if row[0] == group]
        assert holds[number] == promise_is_kept(promise, some, whole, tree=tree)


@pytest.mark.parametrize("by_person", [False, True])
@pytest.mark.parametrize("kind", ["equal", "ordered", "hierarchical", "alpha", "beta", "recursive"])
@settings(max_examples=EXAMPLES)
@given(rows=some_rows, data=st.data(), tree=st.sampled_from(TREES))
def test_the_worst_group_is_the_sharpest_bound(
    by_person: bool, kind: str, rows: list[Row], data: st.DataObject, tree: Tree
) -> None:
    """What the worst group reaches is kept (recursive: not kept), and anything less is not."""
    drawn = data.draw(KINDS[kind])
    level = judged(drawn, rows, by_person=by_person, tree=tree).level
    reached = Fraction(level if np.isfinite(level) else 0).limit_denominator(10_000)
    names = {"equal": "t", "ordered": "t", "hierarchical": "t", "alpha": "alpha", "beta": "beta"}
    name = names.get(kind, "c")
    if not 0 < reached < (1 if name in ("t", "alpha") else 100):
        return
    bounds = bounds_of(drawn)
    for bound, is_kept in ((reached, name != "c"), (reached * Fraction(999_999, 1_000_000), False)):
        promise = type(drawn)(**bounds | {name: bound})
        assert judged(promise, rows, by_person=by_person, tree=tree).holds.all() == is_kept


def decided(promise: str, groups: list[dict[str, int]], **bounds: Any) -> list[bool]:
    """Whether groups of rows, so many of each value, keep a promise."""
    group = np.repeat(np.arange(len(groups)), [sum(counts.values()) for counts in groups])
    values = [value for counts in groups for value, n in counts.items() for _ in range(n)]
    labels, codes = np.unique(values, return_inverse=True)
    held = Held.of(Members.of(group, len(groups), None), codes, len(labels) + 1)
    column = Confidential(held, {label: code for code, label in enumerate(labels.tolist())})
    return decide(promise, bounds, held.members, column).holds.tolist()


def test_entropy_at_its_bound() -> None:
    """Half, and four eighths: as varied as exactly 4 equally frequent values."""
    halves = {"a": 4, "b": 1, "c": 1, "d": 1, "e": 1}
    many = {value: 500 * count for value, count in halves.items()}
    even = dict.fromkeys("abc", 7)
    groups = [halves, many, even]
    assert decided("EntropyDiversity", groups, l=Fraction(4)) == [True, True, False]
    assert decided("EntropyDiversity", groups, l=4 + Fraction(1, 10**30)) == [False, False, False]
    assert decided("EntropyDiversity", groups, l=Fraction(3)) == [True, True, True]
    assert decided("EntropyDiversity", groups, l=3 + Fraction(1, 10**30)) == [True, True, False]
    nearly = {"a": 40_001, "b": 10_000, "c": 10_000, "d": 10_000, "e": 10_000}
    assert decided("EntropyDiversity", [nearly], l=Fraction(4)) == [False]
    other = {"a": 39_999, "b": 10_000, "c": 10_000, "d": 10_000, "e": 10_000}
    assert decided("EntropyDiversity", [other], l=Fraction(4)) == [True]


def test_disclosure_at_its_bound() -> None:
    """In the first group a value is twice as frequent as in the table; delta 1 wants it to be less."""
    groups = [{"a": 2, "b": 2}, {"b": 4}]
    assert decided("DeltaDisclosure", groups, delta=Fraction(1), strict_zero=False) == [False, True]
    barely = 1 + Fraction(1, 10**25)
    assert decided("DeltaDisclosure", groups, delta=barely, strict_zero=False) == [True, True]
    assert decided("DeltaDisclosure", groups, delta=2 - barely, strict_zero=False) == [False, True]
    assert decided("DeltaDisclosure", groups, delta=barely, strict_zero=True) == [True, False]


def test_enhanced_likeness_at_its_cap() -> None:
    """A quarter of the table may gain at most ln 4, about 1.386: up to 0.5965 of a group."""
    for share, is_kept in ((596, True), (597, False)):
        groups = [{"a": share, "b": 1000 - share}, {"a": 1000 - share, "b": share + 2000}]
        found = decided("BetaLikeness", groups, beta=Fraction(9), kind="enhanced")
        assert found[0] is is_kept
        assert decided("BetaLikeness", groups, beta=Fraction(9), kind="basic")[0]


def test_what_cannot_be_recounted_cannot_be_promised() -> None:
    with pytest.raises(PolicyError, match="cannot recount"):
        decided("Homemade", [{"a": 1}])
    with pytest.raises(PolicyError, match="cannot be measured"):
        decided("Closeness", [{"a": 1}], column="d", t=Fraction(1, 2), distance="hierarchical")
