"""Rows drawn by their number alone: as likely as if each of them were drawn."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb, prod

import numpy as np
import pytest

from kanopy.algorithms import draws
from kanopy.algorithms.draws import drawn_by_count


def expected(sizes: list[int], n: int) -> dict[tuple[int, ...], float]:
    """The multivariate hypergeometric distribution, by its definition."""
    ways = {
        drawn: prod(map(comb, sizes, drawn))
        for drawn in product(*(range(size + 1) for size in sizes))
        if sum(drawn) == n
    }
    return {drawn: number / comb(sum(sizes), n) for drawn, number in ways.items()}


def chi_square(found: Counter[tuple[int, ...]], shares: dict[tuple[int, ...], float]) -> float:
    """Per degree of freedom, outcomes of fewer than five expected draws together."""
    n = found.total()
    rare = [drawn for drawn, share in shares.items() if share * n < 5]
    cells = [(found[drawn], share * n) for drawn, share in shares.items() if drawn not in rare]
    cells.append((sum(found[drawn] for drawn in rare), sum(shares[drawn] for drawn in rare) * n))
    return sum((seen - wanted) ** 2 / wanted for seen, wanted in cells if wanted) / max(len(cells) - 1, 1)


@pytest.mark.parametrize("n", [1, 3, 4, 7])  # fewer than half of the rows, and more
def test_the_numbers_are_those_of_rows_drawn_one_by_one(n: int) -> None:
    """Two groups beside each other, whose kinds do not stand together."""
    rng, found = np.random.default_rng(n), (Counter[tuple[int, ...]](), Counter[tuple[int, ...]]())
    sizes, group = np.array([4, 3, 1, 2, 3, 2]), np.array([0, 1, 0, 1, 0, 1])
    for _ in range(4000):
        drawn = drawn_by_count(sizes, group, np.array([n, 2]), rng)
        for number in (0, 1):
            found[number][tuple(drawn[group == number].tolist())] += 1
    for number, n_drawn in enumerate((n, 2)):
        shares = expected(sizes[group == number].tolist(), n_drawn)
        assert set(found[number]) <= set(shares)
        assert chi_square(found[number], shares) < 2


@pytest.mark.parametrize("at_a_time", [1, 7, 1 << 20])
def test_every_group_gives_as_many_as_it_is_asked_for(
    at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draws, "_AT_A_TIME", at_a_time)
    rng = np.random.default_rng(0)
    for _ in range(50):
        group = rng.integers(0, 6, 30)
        sizes = rng.integers(0, 9, 30)
        n_rows = np.bincount(group, sizes, 7).astype(np.int64)
        n = rng.integers(0, n_rows + 1)
        drawn = drawn_by_count(sizes, group, n, rng)
        assert np.bincount(group, drawn, 7).tolist() == n.tolist()
        assert ((drawn >= 0) & (drawn <= sizes)).all()


def test_all_or_none_need_no_random_numbers() -> None:
    rng = np.random.default_rng(0)
    state = rng.bit_generator.state
    sizes = np.array([5, 2, 10**15])
    assert drawn_by_count(sizes, np.array([0, 0, 1]), np.array([7, 0]), rng).tolist() == [5, 2, 0]
    assert drawn_by_count(sizes[:0], np.array([], dtype=np.int64), np.array([0, 0]), rng).tolist() == []
    assert rng.bit_generator.state == state


def test_more_rows_than_there_is_memory_for() -> None:
    sizes = np.array([10**15, 3 * 10**15, 2])
    drawn = drawn_by_count(sizes, np.zeros(3, dtype=np.int64), np.array([10_000]), np.random.default_rng(3))
    assert drawn.sum() == 10_000
    assert drawn[2] == 0
    assert abs(drawn[0] - 2500) < 4 * np.sqrt(10_000 * 0.25 * 0.75)
