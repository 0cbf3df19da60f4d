"""Pools: the rows that may share a group; of one class each, as far as the promise allows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kanopy.algorithms.requirements import check_satisfiable
from kanopy.data import EncodedTable, GroupCounts
from kanopy.data.arrays import Bools, Codes, Floats, Ints
from kanopy.data.keys import rank
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import PrivacyModel

LEAST_ROWS = 30
"""Rows of a group, whatever k is: a sketch says how often each value occurs, and the likeliest record of a
few rows is often the record of one of them."""


class Asked:
    """Whether parts of a table keep a promise, and have as many rows as a sketch must be about."""

    def __init__(self, table: EncodedTable, promise: PrivacyModel) -> None:
        check_satisfiable(table, promise)
        if table.n_rows < LEAST_ROWS:
            raise UnsatisfiableError(
                f"groups of method 'sketch' have {LEAST_ROWS} rows or more, and the table has {table.n_rows}",
                "add rows, or use a method that publishes ranges, for example mondrian",
            )
        self._table, self._promise = table, promise

    def holds(self, rows: Ints, part: Codes, n_parts: int) -> Bools:
        """Of some rows, the part of each given; O(rows * confidential columns)."""
        kept = self._promise.holds(GroupCounts.of(self._table, part, n_parts, rows))
        # PRIVACY: no sketch is about fewer rows (tests/unit/algorithms/test_sketch_method.py).
        return np.asarray(kept & (np.bincount(part, minlength=n_parts) >= LEAST_ROWS))


def pools_of(classes: Codes, points: Floats, asked: Asked) -> tuple[Codes, int]:
    """The pool of every row, numbered from 0 without gaps; O(rows log rows).

    Each class that keeps the promise by itself is a pool. All others are one; where that breaks the promise,
    the nearest rows of other classes join it, as few as will do. Where these cannot be spared, all rows are
    one pool.
    """
    pool, n_pools = rank(classes, int(classes.max(initial=0)) + 1)
    every = np.arange(len(pool))
    is_pool = asked.holds(every, pool, n_pools)
    if is_pool.all():
        return pool, n_pools
    is_rest = ~is_pool[pool]
    pool, n_pools = rank(np.where(is_rest, n_pools, pool), n_pools + 1)
    rest = n_pools - 1

    def with_nearest(n_joining: int) -> Codes:
        joined = pool.copy()
        joined[nearest[:n_joining]] = rest
        return joined

    def will_do(n_joining: int) -> bool:
        joined, n_left = rank(with_nearest(n_joining), n_pools)
        return n_left == n_pools and bool(asked.holds(every, joined, n_left).all())

    distance = ((points - points[is_rest].mean(axis=0)) ** 2).sum(axis=1)
    nearest = np.argsort(distance, kind="stable")
    nearest = nearest[~is_rest[nearest]]
    n_joining = _fewest(will_do, len(nearest))
    return (with_nearest(n_joining), n_pools) if n_joining >= 0 else (np.zeros_like(pool), 1)


def _fewest(will_do: Callable[[int], bool], most: int) -> int:
    """The fewest that will do, by doubling and halving; -1 where no number that is tried does."""
    tried = [0, *(2**step for step in range(most.bit_length()))]
    enough = next((number for number in tried if number <= most and will_do(number)), -1)
    short = enough // 2
    while enough - short > 1:
        middle = (short + enough) // 2
        short, enough = (short, middle) if will_do(middle) else (middle, enough)
    return enough
