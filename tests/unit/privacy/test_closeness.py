"""t-closeness under three distances."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from oracles import counts_of, equal_distance, hierarchical_distance, hierarchy_of, ordered_distance

from kanopy.errors import PolicyError
from kanopy.privacy import Closeness, closeness


@pytest.mark.parametrize("distance", ["equal", "ordered"])
def test_the_whole_table_has_no_distance(distance: str) -> None:
    counts = counts_of([["a", "b", "b", None]])
    assert Closeness("d", "1e-100", distance).holds(counts).all()
    assert Closeness("d", 1, distance).level(counts) == 0.0


def test_the_bound_itself_is_kept_and_nothing_beyond_it() -> None:
    # A distance of 1/3 is neither a float nor a short decimal.
    counts = counts_of([["a", "a", "b"], ["b", "c", "c"]], dropped=["a", "b", "c"])
    assert Closeness("d", 1).level(counts) == pytest.approx(1 / 3)
    assert Closeness("d", "1/3").holds(counts).all()
    assert not Closeness("d", Fraction(1, 3) - Fraction(1, 10**30)).holds(counts).any()


def test_only_values_of_the_table_are_steps_of_the_order() -> None:
    groups = [["a"], ["e"]]
    counts = counts_of(groups, labels=["a", "b", "c", "d", "e"])
    assert Closeness("d", "1/2", "ordered").level(counts) == 0.5
    dropped = ["b", "c", "d"]
    with_steps = counts_of(groups, dropped=dropped, labels=["a", "b", "c", "d", "e"])
    assert Closeness("d", "1/2", "ordered").level(with_steps) == 0.5
    assert Closeness("d", "1/2", "equal").level(with_steps) == 0.8


def test_missing_is_the_last_of_an_order() -> None:
    near, far = ["b", None], ["a", None]
    table = ["a", "b", None] * 4
    counts = counts_of([near, far], dropped=["a", "a", "a", "b", "b", "b", None, None], labels=["a", "b"])
    assert Closeness("d", 1, "ordered").level(counts) == pytest.approx(0.25)
    order = ["a", "b", None]
    assert ordered_distance(near, table, order) == Fraction(1, 4)
    assert Closeness("d", "0.24", "ordered").holds(counts).tolist() == [False, True]


def test_a_column_of_one_value_is_always_close() -> None:
    counts = counts_of([["a"], ["a", "a"]])
    assert Closeness("d", "0.0001", "ordered").holds(counts).all()


def test_the_hierarchical_distance_needs_a_hierarchy() -> None:
    with pytest.raises(PolicyError, match="column 'd' has no hierarchy") as caught:
        Closeness("d", 0.5, "hierarchical").holds(counts_of([["a"]]))
    assert caught.value.exit_code == 2


def test_missing_is_a_leaf_under_the_root() -> None:
    tree = (("a", "b"), ("c", "d"))
    counts = counts_of([["a"], [None]], dropped=["b"], hierarchy=hierarchy_of(tree))
    # From a third each of a, b and missing: to a, 1/3 from b (half way) and 1/3 from missing (all the way).
    assert Closeness("d", "1/2", "hierarchical").holds(counts).tolist() == [True, False]
    assert Closeness("d", "0.4999", "hierarchical").holds(counts).tolist() == [False, False]
    assert Closeness("d", "2/3", "hierarchical").holds(counts).tolist() == [True, True]


def test_blocks_do_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    tree = (("a", "b"), "c", ("d", ("e", "f")))
    groups = [list(rng.choice(list("abcdef"), size=5)) for _ in range(30)]
    table = [value for group in groups for value in group]
    counts = counts_of(groups, hierarchy=hierarchy_of(tree))
    order = counts.histograms["d"].domain.labels
    expected = {
        "equal": [equal_distance(group, table) <= Fraction(1, 3) for group in groups],
        "ordered": [ordered_distance(group, table, order) <= Fraction(1, 4) for group in groups],
        "hierarchical": [hierarchical_distance(group, table, tree) <= Fraction(1, 4) for group in groups],
    }
    bounds = {"equal": "1/3", "ordered": "1/4", "hierarchical": "1/4"}
    for n_cells in (1, 20, 1_000_000):
        monkeypatch.setattr(closeness, "_BLOCK_CELLS", n_cells)
        for distance, answers in expected.items():
            assert Closeness("d", bounds[distance], distance).holds(counts).tolist() == answers
            assert 0 < sum(answers) < len(answers)


@pytest.mark.parametrize("t", [0, -0.1, 1.01, "nan", float("inf"), True, "x"])
def test_t_is_above_0_and_at_most_1(t: object) -> None:
    with pytest.raises(PolicyError, match="t must be a number above 0 and at most 1"):
        Closeness("d", t)


@pytest.mark.parametrize(
    ("distance", "hint"), [("order", "'ordered'"), ("l2", "one of equal"), (None, "one of")]
)
def test_unknown_distances_are_refused(distance: object, hint: str) -> None:
    with pytest.raises(PolicyError, match="distance") as caught:
        Closeness("d", 0.5, distance)
    assert hint in caught.value.hint
