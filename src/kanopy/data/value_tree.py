"""The values of a column as the leaves of a tree, which methods climb or descend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import cell
from kanopy.data.hierarchy import Hierarchy

if TYPE_CHECKING:
    from kanopy.data.cell import Cell
    from kanopy.data.domain import Domain

Ints = NDArray[np.int64]
Nodes = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class ValueTree:
    """The nodes above the values of one column.

    Node 0 is the root. Missing is a leaf right below it. Without a hierarchy every value is a child of the
    root.

    Parameters
    ----------
    domain : Domain
    hierarchy : Hierarchy or None
        Its nodes keep their numbers; the leaf for missing has the number after the last.
    parent, height, low, high : arrays of int, one entry per node
        The node above (root: -1), the edges down to the deepest leaf, the first and the last code.
    levels : array of int, levels x codes
        ``levels[level, code]`` is the node that stands for the code on that level. Level 0 has the leaves,
        the last level only the root; no two levels are the same. Missing is generalized on the last only.
    """

    domain: Domain
    hierarchy: Hierarchy | None
    parent: Ints
    height: Ints
    low: Ints
    high: Ints
    levels: Nodes

    @classmethod
    def of(cls, domain: Domain, *, one_level: bool = False) -> ValueTree:
        """The tree of a column; with ``one_level`` as if there were no hierarchy. O(values * levels)."""
        hierarchy, n_codes = domain.hierarchy, domain.n_codes
        # A hierarchy over a single value has no node but its root.
        if hierarchy is None or hierarchy.n_nodes == 1 or one_level:
            codes = np.arange(n_codes)
            below_root = np.zeros(n_codes, dtype=np.int64)
            levels = np.stack([codes + 1, below_root]).astype(np.int32)
            parent, height = np.append(-1, below_root), np.append(1, below_root)
            return cls(
                domain, None, parent, height, np.append(0, codes), np.append(n_codes - 1, codes), levels
            )
        inner = [hierarchy.ancestors[0]]
        inner += [level for level in hierarchy.ancestors[1:] if level.any()]
        inner = [level for place, level in enumerate(inner) if not place or (level != inner[place - 1]).any()]
        levels = np.zeros((len(inner) + 1, n_codes), dtype=np.int32)
        levels[:-1, :-1], levels[:-1, -1] = inner, hierarchy.n_nodes
        parent, height = np.append(hierarchy.node_parent, 0), np.append(hierarchy.node_height, 0)
        low, high = (
            np.append(ends, domain.missing_code) for ends in (hierarchy.node_low, hierarchy.node_high)
        )
        high[0] = domain.missing_code
        return cls(domain, hierarchy, parent, height, low, high, levels)

    @property
    def n_nodes(self) -> int:
        return len(self.parent)

    @property
    def n_levels(self) -> int:
        return len(self.levels)

    @property
    def missing(self) -> int:
        """The leaf for missing."""
        return self.n_nodes - 1

    def level_of_nodes(self) -> Ints:
        """The lowest level on which each node stands."""
        lowest = np.zeros(self.n_nodes, dtype=np.int64)
        for level in range(self.n_levels - 1, -1, -1):
            lowest[self.levels[level]] = level
        return lowest

    def generalize(self, codes: NDArray[Any], level: int) -> Nodes:
        """The node that stands for each code on a level; O(codes)."""
        found: Nodes = self.levels[level].take(codes)
        return found

    def groups(self, level: int) -> Ints:
        """Codes that are the same on a level, numbered from 0 in the order of the codes: a group per code."""
        return np.cumsum(np.diff(self.levels[level], prepend=self.levels[level][:1]) != 0)

    def children(self, node: int, codes: Ints) -> Ints:
        """The child of an inner node that each of its codes is under; O(codes * levels)."""
        found: Ints = self.levels[0][codes].astype(np.int64)
        while (is_below := self.parent[found] != node).any():
            found[is_below] = self.parent[found[is_below]]
        return found

    def joined(self, nodes: NDArray[Any], codes: NDArray[Any]) -> Nodes:
        """The smallest node that covers both a node and the code beside it; O(levels) array operations."""
        low, high = np.minimum(self.low[nodes], codes), np.maximum(self.high[nodes], codes)
        found = np.zeros(len(low), dtype=np.int32)
        for level in self.levels[-2::-1]:
            meets = level[low] == level[high]
            found[meets] = level[low[meets]]
        return found

    def cell(self, node: int) -> Cell:
        """What a node prints."""
        if node == 0:
            return cell.SUPPRESSED
        if node == self.missing:
            return cell.MISSING
        return cell.exact(node - 1) if self.hierarchy is None else cell.node(self.domain, node)
