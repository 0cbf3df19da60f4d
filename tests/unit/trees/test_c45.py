"""C4.5: by hand on Quinlan's weather, and against a naive twin on any table."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_trees import NaiveC45, assert_same, codes_of, plain, rows_of, table_of, tables, weather

from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.trees import as_text, c45, class_shares
from kanopy.trees.criterion import BestSplit, best_split
from kanopy.trees.grow import CodeLevel
from kanopy_studies.raising import raised


def best(
    table: EncodedTable, column: int = 0, *, min_rows: float = 2, share_missing: bool = False, weights=None
) -> BestSplit:
    level = CodeLevel.of_table(table, weights, share_missing=share_missing)
    return best_split(level.counts_of(column), min_rows)


# --- Quinlan's weather, by hand --------------------------------------------------------------------------


def test_gain_and_split_information_of_outlook() -> None:
    found = best(weather())
    # 9 of 14 yes: 0.940 bits; sunny 2 of 5, overcast 4 of 4, rainy 3 of 5: 0.694 bits
    assert found.gain[0] == pytest.approx(0.2467, abs=1e-4)
    assert found.split_information[0] == pytest.approx(1.5774, abs=1e-4)
    assert found.gain_ratio()[0] == pytest.approx(0.1564, abs=1e-4)
    assert found.is_valid[0]
    assert found.threshold[0] == -1


def test_threshold_of_humidity_pays_for_its_choice() -> None:
    found = best(weather(), column=2)
    # Of the nine boundaries seven leave two rows on both sides (65 and 96 are single rows); the best is
    # after 80, with 7 rows (6 yes) and 7 rows (3 yes): gain 0.1518, less log2(7) / 14.
    domain = weather().quasi[2].domain
    assert domain.labels[found.threshold[0]] == "80"
    assert found.gain[0] == pytest.approx(0.1518 - log2(7) / 14, abs=1e-4)
    assert not found.is_valid[0]
    assert found.split_information[0] == pytest.approx(1.0)


def test_tree_of_the_weather_with_numbers() -> None:
    text = as_text(c45(weather()), ("no", "yes"))
    known = [line for line in text.splitlines() if "missing" not in line]
    assert known == [
        "outlook = overcast: yes (4)",
        "outlook = rainy",
        "|   windy = false: yes (3)",
        "|   windy = true: no (2)",
        "outlook = sunny",
        "|   humidity <= 75: yes (2)",
        "|   humidity > 75: no (3)",
    ]


def test_threshold_lies_in_the_lower_half_of_the_gap() -> None:
    """In the sunny part humidity jumps from 70 to 85; elsewhere there are 75 (lower half) and 80 (upper)."""
    tree = c45(weather())
    (node,) = np.flatnonzero(tree.splits.threshold >= 0)
    assert weather().quasi[2].domain.labels[tree.splits.threshold[node]] == "75"


def test_number_halfway_counts_as_lower_whatever_its_rounding() -> None:
    """3.6 lies halfway between 3.57 and 3.63, but (3.57 + 3.63) / 2 is 3.5999999999999996."""
    assert (3.57 + 3.63) / 2 < 3.6
    table = table_of(
        {"x": ["l"] * 10 + ["r"] * 6, "y": [3.57] * 5 + [3.63] * 5 + [3.6] * 6},
        ["a"] * 5 + ["b"] * 5 + ["c"] * 6,
    )
    tree = c45(table, prune=False)
    assert tree.splits.column[:2].tolist() == [0, 1]
    assert table.quasi[1].domain.labels[tree.splits.threshold[1]] == "3.6"


def test_min_rows() -> None:
    # sunny 5, overcast 4, rainy 5 rows; four mistakes instead of five
    assert c45(weather(["outlook"]), min_rows=5, prune=False).n_nodes == 5
    assert c45(weather(["outlook"]), min_rows=5.5, prune=False).n_nodes == 1


# --- thresholds ------------------------------------------------------------------------------------------


def test_a_tenth_of_the_rows_of_a_class_must_lie_beside_a_threshold() -> None:
    numbers = [float(number) for number in range(100)]
    classes = ["a"] * 4 + ["b"] * 96  # 0.1 * 100 / 2 = 5 rows
    table = table_of({"x": numbers}, classes)
    assert table.quasi[0].domain.labels[best(table).threshold[0]] == "4"
    # 25 at most
    table = table_of({"x": [float(number) for number in range(1000)]}, ["a"] * 20 + ["b"] * 980)
    assert table.quasi[0].domain.labels[best(table).threshold[0]] == "24"
    assert table.quasi[0].domain.labels[best(table, min_rows=40).threshold[0]] == "39"


def test_number_written_in_two_ways_is_one_number() -> None:
    domain = Domain("x", ("1", "1.0", "2"), np.array([1.0, 1.0, 2.0]))
    codes = np.array([0] * 5 + [1] * 5 + [2] * 5, dtype=np.uint8)
    target = CodedColumn(Domain("class", ("a", "b")), np.array([0] * 5 + [1] * 10, dtype=np.uint8))
    found = best(EncodedTable(15, (CodedColumn(domain, codes),), target))
    assert found.threshold[0] == 1
    assert found.gain[0] == pytest.approx(0.2516, abs=1e-4)  # one place to cut: log2(1) is nothing


def test_halfway_between_neighbouring_and_huge_numbers() -> None:
    after_one = np.nextafter(1.0, 2)
    pairs = [(1.0, after_one), (after_one, np.nextafter(after_one, 2)), (1e308, 1.7e308), (-5e-324, 5e-324)]
    for low, high in pairs:
        table = table_of({"x": [low] * 5 + [high] * 5}, ["a"] * 5 + ["b"] * 5)
        tree = c45(table)
        assert tree.splits.threshold[0] == 0
        assert set(tree.route(codes_of(table), 10).tolist()) == {1, 2}


# --- the average -----------------------------------------------------------------------------------------


def test_high_ratio_is_not_enough_below_average_gain() -> None:
    classes = ["a"] * 10 + ["b"] * 10
    rare = ["r"] * 2 + ["s"] * 18  # gain 0.108, information 0.469
    often = ["f"] * 7 + ["g"] * 3 + ["f"] * 3 + ["g"] * 7  # gain 0.119, information 1
    table = table_of({"rare": rare, "often": often}, classes)
    ratios = [best(table, column).gain_ratio()[0] for column in (0, 1)]
    assert ratios == pytest.approx([0.2303, 0.1187], abs=1e-4)
    assert c45(table, prune=False).splits.column[0] == 1
    dull = table_of({"rare": rare, "dull": ["x", "y"] * 10}, classes)
    assert c45(dull, prune=False).splits.column[0] == 0


def test_column_with_a_value_for_every_few_rows_is_not_in_the_average() -> None:
    """With its gain of one bit in the average, nothing else could be chosen."""
    names = [f"n{number // 2:02}" for number in range(24)]  # 12 values, 24 rows
    sides = ["l"] * 10 + ["r"] * 2 + ["r"] * 10 + ["l"] * 2
    classes = ["a"] * 12 + ["b"] * 12
    table = table_of({"name": names, "side": sides}, classes)
    found = [best(table, column) for column in (0, 1)]
    assert found[0].gain[0] == pytest.approx(1)
    assert found[1].gain_ratio()[0] > found[0].gain_ratio()[0]
    assert c45(table, prune=False).splits.column[0] == 1


def test_average_of_columns_that_all_have_many_values() -> None:
    table = table_of({"x": list("23213321"), "y": list("23320222")}, list("abababbb"))
    gains, ratios = zip(
        *((best(table, n).gain[0], best(table, n).gain_ratio()[0]) for n in (0, 1)), strict=True
    )
    assert gains[1] < sum(gains) / 2 - 1e-3
    assert ratios[1] > ratios[0]
    assert c45(table, prune=False).splits.column[0] == 0


# --- missing ---------------------------------------------------------------------------------------------

MISSING = table_of({"x": ["l"] * 6 + ["r"] * 6 + [None] * 4}, ["a"] * 5 + ["b"] * 7 + ["b"] * 4)


def test_missing_as_a_branch() -> None:
    tree = c45(MISSING, prune=False)
    assert tree.counts.tolist() == [[5, 11], [5, 1], [0, 6], [0, 4]]


def test_missing_shared_among_the_branches() -> None:
    found = best(MISSING, share_missing=True)
    # Known: 5 of 12 a, 0.980 bits; left 5 of 6: 0.650 bits; right: none. 12 of 16 rows are known.
    assert found.gain[0] == pytest.approx(12 / 16 * (0.9799 - 0.6500 / 2), abs=1e-4)
    assert found.split_information[0] == pytest.approx(2 * 0.375 * log2(16 / 6) + 0.25 * 2)
    tree = c45(MISSING, prune=False, share_missing=True)
    assert tree.counts.tolist() == [[5, 11], [5, 3], [0, 8], [0, 0]]


def test_missing_numbers() -> None:
    table = table_of({"x": [1.0] * 5 + [2.0] * 5 + [None] * 4}, ["a"] * 5 + ["b"] * 5 + ["c"] * 4)
    assert c45(table, prune=False).counts.tolist() == [[5, 5, 4], [5, 0, 0], [0, 5, 0], [0, 0, 4]]
    shared = c45(table, prune=False, share_missing=True)
    assert shared.counts.tolist() == [[5, 5, 4], [5, 0, 2], [0, 5, 2], [0, 0, 0]]


# --- tables with nothing in them -------------------------------------------------------------------------


@pytest.mark.parametrize("share_missing", [False, True])
@pytest.mark.parametrize(
    "table",
    [
        pytest.param(table_of({"x": []}, []), id="no rows"),
        pytest.param(table_of({}, ["a", "b"]), id="no columns"),
        pytest.param(table_of({"x": [None] * 4}, ["a", "b"] * 2), id="nothing but missing"),
        pytest.param(table_of({"x": list("lrlr")}, ["a"] * 4), id="one class"),
        pytest.param(EncodedTable(4, table_of({"x": list("lrlr")}, ["a"] * 4).quasi), id="no class"),
        pytest.param(table_of({"x": [1.0, 2.0]}, ["a", "b"]), id="too few rows"),
    ],
)
def test_nothing_to_learn(table: EncodedTable, share_missing: bool) -> None:
    tree = c45(table, share_missing=share_missing)
    assert tree.n_nodes == 1
    assert tree.counts.sum() == table.n_rows


# --- weights ---------------------------------------------------------------------------------------------


@given(tables(), st.data())
def test_integer_weights_are_repeated_rows(table: EncodedTable, data: st.DataObject) -> None:
    """But for the rule on many values, which counts rows: there are enough here to keep out of its way."""
    times = data.draw(st.lists(st.integers(0, 3), min_size=table.n_rows, max_size=table.n_rows))
    rows = np.repeat(np.arange(table.n_rows), times)
    share_missing = data.draw(st.booleans())
    occurs = np.repeat(np.arange(table.n_rows), 20)
    padded = _at(table, np.concatenate([rows, occurs]))
    weighted = _at(table, np.concatenate([np.arange(table.n_rows), occurs]))
    weights = np.concatenate([np.array(times, dtype=float), np.ones(len(occurs))])
    ours = c45(weighted, weights=weights, share_missing=share_missing)
    assert_same(plain(ours), plain(c45(padded, share_missing=share_missing)))


def _at(table: EncodedTable, rows: np.ndarray) -> EncodedTable:
    quasi = tuple(CodedColumn(column.domain, column.codes[rows]) for column in table.quasi)
    return EncodedTable(len(rows), quasi, CodedColumn(table.target.domain, table.target.codes[rows]))


def test_rows_of_weight_nothing_are_absent() -> None:
    table = table_of({"x": list("lllrrrz")}, list("aaabbbb"))
    weights = np.array([1, 1, 1, 1, 1, 1, 0.0])
    assert c45(table, weights=weights).counts.tolist() == [[3, 3], [3, 0], [0, 3], [0, 0], [0, 0]]
    assert c45(table, weights=np.zeros(7)).counts.tolist() == [[0, 0]]


# --- against the naive twin ------------------------------------------------------------------------------


@given(
    tables(),
    st.booleans(),
    st.sampled_from(["not", "leaves", "raising"]),
    st.sampled_from([0.5, 1, 2, 3]),
    st.sampled_from([0.05, 0.25, 0.5]),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_as_the_naive_twin(
    table: EncodedTable,
    share_missing: bool,
    pruning: str,
    min_rows: float,
    confidence: float,
    with_weights: bool,
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.choice([0.5, 1, 1.75, 2], table.n_rows) if with_weights else None
    options = {"min_rows": min_rows, "share_missing": share_missing}
    ours = c45(table, prune=pruning == "leaves", confidence=confidence, weights=weights, **options)
    if pruning == "raising":
        ours = raised(ours, table, confidence=confidence, weights=weights, share_missing=share_missing)
    naive = NaiveC45([column.domain for column in table.quasi], int(table.target.codes.max()) + 1, **options)
    theirs = naive.grow(rows_of(table, None if weights is None else weights.tolist()))
    naive.collapse(theirs)
    if pruning == "leaves":
        naive.prune(theirs, confidence)
    if pruning == "raising":
        naive.prune_and_raise(theirs, confidence)
    assert_same(plain(ours), theirs)

    asked = [rng.integers(0, column.domain.n_codes, 15) for column in table.quasi]
    shares = class_shares(ours, asked, 15)
    expected = [naive.shares(theirs, tuple(row)) for row in np.transpose(asked).tolist()]
    np.testing.assert_allclose(shares, expected, atol=1e-9)


def test_twins_are_compared_on_real_trees() -> None:
    """That the tables above make trees worth comparing: with several levels, thresholds, shared rows."""
    seen = {"tables": 0, "inner": 0, "threshold": 0, "deep": 0}

    @given(tables())
    def count(table: EncodedTable) -> None:
        tree = c45(table, prune=False, share_missing=True)
        seen["tables"] += 1
        seen["inner"] += not tree.is_leaf[0]
        seen["threshold"] += bool((tree.splits.threshold[~tree.is_leaf] >= 0).any())
        seen["deep"] += len(tree.levels) > 3

    count()
    assert seen["inner"] >= 0.4 * seen["tables"]
    assert seen["threshold"] >= 0.15 * seen["tables"]
    assert seen["deep"] >= 0.1 * seen["tables"]
