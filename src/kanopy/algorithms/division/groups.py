"""The groups of a divided table, and what is published of them: lines times counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kanopy.algorithms.division.counting import CodedRows, NodeCounts, TableForm, added_up, counted_by
from kanopy.data import Histogram, Partition, RecodedColumn
from kanopy.data.arrays import Bools, Codes, Ints
from kanopy.data.keys import narrowest_unsigned
from kanopy.data.partition import GroupSummary, Style, cells_of_groups


class DecidedGroups(NamedTuple):
    """What groups hold, counted; their rows are not needed any more."""

    n_groups: int
    quasi: tuple[NodeCounts, ...]  # of each quasi-identifier, how many rows of each group have each code
    lines: NodeCounts  # and how many have each combination of codes of the passing columns

    @classmethod
    def of_rows(cls, form: TableForm, rows: CodedRows, partition: Partition) -> DecidedGroups:
        """Count the groups of some rows, in arrays as narrow as they can be; O(rows * columns), or sorts."""
        counts = counted_by(partition.group, rows, wanted_of_groups(form), partition.n_groups)
        *quasi, lines = (_narrowed(each) for each in counts)
        return cls(partition.n_groups, tuple(quasi), lines)

    @classmethod
    def joined(cls, parts: Sequence[DecidedGroups]) -> DecidedGroups:
        """The groups of all parts, one after the other; O(entries)."""
        first = np.cumsum([0, *(part.n_groups for part in parts)])
        quasi = (
            _joined([part.quasi[column] for part in parts], first) for column in range(len(parts[0].quasi))
        )
        return cls(int(first[-1]), tuple(quasi), _joined([part.lines for part in parts], first))

    def with_moved(self, form: TableForm, rows: CodedRows, origin: Codes, goal: Codes) -> DecidedGroups:
        """The groups after some rows, each for itself, were taken from one and brought to another; a sort of
        the counts."""

        def moved(counts: NodeCounts, names: tuple[str, ...]) -> NodeCounts:
            codes = [rows.codes[name] for name in names]
            taken, brought = (NodeCounts(group, tuple(codes), rows.weight) for group in (origin, goal))
            return added_up([counts, brought, taken._replace(weight=-rows.weight)], self.n_groups)

        *quasi, lines = map(moved, [*self.quasi, self.lines], wanted_of_groups(form))
        return DecidedGroups(self.n_groups, tuple(quasi), lines)

    @property
    def n_bytes(self) -> int:
        """How much memory the counts take."""
        return sum(counts.n_bytes for counts in (*self.quasi, self.lines))


def wanted_of_groups(form: TableForm) -> list[tuple[str, ...]]:
    """The columns whose combinations are counted in groups: each quasi-identifier, and all passing ones."""
    return [*((name,) for name in form.names), form.passing]


@dataclass(frozen=True, eq=False)
class DividedRelease:
    """What a divided method decides: for every quasi-identifier and *group* a cell, and the lines.

    Parameters
    ----------
    columns : tuple of RecodedColumn
        In the order of the quasi-identifiers; ``ids`` has the cell of each group.
    groups : DecidedGroups
        ``groups.lines`` is the published table: the group of each line, which has its cells, the codes of
        the passing columns, and how many rows are such a line.
    n_levels, n_nodes : int
        Levels that were decided from counters, and nodes that were decided in tasks.
    n_rounds : int
        How often tasks were asked; more than once where what they assumed of each other was wrong.
    model : object, optional
        What the method publishes beside the table.
    dropped : int, optional
        The group, if any, whose rows are not published.
    """

    columns: tuple[RecodedColumn, ...]
    groups: DecidedGroups
    n_levels: int
    n_nodes: int
    n_rounds: int
    model: Any = None
    dropped: int | None = None


def published_cells(
    form: TableForm,
    groups: DecidedGroups,
    totals: Sequence[Ints],
    style: str | Style,
    is_shown: Bools | None = None,
    *,
    widen: bool = False,
) -> tuple[RecodedColumn, ...]:
    """The cells of each quasi-identifier, one for each group, printed in a style; ``totals`` are the rows of
    the whole table that have each code, the others are as in ``Partition.publish``. A sort of the counts."""
    made = []
    for number, (domain, counts, known) in enumerate(zip(form.quasi, groups.quasi, totals, strict=True)):
        in_order = counts.in_order()
        found = (each.astype(np.int64) for each in (in_order.node, in_order.codes[0], in_order.weight))
        histogram = Histogram(domain, next(found), next(found), next(found), groups.n_groups, known)
        shown = None if is_shown is None else is_shown[:, number]
        summary = GroupSummary(histogram).outward() if widen else GroupSummary(histogram)
        cells, cell_of_group = cells_of_groups(summary, style, shown)
        made.append(RecodedColumn(summary.domain, tuple(cells), np.asarray(cell_of_group, dtype=np.int32)))
    return tuple(made)


def _joined(parts: Sequence[NodeCounts], first: Ints) -> NodeCounts:
    kind = narrowest_unsigned(int(first[-1]))
    moved = [part.node.astype(kind) + kind.type(before) for part, before in zip(parts, first, strict=False)]
    codes = (np.concatenate(each) for each in zip(*(part.codes for part in parts), strict=True))
    return NodeCounts(np.concatenate(moved), tuple(codes), np.concatenate([part.weight for part in parts]))


def _narrowed(counts: NodeCounts) -> NodeCounts:
    def narrow(numbers: Codes) -> Codes:
        return numbers.astype(narrowest_unsigned(int(numbers.max(initial=0)) + 1), copy=False)

    return NodeCounts(narrow(counts.node), tuple(map(narrow, counts.codes)), narrow(counts.weight))
