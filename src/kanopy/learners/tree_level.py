"""The open nodes of one level of a tree that reads cells, and the parts of rows that have reached them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.keys import rank
from kanopy.learners.tree_columns import TreeColumn

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Which row, or which part of it, is in which open node.

    Parameters
    ----------
    columns : tuple of TreeColumn
    target : array of int
        The class of every row.
    n_classes : int
    row, node, weight : arrays
        Of every place: a row that was shared among branches has several.
    n_nodes : int
    low, high : arrays of int, nodes x columns
        The values that thresholds above have left, both ends included.
    is_tested : array of bool, nodes x columns
        Whether a category was tested above, so that nothing is left to test.
    """

    columns: tuple[TreeColumn, ...]
    target: Ints
    n_classes: int
    row: Ints
    node: NDArray[np.int32]
    weight: Floats
    n_nodes: int
    low: NDArray[np.int32]
    high: NDArray[np.int32]
    is_tested: Bools

    @classmethod
    def of_rows(cls, columns: tuple[TreeColumn, ...], target: Ints, n_classes: int, weight: Floats) -> Level:
        """One node that holds every row."""
        return cls(
            columns,
            target,
            n_classes,
            np.arange(len(target)),
            np.zeros(len(target), dtype=np.int32),
            weight,
            1,
            np.zeros((1, len(columns)), dtype=np.int32),
            np.array([[column.domain.n_values - 1 for column in columns]], dtype=np.int32),
            np.zeros((1, len(columns)), dtype=bool),
        )

    def class_counts(self) -> Floats:
        """Nodes x classes; O(places)."""
        return counted(self.node, self.target.take(self.row), self.weight, self.n_nodes, self.n_classes)

    def of_nodes(self, is_chosen: Bools) -> Level:
        """Some of the nodes, numbered without gaps; O(places)."""
        if is_chosen.all():
            return self
        number = np.cumsum(is_chosen, dtype=np.int32) - np.int32(1)
        places = np.flatnonzero(is_chosen.take(self.node))
        return replace(
            self,
            row=self.row.take(places),
            node=number.take(self.node.take(places)),
            weight=self.weight.take(places),
            n_nodes=int(is_chosen.sum()),
            low=self.low[is_chosen],
            high=self.high[is_chosen],
            is_tested=self.is_tested[is_chosen],
        )


class Pairs:
    """Every cell of a column that occurs in an open node: what it may be is worked out once for all its rows.

    O(places) where nodes times cells are few compared with the places, a sort of them otherwise.

    Attributes
    ----------
    node, cell : arrays of int, in this order
    by_class : array of float, pairs x classes
    size : array of float
    is_unknown : array of bool
    of_place : array of int
        The pair of every place.
    """

    def __init__(self, level: Level, number: int) -> None:
        column = level.columns[number]
        keys = np.multiply(level.node, column.n_cells, dtype=np.int64)
        keys += column.ids.take(level.row)
        self.of_place, n_pairs = rank(keys, level.n_nodes * column.n_cells)
        key = np.empty(n_pairs, dtype=np.int64)
        key[self.of_place] = keys
        self.node, self.cell = np.divmod(key, column.n_cells)
        classes = level.target.take(level.row)
        self.by_class = counted(self.of_place, classes, level.weight, n_pairs, level.n_classes)
        self.size = over_classes(self.by_class)
        self.is_unknown = column.is_unknown[self.cell]

    def __len__(self) -> int:
        return len(self.node)


def counted(group: NDArray[Any], classes: Ints, weight: Floats, n_groups: int, n_classes: int) -> Floats:
    """Weights by group and class; O(len(group))."""
    keys = np.multiply(group, n_classes, dtype=np.int64)
    keys += classes
    counts = np.bincount(keys, weight, minlength=n_groups * n_classes)
    return counts.reshape(n_groups, n_classes).astype(np.float64, copy=False)


def over_classes(by_class: Floats) -> Floats:
    """Amounts added up over the classes: several times faster than a sum along so short an axis."""
    return np.asarray(by_class @ np.ones(by_class.shape[1]))
