"""mu-Argus: rare combinations of a few columns, recoded columns, blank cells, and the gate."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_tables import column_of

import kanopy
from kanopy.algorithms.fulldomain.combinations import combination_checks
from kanopy.algorithms.fulldomain.levels import levels_of
from kanopy.algorithms.requirements import Requirement
from kanopy.data import EncodedTable
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.privacy import DeltaDisclosure, KAnonymity

QUASI = ["a", "b", "c"]
CUBE = list(product("xy", repeat=3))
"""Every combination of two columns occurs twice, and of all three once."""
some_rows = st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=4, max_size=30)


def release_of(rows: list[tuple[str, ...]], k: int, size: int | None, **options: Any) -> kanopy.Release:
    table = pa.table(dict(zip(QUASI, zip(*rows, strict=True), strict=True)))
    policy = kanopy.Policy(quasi_identifiers=QUASI, k=k, combinations=size)
    return kanopy.anonymize(table, policy, method="muargus", allow_empty=True, **options)


def rows_of(release: kanopy.Release) -> list[tuple[str, ...]]:
    return list(zip(*(release.frame.column(name).to_pylist() for name in QUASI), strict=True))


@pytest.mark.parametrize("max_unsafe", [0.0, 0.3, 1.0])
@given(rows=some_rows, size=st.integers(1, 3), k=st.integers(2, 4))
def test_no_combination_is_rare(max_unsafe: float, rows: list[tuple[str, ...]], size: int, k: int) -> None:
    release = release_of(rows, k, size, max_unsafe=max_unsafe)
    shown = rows_of(release)
    for columns in combinations(range(3), size):
        seen = [tuple(row[column] for column in columns) for row in shown]
        assert min(map(seen.count, seen)) >= k
    record = release.record
    assert record["facts"]["suppressed_rows"] == record["rows"]["dropped"] == len(rows) - len(shown)
    stars = sum(cell == "*" for row in shown for cell in row)
    columns = tuple(map(column_of, QUASI, zip(*rows, strict=True)))
    tops = [levels.height for levels in levels_of(EncodedTable(len(rows), columns))]
    n_tops = sum(map(int.__eq__, record["facts"]["levels"].values(), tops))
    assert record["facts"]["suppressed_cells"] == stars - len(shown) * n_tops


def test_the_value_in_most_rare_combinations_is_blanked() -> None:
    rows = [*CUBE * 5, *[("z", "x", "x")] * 2]
    shown = rows_of(release_of(rows, 2, 2, max_unsafe=1.0))
    assert sorted(set(shown) - set(CUBE)) == [("z", "x", "x")], "two of them are enough"
    shown = rows_of(release_of(rows, 3, 2, max_unsafe=1.0))
    assert ("z", "x", "x") not in shown
    assert not any("z" in row for row in shown)


def test_columns_are_recoded_until_few_rows_are_unsafe() -> None:
    rows = [(f"v{number}", *pair) for number, pair in enumerate(product("xy", "xy"))] * 2
    release = release_of(rows, 4, 1, max_unsafe=0.0)
    assert release.record["facts"]["levels"] == {"a": 1, "b": 0, "c": 0}
    assert release.record["facts"]["suppressed_cells"] == 0


def test_what_breaks_k_is_refused_and_explained() -> None:
    with pytest.raises(UnsatisfiableError, match="mu-Argus checks combinations of a few columns") as caught:
        release_of(CUBE, 2, None, combinations=2)
    assert caught.value.exit_code == 4
    assert "combinations = 3" in str(caught.value.hint)
    assert release_of(CUBE, 2, 2).audit.kept


def test_a_promise_of_larger_combinations_is_refused_too() -> None:
    with pytest.raises(UnsatisfiableError, match="mu-Argus"):
        release_of(CUBE, 2, 3, combinations=2)
    assert release_of(CUBE, 2, 3).audit.kept


@given(rows=some_rows, k=st.integers(2, 4))
def test_with_all_columns_it_keeps_k(rows: list[tuple[str, ...]], k: int) -> None:
    release = release_of(rows, k, None, all_columns=True)
    assert release.audit.kept
    assert release.audit.k >= k


def test_only_promises_that_unions_keep_are_asked_of_fewer_columns() -> None:
    promise = KAnonymity(2) & DeltaDisclosure("d", 1)
    checks = combination_checks([Requirement((0, 1, 2), promise)], 2, all_columns=False)
    assert [check.columns for check in checks] == [(0, 1), (0, 2), (1, 2)]
    assert all(check.promise.parts == (KAnonymity(2),) for check in checks)


def test_too_many_sets_of_columns_are_refused() -> None:
    with pytest.raises(PolicyError, match="cannot be checked"):
        combination_checks([Requirement(tuple(range(200)), KAnonymity(2))], 3, all_columns=False)


def test_equal_rows_are_blanked_alike() -> None:
    rng = np.random.default_rng(5)
    rows = [tuple(rng.choice(list("xyz"), 3)) for _ in range(60)] * 2
    shown: dict[str, set[str]] = {}
    table = pa.table(
        {**dict(zip(QUASI, zip(*rows, strict=True), strict=True)), "d": ["-".join(r) for r in rows]}
    )
    policy = kanopy.Policy(quasi_identifiers=QUASI, keep=["d"], k=5, combinations=2).accepting_all()
    release = kanopy.anonymize(table, policy, method="muargus", max_unsafe=1.0)
    for row in release.frame.to_pylist():
        shown.setdefault(row["d"], set()).add(str([row[name] for name in QUASI]))
    assert all(len(texts) == 1 for texts in shown.values())
