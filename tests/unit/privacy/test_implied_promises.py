"""Promises that follow from others, and the smallest bound that a table can keep."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.errors import PolicyError
from kanopy.privacy import (
    AlphaBound,
    AnonymityOf,
    DistinctDiversity,
    KAnonymity,
    PrivacyModel,
    Template,
    promised_k,
    smallest_satisfiable,
    without_implied,
)


def discharged(given: str, at_most: str, value: Any = "Discharged", column: str = "Bankruptcy") -> Template:
    return Template(given.split(), column, value, at_most)


JOB, BOTH = discharged("Job", "0.5"), discharged("Job Country", "0.5")


@pytest.mark.parametrize(
    ("promises", "dropped"),
    [
        # Theorem 3.1: fewer columns, and a bound that is not stricter.
        ([JOB, BOTH], [JOB]),
        ([BOTH, JOB], [JOB]),
        ([BOTH, discharged("Job", "0.6")], [discharged("Job", "0.6")]),
        ([BOTH, discharged("Job", "0.49")], []),
        ([BOTH, discharged("Child", "0.5")], []),
        ([BOTH, discharged("Job Child", "0.5")], []),
        ([BOTH, discharged("Job", "0.5", value="Never")], []),
        ([BOTH, discharged("Job", "0.5", column="Class")], []),
        # A template of several values from one of more of them.
        ([JOB, discharged("Job", "0.5", ["Never", "Discharged"])], [JOB]),
        ([JOB, discharged("Job", "0.4", ["Never", "Current"])], []),
        ([BOTH, discharged("Job", "0.5", ["Never", "Discharged"])], []),
        # Of those that say the same, one stays: the first.
        ([BOTH, discharged("Country Job", "1/2")], [discharged("Country Job", "1/2")]),
        ([JOB, JOB, JOB], [JOB, JOB]),
        # What follows from something that follows.
        ([discharged("Job", "0.7"), JOB, BOTH], [discharged("Job", "0.7"), JOB]),
        # k: fewer columns, and a k that is not larger.
        ([AnonymityOf(["a"], 5), AnonymityOf(["a", "b"], 5)], [AnonymityOf(["a"], 5)]),
        ([AnonymityOf(["a"], 6), AnonymityOf(["a", "b"], 5)], []),
        ([AnonymityOf(["a"], 5), AnonymityOf(["b"], 5)], []),
        ([AnonymityOf(["b", "a"], 5), AnonymityOf(["a", "b"], 5)], [AnonymityOf(["a", "b"], 5)]),
        ([AnonymityOf(["a"], 5), KAnonymity(5)], [AnonymityOf(["a"], 5)]),
        ([AnonymityOf(["a"], 6), KAnonymity(5)], []),
        ([AnonymityOf(["a"], 6), KAnonymity(3), KAnonymity(5)], [KAnonymity(3)]),
        # Each kind from its own.
        ([KAnonymity(50), JOB, DistinctDiversity("d", 2)], []),
        ([DistinctDiversity("d", 2), DistinctDiversity("d", 2)], [DistinctDiversity("d", 2)]),
        ([], []),
    ],
)
def test_what_follows_is_dropped(promises: list[PrivacyModel], dropped: list[PrivacyModel]) -> None:
    kept, not_needed = without_implied(promises)
    assert list(not_needed) == dropped
    left = list(promises)
    for promise in dropped:
        left.reverse()  # of equal promises the last are dropped
        left.remove(promise)
        left.reverse()
    assert list(kept) == left


some_columns = st.lists(st.sampled_from("abc"), min_size=1, unique=True)
some_promise = st.one_of(
    st.builds(KAnonymity, st.integers(2, 5)),
    st.builds(AnonymityOf, some_columns, st.integers(2, 5)),
    st.builds(
        Template, some_columns, st.just("d"), st.sampled_from("xy"), st.sampled_from(["1/4", "1/2", "2/3"])
    ),
)


def naively_implied(weaker: Any, stronger: Any) -> bool:
    """The theorem, column by column; None is more than any columns."""
    if isinstance(weaker, Template) != isinstance(stronger, Template):
        return False
    about, others = weaker.grouped_by, stronger.grouped_by
    if others is not None and (about is None or any(name not in others for name in about)):
        return False
    if isinstance(weaker, Template):
        return weaker.value == stronger.value and weaker.at_most >= stronger.at_most
    return bool(weaker.k <= stronger.k)


@given(st.lists(some_promise, max_size=8))
def test_nothing_that_is_kept_follows_and_all_that_is_dropped_does(promises: list[PrivacyModel]) -> None:
    kept, dropped = without_implied(promises)
    assert sorted(map(repr, kept + dropped)) == sorted(map(repr, promises))
    for promise in dropped:
        assert any(naively_implied(promise, other) for other in kept)
    for promise in kept:
        assert not any(naively_implied(promise, other) for other in kept if other is not promise)
    assert without_implied(kept) == (kept, ())
    assert {*map(str, kept)} == {*map(str, without_implied(dict.fromkeys(promises))[0])}


@pytest.mark.parametrize(
    ("promise", "columns", "k"),
    [
        (KAnonymity(3), "abc", 3),
        (KAnonymity(3), "a", 3),
        (AnonymityOf(["a", "b", "c"], 3), "abc", 3),
        (AnonymityOf(["c", "b", "a"], 3), "ab", 3),
        (AnonymityOf(["a", "b"], 3), "abc", None),
        (AnonymityOf(["a", "b"], 3) & AnonymityOf(["b"], 5) & KAnonymity(2), "b", 5),
        (AnonymityOf(["a", "b"], 3) & AnonymityOf(["b"], 5) & KAnonymity(2), "ba", 3),
        (AnonymityOf(["a", "b"], 3) & AnonymityOf(["b"], 5) & KAnonymity(2), "abc", 2),
        (Template(["a"], "d", "x", 0.5), "a", None),
    ],
)
def test_the_k_of_some_columns(promise: PrivacyModel, columns: str, k: int | None) -> None:
    assert promised_k(promise, columns) == k


# --- the smallest bound ------------------------------------------------------------------------------------


def table(values: list[str | None]) -> EncodedTable:
    domain = Domain("d", ("x", "y", "z"))
    codes = {None: domain.missing_code} | domain.code_of
    column = CodedColumn(domain, np.array([codes[value] for value in values], dtype=np.uint8))
    return EncodedTable(len(values), (), None, {"d": column})


def test_the_smallest_bound_is_the_share_in_the_whole_table() -> None:
    worked_example = table(["x"] * 5 + ["y"] * 8 + ["z"] * 11)
    assert smallest_satisfiable(Template(["a"], "d", "x", 0.1), worked_example) == Fraction(5, 24)
    assert smallest_satisfiable(Template(["a"], "d", ["x", "never"], 0.1), worked_example) == Fraction(5, 24)
    assert smallest_satisfiable(AlphaBound("d", 0.1, "y"), worked_example) == Fraction(1, 3)
    assert smallest_satisfiable(AlphaBound("d", 0.1), worked_example) == Fraction(11, 24)


def test_missing_counts_and_a_value_that_nobody_has_needs_no_bound() -> None:
    mostly_missing = table(["x", None, None, None])
    assert smallest_satisfiable(AlphaBound("d", 0.1), mostly_missing) == Fraction(3, 4)
    assert smallest_satisfiable(Template(["a"], "d", "x", 0.1), mostly_missing) == Fraction(1, 4)
    assert smallest_satisfiable(Template(["a"], "d", "z", 0.1), mostly_missing) == 0
    assert smallest_satisfiable(Template(["a"], "d", "other", 0.1), mostly_missing) == 0


def test_a_column_that_was_not_counted() -> None:
    with pytest.raises(PolicyError, match="column 'e' is promised something but was not counted"):
        smallest_satisfiable(Template(["a"], "e", "x", 0.1), table(["x"]))
