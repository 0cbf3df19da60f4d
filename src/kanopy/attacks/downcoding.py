"""Downcoding: what a cell and the size of its group reveal if methods choose cells as narrow as they can.

Cohen, *Attacks on deidentification's defenses* (2022).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kanopy.attacks.candidates import Candidates, Ints
from kanopy.attacks.figures import Downcoding
from kanopy.data import Cell, CellKind, CodedColumn, Domain, RecodedColumn
from kanopy.data.counts import count_distinct

Bools = NDArray[np.bool_]


def measure_downcoding(candidates: Candidates) -> Downcoding:
    """Draw the conclusions and compare them with the people; O(combinations * groups / 64).

    The attacker assumes that no cell is wider than its group needs. So all values of a set occur, both ends
    of a range, and more than one child of a hierarchy node. Where the group has just as many rows, each of
    these stands for one of them. A column in which every value always has the same cell was recoded for all
    groups at once: there a cell says something about a group only if no other group has it.
    """
    groups, people = candidates.groups, candidates.people
    columns = list(zip(groups.patterns.columns, people.quasi, people.combinations, strict=True))
    claims = [_Claims.of(column.cells, original) for column, original, _ in columns]
    told = [
        (claim.n_parts[column.ids] == groups.sizes) & _is_about_its_group(column)
        for claim, column in zip(claims, groups.patterns.columns, strict=True)
    ]
    is_told = np.logical_or.reduce(told)
    # As many people as rows: these people, and nobody else, are in the group.
    is_checked = is_told & (candidates.counts.n_people == groups.sizes)
    combination, group = candidates.pairs_of(is_checked)
    is_right = is_checked.copy()
    for claim, is_claimed, (column, original, codes) in zip(claims, told, columns, strict=True):
        values = codes[combination].astype(np.int64)
        part = _parts(claim, original.domain, column.ids[group], values)
        holds = np.bincount(group[part < 0], minlength=groups.n_groups) == 0
        holds &= count_distinct(np.maximum(part, 0), group, groups.n_groups) == groups.sizes
        is_right &= holds | ~is_claimed
    return Downcoding(groups.n_groups, *(int(found.sum()) for found in (is_told, is_checked, is_right)))


@dataclass(frozen=True, slots=True, eq=False)
class _Claims:
    """What follows from each cell of a column: in a group of ``n_parts`` rows, one row is in each part.

    The parts of a range are its ends, ``low`` and ``high``; those of a hierarchy ``node`` are its children.
    All are -1 where nothing follows.
    """

    n_parts: Ints
    low: Ints
    high: Ints
    node: Ints

    @classmethod
    def of(cls, cells: tuple[Cell, ...], column: CodedColumn) -> _Claims:
        claims = [_claim(cell, column) for cell in cells]
        return cls(*np.array(claims, dtype=np.int64).reshape(-1, 4).T)


def _is_about_its_group(column: RecodedColumn) -> Bools:
    """Whether the cell of each group was chosen for this group; O(cells * values)."""
    n_groups = np.bincount(column.ids, minlength=len(column.cells))
    n_cells = np.zeros(column.domain.n_codes, dtype=np.int64)
    for number in np.flatnonzero(n_groups).tolist():
        n_cells += column.cells[number].covers(column.domain)
    is_global = bool((n_cells <= 1).all())
    is_about: Bools = (n_groups[column.ids] == 1) | (not is_global)
    return is_about


def _claim(cell: Cell, column: CodedColumn) -> tuple[int, int, int, int]:
    """The number of parts, the ends and the node of a cell."""
    if cell.kind is CellKind.MEMBERS:
        return len(cell.members) + cell.with_missing, -1, -1, -1
    if cell.kind is CellKind.RANGE and cell.low < cell.high and not cell.with_missing:
        return 2, cell.low, cell.high, -1
    hierarchy, node = column.domain.hierarchy, -1
    if cell.kind is CellKind.NODE and not cell.with_missing:
        node = cell.node
    if cell.kind is CellKind.SUPPRESSED and not column.totals[-1]:  # the root, unless values are missing
        node = 0
    if node < 0 or hierarchy is None or np.count_nonzero(hierarchy.node_parent == node) != 2:
        return -1, -1, -1, -1
    return 2, -1, -1, node


def _parts(claims: _Claims, domain: Domain, cell: NDArray[np.int32], codes: Ints) -> Ints:
    """The part that each value is in, given its cell; -1 where it is in none."""
    part = codes.copy()
    low, high, node = claims.low[cell], claims.high[cell], claims.node[cell]
    part[(low >= 0) & (codes != low) & (codes != high)] = -1
    is_below = node >= 0
    if domain.hierarchy is not None and is_below.any():
        part[is_below] = domain.hierarchy.child_index(node[is_below], codes[is_below])
    return part
