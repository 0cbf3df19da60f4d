"""Rows in groups, and the styles in which a group is published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import cell as cells
from kanopy.data.cell import Cell, CellKind
from kanopy.data.domain import Domain
from kanopy.data.grammar import plain_number
from kanopy.data.keys import count_keys
from kanopy.data.recoding import RecodedColumn, Recoding
from kanopy.data.table import CodedColumn, EncodedTable

Ints = NDArray[np.int64]
Dictionary = tuple[list[Cell], NDArray[np.integer[Any]]]
"""The different cells of a column, and the one of each group."""


@dataclass(frozen=True, eq=False)
class Partition:
    """The group of every row, numbered from 0 without gaps; -1 for rows that are not published."""

    group: NDArray[np.int32]
    n_groups: int

    @cached_property
    def is_kept(self) -> NDArray[np.bool_]:
        return self.group >= 0

    def publish(
        self, table: EncodedTable, style: str | Style, is_shown: NDArray[np.bool_] | None = None
    ) -> Recoding:
        """Print every group in a style; O(rows * columns).

        Parameters
        ----------
        table : EncodedTable
        style : str or Style
            One of ``STYLES``, or a function like them.
        is_shown : array of bool, groups x columns, optional
            Where it is False, the group's cell is suppressed, whatever the style would say.
        """
        build = STYLES[style] if isinstance(style, str) else style
        recoded = []
        for number, column in enumerate(table.quasi):
            if is_shown is None or is_shown[:, number].all():
                dictionary, cell_of_group = build(GroupSummary(column, self, table.weight))
            else:
                shown = self._of_groups(is_shown[:, number])
                summary = GroupSummary(column, shown, table.weight)
                dictionary, cell_of_group = _with_suppressed(*build(summary), is_shown[:, number])
            # One more entry for rows that are dropped, also where no group is left.
            ids = np.append(cell_of_group, 0).astype(np.int32)[self.group]
            recoded.append(RecodedColumn(column.domain, tuple(dictionary), ids))
        return Recoding(tuple(recoded), self.is_kept, self.group)

    def _of_groups(self, is_chosen: NDArray[np.bool_]) -> Partition:
        """Some of the groups alone."""
        number = np.where(is_chosen, np.cumsum(is_chosen) - 1, -1)
        return Partition(np.append(number, -1).astype(np.int32)[self.group], int(is_chosen.sum()))


def _with_suppressed(
    dictionary: list[Cell], cell_of_shown: NDArray[np.integer[Any]], is_shown: NDArray[np.bool_]
) -> Dictionary:
    """The cells of the groups that are shown, and the suppressed cell for the others."""
    cell_of_group = np.full(len(is_shown), len(dictionary))
    cell_of_group[is_shown] = cell_of_shown
    return [*dictionary, cells.SUPPRESSED], cell_of_group


class GroupSummary:
    """Which codes of one column occur in each group, and how many rows have them."""

    def __init__(self, column: CodedColumn, partition: Partition, weight: Ints | None = None) -> None:
        self.domain: Domain = column.domain
        n_codes, n_groups = self.domain.n_codes, partition.n_groups
        codes, group = column.codes, partition.group
        if not partition.is_kept.all():
            codes, group = codes[partition.is_kept], group[partition.is_kept]
            weight = None if weight is None else weight[partition.is_kept]
        self.n_groups = n_groups
        self.n_codes_of_table = int(np.count_nonzero(column.totals))
        keys = group.astype(np.int64) * n_codes + codes
        pairs, self.pair_count = count_keys(keys, n_groups * n_codes, weight)
        self.pair_group, self.pair_code = np.divmod(pairs, n_codes)
        self.starts = np.searchsorted(self.pair_group, np.arange(n_groups + 1))
        last = self.pair_code[self.starts[1:] - 1]
        self.with_missing = last == self.domain.missing_code
        self.low = self.pair_code[self.starts[:-1]]
        before_last = self.pair_code[np.maximum(self.starts[1:] - 2, self.starts[:-1])]
        self.high = np.where(self.with_missing, before_last, last)
        self.only_missing = self.low == self.domain.missing_code
        self.n_codes_present = np.diff(self.starts)

    def codes_of(self, group: int) -> list[int]:
        """The codes that occur in a group, in order."""
        codes: list[int] = self.pair_code[self.starts[group] : self.starts[group + 1]].tolist()
        return codes

    def unless_everything(self, cell: Cell) -> Cell:
        """The cell, or the suppressed cell where it lists all of several codes that the table has."""
        n_listed = len(cell.members) + cell.with_missing
        return cells.SUPPRESSED if n_listed == self.n_codes_of_table > 1 else cell

    def means(self) -> list[str]:
        """Each group's mean over its numbers, rounded to the precision of the column."""
        assert self.domain.numbers is not None
        is_number = self.pair_code != self.domain.missing_code
        group, code, count = self.pair_group[is_number], self.pair_code[is_number], self.pair_count[is_number]
        n_numbers = np.maximum(np.bincount(group, weights=count, minlength=self.n_groups), 1)
        # Divided before adding: a sum of large floats may not fit into a float. Added in the order of the
        # values, not of the rows, in which the last digit would depend on who comes first.
        shares = self.domain.numbers[code] * (count / n_numbers[group])
        means = np.bincount(group, weights=shares, minlength=self.n_groups)
        # PRIVACY: a full float times the group size would be the sum (tests/unit/data/test_partition.py).
        return [plain_number(mean, self.domain.decimals) for mean in means.tolist()]


