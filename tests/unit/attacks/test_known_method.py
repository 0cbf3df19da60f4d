"""What knowing the method tells: by hand on methods of two lines, and on those of the product."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from effort import quick

import kanopy
from kanopy.attacks import KnownMethod, MethodRuns
from kanopy.attacks.known_method import Again, Cells, interval, measure_known_method
from kanopy.data.arrays import Bools
from kanopy.datasets import patients
from kanopy.engines.again import method_again
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.policy import Policy

POLICY = Policy(quasi_identifiers=["age"], target="ill", k=2)
SOURCE = pa.table({"age": [20, 22, 30, 34, 40, 44], "ill": list("abcdef")})


def in_pairs(text_of: Any) -> Again:
    """A method that publishes the rows in pairs by age; the text of a pair is a function of its two rows."""

    def again(table: pa.Table, seed: int) -> tuple[Cells, Bools]:
        ages = np.array(table["age"].to_pylist())
        pair = np.empty(len(ages), dtype=np.int32)
        pair[np.argsort(ages, kind="stable")] = np.arange(len(ages)) // 2
        rows = table.to_pylist()
        texts = [
            text_of([row for row, its in zip(rows, pair, strict=True) if its == one]) for one in range(3)
        ]
        known = sorted(set(texts))
        ids = np.array([known.index(text) for text in texts], dtype=np.int32)
        return [(known, ids[pair])], np.ones(len(ages), dtype=bool)

    return again


def ends(rows: list[dict[str, Any]]) -> str:
    ages = sorted(row["age"] for row in rows)
    return f"[{ages[0]}, {ages[1]}]" if ages[0] < ages[1] else str(ages[0])


def wide_ends(rows: list[dict[str, Any]]) -> str:
    ages = [row["age"] for row in rows]
    return f"[{min(ages) // 10 * 10}, {max(ages) // 10 * 10 + 10}]"


def who_is_young(rows: list[dict[str, Any]]) -> str:
    young = min(rows, key=lambda row: (row["age"], row["ill"]))
    return f"[{'abcdef'.index(young['ill'])}, 50]"


def measured(text_of: Any, **given: Any) -> KnownMethod:
    return measure_known_method(SOURCE, POLICY, MethodRuns(in_pairs(text_of), **given))


def test_exact_ends_pin_values_and_swaps_change_nothing() -> None:
    found = measured(ends)
    assert (found.rows, found.source_rows, found.groups, found.seeds) == (6, 6, 3, 1)
    # Who of two has which end, the release does not say; but somebody has it.
    assert (found.swaps, found.ruled_out, found.told) == (100, 0, 0.0)
    assert (found.values, found.pinned) == (50, 50)
    assert found.columns == {"age": {"swaps": 100, "ruled_out": 0, "values": 50, "pinned": 50}}


def test_wide_ends_pin_nothing() -> None:
    found = measured(wide_ends)
    assert (found.values, found.pinned, found.ruled_out) == (50, 0, 0)


def test_cells_that_tell_who_rule_out_every_swap() -> None:
    found = measured(who_is_young, simulations=30)
    assert (found.swaps, found.ruled_out, found.told) == (30, 30, 1.0)
    assert found.told_between is not None
    assert found.told_between == pytest.approx((0.886, 1.0), abs=1e-3)


def test_nothing_to_swap_or_to_try() -> None:
    policy = Policy(quasi_identifiers=["age"], k=2)
    same = pa.table({"age": [20, 20, 30, 30, 40, 40]})
    found = measure_known_method(same, policy, MethodRuns(in_pairs(ends)))
    assert (found.swaps, found.told, found.told_between, found.values) == (0, None, None, 0)


def test_a_method_that_draws_is_asked_with_other_seeds() -> None:
    def moody(table: pa.Table, seed: int) -> tuple[Cells, Bools]:
        is_source = table.equals(SOURCE)
        # The source gives it with the first seed, all other tables with the third.
        text = "*" if seed == (2 if is_source else 4) else "[20, 44]"
        return [([text], np.zeros(6, dtype=np.int32))], np.ones(6, dtype=bool)

    found = measure_known_method(SOURCE, POLICY, MethodRuns(moody, seed=2))
    assert (found.seeds, found.ruled_out, found.pinned) == (3, 0, 0)


def test_refused_and_dropped_rows() -> None:
    def choosy(table: pa.Table, seed: int) -> tuple[Cells, Bools]:
        ages = table["age"].to_pylist()
        if ages != SOURCE["age"].to_pylist():
            raise UnsatisfiableError("not this one", "take another")
        return [(["[20, 44]"], np.zeros(6, dtype=np.int32))], np.array([True] * 5 + [False])

    found = measure_known_method(SOURCE, POLICY, MethodRuns(choosy, simulations=10))
    assert (found.ruled_out, found.pinned, found.groups) == (10, 5, 1)
    with pytest.raises(PolicyError, match="gives no release of the 3 rows"):
        measure_known_method(SOURCE, POLICY, MethodRuns(choosy, most_rows=3))


def test_interval() -> None:
    assert interval(0, 0) is None
    assert interval(0, 100) == pytest.approx((0, 0.037), abs=1e-3)
    assert interval(50, 100) == pytest.approx((0.404, 0.596), abs=1e-3)


# --- The methods of the product --------------------------------------------------------------------------

QUASI = ["age", "sex", "bmi"]
OTHERS = ["patient_id", "name", "zip", "admission_type", "smoker", "diagnosis", "length_of_stay"]
PATIENTS = patients(60, seed=1)
OF_PATIENTS = Policy(quasi_identifiers=QUASI, target="readmitted", identifiers=OTHERS, k=4)


@pytest.mark.parametrize("method", [method.name for method in kanopy.methods()])
def test_again_is_the_release(method: str) -> None:
    known = kanopy.algorithms.find_method(method).options
    options = quick(known) | ({"spread": 0.0} if method == "sketch" else {})
    options |= {"all_columns": True} if method == "muargus" else {}
    release = kanopy.anonymize(PATIENTS, OF_PATIENTS, method=method, seed=3, allow_empty=True, **options)
    table = PATIENTS.take(pa.array(np.random.default_rng(0).permutation(60)))
    cells, is_kept = method_again(OF_PATIENTS, method, **options)(table, 3)
    lines = [
        [texts[number] for texts, number in zip(*line, strict=True)] for line in lines_of(cells, is_kept)
    ]
    published = release.frame.select(QUASI).to_pylist()
    assert sorted(lines) == sorted([row[name] or "" for name in QUASI] for row in published)


def lines_of(cells: Cells, is_kept: Bools) -> list[tuple[list[list[str]], list[int]]]:
    texts = [texts for texts, _ in cells]
    return [(texts, [ids[row] for _, ids in cells]) for row in np.flatnonzero(is_kept).tolist()]


def test_levels_pin_fewer_values() -> None:
    found = {}
    for widen in (False, True):
        again = method_again(OF_PATIENTS, "mdav", widen=widen)
        found[widen] = measure_known_method(PATIENTS, OF_PATIENTS, MethodRuns(again, 16))
    assert found[False].pinned > found[True].pinned


def test_with_the_other_figures() -> None:
    release = kanopy.anonymize(PATIENTS, OF_PATIENTS, method="mdav")
    runs = MethodRuns(method_again(OF_PATIENTS, "mdav"), simulations=2)
    found = kanopy.attack(release, PATIENTS, OF_PATIENTS, known=runs).known_method
    assert found is not None
    assert (found.is_release, found.swaps, found.values) == (True, 2, 1)
    runs = runs._replace(again=method_again(OF_PATIENTS, "mondrian"))
    found = kanopy.attack(release, PATIENTS, OF_PATIENTS, known=runs).known_method
    assert found is not None
    assert found.is_release is False


def test_a_large_table_is_sampled() -> None:
    runs = MethodRuns(method_again(OF_PATIENTS, "mondrian"), simulations=1, most_rows=50)
    found = measure_known_method(patients(300, seed=2), OF_PATIENTS, runs)
    assert (found.source_rows, found.rows, found.is_release) == (300, 50, None)
