"""How much of many cases the usual run takes; KANOPY_DEEP=1 takes all of them, at length."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle, product
from typing import Any

IS_DEEP = os.environ.get("KANOPY_DEEP") == "1"
MANY = 10_000
_QUICK = {"population": 6, "generations": 3, "max_nodes": 10}


def n_tables(usually: int, deep: int = MANY) -> int:
    """How many tables hypothesis makes."""
    return deep if IS_DEEP else usually


def quick(options: Iterable[str]) -> dict[str, int]:
    """Of a method that searches, a few steps: what must hold of a release holds after any of them."""
    return {} if IS_DEEP else {name: _QUICK[name] for name in options if name in _QUICK}


@contextmanager
def few_folds() -> Iterator[None]:
    """The first of the five repetitions of an evaluation alone: for what all of them show alike."""
    from kanopy.evaluation.trial import FOLDS

    every = list(FOLDS)
    if not IS_DEEP:
        del FOLDS[2:]
    try:
        yield
    finally:
        FOLDS[:] = every


def one_in(n: int, *axes: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Combinations: of each value with all others, or with every n-th, so that all values have their turn."""
    combined = product(*(list(enumerate(axis)) for axis in axes))
    return [
        tuple(value for _, value in pairs)
        for pairs in combined
        if IS_DEEP or sum(place for place, _ in pairs) % n == 0
    ]


def in_turn(axis: Iterable[Any], *others: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Each value of the first axis: with all of the others, or with one of each, which take turns."""
    if IS_DEEP:
        return list(product(axis, *others))
    firsts, others = list(axis), tuple(map(list, others))
    turns = [cycle(other) for other in others]
    # Where there are fewer firsts than other values, they go round again.
    n = max(len(firsts), *map(len, others))
    return [(firsts[place % len(firsts)], *(next(turn) for turn in turns)) for place in range(n)]


def each_value(*axes: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Combinations: all of them, or as few as give every value of every axis its turn."""
    combined = list(product(*axes))
    if IS_DEEP:
        return combined
    chosen, left = [], {pair for values in combined for pair in enumerate(values)}
    while left:
        chosen.append(max(combined, key=lambda values: len(left.intersection(enumerate(values)))))
        left.difference_update(enumerate(chosen[-1]))
    return chosen or combined
