"""Five times two-fold cross-validation: halves that share no row, and no person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

    train: Ints
    test: Ints


def fold(classes: Codes, seed: int | Sequence[int], half: int, *, persons: Codes | None = None) -> Fold:
    """Train on one of the two halves of a seed; O(rows log rows).

    The rows of each class are shuffled and dealt out in turn, class after class. So the halves differ by at
    most one row, in every class and in all.

    Parameters
    ----------
    classes : array of int
    seed : int, or several
    half : 0 or 1
        The one to train on.
    persons : array of int, optional
        Who each row is about. Then persons are dealt out, each with all rows and as of the class of the
        first: somebody who is in both halves could be recognized.
    """
    if persons is None:
        halves = _dealt(classes, seed)
    else:
        _, first, number = np.unique(persons, return_index=True, return_inverse=True)
        is_in_second = np.zeros(len(first), dtype=bool)
        is_in_second[_dealt(classes[first], seed)[1]] = True
        halves = np.flatnonzero(~is_in_second[number]), np.flatnonzero(is_in_second[number])
    return Fold(halves[half], halves[1 - half])


def _dealt(classes: Codes, seed: int | Sequence[int]) -> tuple[Ints, Ints]:
    order = np.lexsort((np.random.default_rng(seed).random(len(classes)), classes))
    return np.sort(order[0::2]), np.sort(order[1::2])


def five_by_two(classes: Codes) -> Iterator[Fold]:
    """All ten folds."""
    for seed in SEEDS:
        for half in HALVES:
            yield fold(classes, seed, half)
