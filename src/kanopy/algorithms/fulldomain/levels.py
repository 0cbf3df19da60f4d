"""The levels of a quasi-identifier: its values as they are, coarser and coarser groups of them, and ``*``.

A column with a hierarchy has the levels of that. One without has drafted ones: numbers lie in ranges that
hold about equally many rows, pairs of these, pairs of pairs; other values in sets of like ones, pairs of
these and so on, as far as the lattice does not grow too large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from kanopy.algorithms.drafted_tree import like_codes
from kanopy.data import Cell, CodedColumn, Domain, EncodedTable, Hierarchy, cell
from kanopy.data.arrays import Codes, Ints
from kanopy.data.keys import counted

_MOST_HALVINGS = 5
"""Drafted ranges are halves of halves: at most 32 of them on the lowest level."""
_DRAFTED_NODES = 100_000
"""Drafted columns have fewer levels where the lattice of all columns would have more nodes than this."""


@dataclass(frozen=True, eq=False)
class ColumnLevels:
    """What the codes of one column become on every level; level 0 has the values, the last one only ``*``.

    Missing is a value of its own on every level but the last. Levels of a hierarchy count as they were given,
    also where one says the same as the one before.

    Parameters
    ----------
    domain : Domain
    of_code : tuple of arrays of int
        For every level the number of each code: codes of the same number are the same on that level. On
        level 0 that is the code itself.
    cells : tuple of tuples of Cell
        For every level what each number prints.
    is_drafted : bool
        Whether no hierarchy was given.
    """

    domain: Domain
    of_code: tuple[Ints, ...]
    cells: tuple[tuple[Cell, ...], ...]
    is_drafted: bool

    @property
    def height(self) -> int:
        """The last level."""
        return len(self.of_code) - 1

    @cached_property
    def sizes(self) -> Ints:
        """How many numbers each level has."""
        return np.array([len(made) for made in self.cells])

    def number(self, level: int, codes: Codes) -> Ints:
        """The number of each code on a level; O(codes)."""
        # Indices of another type are converted one by one, which takes five times as long.
        return (
            self.of_code[level].take(codes.astype(np.int64, copy=False)) if level else codes.astype(np.int64)
        )

    def step(self, low: int, high: int) -> Ints:
        """The number on the level ``high`` of each number on the level ``low``, which is not above it."""
        above = np.zeros(self.sizes[low], dtype=np.int64)
        above[self.of_code[low]] = self.of_code[high]
        return above

    @classmethod
    def of_hierarchy(cls, domain: Domain, hierarchy: Hierarchy) -> ColumnLevels:
        """The levels that a hierarchy was given with, ``*`` once; O(values * levels)."""
        leaves = [cell.node(domain, node) for node in hierarchy.ancestors[0].tolist()]
        of_code, cells = [np.arange(domain.n_codes)], [(*leaves, cell.MISSING)]
        for level in (level for level in hierarchy.ancestors[1:] if level.any()):
            nodes, number = np.unique(level, return_inverse=True)
            of_code.append(np.append(number, len(nodes)))
            cells.append((*(cell.node(domain, node) for node in nodes.tolist()), cell.MISSING))
        return cls._topped(domain, of_code, cells, is_drafted=False)

    @classmethod
    def drafted(
        cls, column: CodedColumn, target: CodedColumn | None, weight: Ints | None, n_halvings: int
    ) -> ColumnLevels:
        """Levels without a hierarchy, of values that are like each other; O(rows + values * levels)."""
        domain = column.domain
        of_code, cells = [np.arange(domain.n_codes)], [_exact(domain)]
        order = like_codes(column, target, weight)
        order = order[order != domain.missing_code]
        rows = np.asarray(counted(column.codes, domain.n_codes, weight))[order]
        for in_order in _groups(rows, n_halvings) if domain.n_values else ():
            number = np.empty(domain.n_values, dtype=np.int64)
            number[order] = in_order
            of_code.append(np.append(number, in_order[-1] + 1))
            groups = np.split(order, np.flatnonzero(np.diff(in_order)) + 1)
            cells.append((*(_like_values(domain, np.sort(codes)) for codes in groups), cell.MISSING))
        return cls._topped(domain, of_code, cells, is_drafted=True)

    @classmethod
    def _topped(
        cls, domain: Domain, of_code: list[Ints], cells: list[tuple[Cell, ...]], *, is_drafted: bool
    ) -> ColumnLevels:
        """With the level on which there is nothing but ``*``."""
        top = np.zeros(domain.n_codes, dtype=np.int64)
        return cls(domain, (*of_code, top), (*cells, (cell.SUPPRESSED,)), is_drafted)


def levels_of(table: EncodedTable) -> tuple[ColumnLevels, ...]:
    """The levels of every quasi-identifier; O(rows * columns)."""
    given = {}
    for number, column in enumerate(table.quasi):
        tree = _tree(column.domain)
        if tree is not None:
            given[number] = ColumnLevels.of_hierarchy(column.domain, tree)
    others = [column for number, column in enumerate(table.quasi) if number not in given]
    n_given = prod(levels.height + 1 for levels in given.values())
    of_numbers, of_others = _affordable_halvings([column.domain for column in others], n_given)
    drafted = iter(
        ColumnLevels.drafted(
            column, table.target, table.weight, of_numbers if column.domain.is_numeric else of_others
        )
        for column in others
    )
    return tuple(given[number] if number in given else next(drafted) for number in range(len(table.quasi)))


def _tree(domain: Domain) -> Hierarchy | None:
    """The hierarchy of a column, unless it is over a single value, which has no node but the root."""
    hierarchy = domain.hierarchy
    return None if hierarchy is None or hierarchy.n_nodes == 1 else hierarchy


def _affordable_halvings(domains: Sequence[Domain], n_nodes: int) -> tuple[int, int]:
    """How often numbers, and how often other values, are halved so that the lattice does not grow too large:
    numbers first, and once at least."""

    def is_affordable(of_numbers: int, of_others: int) -> bool:
        most = (of_numbers if domain.is_numeric else of_others for domain in domains)
        levels = (
            2 + min(n_halvings, max(domain.n_values - 1, 0).bit_length())
            for domain, n_halvings in zip(domains, most, strict=True)
        )
        return n_nodes * prod(levels) <= _DRAFTED_NODES

    of_numbers = next((n for n in range(_MOST_HALVINGS, 1, -1) if is_affordable(n, 0)), 1)
    return of_numbers, next((n for n in range(of_numbers, 0, -1) if is_affordable(of_numbers, n)), 0)


def _like_values(domain: Domain, codes: Ints) -> Cell:
    """Values in the order of their codes as one cell."""
    if domain.is_numeric:
        return cell.span(int(codes[0]), int(codes[-1]))
    return cell.members(tuple(codes.tolist()))


def _exact(domain: Domain) -> tuple[Cell, ...]:
    return (*map(cell.exact, range(domain.n_values)), cell.MISSING)


def _groups(rows: Ints, n_halvings: int) -> list[Ints]:
    """The group of each value, given how many rows each has, from narrow to wide; levels that say the same
    as the one below are left out. A value belongs where its middle row lies."""
    total = max(int(rows.sum()), 1)
    place = 2**n_halvings * (2 * (np.cumsum(rows) - rows) + rows) // (2 * total)
    found, n_before = [], len(rows)
    for level in range(n_halvings):
        number = np.cumsum(np.diff(place >> level, prepend=place[0] >> level) > 0)
        if number[-1] + 1 < n_before:
            found.append(number)
            n_before = int(number[-1]) + 1
    return found
