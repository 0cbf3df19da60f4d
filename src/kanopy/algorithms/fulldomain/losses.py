"""What a node loses, and the least that it and every coarser node lose, whatever is suppressed.

Every loss adds up over rows. Rows that are suppressed lose the most that a row can. Without them, a loss
never shrinks from a node to a coarser one: that is the bound.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from kanopy.algorithms.fulldomain.frequencies import Frequencies, Node
from kanopy.algorithms.fulldomain.lattice import Lattice
from kanopy.algorithms.fulldomain.levels import ColumnLevels
from kanopy.data import CodedColumn, EncodedTable, RecodedColumn
from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.data.counts import x_log_x
from kanopy.data.keys import counted
from kanopy.errors import PolicyError
from kanopy.trees.class_counts import summed_entropy
from kanopy.utility.cells import certainty_penalties

DIGITS = 12
"""Losses are compared without the noise of floats."""


class NodeLoss(ABC):
    """One way to say how much a node loses."""

    def bounds(self, lattice: Lattice) -> Floats:
        """For every node the least it can lose, as far as that is known without counting; O(nodes)."""
        return np.zeros(lattice.shape)

    @abstractmethod
    def measured(self, frequencies: Frequencies, is_out: Bools) -> tuple[float, float]:
        """What a node loses when some entries are suppressed, and the least that it and coarser ones do."""


class SeparableLoss(NodeLoss):
    """A loss of cells, added up over columns: known of every node without counting, but for suppressed rows.

    Parameters
    ----------
    lost : sequence of arrays of float
        For every column the mean loss of its cells on each level.
    more_if_suppressed : sequence of sequences of arrays of float
        For every column and level: what a row of each number loses more when its cell is suppressed.
    n_rows : int
    """

    def __init__(
        self, lost: Sequence[Floats], more_if_suppressed: Sequence[Sequence[Floats]], n_rows: int
    ) -> None:
        self.lost, self._more, self._n_rows = lost, more_if_suppressed, n_rows

    def bounds(self, lattice: Lattice) -> Floats:
        return np.round(added_over_columns(self.lost, lattice) / max(len(self.lost), 1), DIGITS)

    def measured(self, frequencies: Frequencies, is_out: Bools) -> tuple[float, float]:
        bound = self._bound(frequencies.node)
        if not is_out.any():
            return bound, bound
        return round(bound + self.saved(frequencies, is_out), DIGITS), bound

    def saved(self, frequencies: Frequencies, chosen: Bools | slice = slice(None)) -> float:
        """What the chosen entries of a node lose less than if they were suppressed."""
        weight, saved = frequencies.weight[chosen], 0.0
        for of_levels, level, number in zip(self._more, frequencies.node, frequencies.numbers, strict=True):
            saved += float((weight * of_levels[level][number[chosen]]).sum())
        return saved / max(self._n_rows * len(self.lost), 1)

    @property
    def of_all_suppressed(self) -> float:
        """What all rows lose together when every cell is suppressed."""
        return float(sum(lost[-1] for lost in self.lost)) / max(len(self.lost), 1)

    def _bound(self, node: Node) -> float:
        total = sum(float(lost[level]) for lost, level in zip(self.lost, node, strict=True))
        return round(total / max(len(self.lost), 1), DIGITS)


def precision(table: EncodedTable, levels: Sequence[ColumnLevels]) -> SeparableLoss:
    """The level of a cell as a share of its column's levels, on average (Sweeney's Prec is 1 less it)."""
    shares = [np.arange(each.height + 1) / each.height for each in levels]
    more = [
        [
            np.full(size, 1 - share)
            for size, share in zip(each.sizes.tolist(), of_levels.tolist(), strict=True)
        ]
        for each, of_levels in zip(levels, shares, strict=True)
    ]
    return SeparableLoss(shares, more, table.total_weight)


def width(table: EncodedTable, levels: Sequence[ColumnLevels]) -> SeparableLoss:
    """The mean width of a cell, from 0 (exact) to 1 (suppressed): Iyengar's LM, the GCP of a release."""
    return _of_cells(table, levels, _widths)


def entropy(table: EncodedTable, levels: Sequence[ColumnLevels]) -> SeparableLoss:
    """How many bits it takes to tell the values from those that their cells cover (non-uniform entropy), as a
    share of what it takes where every cell is suppressed."""
    whole = 0.0
    for column in table.quasi:
        rows = np.asarray(counted(column.codes, column.domain.n_codes, table.weight))
        whole += float(x_log_x(np.array([rows.sum()]))[0] - x_log_x(rows).sum())
    per_bit = table.total_weight * len(table.quasi) / whole if whole > 0 else 0.0
    return _of_cells(table, levels, partial(_bits, per_bit))


def class_bits_lost(table: EncodedTable, levels: Sequence[ColumnLevels]) -> list[Floats]:
    """For every column, how many bits about the class each level tells less than the values; O(rows)."""
    lost = []
    for column, each in zip(table.quasi, levels, strict=True):
        by_class = class_counts(column, table)
        told = []
        for of_code, made in zip(each.of_code, each.cells, strict=True):
            counts = np.zeros((len(made), by_class.shape[1]))
            np.add.at(counts, of_code, by_class)
            told.append(float(summed_entropy(counts).sum()) / max(table.total_weight, 1))
        lost.append(np.round(np.array(told) - told[0], DIGITS))
    return lost


