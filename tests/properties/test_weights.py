"""A row of weight w counts as w equal rows: for every method, every promise, every loss."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np
import pytest
from effort import n_tables, one_in, quick
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty_tables import times_for
from oracles import hierarchy_of
from topdown_tables import TAXONOMIES

import kanopy
from kanopy.algorithms import Method
from kanopy.algorithms.topdown import Effort
from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts, Recoding, Split
from kanopy.errors import UnsatisfiableError
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
    largest_k,
)
from kanopy.utility import measure_losses

METHODS = {method.name: method for method in kanopy.methods()}
NATIVE = {"mondrian", "kactus", "kadet", "tds", "tdr", "tdd", "bottomup"} | {
    "datafly",
    "samarati",
    "incognito",
    "optimal",
    "koptimize",
    "muargus",
    "genetic",
}
EXAMPLES = n_tables(2)
PROMISES: dict[str, PrivacyModel] = {
    "k": KAnonymity(4),
    "some columns": AnonymityOf(["q0"], 5) & AnonymityOf(["q0", "q1"], 3),
    "distinct": KAnonymity(2) & DistinctDiversity("secret", 2),
    "entropy": EntropyDiversity("secret", "1.4"),
    "recursive": RecursiveDiversity("secret", 3, 2),
    "alpha": KAnonymity(3) & AlphaBound("secret", "0.8"),
    "template": Template(["q0", "q1"], "secret", "x", "0.7"),
    "closeness": KAnonymity(2) & Closeness("secret", "0.4"),
    "ordered": Closeness("secret", "0.4", "ordered"),
    "likeness": KAnonymity(2) & BetaLikeness("secret", "1.5"),
    "disclosure": KAnonymity(2) & DeltaDisclosure("secret", "2"),
}


def column(rng: np.random.Generator, name: str, kind: str, n_rows: int) -> CodedColumn:
    """A column of chance, some of its cells missing."""
    if kind == "tree":
        hierarchy = hierarchy_of(TAXONOMIES[rng.integers(len(TAXONOMIES))], name)
        domain = Domain(name, hierarchy.leaves, hierarchy=hierarchy)
    elif kind == "number":
        domain = Domain(name, tuple("134789"), np.array([1.0, 3, 4, 7, 8, 9]))
    else:
        domain = Domain(name, ("u", "v", "w", "x", "y")[: rng.integers(1, 6)])
    codes = rng.integers(0, domain.n_codes if rng.random() < 0.5 else domain.n_values, n_rows)
    return CodedColumn(domain, codes.astype(np.uint8))


def weighted_table(seed: int, promise: PrivacyModel, *, is_synthetic: bool = False) -> EncodedTable:
    """Different rows, each with a weight; made-up rows have no confidential column besides the class."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(1, 40))
    kinds = rng.choice(["tree", "number", "text"], rng.integers(2, 5))
    quasi = [column(rng, f"q{place}", kind, n_rows) for place, kind in enumerate(kinds.tolist())]
    target, secret = column(rng, "class", "text", n_rows), column(rng, "secret", "text", n_rows)
    secret = target if is_synthetic else secret
    together = np.column_stack([made.codes for made in (*quasi, target, secret)])
    rows = np.sort(np.unique(together, axis=0, return_index=True)[1])
    weight = rng.integers(1, 2 + rng.integers(1, 12), len(rows))
    confidential = {"secret": secret.take(rows)} if promise.columns else {}
    return EncodedTable(
        len(rows),
        tuple(made.take(rows) for made in quasi),
        target.take(rows),
        confidential,
        others=lambda: (secret.take(rows),),
        weight=weight,
    )


def options_of(method: Method, rng: np.random.Generator) -> dict[str, Any]:
    choices = {
        name: option.choices or (True, False)
        for name, option in method.options.items()
        if option.choices or isinstance(option.default, bool)
    }
    given_ = {name: chosen[rng.integers(len(chosen))] for name, chosen in choices.items()}
    chosen_ = {name: chosen for name, chosen in given_.items() if rng.random() < 0.5}
    return method.settle(quick(method.options) | chosen_)


def decided(
    method: Method, table: EncodedTable, promise: PrivacyModel, options: dict[str, Any]
) -> Recoding | str:
    """The recoding, or the message where there is none."""
    try:
        recoding: Recoding = method.run(table, promise, np.random.default_rng(3), **options)
    except UnsatisfiableError as error:
        return str(error)
    return recoding


def printed(recoding: Recoding) -> list[tuple[str, ...]]:
    """What every row prints, and whether it does."""
    texts = [[column.texts[cell] for cell in column.ids.tolist()] for column in recoding.columns]
    classes = [""] * len(recoding.is_kept) if recoding.target is None else map(str, recoding.target.tolist())
    return list(zip(*texts, classes, map(str, recoding.is_kept.tolist()), strict=True))


