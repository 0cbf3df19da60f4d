"""A model of the pairs of columns of a table, the tree of Chow and Liu (1968), and rows drawn from it.

Columns are the nodes. The tree is the one whose pairs share the most information. A row is drawn from the
root on: each column from its distribution given the value of its parent. So neighbours in the tree depend on
each other as they do in the table, and tuples repeat about as they would in a longer table of the same kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Step:
    """One column given its parent.

    Parameters
    ----------
    column, parent : int
        The parent is -1 for the root.
    values : ndarray
        The codes of the column, the rows of the table being sorted by the parent's code.
    start, count : ndarray
        Where the rows with each code of the parent start in ``values``, and how many there are.
    """

    column: int
    parent: int
    values: Codes
    start: Ints
    count: Ints


@dataclass(frozen=True, slots=True)
class Model:
    """The tree as steps, parents first."""

    steps: tuple[Step, ...]

    def draw(self, n_rows: int, rng: np.random.Generator) -> list[Codes]:
        """Codes of ``n_rows`` rows, one array per column; O(rows * columns).

        Drawing a row of the table among those with the parent's value, and taking its value, is drawing from
        the distribution given that value.
        """
        drawn: dict[int, Codes] = {}
        for step in self.steps:
            above = drawn[step.parent] if step.parent >= 0 else np.zeros(n_rows, dtype=np.int32)
            place = (rng.random(n_rows) * step.count[above]).astype(np.int64)
            drawn[step.column] = step.values[step.start[above] + place]
        return [drawn[column] for column in range(len(self.steps))]


def fit(columns: Sequence[Codes]) -> Model:
    """The tree of the columns of a table; O(columns^2 * (rows + values^2))."""
    parents = tree(shared_information(columns))
    return Model(tuple(_step(columns, column, parent) for column, parent in parents))


def _step(columns: Sequence[Codes], column: int, parent: int) -> Step:
    above = columns[parent] if parent >= 0 else np.zeros(len(columns[column]), dtype=np.int32)
    count = np.bincount(above)
    order = np.argsort(above, kind="stable")
    return Step(column, parent, columns[column][order], np.cumsum(count) - count, count)


def shared_information(columns: Sequence[Codes]) -> Floats:
    """Nats that every two columns share."""
    found = np.zeros((len(columns), len(columns)))
    for one in range(len(columns)):
        for other in range(one):
            found[one, other] = found[other, one] = _shared(columns[one], columns[other])
    return found


def _shared(one: Codes, other: Codes) -> float:
    n_other = int(other.max()) + 1
    pairs = np.bincount(one.astype(np.int64) * n_other + other, minlength=(int(one.max()) + 1) * n_other)
    share = pairs.reshape(-1, n_other) / len(one)
    alone = np.outer(share.sum(axis=1), share.sum(axis=0))
    met = share > 0
    return float(np.sum(share[met] * np.log(share[met] / alone[met])))


def tree(information: Floats) -> list[tuple[int, int]]:
    """Every column with its parent, parents first: the tree that shares the most (Prim); ties by place."""
    n_columns = len(information)
    found = [(0, -1)]
    while len(found) < n_columns:
        inside = [column for column, _ in found]
        outside = [column for column in range(n_columns) if column not in inside]
        edges = [(column, parent) for column in outside for parent in inside]
        found.append(max(edges, key=lambda edge: float(information[edge])))
    return found