def class_counts(column: CodedColumn, table: EncodedTable) -> Floats:
    """How many rows of each code have each class."""
    assert table.target is not None
    n_classes = table.target.domain.n_codes
    keys = column.codes.astype(np.int64) * n_classes + table.target.codes
    counts = counted(keys, column.domain.n_codes * n_classes, table.weight)
    return np.asarray(counts, dtype=np.float64).reshape(-1, n_classes)


def added_over_columns(of_levels: Sequence[Floats], lattice: Lattice) -> Floats:
    """For every node what its levels have together, given what each level of each column has; O(nodes)."""
    total = np.zeros(lattice.shape)
    for axis, column in enumerate(lattice.free):
        along = [-1 if each == axis else 1 for each in range(len(lattice.shape))]
        total += of_levels[column].reshape(along)
    if not lattice.is_whole:
        at, fixed = lattice.top, set(range(len(of_levels))).difference(lattice.free)
        total += sum(float(of_levels[column][at[column]]) for column in sorted(fixed))
    return total


Costs = tuple[Floats, Floats]
"""What all rows of each number lose together, and what one of them loses more if it is suppressed."""


def _of_cells(
    table: EncodedTable,
    levels: Sequence[ColumnLevels],
    costs: Callable[[CodedColumn, ColumnLevels, int, Ints], Costs],
) -> SeparableLoss:
    lost, more, n_rows = [], [], max(table.total_weight, 1)
    for column, each in zip(table.quasi, levels, strict=True):
        rows = np.asarray(counted(column.codes, column.domain.n_codes, table.weight))
        found = [costs(column, each, level, rows) for level in range(each.height + 1)]
        lost.append(np.array([float(all_rows.sum()) / n_rows for all_rows, _ in found]))
        more.append([of_numbers for _, of_numbers in found])
    return SeparableLoss(lost, more, n_rows)


def _widths(column: CodedColumn, levels: ColumnLevels, level: int, rows: Ints) -> Costs:
    made = levels.cells[level]
    widths = certainty_penalties(column, RecodedColumn(levels.domain, made, np.zeros(0, dtype=np.int32)))
    return counted(levels.of_code[level], len(made), rows) * widths, 1 - widths


def _bits(per_bit: float, _column: CodedColumn, levels: ColumnLevels, level: int, rows: Ints) -> Costs:
    of_code, n_numbers, n_rows = levels.of_code[level], len(levels.cells[level]), max(int(rows.sum()), 1)
    total = np.asarray(counted(of_code, n_numbers, rows))
    inside = x_log_x(total) - np.bincount(of_code, x_log_x(rows), minlength=n_numbers)
    return inside * per_bit, np.log2(n_rows / np.maximum(total, 1)) * per_bit


class Discernibility(NodeLoss):
    """For every row the rows that it cannot be told from, and all rows for a suppressed one, as a share of
    the most: 1 where all rows are one group (Bayardo and Agrawal's DM, divided by the rows squared)."""

    def measured(self, frequencies: Frequencies, is_out: Bools) -> tuple[float, float]:
        groups, n_groups = frequencies.groups()
        sizes = np.asarray(counted(groups, n_groups, frequencies.weight)).astype(np.float64)
        n_rows = float(sizes.sum())
        is_group_out = np.zeros(n_groups, dtype=bool)
        is_group_out[groups[is_out]] = True
        cost = np.where(is_group_out, sizes * n_rows, sizes**2)
        share = max(n_rows, 1.0) ** 2
        return round(float(cost.sum()) / share, DIGITS), round(float((sizes**2).sum()) / share, DIGITS)


class Classification(NodeLoss):
    """The share of rows that are suppressed, or whose class is not the most frequent of their group
    (Iyengar's CM)."""

    def measured(self, frequencies: Frequencies, is_out: Bools) -> tuple[float, float]:
        groups, n_groups = frequencies.groups()
        target = frequencies.others[-1]
        n_classes = target.domain.n_codes
        keys = groups.astype(np.int64) * n_classes + target.codes
        largest = (
            counted(keys, n_groups * n_classes, frequencies.weight).reshape(n_groups, n_classes).max(axis=1)
        )
        n_rows = max(int(frequencies.weight.sum()), 1)
        is_kept = np.ones(n_groups, dtype=bool)
        is_kept[groups[is_out]] = False
        right, right_of_all = int(largest[is_kept].sum()), int(largest.sum())
        return round((n_rows - right) / n_rows, DIGITS), round((n_rows - right_of_all) / n_rows, DIGITS)


LOSSES = ("loss", "precision", "discernibility", "entropy", "classification")
"""Losses by name; see ``loss_of``."""


def loss_of(name: str, table: EncodedTable, levels: Sequence[ColumnLevels]) -> NodeLoss:
    """The loss of that name, for the nodes of a table; O(rows * columns)."""
    if name == "discernibility":
        return Discernibility()
    if name == "classification":
        if table.target is None:
            raise PolicyError(
                "the loss 'classification' needs a class", "declare a target, or choose another loss"
            )
        return Classification()
    return {"loss": width, "precision": precision, "entropy": entropy}[name](table, levels)


def needs_class(name: str) -> bool:
    """Whether a loss is counted on classes."""
    return name == "classification"