def behind(table: EncodedTable, recoding: Recoding) -> list[tuple[int, tuple[str, ...]]]:
    """What is printed for each row of a table, in any order, as often as it is."""
    split = Split(np.arange(table.n_rows), table.weight) if recoding.split is None else recoding.split
    times = np.ones(table.n_rows, dtype=np.int64) if split.weight is None else split.weight
    texts = zip(split.origin.tolist(), printed(recoding), times.tolist(), strict=True)
    return sorted((row, text) for row, text, n_times in texts for _ in range(n_times))


def counts_of(table: EncodedTable, recoding: Recoding) -> GroupCounts:
    groups = np.full(table.n_rows, -1)
    groups[recoding.is_kept], n_groups = recoding.groups
    return GroupCounts.of_published(table, groups, n_groups)


CASES = [
    *one_in(8, sorted(NATIVE), PROMISES),
    *one_in(2, sorted(METHODS.keys() - NATIVE), ("k", "closeness")),  # they run on the expanded table
]


@pytest.mark.parametrize(("name", "kind"), CASES)
@settings(max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_a_weight_is_so_many_rows(name: str, kind: str, seed: int) -> None:
    check_weights(name, kind, seed)


@pytest.mark.parametrize("kind", PROMISES)
@settings(max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_a_weight_is_so_many_rows_where_these_are_drawn_by_count(kind: str, seed: int) -> None:
    with mock.patch("kanopy.algorithms.kactus._DRAWN_ROW_BY_ROW", 0):
        check_weights("kactus", kind, seed)


def check_weights(name: str, kind: str, seed: int) -> None:
    method, promise = METHODS[name], PROMISES[kind]
    weighted = weighted_table(seed, promise, is_synthetic=method.is_synthetic)
    weighted = replace(weighted, weight=weighted.weight * times_for(name, weighted.total_weight))
    options = options_of(method, np.random.default_rng(seed))
    expanded = weighted.expanded()
    table = method.accepted(weighted, options)
    assert (table is weighted) == (name in NATIVE and options.get("strict", True))
    found, wanted = (decided(method, given_, promise, options) for given_ in (table, expanded))
    if isinstance(wanted, str) or isinstance(found, str):
        assert found == wanted
        return
    row = np.repeat(np.arange(table.n_rows), 1 if table.weight is None else table.weight)
    assert behind(table, found) == sorted((row[place], text) for place, text in behind(expanded, wanted))
    table = table if found.split is None else found.split.of(table)
    assert found.facts == wanted.facts
    assert str(found.model) == str(wanted.model)
    verdicts = [counts_of(table, found), counts_of(expanded, wanted)]
    assert promise.holds(verdicts[0]).tolist() == promise.holds(verdicts[1]).tolist()
    assert [part.level(verdicts[0]) for part in promise.parts] == [
        part.level(verdicts[1]) for part in promise.parts
    ]
    k = largest_k(promise)
    assert measure_losses(table, found, k) == measure_losses(expanded, wanted, k)


@pytest.mark.parametrize("name", sorted(METHODS.keys() - NATIVE))
def test_a_method_that_may_divide_equal_rows_refuses_weights(name: str) -> None:
    promise = KAnonymity(2)
    with pytest.raises(AssertionError, match="expand the table"):
        METHODS[name].run(weighted_table(1, promise), promise, np.random.default_rng(0))


def test_persons_have_no_weights() -> None:
    ones = np.ones(3, dtype=np.int64)
    with pytest.raises(AssertionError, match="persons"):
        EncodedTable(3, (), persons=np.arange(3, dtype=np.int32), weight=ones)
    for wrong in (np.array([1, 0, 2]), np.array([1.0, 1, 1]), np.array([2**53, 1, 1])):
        with pytest.raises(AssertionError):
            EncodedTable(3, (), weight=wrong)


def test_published_rows_and_allowed_effort_count_weights() -> None:
    table = weighted_table(5, PROMISES["closeness"])
    weight = table.weight_of()
    assert weight is not None
    groups = np.arange(table.n_rows) % 3 - 1
    some = GroupCounts.of_published(table, groups, 2)
    every = GroupCounts.of_published(table.expanded(), np.repeat(groups, weight), 2)
    assert some.rows.tolist() == every.rows.tolist()
    assert some.histograms["secret"].totals.tolist() == every.histograms["secret"].totals.tolist()
    assert some.histograms["secret"].count.tolist() == every.histograms["secret"].count.tolist()
    assert Effort.of(table, []).left == Effort.of(table.expanded(), []).left
