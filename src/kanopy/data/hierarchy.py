"""Trees over the values of one column: leaves are numbered so that every node is a run of codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from kanopy.data import cell
from kanopy.data.arrays import Codes, Int32s, Ints
from kanopy.data.cell import Cell
from kanopy.data.intervals import count_outside
from kanopy.errors import PolicyError

if TYPE_CHECKING:
    from kanopy.data.table import Domain


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A tree over the values of one column.

    Nodes that cover the same leaves are one node (a parent with a single child generalizes nothing).
    Node 0 is the root, which covers everything and is printed as suppressed; parents come before children.

    Parameters
    ----------
    leaves : tuple of str
        In depth-first order: the code of a leaf is its place here.
    node_label : tuple of str
    node_low, node_high, node_parent, node_height : arrays, one entry per node
        First and last leaf code; parent node (root: -1); edges down to the deepest leaf (leaf: 0).
    """

    leaves: tuple[str, ...]
    node_label: tuple[str, ...]
    node_low: Ints
    node_high: Ints
    node_parent: Ints
    node_height: Ints
    ancestors: Int32s
    """``ancestors[level, code]`` is the node that covers the leaf on that level; level 0 is the leaf."""

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return len(self.node_label)

    @property
    def height(self) -> int:
        """Edges from the root down to the deepest leaf."""
        return int(self.node_height[0])

    def common_node(self, low: Codes, high: Codes) -> Int32s:
        """The smallest node that covers the codes ``low .. high``; O(levels) array operations."""
        return _smallest_common(self.ancestors, low, high)

    def child_index(self, node: Codes, codes: Codes) -> Int32s:
        """Which child of ``node`` each code falls under: the children of a node are numbered from 0."""
        siblings = np.argsort(self.node_parent, kind="stable")
        parent, rank = self.node_parent[siblings], np.empty(self.n_nodes, dtype=np.int32)
        rank[siblings] = np.arange(self.n_nodes) - np.searchsorted(parent, parent)
        child = np.zeros(len(codes), dtype=np.int32)
        for level in self.ancestors:
            found = self.node_parent[level[codes]] == node
            child[found] = rank[level[codes[found]]]
        return child

    @classmethod
    def from_paths(
        cls, column: str, paths: Iterable[Sequence[str]], order: Callable[[str], Any] = str
    ) -> Hierarchy:
        """Build the tree from one path per leaf: leaf, its parent, its grandparent, …

        Siblings are ordered by their first leaf in the given order. O(leaves * levels).

        Raises
        ------
        PolicyError
            Naming the column and counts, never a value: no leaf, paths of unequal length, a label without
            text, a leaf twice, a group above itself, a value with two parents (a group that a higher level
            splits), a number outside the interval it is listed under, a label that stands for two different
            groups, or for a group and a value that is not in it alone.
        """
        rows = list(dict.fromkeys(tuple(path) for path in paths))
        _check_paths(column, rows)
        rows.sort(key=lambda path: order(path[0]))
        n_levels = len(rows[0])
        # Depth first: sort by the rank of the first leaf under each ancestor, outermost level first.
        first_seen: list[dict[str, int]] = [{} for _ in range(n_levels)]
        for place, row in enumerate(rows):
            for level, label in enumerate(row):
                first_seen[level].setdefault(label, place)
        rows.sort(key=lambda row: [first_seen[level][row[level]] for level in range(n_levels - 1, -1, -1)])
        return cls._from_sorted_paths(column, rows)

    @classmethod
    def _from_sorted_paths(cls, column: str, rows: list[tuple[str, ...]]) -> Hierarchy:
        n_leaves = len(rows)
        node_of_span: dict[tuple[int, int], int] = {(0, n_leaves - 1): 0}
        labels = ["*"]
        spans = [(0, n_leaves - 1)]
        meanings = {("*", spans[0])}
        ancestors = np.zeros((len(rows[0]) + 1, n_leaves), dtype=np.int32)  # the last level is the root
        for level in range(len(rows[0]) - 1, -1, -1):
            start = 0
            for end in range(1, n_leaves + 1):
                if end < n_leaves and rows[end][level] == rows[start][level]:
                    continue
                span = (start, end - 1)
                meanings.add((rows[start][level], span))
                node = node_of_span.setdefault(span, len(labels))
                if node == len(labels):
                    labels.append(rows[start][level])
                    spans.append(span)
                elif node:
                    labels[node] = rows[start][level]  # the most specific of equal nodes gives the name
                ancestors[level, start:end] = node
                start = end
        low, high = (np.array(side, dtype=np.int64) for side in zip(*spans, strict=True))
        parent = np.full(len(labels), -1, dtype=np.int64)
        height = np.zeros(len(labels), dtype=np.int64)
        for level in range(len(rows[0])):
            lower, upper = ancestors[level], ancestors[level + 1]
            differs = lower != upper
            parent[lower[differs]] = upper[differs]
        for node in np.argsort(high - low, kind="stable").tolist():
            if parent[node] >= 0:
                height[parent[node]] = max(height[parent[node]], height[node] + 1)
        _check_labels(column, meanings)
        leaves = tuple(row[0] for row in rows)
        return cls(leaves, tuple(labels), low, high, parent, height, ancestors)


