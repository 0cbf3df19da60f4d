"""The lattice: a level for every column, and what is known of each such node without counting it.

Nodes are the places of an array with one axis per column, so that all nodes above or below one are a slice.
A part of the lattice has some columns free, and every other one at a level.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from kanopy.algorithms.fulldomain.frequencies import Node
from kanopy.algorithms.fulldomain.levels import ColumnLevels
from kanopy.data.arrays import Bools, Ints
from kanopy.errors import PolicyError

MOST_NODES = 2**20
"""A larger lattice is not searched as a whole: nobody could look at a notable part of it."""
_MOST_TOLD = 10**12
UNKNOWN, ANONYMOUS, NOT_ANONYMOUS = range(3)


def number_of_nodes(levels: Sequence[ColumnLevels]) -> int:
    """How many nodes the whole lattice has."""
    return prod(each.height + 1 for each in levels)


def many(n_nodes: int) -> str:
    """A number of nodes in words, as long as anybody could read it."""
    return f"{n_nodes:,}" if n_nodes < _MOST_TOLD else "more than a trillion"


def check_searchable(levels: Sequence[ColumnLevels]) -> None:
    """Refuse a lattice that cannot be searched as a whole."""
    n_nodes = number_of_nodes(levels)
    if n_nodes > MOST_NODES:
        raise PolicyError(
            f"the levels of {len(levels):,} quasi-identifiers have {many(n_nodes)} combinations, too many",
            "use fewer columns or levels, or optimal or datafly, which do not search them all",
        )


class Lattice:
    """Which nodes are anonymous, as far as that is known: counted, or tagged because another one was.

    Parameters
    ----------
    levels : sequence of ColumnLevels
    at : tuple of int
        The level of every column that is not free.
    free : collection of int
        The columns that have any level; all where none are given.
    """

    def __init__(
        self, levels: Sequence[ColumnLevels], at: Node = (), free: Collection[int] | None = None
    ) -> None:
        self.heights = tuple(each.height for each in levels)
        self.free = tuple(range(len(levels)) if free is None else sorted(free))
        self._at = at
        self.shape = tuple(self.heights[c] + 1 for c in self.free)
        self.n_nodes = prod(self.shape)
        self.state: NDArray[np.int8] = np.zeros(self.shape, dtype=np.int8)
        self.is_checked: Bools = np.zeros(self.shape, dtype=bool)

    @property
    def is_whole(self) -> bool:
        """Whether all columns are free."""
        return len(self.free) == len(self.heights)

    @property
    def top(self) -> Node:
        """The node on which every free column is suppressed."""
        return self._node(self.heights[c] for c in self.free)

    @property
    def n_checked(self) -> int:
        """How many nodes were counted."""
        return int(self.is_checked.sum())

    def height_of_nodes(self) -> Ints:
        """The sum of the levels of every node, one entry per node in their order; O(nodes)."""
        height = np.zeros(self.shape, dtype=np.int64)
        for axis, size in enumerate(self.shape):
            height += np.arange(size).reshape([-1 if each == axis else 1 for each in range(len(self.shape))])
        return height.ravel()

    def node(self, number: int) -> Node:
        """The node at a place of the flattened lattice: its number in mixed radix."""
        return self._node(int(level) for level in np.unravel_index(number, self.shape))

    def _node(self, levels: Iterable[int]) -> Node:
        """The node whose free columns have these levels."""
        if self.is_whole:
            return tuple(levels)
        node = list(self._at)
        for c, level in zip(self.free, levels, strict=True):
            node[c] = level
        return tuple(node)

    def place(self, node: Node) -> tuple[int, ...]:
        """Where a node is in arrays of the nodes."""
        return tuple(node[c] for c in self.free)

    def above(self, node: Node) -> tuple[slice, ...]:
        """The places of the node and of all that generalize it."""
        return tuple(slice(level, None) for level in self.place(node))

    def below(self, node: Node) -> tuple[slice, ...]:
        """The places of the node and of all that it generalizes."""
        return tuple(slice(level + 1) for level in self.place(node))

    def successors(self, node: Node) -> list[Node]:
        """The nodes that have one free column one level higher."""
        return [(*node[:c], node[c] + 1, *node[c + 1 :]) for c in self.free if node[c] < self.heights[c]]

    def known_by_height(self) -> Ints:
        """For every height how many nodes were counted, are known to be anonymous, are known not to be, and
        were not looked at; O(nodes)."""
        kind = np.where(self.is_checked, 0, 1 + (self.state.astype(np.int64) + 2) % 3)
        counts = np.bincount(4 * self.height_of_nodes() + kind.ravel(), minlength=4 * (sum(self.heights) + 1))
        return counts.reshape(-1, 4)

    def minimal(self) -> list[Node]:
        """The anonymous nodes none of whose predecessors is, in their order; O(nodes * columns)."""
        is_anonymous = self.state == ANONYMOUS
        is_minimal = is_anonymous.copy()
        for axis in range(len(self.shape)):
            lower = tuple(slice(None, -1) if each == axis else slice(None) for each in range(len(self.shape)))
            upper = tuple(slice(1, None) if each == axis else slice(None) for each in range(len(self.shape)))
            is_minimal[upper] &= ~is_anonymous[lower]
        return [self.node(number) for number in np.flatnonzero(is_minimal).tolist()]
