"""How much of many cases the usual run takes; KANOPY_DEEP=1 takes all of them, at length."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import product
from typing import Any

IS_DEEP = os.environ.get("KANOPY_DEEP") == "1"
MANY = 10_000


def n_tables(usually: int, deep: int = MANY) -> int:
    """How many tables hypothesis makes."""
    return deep if IS_DEEP else usually


def one_in(n: int, *axes: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Combinations: of each value with all others, or with every n-th, so that all values have their turn."""
    combined = product(*(list(enumerate(axis)) for axis in axes))
    return [
        tuple(value for _, value in pairs)
        for pairs in combined
        if IS_DEEP or sum(place for place, _ in pairs) % n == 0
    ]
