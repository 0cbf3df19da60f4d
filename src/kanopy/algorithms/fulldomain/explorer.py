"""Nodes are counted here, once each, and what follows for others is tagged.

A node is anonymous where the rows of groups that break the promise are no more than may be suppressed, and
the release that suppresses them keeps the promise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from kanopy.algorithms.fulldomain.frequencies import Frequencies, Node
from kanopy.algorithms.fulldomain.lattice import (
    ANONYMOUS,
    MOST_NODES,
    NOT_ANONYMOUS,
    UNKNOWN,
    Lattice,
    number_of_nodes,
)
from kanopy.algorithms.fulldomain.levels import ColumnLevels
from kanopy.algorithms.fulldomain.losses import NodeLoss
from kanopy.algorithms.requirements import Requirement, requirements_of
from kanopy.data import CodedColumn, EncodedTable
from kanopy.data.arrays import Bools
from kanopy.privacy import AllOf, PrivacyModel

_KEPT_ENTRIES = 20_000_000
"""Entries of nodes that are kept for rolling up, over all nodes."""
_MOST_WORK, _WORK_PER_CELL, _WORK_PER_NODE, _OF_OTHERS = 10_000_000_000, 1_000, 200_000, 5
"""Cells that are counted at most, in all and for each cell of the table; what a node costs besides; and how
many times as much as a quasi-identifier a confidential column costs."""
_IN_PARTS = 10
"""So many times less is counted where a lattice is too large to be searched as a whole."""
_MANY_ENTRIES, _FEWER = 100_000, 8
"""Counts of more entries are rolled up in two steps, the first of which leaves so many times fewer."""


class Suppressed(NamedTuple):
    """Which entries of a node are suppressed, and how."""

    is_out: Bools
    is_dropped: bool  # whether they are left out, as they do not keep the promise as a group of ``*``


class Checked(NamedTuple):
    """What was counted at a node."""

    node: Node
    is_anonymous: bool
    n_suppressed: int
    n_groups: int
    loss: float
    bound: float  # the least that it and coarser nodes lose
    rules_out: bool  # whether it tells that no finer node is anonymous
    is_exact: bool = True  # whether all rows that break the promise were counted


class Promised:
    """What must hold at a node: the promise as requirements, and how many rows may be suppressed.

    ``is_monotone`` says whether every node above an anonymous one is anonymous. Without suppression it is so
    where groups that keep the promise keep it together. With it, a group that breaks the promise must not
    break one that keeps it when the two are joined. The parts of ``ruling_out`` are such: a node that breaks
    them rules out all below it. ``settles_always``: what is left when rows are left out always keeps the
    promise.
    """

    def __init__(self, promise: PrivacyModel, table: EncodedTable, limit: int) -> None:
        self.limit = limit
        self.requirements, self.n_implied = requirements_of(promise, table)
        parts = {part for requirement in self.requirements for part in requirement.promise.parts}
        rules_out = {part for part in parts if self._is_monotone_part(part, table)}
        self.is_monotone = rules_out == parts
        self.ruling_out = tuple(_only(self.requirements, rules_out))
        self.compares_with_table = any(part.compares_with_table for part in parts)
        self.settles_always = all(part.kept_by_larger for part in parts)

    def _is_monotone_part(self, part: PrivacyModel, table: EncodedTable) -> bool:
        if self.limit:
            return part.kept_by_larger
        return part.monotone if table.persons is None else part.monotone_over_persons

    def counted(self, table: EncodedTable) -> tuple[CodedColumn, ...]:
        """The confidential columns that the promise speaks about."""
        names = {name for requirement in self.requirements for name in requirement.promise.columns}
        return tuple(column for name, column in table.confidential.items() if name in names)

    def is_anonymous(self, frequencies: Frequencies) -> bool:
        """Whether few enough rows break the promise, and it is kept without them."""
        is_out = self.broken(frequencies, self.requirements)
        if int(frequencies.weight[is_out].sum()) > self.limit:
            return False
        return self.settles_always or self.settled(frequencies, is_out) is not None

    def broken(
        self, frequencies: Frequencies, requirements: Sequence[Requirement], limit: int | None = None
    ) -> Bools:
        """The entries that must go so that all others keep the requirements among themselves.

        Rows that go may leave a group of another requirement too small: it is asked again until nothing
        changes, or more rows have gone than the limit, which is that of suppressed rows unless one is given.
        """
        is_out = np.zeros(frequencies.n_entries, dtype=bool)
        groups = [frequencies.groups(requirement.columns) for requirement in requirements]
        while True:
            kept = np.flatnonzero(~is_out) if is_out.any() else None
            found = is_out.copy()
            for requirement, (group, n_groups) in zip(requirements, groups, strict=True):
                holds = requirement.promise.holds(frequencies.counts(group, n_groups, kept))
                found |= ~holds[group]
            if len(requirements) == 1 or np.array_equal(found, is_out):
                return found
            is_out = found
            if int(frequencies.weight[is_out].sum()) > (self.limit if limit is None else limit):
                return is_out

    def settled(self, frequencies: Frequencies, is_out: Bools) -> Suppressed | None:
        """What becomes of entries that are suppressed: published as a group of ``*`` where that keeps the
        promise, else left out; None where the promise is broken either way."""
        if not is_out.any() or self._holds_with_suppressed(frequencies, is_out):
            return Suppressed(is_out, is_dropped=False)
        if not self.compares_with_table or self._holds_without(frequencies, is_out):
            return Suppressed(is_out, is_dropped=True)
        return None

    def _holds_with_suppressed(self, frequencies: Frequencies, is_out: Bools) -> bool:
        for columns, promise in self.requirements:
            group, n_groups = frequencies.suppressed_groups(columns, is_out)
            if not promise.holds(frequencies.counts(group, n_groups)).all():
                return False
        return True

    def _holds_without(self, frequencies: Frequencies, is_out: Bools) -> bool:
        kept = np.flatnonzero(~is_out)
        for columns, promise in self.requirements:
            group, n_groups = frequencies.groups(columns)
            counts = frequencies.counts_published(np.where(is_out, -1, group).astype(np.int32), n_groups)
            if not promise.holds(counts)[group[kept]].all():
                return False
        return True


def _only(requirements: Sequence[Requirement], chosen: set[PrivacyModel]) -> Iterator[Requirement]:
    """The requirements with none but the chosen parts."""
    for columns, promise in requirements:
        parts = tuple(part for part in promise.parts if part in chosen)
        if parts:
            yield Requirement(columns, AllOf(parts))


class Explorer:
    """Counts nodes of the lattice of a table, and tags those whose answer follows.

    A lattice that is too large to be searched as a whole is explored in parts, one after the other: at first
    the part is its highest node.

    Parameters
    ----------
    table : EncodedTable
    promised : Promised
    levels : tuple of ColumnLevels
    loss : NodeLoss
    with_class : bool
        Whether the loss is counted on classes.
    """

    def __init__(
        self,
        table: EncodedTable,
        promised: Promised,
        levels: tuple[ColumnLevels, ...],
        loss: NodeLoss,
        *,
        with_class: bool = False,
    ) -> None:
        self.table, self.promised, self.levels, self.loss = table, promised, levels, loss
        self.n_nodes = number_of_nodes(levels)
        is_small = self.n_nodes <= MOST_NODES
        self.lattice = Lattice(levels) if is_small else Lattice(levels, tuple(e.height for e in levels), ())
        self.bound = loss.bounds(self.lattice)
        self.checked: dict[Node, Checked] = {}
        self.others = promised.counted(table)
        if with_class:
            assert table.target is not None
            self.others = (*self.others, table.target)
        self._known = [Frequencies.finest(table, levels, self.others)]
        self._known_nodes = np.zeros((1, len(levels)), dtype=np.int64)
        self._n_kept_entries, self._work = 0, 0
        self._most_work = _MOST_WORK + _WORK_PER_CELL * table.n_rows * (len(levels) + len(self.others))
        if not is_small:  # no search of it comes to an end
            self._most_work //= _IN_PARTS

    def look_at(self, node: Node, free: Collection[int]) -> None:
        """Go on with a part of the lattice: all nodes that differ from a node in free columns only."""
        self.lattice = Lattice(self.levels, node, free)
        self.bound = self.loss.bounds(self.lattice)

    @property
    def is_exhausted(self) -> bool:
        """Whether as much was counted as may be: not by the clock, so that a table always gives the same."""
        return self.share_done > 1

    @property
    def share_done(self) -> float:
        """How much was counted, as a share of what may be."""
        return self._work / self._most_work

    @property
    def exhausted(self) -> dict[str, Any]:
        """What is told of a search that looks for anonymous nodes, where as much was counted as may be."""
        n_open = int((self.lattice.state == UNKNOWN).sum())
        return {"cut_short": True, "nodes_open": n_open} if self.is_exhausted else {}

    def check(self, node: Node) -> Checked:
        """Count a node, unless it was counted, and tag what follows; O(entries * columns) of a finer one."""
        if node not in self.checked:
            self.checked[node] = self._counted(node)
        checked = self.checked[node]
        if not self.lattice.is_checked[self.lattice.place(node)]:
            self._tag(checked)
        return checked

    def is_anonymous(self, node: Node) -> bool:
        """Whether a node is anonymous; counted only where that does not follow from others."""
        state = self.lattice.state[self.lattice.place(node)]
        return bool(state == ANONYMOUS) if state else self.check(node).is_anonymous

    def _counted(self, node: Node) -> Checked:
        frequencies, promised = self.frequencies(node), self.promised
        is_out = promised.broken(frequencies, promised.ruling_out)
        rules_out = int(frequencies.weight[is_out].sum()) > promised.limit
        if not rules_out and not promised.is_monotone:
            is_out = promised.broken(frequencies, promised.requirements)
        n_out = int(frequencies.weight[is_out].sum())
        is_anonymous = n_out <= promised.limit
        if is_anonymous and n_out and not promised.settles_always:
            is_anonymous = promised.settled(frequencies, is_out) is not None
        loss, bound = self.loss.measured(frequencies, is_out)
        is_exact = n_out <= promised.limit or (promised.is_monotone and len(promised.requirements) == 1)
        n_groups = frequencies.groups()[1]
        return Checked(node, is_anonymous, n_out, n_groups, loss, bound, rules_out, is_exact)

    def _tag(self, checked: Checked) -> None:
        """Note what was counted at a node, and what follows for those above and below; O(nodes)."""
        lattice, place = self.lattice, self.lattice.place(checked.node)
        lattice.is_checked[place] = True
        lattice.state[place] = ANONYMOUS if checked.is_anonymous else NOT_ANONYMOUS
        if checked.is_anonymous and self.promised.is_monotone:
            lattice.state[lattice.above(checked.node)] = ANONYMOUS
        if checked.rules_out:
            lattice.state[lattice.below(checked.node)] = NOT_ANONYMOUS
        if checked.bound > self.bound[place]:
            above = lattice.above(checked.node)
            self.bound[above] = np.maximum(self.bound[above], checked.bound)

    def front(self) -> list[Checked]:
        """Of the nodes that were counted, those that lose least for the rows that they suppress, the fewest
        first: none suppresses fewer rows and loses less. O(counted log counted)."""
        found: list[Checked] = []
        exact = [each for each in self.checked.values() if each.is_exact]
        for each in sorted(exact, key=lambda each: (each.n_suppressed, each.loss, each.node)):
            if not found or each.loss < found[-1].loss:
                found.append(each)
        return found

    def frequencies(self, node: Node) -> Frequencies:
        """The counts of a node, rolled up from the smallest known ones below it; O(entries * columns)."""
        is_below = (self._known_nodes <= np.array(node)).all(axis=1)
        source = min(
            (self._known[place] for place in np.flatnonzero(is_below).tolist()),
            key=lambda known: known.n_entries,
        )
        if source.node == node:
            return source
        if source.n_entries > _MANY_ENTRIES:
            between = self._between(source, node)
            if between != node:
                source = self._rolled_up(source, between)
        return self._rolled_up(source, node)

    def _between(self, source: Frequencies, node: Node) -> Node:
        """A node below the given one that others can be rolled up from as well: as fine as it may be while
        its possible entries are few beside those of the source."""
        most, levels = source.n_entries // _FEWER, list(node)
        sizes = [int(each.sizes[level]) for each, level in zip(self.levels, node, strict=True)]
        is_lowered = True
        while is_lowered:
            is_lowered = False
            for c, each in enumerate(self.levels):
                lower = int(each.sizes[levels[c] - 1])
                if levels[c] > source.node[c] and prod(sizes) // sizes[c] * lower <= most:
                    levels[c], sizes[c], is_lowered = levels[c] - 1, lower, True
        return tuple(levels)

    def _rolled_up(self, source: Frequencies, node: Node) -> Frequencies:
        """The counts of a node, kept where they are much fewer than those they are made of."""
        found = source.rolled_up(node)
        n_cells = source.n_entries * (len(node) + _OF_OTHERS * len(self.others))
        self._work += _WORK_PER_NODE + self.lattice.n_nodes + n_cells  # nodes, as many of them are tagged
        if 2 * found.n_entries <= source.n_entries and self._n_kept_entries < _KEPT_ENTRIES:
            self._known.append(found)
            self._known_nodes = np.vstack([self._known_nodes, node])
            self._n_kept_entries += found.n_entries
        return found
