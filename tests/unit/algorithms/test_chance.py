"""The chance of a cut: beside the slow twin, beside SciPy's tail, and for rows that stand for several."""

from __future__ import annotations

import math

import numpy as np
import pytest
from oracles import naive_chance
from plain_tables import column_of

from kanopy.algorithms.chance import log_chance, log_cuts, log_factorial, log_tail
from kanopy.data import EncodedTable
from kanopy.trees.frontier import Frontier
from kanopy.trees.slots import Slots


def chance_of(parts: list[str]) -> float:
    """Parts of one node, a letter for each class."""
    by_class = np.array([[part.count(letter) for letter in "xyz"] for part in parts])
    return math.exp(log_chance(by_class, np.zeros(len(parts), dtype=np.int64), 1)[0])


@pytest.mark.parametrize(
    "parts",
    [
        ["xxx", "yyy"],
        ["xxxxxxxxxxxxxxxy", "yyyyyyyyyyyyx"],
        ["xxxyz", "yyyzx", "zzzx"],
        ["x" * 60 + "y" * 20 + "z" * 20, "x" * 30 + "y" * 50 + "z" * 10],
        ["xy", "xy"],
    ],
)
def test_beside_the_twin(parts: list[str]) -> None:
    assert chance_of(parts) == pytest.approx(float(naive_chance(parts)), rel=1e-9)


def test_a_small_node_cannot_be_less_likely_than_one_arrangement() -> None:
    assert chance_of(["xxx", "yyy"]) == pytest.approx(1 / 20)
    assert chance_of(["x" * 5, "y" * 5]) == pytest.approx(1 / 252)
    # Pearson's tail alone would say 0.0027 here.
    assert math.exp(log_tail(np.array([9.0]), np.array([1]))[0]) < 1 / 300


def test_the_tail_is_that_of_chi_square() -> None:
    special = pytest.importorskip("scipy.special")
    for freedom in (1, 2, 5, 12):
        statistic = np.array([2.0, 3.0, 5.0]) * freedom + 10
        exact = special.chdtrc(freedom, statistic)
        assert np.exp(log_tail(statistic, np.full(3, freedom))) == pytest.approx(exact, rel=0.05)
    assert log_tail(np.array([0.0, 1.0]), np.array([1, 3])).tolist() == [0, 0]


def test_rows_that_stand_for_several() -> None:
    """What counts is how often a row stands for one, also in how many cuts leave k rows."""
    values, classes, times = [1, 1, 2, 2, 3], list("xyxyy"), np.array([9, 1, 2, 8, 4])
    column, target = column_of("n", values), column_of("class", classes)
    weighted = EncodedTable(5, (column,), target, weight=times)
    frontiers = [Frontier.of_table(table) for table in (weighted, weighted.expanded())]
    by_class = [Slots(frontier, 0).by_class for frontier in frontiers]
    assert by_class[0].tolist() == by_class[1].tolist()
    for k, n_cuts in ((4, 2), (5, 1), (11, 0)):
        for frontier in frontiers:
            found = np.exp(log_cuts(Slots(frontier, 0), is_ordered=True, k=k))
            assert found == pytest.approx([n_cuts])


def test_all_ways_to_divide_the_values_in_two() -> None:
    table = EncodedTable(6, (column_of("l", list("abcdea")),), column_of("class", list("xyxyxy")))
    frontier = Frontier.of_table(table)
    assert np.exp(log_cuts(Slots(frontier, 0), is_ordered=False, k=2)) == pytest.approx([2**4 - 1])
    single = EncodedTable(2, (column_of("l", list("aa")),), column_of("class", list("xy")))
    assert log_cuts(Slots(Frontier.of_table(single), 0), is_ordered=False, k=1)[0] == -np.inf


def test_factorials() -> None:
    assert np.exp(log_factorial(np.array([0, 1, 5]))) == pytest.approx([1, 1, 120])