def suppressing(summary: GroupSummary) -> Dictionary:
    """What is the same in the whole group stays, everything else is suppressed."""
    constant = summary.n_codes_present == 1
    keys = np.where(constant, summary.low, -1)
    return _dictionary(keys, lambda key, _: cells.SUPPRESSED if key < 0 else _single(summary.domain, key))


def ranging(summary: GroupSummary) -> Dictionary:
    """Numbers as ranges, values with a hierarchy as its smallest common node, all others as sets.

    A set of everything that the table has says nothing, and is printed as suppressed.
    """
    domain = summary.domain
    if not domain.is_numeric and domain.hierarchy is None:
        dictionary, cell_of_group = listing(summary)
        return [summary.unless_everything(cell) for cell in dictionary], cell_of_group
    keys = (summary.low * domain.n_codes + np.maximum(summary.high, 0)) * 2 + summary.with_missing
    if domain.hierarchy is not None:
        return _dictionary(keys, lambda _, group: _node_cell(summary, group))
    return _dictionary(keys, lambda _, group: _span_cell(summary, group))


def listing(summary: GroupSummary) -> Dictionary:
    """Every column as the set of the values in the group (Shao and Beckford, set generalization)."""
    if summary.domain.n_codes <= 64 and summary.n_groups:
        bits = np.left_shift(np.uint64(1), summary.pair_code.astype(np.uint64))
        sets = np.bitwise_or.reduceat(bits, summary.starts[:-1])
        return _dictionary(sets, lambda _, group: _members_cell(summary.domain, summary.codes_of(group)))
    place: dict[bytes, int] = {}
    dictionary: list[Cell] = []
    cell_of_group = np.empty(summary.n_groups, dtype=np.int32)
    bounds = summary.starts.tolist()
    for group in range(summary.n_groups):  # groups, not rows: each is a short run of codes
        codes = summary.pair_code[bounds[group] : bounds[group + 1]]
        key = codes.tobytes()
        number = place.setdefault(key, len(dictionary))
        if number == len(dictionary):
            dictionary.append(_members_cell(summary.domain, summary.codes_of(group)))
        cell_of_group[group] = number
    return dictionary, cell_of_group


def averaging(summary: GroupSummary) -> Dictionary:
    """Numbers as their group's rounded mean, everything else as in ``ranging``."""
    if not summary.domain.is_numeric:
        return ranging(summary)
    printed = summary.means()
    place: dict[Cell, int] = {}
    cell_of_group = np.empty(summary.n_groups, dtype=np.int32)
    for group in range(summary.n_groups):  # groups, not rows
        low, high, missing = int(summary.low[group]), int(summary.high[group]), summary.with_missing[group]
        if summary.only_missing[group]:
            made = cells.MISSING
        else:
            made = Cell(CellKind.MEAN, low, high, with_missing=bool(missing), printed=printed[group])
        cell_of_group[group] = place.setdefault(made, len(place))
    return list(place), cell_of_group


Style = Callable[[GroupSummary], Dictionary]
"""Decides the cells of one column, group by group."""

STYLES: dict[str, Style] = {
    "range": ranging,
    "members": listing,
    "mean": averaging,
    "suppress": suppressing,
}


def _dictionary(keys: NDArray[Any], make: Callable[[int, int], Cell]) -> Dictionary:
    """One cell per different key, made from the key and one group that has it."""
    different, example, cell_of_group = np.unique(keys, return_index=True, return_inverse=True)
    made = [make(key, group) for key, group in zip(different.tolist(), example.tolist(), strict=True)]
    return made, cell_of_group


def _single(domain: Domain, code: int) -> Cell:
    return cells.MISSING if code == domain.missing_code else cells.exact(code)


def _span_cell(summary: GroupSummary, group: int) -> Cell:
    if summary.only_missing[group]:
        return cells.MISSING
    low, high = int(summary.low[group]), int(summary.high[group])
    return cells.span(low, high, with_missing=bool(summary.with_missing[group]))


def _node_cell(summary: GroupSummary, group: int) -> Cell:
    if summary.only_missing[group]:
        return cells.MISSING
    hierarchy = summary.domain.hierarchy
    assert hierarchy is not None
    number = hierarchy.common_node(summary.low[group : group + 1], summary.high[group : group + 1])
    return cells.node(summary.domain, int(number[0]), with_missing=bool(summary.with_missing[group]))


def _members_cell(domain: Domain, codes: list[int]) -> Cell:
    if codes == [domain.missing_code]:
        return cells.MISSING
    with_missing = codes[-1] == domain.missing_code
    return cells.members(tuple(codes[:-1] if with_missing else codes), with_missing=with_missing)
