"""Tickets: the same wherever a row is, different for equal rows, and without any pattern."""

from __future__ import annotations

import numpy as np

from kanopy.algorithms.strata import SharedOut, lowest_tickets
from kanopy.algorithms.tickets import Draw, DrawnTickets
from kanopy.data import Split

ALL = np.array([2**64 - 1], dtype=np.uint64)


def rows(n: int, seed: int = 1) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {"a": rng.integers(0, 50, n), "b": rng.integers(0, 3, n), "c": np.arange(n)}


def test_rows_keep_their_tickets_wherever_they_are() -> None:
    codes, weight = rows(200), np.random.default_rng(2).integers(1, 5, 200)
    draw, nowhere = Draw(7, ALL), np.zeros(200, dtype=int)
    whole = draw.tickets(codes, weight, nowhere)
    assert len(set(whole.ticket.tolist())) == weight.sum()
    order = np.random.default_rng(3).permutation(200)
    for some in (order[:60], order[60:]):
        part = draw.tickets({name: codes[name][some] for name in "cba"}, weight[some], nowhere[some])
        for place, row in enumerate(some.tolist()):
            assert set(part.ticket[part.row == place]) == set(whole.ticket[whole.row == row])
    assert not set(Draw(8, ALL).tickets(codes, weight, nowhere).ticket) & set(whole.ticket)


def test_every_row_is_as_likely_to_be_drawn() -> None:
    """Of 40 rows, among them equal ones, 10 are drawn 4000 times; chi-squared has a mean of 1 per degree."""
    codes, weight = {"a": np.repeat(np.arange(4), 5), "b": np.tile(np.arange(5), 4)}, np.repeat([1, 3], 10)
    n_drawn = np.zeros(20)
    for salt in range(4000):
        found = Draw(salt, ALL).tickets(codes, weight, np.zeros(20, dtype=int))
        np.add.at(n_drawn, found.row[np.argsort(found.ticket)[:10]], 1)
    expected = 4000 * 10 * weight / 40
    spread = expected * (1 - 10 / 40)  # less than with replacement
    assert ((n_drawn - expected) ** 2 / spread).sum() / 19 < 1.8


def test_limits_let_through_what_is_drawn_and_little_more() -> None:
    n_rows, n_drawn = np.array([100_000, 50, 70_000]), np.array([300, 20, 0])
    draw = Draw.of_lowest(5, n_drawn, n_rows)
    stratum = np.repeat(np.arange(3), n_rows)
    found = draw.tickets(rows(len(stratum)), np.ones(len(stratum), dtype=int), stratum)
    counts = np.bincount(stratum[found.row], minlength=3)
    assert 300 <= counts[0] < 700
    assert counts[1] == 50
    assert counts[2] == 0


def test_who_finds_too_few_is_asked_for_more() -> None:
    shared = SharedOut.of(np.array([4, 9], dtype=np.int32), Split(np.array([0, 0]), np.array([95, 5])))
    asked = []

    def ask(draw: Draw) -> tuple[np.ndarray, DrawnTickets]:
        asked.append(int(draw.limit[0]))
        n = 3 if len(asked) == 1 else 8
        return np.zeros(n, dtype=int), DrawnTickets(np.arange(n), np.arange(n, dtype=np.uint64)[::-1])

    stratum, tickets = lowest_tickets(shared, np.array([10_000]), 1, ask)
    assert len(asked) == 2
    assert asked[0] < asked[1]
    row, node = shared.drawn(stratum, tickets)
    assert row.tolist() == [7, 6, 5, 4, 3]
    assert node.tolist() == [9] * 5


def test_most_rows_of_a_stratum_stay_and_the_others_are_drawn_in_order() -> None:
    split = Split(np.array([0, 1, 1, 1, 2]), np.array([5, 1, 7, 2, 3]))
    shared = SharedOut.of(np.array([8, 3, 4, 0, -1], dtype=np.int32), split)
    assert shared.main.tolist() == [8, 4, -1]
    assert shared.n_drawn.tolist() == [0, 3, 0]
    tickets = DrawnTickets(np.array([10, 11, 12, 13]), np.array([40, 10, 30, 20], dtype=np.uint64))
    row, node = shared.drawn(np.array([1, 1, 1, 1]), tickets)
    assert row.tolist() == [11, 13, 12]
    assert node.tolist() == [3, 0, 0]