def _smallest_common(levels: Int32s, low: Codes, high: Codes) -> Int32s:
    """The node of the lowest level on which the two codes of each pair agree; the last level is the root."""
    found = np.zeros(len(low), dtype=np.int32)
    for level in levels[-2::-1]:
        meets = level[low] == level[high]
        found[meets] = level[low[meets]]
    return found


def _check_paths(column: str, rows: list[tuple[str, ...]]) -> None:
    where = f"hierarchy of column {column!r}"
    if not rows or not rows[0]:
        raise PolicyError(f"{where} is empty", "give one line per value: value;parent;...;*")
    n_ragged = sum(len(row) != len(rows[0]) for row in rows)
    if n_ragged:
        raise PolicyError(f"{where}: {n_ragged} lines differ in length from the first", "repeat short paths")
    n_empty = sum("" in row for row in rows)
    if n_empty:  # it would be printed like a missing value
        raise PolicyError(f"{where}: {n_empty} lines have an empty label", "name every group")
    n_twice = len(rows) - len({row[0] for row in rows})
    if n_twice:
        raise PolicyError(f"{where}: {n_twice} values are listed with two paths", "keep one line per value")
    n_circular = sum(map(_is_circular, rows))
    if n_circular:
        raise PolicyError(
            f"{where}: {n_circular} lines put a group above itself, or * below a group",
            "name every group once on the way from a value up to *",
        )
    for level in range(len(rows[0]) - 1):
        parents: dict[str, str] = {}
        n_torn = sum(parents.setdefault(row[level], row[level + 1]) != row[level + 1] for row in rows)
        if n_torn:
            raise PolicyError(
                f"{where}: on level {level}, {n_torn} lines give a value a second parent",
                "every value has exactly one parent",
            )
    n_outside = count_outside(rows)
    if n_outside:
        raise PolicyError(
            f"{where}: {n_outside} values lie outside the interval they are listed under",
            "correct these lines: 20-29 includes both ends, [20, 30[ and [20, 30) only the first",
        )


def _is_circular(path: tuple[str, ...]) -> bool:
    """Whether a label stands above itself, with another one between; short paths repeat a label at once."""
    steps = [label for label, _ in groupby((*path, "*"))]
    return len(set(steps)) < len(steps)


def _check_labels(column: str, meanings: set[tuple[str, tuple[int, int]]]) -> None:
    """PRIVACY: two nodes that print alike could not be told apart in a recount (tests/unit/data).

    On whatever levels a label stands, it must stand for the same leaves: also where it is that of a group of
    one value, which is printed as that value, because the file then means something else than it says.
    """
    n_alike = len(meanings) - len({label for label, _ in meanings})
    if n_alike:
        raise PolicyError(
            f"hierarchy of column {column!r}: {n_alike} groups share their name with another group or value",
            "rename them, for example by adding a suffix",
        )


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
    levels: Int32s

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
        """How many nodes there are, the leaf for missing included."""
        return len(self.parent)

    @property
    def n_levels(self) -> int:
        """How many levels there are, that of the root included."""
        return len(self.levels)

    @property
    def missing(self) -> int:
        """The leaf for missing."""
        return self.n_nodes - 1

    def generalize(self, codes: Codes, level: int) -> Int32s:
        """The node that stands for each code on a level; O(codes)."""
        found: Int32s = self.levels[level].take(codes)
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

    def joined(self, nodes: Codes, codes: Codes) -> Int32s:
        """The smallest node that covers both a node and the code beside it; O(levels) array operations."""
        low, high = np.minimum(self.low[nodes], codes), np.maximum(self.high[nodes], codes)
        return _smallest_common(self.levels, low, high)

    def cell(self, node: int) -> Cell:
        """What a node prints."""
        if node == 0:
            return cell.SUPPRESSED
        if node == self.missing:
            return cell.MISSING
        return cell.exact(node - 1) if self.hierarchy is None else cell.node(self.domain, node)
