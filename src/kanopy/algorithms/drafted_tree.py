"""A tree over the values of a column that has no hierarchy: groups of like values, and pairs of groups.

Printed are ranges of numbers and sets of other values, which need no names.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanopy.data import Cell, CodedColumn, Domain, cell
from kanopy.data.arrays import Ints
from kanopy.data.keys import counted
from kanopy.trees.class_counts import count_classes, of_class

_MOST_GROUPS = 512
"""On the lowest level, over all columns: bottom-up methods undo them one by one."""
_FEWEST_LEVELS, _MOST_LEVELS = 3, 6


def levels_for(n_columns: int) -> int:
    """How many levels of halves the trees of so many columns have, from 8 to 64 groups on the lowest."""
    return min(max((_MOST_GROUPS // max(n_columns, 1)).bit_length() - 1, _FEWEST_LEVELS), _MOST_LEVELS)


def like_codes(column: CodedColumn, target: CodedColumn | None, weight: Ints | None) -> Ints:
    """All codes of a column, like ones together: numbers by size, other values by their share of the most
    frequent class, those that do not occur last; O(rows + values log values)."""
    domain = column.domain
    codes = np.arange(domain.n_codes)
    if target is None or domain.is_numeric:
        return codes
    n_classes = target.domain.n_codes
    keys = column.codes.astype(np.int64) * n_classes + target.codes
    by_class = count_classes(keys, weight, domain.n_codes, n_classes)
    majority = np.full(domain.n_codes, by_class.sum(axis=0).argmax())
    sizes = by_class.sum(axis=1)
    share = np.where(sizes > 0, of_class(by_class, majority) / np.maximum(sizes, 1), np.inf)
    return np.asarray(codes[np.lexsort((codes, share))])


@dataclass(frozen=True, slots=True, eq=False)
class DraftedTree:
    """Node 0 is the root, the last nodes are the values, in the order of their codes."""

    domain: Domain
    parent: Ints  # of every node; -1 for the root
    leaves: Ints  # the node of every code
    order: Ints  # the codes that occur, like ones together
    first: Ints  # of every inner node, where its codes begin in this order
    last: Ints  # and end

    @classmethod
    def of(
        cls, column: CodedColumn, target: CodedColumn | None, weight: Ints | None, n_levels: int
    ) -> DraftedTree:
        """Group the values of a column: numbers by size, other values by their share of the most frequent
        class, both so that groups have about equally many rows; O(rows + values log values)."""
        domain, sizes = column.domain, counted(column.codes, column.domain.n_codes, weight)
        order = like_codes(column, target, weight)
        order = order[sizes[order] > 0]
        first, last, parent, node = _halved(sizes[order], n_levels)
        parent_of_leaf = np.zeros(domain.n_codes, dtype=np.int64)
        parent_of_leaf[order] = node
        leaves = len(parent) + np.arange(domain.n_codes)
        return cls(domain, np.append(parent, parent_of_leaf), leaves, order, first, last)

    @property
    def n_nodes(self) -> int:
        """How many nodes there are, values included."""
        return len(self.parent)

    def cell(self, node: int) -> Cell:
        """What a node prints."""
        missing, n_inner = self.domain.missing_code, len(self.first)
        if node == 0:
            return cell.SUPPRESSED
        if node >= n_inner:
            return cell.MISSING if node - n_inner == missing else cell.exact(node - n_inner)
        codes = np.sort(self.order[self.first[node] : self.last[node]])
        with_missing = bool(codes[-1] == missing)
        codes = codes[codes < missing]
        if self.domain.is_numeric:
            return cell.span(int(codes[0]), int(codes[-1]), with_missing=with_missing)
        return cell.members(tuple(codes.tolist()), with_missing=with_missing)


def _halved(sizes: Ints, n_levels: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Nodes over values in a row, of so many rows each: where each begins, where it ends, and its parent,
    from the root down, level by level; and the lowest node above each value.

    A value belongs where its middle row lies.
    """
    n_values, total = len(sizes), int(sizes.sum())
    place = 2**n_levels * (2 * (np.cumsum(sizes) - sizes) + sizes) // (2 * total)
    first, last, parent = [np.array([0])], [np.array([n_values])], [np.array([-1])]
    node = np.zeros(n_values, dtype=np.int64)
    length, n_nodes = np.full(n_values, n_values), 1
    for level in range(n_levels - 1, -1, -1):
        begin = np.flatnonzero(np.diff(place >> level, prepend=-1))
        n_inside = np.diff(begin, append=n_values)
        # A group of one is the value itself, and one that is not smaller says nothing new.
        is_new = (n_inside > 1) & (n_inside < length[begin])
        begin, n_inside = begin[is_new], n_inside[is_new]
        first.append(begin)
        last.append(begin + n_inside)
        parent.append(node[begin])
        inside = np.repeat(begin - np.cumsum(n_inside) + n_inside, n_inside) + np.arange(n_inside.sum())
        node[inside] = np.repeat(n_nodes + np.arange(len(begin)), n_inside)
        length[inside] = np.repeat(n_inside, n_inside)
        n_nodes += len(begin)
    return np.concatenate(first), np.concatenate(last), np.concatenate(parent), node
