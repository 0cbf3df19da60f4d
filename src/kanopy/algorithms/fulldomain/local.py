"""Local recoding: every row on the finest levels on which rows that are left over look alike.

Nodes are visited from the least loss on. Groups of rows that keep the promise at a node are published there,
and the others wait for a coarser one. What remains at the end is suppressed, joined by the groups that were
published last where it does not keep the promise alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from kanopy.algorithms.fulldomain.explorer import Explorer, Promised
from kanopy.algorithms.fulldomain.frequencies import Frequencies, Node
from kanopy.algorithms.fulldomain.levels import ColumnLevels
from kanopy.algorithms.fulldomain.losses import DIGITS, SeparableLoss, added_over_columns, class_bits_lost
from kanopy.algorithms.fulldomain.recode import numbered, told_of_drafts
from kanopy.algorithms.method import Progress
from kanopy.data import CodedColumn, EncodedTable, RecodedColumn, Recoding
from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.data.keys import rank

_MOST_VISITS, _FEWEST_VISITS, _WORK = 20_000, 100, 2_000_000_000
"""Of larger lattices, so many nodes are visited, evenly spread over the order of their losses; fewer where
they look at more cells than this together."""
_OF_A_CLASS_BIT = 0.2
"""How much a bit per row about the class counts beside the loss when nodes are put in order."""
_NOWHERE = -1


def can_be_local(promised: Promised, table: EncodedTable) -> bool:
    """Whether groups that keep the promise keep it together: groups of several nodes may print alike, or
    agree on the columns of a requirement."""
    parts = [part for requirement in promised.requirements for part in requirement.promise.parts]
    return all(part.monotone if table.persons is None else part.monotone_over_persons for part in parts)


class LocalRecoding:
    """Which node every entry of the finest level is published at; O(visited nodes * entries * columns)."""

    def __init__(self, explorer: Explorer, loss: SeparableLoss, best: Node) -> None:
        self._levels, self._promised, self._loss = explorer.levels, explorer.promised, loss
        self._table, self._lattice = explorer.table, explorer.lattice
        self._best, self._top = best, tuple(each.height for each in explorer.levels)
        bottom = (0,) * len(explorer.levels)
        self._finest, self._entry = Frequencies.of(explorer.table, explorer.levels, explorer.others, bottom)
        n_entries = self._finest.n_entries
        self.nodes: list[Node] = []
        self._node_of = np.full(n_entries, _NOWHERE)  # the place among these
        self._group = np.full(n_entries, _NOWHERE)  # numbered in the order in which they were published
        self._n_groups, self._n_left = 0, n_entries

    @cached_property
    def _costs(self) -> list[Floats]:
        """What each level of each column costs: its loss, and where there is a class some of what is told
        about that."""
        costs = [lost / len(self._levels) for lost in self._loss.lost]
        if self._table.target is None:
            return costs
        bits = class_bits_lost(self._table, self._levels)
        return [cost + _OF_A_CLASS_BIT * each for cost, each in zip(costs, bits, strict=True)]

    def run(self, progress: Progress) -> None:
        """Publish all that can be, from the least loss on; when it is time to stop, along one path only."""
        chosen = self._nodes_in_order() if self._lattice.is_whole else self._nodes_of_paths()
        for place, node in enumerate(chosen):
            if not self._n_left:
                break
            if progress(place, len(chosen)):
                for coarser in self._path(self._top):
                    self._publish(coarser)
                break
            self._publish(node)
        self._settle_rest()

    def _nodes_in_order(self) -> list[Node]:
        """The nodes from the least cost on, or some of them; O(nodes log nodes)."""
        cost = np.round(added_over_columns(self._costs, self._lattice), DIGITS)
        order = np.argsort(cost.ravel(), kind="stable")
        if len(order) > self._n_visits:
            order = order[self._first_useful(order) :]
            order = order[:: -(-len(order) // self._n_visits)]
        return [self._lattice.node(number) for number in order.tolist()]

    @property
    def _n_visits(self) -> int:
        n_cells = max(self._finest.n_entries * len(self._levels), 1)
        return min(_MOST_VISITS, max(_FEWEST_VISITS, _WORK // n_cells))

    def _first_useful(self, order: Ints) -> int:
        """About where in an order the first node is at which a group keeps the promise, by bisection."""
        everything, low, high = np.arange(self._finest.n_entries), 0, len(order) - 1
        while low < high:
            middle = (low + high) // 2
            frequencies = self._finest.at(self._lattice.node(int(order[middle])), everything)
            if self._broken(frequencies).all():
                low = middle + 1
            else:
                high = middle
        return low

    def _broken(self, frequencies: Frequencies) -> Bools:
        """The entries whose groups break the promise, however many rows these are."""
        return self._promised.broken(frequencies, self._promised.requirements, frequencies.n_rows)

    def _nodes_of_paths(self) -> list[Node]:
        """The nodes of the path by the best node, and of one for each column that stays fine as long as it
        can, from the least cost on: for lattices that are too large to put all their nodes in order.
        O(columns² * levels)."""
        columns = range(len(self._levels))
        by = [self._best, *((*self._top[:c], 0, *self._top[c + 1 :]) for c in columns)]
        found = {node for each in by for node in self._path(each)}
        costs = {
            node: round(sum(float(of[level]) for of, level in zip(self._costs, node, strict=True)), DIGITS)
            for node in found
        }
        order = sorted(found, key=lambda node: (costs[node], node))
        return order[:: max(1, -(-len(order) // self._n_visits))]

    def _path(self, by: Node) -> list[Node]:
        """From the finest node by another one to the coarsest, each time by the step that costs least."""
        steps = [
            (level >= by[column], cost, column)
            for column, of_levels in enumerate(self._costs)  # no step comes before those below it
            for level, cost in enumerate(np.maximum.accumulate(np.diff(of_levels)).tolist())
        ]
        path: list[Node] = [(0,) * len(self._levels)]
        for _, _, column in sorted(steps):
            node = path[-1]
            path.append((*node[:column], node[column] + 1, *node[column + 1 :]))
        return path

    def _publish(self, node: Node) -> None:
        """Publish the groups of what is left that keep the promise at a node."""
        left = np.flatnonzero(self._node_of == _NOWHERE)
        frequencies = self._finest.at(node, left)
        is_out = self._broken(frequencies)
        if is_out.all():
            return
        group = rank(frequencies.groups()[0][~is_out], frequencies.n_entries)
        published = left[~is_out]
        self._node_of[published] = len(self.nodes)
        self._group[published] = self._n_groups + group[0]
        self._n_groups += group[1]
        self._n_left -= len(published)
        self.nodes.append(node)

    def _settle_rest(self) -> None:
        """What is left becomes a group of ``*`` where that keeps the promise. Else it is left out, if it is
        little enough; else as many of the groups published last join it as it needs.

        PRIVACY: rows of a group over some columns only were published together, and so must all join
        (tests/properties/test_fulldomain_twin.py).
        """
        is_left = self._node_of == _NOWHERE
        if not is_left.any():
            return
        if not self._is_kept_suppressed(is_left):
            may_go = not self._promised.compares_with_table
            if may_go and int(self._finest.weight[is_left].sum()) <= self._promised.limit:
                return
        are_groups = all(len(columns) == len(self._levels) for columns, _ in self._promised.requirements)
        unit, n_more = (self._group if are_groups else self._node_of), 1
        while not self._is_kept_suppressed(is_left):
            is_left = (self._node_of == _NOWHERE) | (unit > unit.max() - n_more)
            n_more *= 2
        self._node_of[is_left], self._group[is_left] = len(self.nodes), self._n_groups
        self.nodes.append(self._top)

    def _is_kept_suppressed(self, is_left: Bools) -> bool:
        frequencies = self._finest.at(self._top, np.flatnonzero(is_left))
        return not self._promised.broken(frequencies, self._promised.requirements, 0).any()

    @property
    def loss(self) -> float:
        """What all rows lose together; one that is left out loses as much as a suppressed one."""
        saved = 0.0
        for place, node in enumerate(self.nodes):
            entries = np.flatnonzero(self._node_of == place)
            saved += self._loss.saved(self._finest.at(node, entries))
        return round(self._loss.of_all_suppressed - saved, DIGITS)

    @property
    def n_suppressed(self) -> int:
        """How many rows are left out."""
        return int(self._finest.weight[self._node_of == _NOWHERE].sum())

    def recoding(self, facts: Mapping[str, Any]) -> Recoding:
        """The table as it is published; O(rows * columns)."""
        node_of_row = self._node_of.take(self._entry)
        is_kept = node_of_row != _NOWHERE
        levels_of_node = np.array([*self.nodes, self._top])  # rows that are left out have any cell
        columns = [
            _column(column, each, levels_of_node[node_of_row, number])
            for number, (column, each) in enumerate(zip(self._table.quasi, self._levels, strict=True))
        ]
        parts = numbered(self._group.take(self._entry), is_kept)
        told = told_of_drafts(self._levels, columns, is_kept)
        return Recoding(tuple(columns), is_kept, parts, facts={**told, **facts})


def _column(column: CodedColumn, levels: ColumnLevels, level: Ints) -> RecodedColumn:
    """A column whose rows have a level each: the cells of all levels, one after the other."""
    first = np.cumsum(levels.sizes) - levels.sizes
    cell_of = np.stack([of_code + begin for of_code, begin in zip(levels.of_code, first, strict=True)])
    cells = tuple(made for of_level in levels.cells for made in of_level)
    return RecodedColumn(column.domain, cells, cell_of[level, column.codes].astype(np.int32))
