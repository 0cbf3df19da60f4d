"""Five times two-fold cross-validation, stratified by class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.integer[Any]]
Ints = NDArray[np.int64]

SEEDS = (1, 2, 3, 4, 5)
HALVES = (0, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """One division of the rows: from one half is learned, on the other is judged; both ascending."""

    seed: int
    half: int
    train: Ints
    test: Ints


def fold(classes: Codes, seed: int, half: int) -> Fold:
    """Train on one of the two halves of a seed; O(rows log rows).

    The rows of each class are shuffled and dealt out in turn, class after class. So the halves differ by at
    most one row, in every class and in all.
    """
    order = np.lexsort((np.random.default_rng(seed).random(len(classes)), classes))
    halves = np.sort(order[0::2]), np.sort(order[1::2])
    return Fold(seed, half, halves[half], halves[1 - half])


def five_by_two(classes: Codes) -> Iterator[Fold]:
    """All ten folds."""
    for seed in SEEDS:
        for half in HALVES:
            yield fold(classes, seed, half)
