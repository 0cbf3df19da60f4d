"""Mondrian cuts small nasty tables into exactly the groups that the naive recursion of the papers finds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from unittest import mock

import numpy as np
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import (
    PlainColumn,
    Rows,
    Tree,
    Value,
    equal_distance,
    hierarchy_of,
    n_distinct,
    naive_mondrian,
    ordered_distance,
)

from kanopy.algorithms.mondrian import mondrian
from kanopy.data import CodedColumn, Domain, EncodedTable, Partition
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import Closeness, DistinctDiversity, KAnonymity, PrivacyModel

TREES: tuple[Tree, ...] = (("a", "b", "c", "d"), (("a", "b"), ("c", "d")), ((("a", "b"), "c"), "d"))
LETTERS = ("a", "b", "c", "d")
NUMBERS = ("-5", "0", "0.1", "0.2", "0.3", "1", "1.0", "4", "10")
MANY = tuple(f"{number:04d}" for number in range(6000))
"""So many values that counting every one of them in every node does not pay: the other way to count."""
CLASSES = ("x", "y", "z")


@dataclass(frozen=True)
class Plain:
    """A table as plain lists, and what is promised about it."""

    columns: list[PlainColumn]
    classes: list[Value]
    sensitive: list[Value]
    persons: list[int] | None
    k: int
    diversity: int | None = None
    closeness: Fraction | None = None
    is_ordered: bool = False

    @property
    def rows(self) -> Rows:
        """Persons keep their rows together; everything else stays in the order of the table."""
        rows = list(range(len(self.classes)))
        return rows if self.persons is None else sorted(rows, key=lambda row: self.persons[row])

    @property
    def promise(self) -> PrivacyModel:
        promise: PrivacyModel = KAnonymity(self.k)
        if self.diversity is not None:
            promise &= DistinctDiversity("s", self.diversity)
        if self.closeness is not None:
            promise &= Closeness("s", self.closeness, "ordered" if self.is_ordered else "equal")
        return promise

    def holds(self, rows: Rows) -> bool:
        values, table = self.counted(rows), self.counted(list(range(len(self.classes))))
        members = rows if self.persons is None else {self.persons[row] for row in rows}
        if len(members) < self.k:
            return False
        if self.diversity is not None and n_distinct(values) < self.diversity:
            return False
        if self.closeness is None:
            return True
        if self.is_ordered:
            return ordered_distance(values, table, [*LETTERS, None]) <= self.closeness
        return equal_distance(values, table) <= self.closeness

    def counted(self, rows: Rows) -> list[Value]:
        """The values of the rows; a person has each of hers once."""
        members = rows if self.persons is None else [self.persons[row] for row in rows]
        return [
            value for _, value in {(who, self.sensitive[row]) for who, row in zip(members, rows, strict=True)}
        ]

    def encoded(self) -> EncodedTable:
        quasi = tuple(encode(f"q{place}", column) for place, column in enumerate(self.columns))
        target = encode("class", PlainColumn(self.classes, CLASSES))
        sensitive = encode("s", PlainColumn(self.sensitive, LETTERS))
        persons = None if self.persons is None else np.array(self.persons, dtype=np.int32)
        confidential = {"s": sensitive} if self.promise.columns else {}
        return EncodedTable(len(self.classes), quasi, target, confidential, persons)


def encode(name: str, column: PlainColumn) -> CodedColumn:
    hierarchy = None if column.tree is None else hierarchy_of(column.tree, name)
    numbers = np.array([float(value) for value in column.order]) if column.is_numeric else None
    domain = Domain(name, tuple(column.order), numbers, hierarchy=hierarchy)
    codes = [column.rank(row) for row in range(len(column.values))]
    return CodedColumn(domain, np.array(codes, dtype=np.uint16))


def fast_groups(plain: Plain, *, counters: int, **options: object) -> set[frozenset[int]]:
    table = plain.encoded()
    with (
        # The groups themselves, before any of them print alike.
        mock.patch.object(Partition, "publish", lambda self, table, style, **_: self),
        mock.patch("kanopy.algorithms.mondrian._COUNTERS_AT_A_TIME", counters),
    ):
        partition = mondrian(table, plain.promise, np.random.default_rng(0), **options)
    assert partition.n_groups == partition.group.max() + 1
    return {
        frozenset(np.flatnonzero(partition.group == group).tolist()) for group in range(partition.n_groups)
    }


def naive_groups(plain: Plain, *, cut: str, **options: Any) -> set[frozenset[int]]:
    classes = plain.classes if cut == "gain" else None
    groups = naive_mondrian(plain.columns, plain.rows, plain.holds, k=plain.k, classes=classes, **options)
    return set(map(frozenset, groups))


@st.composite
def plain_columns(draw: st.DrawFn, n_rows: int) -> PlainColumn:
    kind = draw(st.sampled_from(["numeric", "text", "tree", "many numbers", "many texts"]))
    order = {"numeric": NUMBERS, "text": LETTERS, "tree": LETTERS}.get(kind, MANY)
    if kind.startswith("many"):
        used = draw(st.lists(st.sampled_from(MANY), min_size=1, max_size=4))
    else:
        used = list(order)
    missing = draw(st.sampled_from([[], [None]]))
    values = draw(st.lists(st.sampled_from([*used, *missing]), min_size=n_rows, max_size=n_rows))
    if kind == "numeric":  # the order of a numeric column begins and ends with what occurs in it
        order = tuple(value for value in order if value in values)
    tree = draw(st.sampled_from(TREES)) if kind == "tree" else None
    return PlainColumn(values, order, kind in ("numeric", "many numbers"), tree)


@st.composite
def plain_tables(draw: st.DrawFn) -> Plain:
    n_rows = draw(st.integers(4, 18))

    def column_of(choices: tuple[Value, ...]) -> list[Value]:
        return draw(st.lists(st.sampled_from(choices), min_size=n_rows, max_size=n_rows))

    bounds = draw(st.sampled_from(["k", "k", "diversity", "closeness", "both"]))
    is_diverse, is_close = bounds in ("diversity", "both"), bounds in ("closeness", "both")
    some_persons = st.lists(st.integers(0, n_rows), min_size=n_rows, max_size=n_rows)
    return Plain(
        columns=[draw(plain_columns(n_rows)) for _ in range(draw(st.integers(1, 3)))],
        classes=column_of(draw(st.sampled_from([("x",), ("x", "y"), ("x", "y", "z", None)]))),
        sensitive=column_of((*LETTERS, None)),
        persons=draw(some_persons) if draw(st.sampled_from([False, False, True])) else None,
        k=draw(st.integers(2, 4)),
        diversity=draw(st.integers(2, 3)) if is_diverse else None,
        closeness=draw(st.fractions(Fraction(1, 5), 1, max_denominator=10)) if is_close else None,
        is_ordered=draw(st.booleans()),
    )


@settings(max_examples=n_tables(80))
@given(
    plain=plain_tables(),
    options=st.fixed_dictionaries(
        {
            "cut": st.sampled_from(["median", "gain"]),
            "strict": st.booleans(),
            "try_lower_cut": st.booleans(),
            "width": st.sampled_from(["range", "distinct"]),
            "max_chance": st.sampled_from([0, 0.05, 0.3, 0.9, 1]),
        }
    ),
    counters=st.sampled_from([1, 20, 10**6]),
)
def test_same_groups_as_the_naive_recursion(plain: Plain, options: dict[str, Any], counters: int) -> None:
    if not plain.holds(plain.rows):
        with pytest.raises(UnsatisfiableError):
            fast_groups(plain, counters=counters, **options)
        return
    assert fast_groups(plain, counters=counters, **options) == naive_groups(plain, **options)
