"""k-Optimize against every set of splits, its bounds, its limits and what it publishes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_koptimize import least_cost

from kanopy.algorithms import find_method, silent
from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts, Recoding
from kanopy.errors import PolicyError
from kanopy.privacy import Closeness, DistinctDiversity, KAnonymity, PrivacyModel

KOPTIMIZE = find_method("koptimize")
some_rows = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1), st.integers(0, 1)),
    min_size=3,
    max_size=14,
)


def table_of(rows: list[tuple[int, ...]], **fields: Any) -> EncodedTable:
    *quasi, classes = (np.array(column, np.uint8) for column in zip(*rows, strict=True))
    columns = [
        CodedColumn(Domain(f"q{c}", tuple("abcd"), np.arange(4.0)), codes) for c, codes in enumerate(quasi)
    ]
    return EncodedTable(len(rows), tuple(columns), CodedColumn(Domain("c", ("n", "y")), classes), **fields)


def run(table: EncodedTable, promise: PrivacyModel, progress: Any = silent, **options: Any) -> Recoding:
    return KOPTIMIZE.run(table, promise, None, progress, **KOPTIMIZE.settle(options))


@pytest.mark.parametrize("loss", ["discernibility", "classification"])
@given(rows=some_rows, k=st.integers(2, 4), limit=st.sampled_from([0, 1, 3, 14]))
def test_the_optimum_is_that_of_all_sets(loss: str, rows: list[tuple[int, ...]], k: int, limit: int) -> None:
    k = min(k, len(rows))
    facts = run(table_of(rows), KAnonymity(k), loss=loss, max_suppressed=limit, max_nodes=100_000).facts
    assert facts["proven_optimal"]
    assert facts["loss"] == facts["loss_at_least"] == least_cost(rows, k, loss, limit)


@pytest.mark.parametrize("loss", ["discernibility", "classification"])
@settings(max_examples=n_tables(8))
@given(rows=some_rows, k=st.integers(2, 4), n_nodes=st.integers(1, 5), stops=st.booleans())
def test_stopped_early_the_bound_holds(
    loss: str, rows: list[tuple[int, ...]], k: int, n_nodes: int, stops: bool
) -> None:
    k = min(k, len(rows))
    limits = {"max_suppressed": 3, "max_nodes": 100_000 if stops else n_nodes}
    found = run(table_of(rows), KAnonymity(k), lambda done, _: stops and done >= n_nodes, loss=loss, **limits)
    assert found.facts["loss_at_least"] <= least_cost(rows, k, loss, 3) <= found.facts["loss"]
    assert found.facts["nodes_visited"] <= n_nodes
    assert stops or not found.facts.get("cut_short")


@pytest.mark.parametrize("share", [0, 0.3, 5])
@given(rows=some_rows)
def test_other_promises_are_kept_by_what_is_published(share: float, rows: list[tuple[int, ...]]) -> None:
    table = table_of(rows)
    table = table_of(rows, confidential={"c": table.target})
    promise = KAnonymity(2) & Closeness("c", "0.4")
    found = run(table, promise, max_suppressed=share)
    group = np.full(len(rows), -1, np.int32)
    group[found.is_kept] = found.groups[0]
    assert promise.holds(GroupCounts.of_published(table, group, found.groups[1])).all()
    assert found.facts["suppressed_rows"] <= (share if share >= 1 else int(share * len(rows)))


def test_suppressed_rows_are_published_where_they_keep_the_promise() -> None:
    often = [(0, 0), (0, 2), (3, 0)]
    rows = [(*pair, third, 0) for third in (0, 1) for pair in (*often * 9, (3, 2))]
    found = run(table_of(rows), KAnonymity(2), max_suppressed=2)
    assert found.is_kept.all()
    assert found.facts["suppressed_rows"] == 2
    assert [column.texts[column.ids[-1]] for column in found.columns] == ["*", "*", "*"]
    strict = run(table_of(rows), KAnonymity(2), max_suppressed=0)
    assert strict.facts["loss"] > found.facts["loss"]


def test_missing_values_are_the_last_ones() -> None:
    codes = np.array([0, 0, 1, 1, 3, 3], np.uint8)
    table = EncodedTable(6, (CodedColumn(Domain("q", ("a", "b", "c")), codes),))
    texts = run(table, KAnonymity(2)).columns[0]
    assert [texts.texts[cell] for cell in texts.ids] == ["a", "a", "b", "b", "", ""]


def test_diversity_is_no_group_size() -> None:
    rows = [(0, 0, 0, 0)] * 5 + [(1, 0, 0, 1)] * 5
    table = table_of(rows)
    table = table_of(rows, confidential={"c": table.target})
    found = run(table, KAnonymity(2) & DistinctDiversity("c", 2), max_suppressed=0)
    assert found.groups[1] == 1


def test_a_class_is_needed_to_lose_it() -> None:
    table = EncodedTable(2, (CodedColumn(Domain("q", ("a",)), np.zeros(2, np.uint8)),))
    with pytest.raises(PolicyError, match="needs a class"):
        run(table, KAnonymity(2), loss="classification")


def test_the_greedy_start_can_be_stopped() -> None:
    """Every question whether to go on comes with a pass over the table: few are asked after a first no."""
    rows = [tuple(row) for row in np.random.default_rng(0).integers(0, [4, 4, 4, 2], (600, 4)).tolist()]
    asked: list[int] = []

    def stops(_done: int, _all: int) -> bool:
        asked.append(1)
        return True

    found = run(table_of(rows), KAnonymity(5), stops)
    assert 0 < len(asked) < 5
    assert found.facts["cut_short"]
    assert found.n_kept == 600
