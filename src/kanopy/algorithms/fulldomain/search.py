"""Searches for the anonymous node that loses least, in the lattice as a whole or in parts of it.

Nodes are visited from the least possible loss on. From each one whose answer is unknown a path leads upward,
and is bisected: what is anonymous is so on every coarser node, what is not is not on any finer one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kanopy.algorithms.fulldomain.explorer import Checked, Explorer
from kanopy.algorithms.fulldomain.frequencies import Node
from kanopy.algorithms.fulldomain.lattice import NOT_ANONYMOUS, UNKNOWN
from kanopy.algorithms.fulldomain.losses import DIGITS, SeparableLoss
from kanopy.algorithms.method import Progress
from kanopy.data.arrays import Bools

_PART_NODES = 2**14
"""Nodes of a part, where the lattice is too large to be searched as a whole."""
_MOST_ROUNDS, _IDLE_ROUNDS = 50, 3
"""How often all columns are gone through, at most, and after how many times without a better node no more."""
_OF_BOUND = 0.5
"""How much of what may be counted goes into the bound; the rest is for better nodes."""
_GOLDEN = 0.6180339887498949


class Search:
    """Looks for the anonymous node that loses least, and knows how far from it the best one so far may be."""

    def __init__(self, explorer: Explorer, best: Checked | None = None) -> None:
        self._explorer, self._lattice = explorer, explorer.lattice
        self.best: Checked = best or explorer.check(self._lattice.top)
        self.is_proven = False

    def run(self, progress: Progress) -> None:
        """Visit nodes from the least possible loss on, until none that is left can be better."""
        bound = self._explorer.bound.ravel()
        order = np.lexsort((self._lattice.height_of_nodes(), bound))
        for place, number in enumerate(order.tolist()):
            if not self._is_open(number):
                continue
            if progress(place, len(order)) or self._explorer.is_exhausted:
                return
            node = self._lattice.node(number)
            if self._explorer.promised.is_monotone and self._lattice.state.flat[number] == UNKNOWN:
                self._bisect(self._path(node))
            if self._is_open(number):
                self._visit(node)
        self.is_proven = True

    def _is_open(self, number: int) -> bool:
        """Whether a node may be better than the best one, and was not counted."""
        lattice = self._lattice
        return bool(
            self._explorer.bound.flat[number] < self.best.loss
            and lattice.state.flat[number] != NOT_ANONYMOUS
            and not lattice.is_checked.flat[number]
        )

    def _visit(self, node: Node) -> bool:
        checked = self._explorer.check(node)
        if checked.is_anonymous and checked.loss < self.best.loss:
            self.best = checked
        return checked.is_anonymous

    def _path(self, node: Node) -> list[Node]:
        """Upward from a node, each time to the successor of least bound, while nothing is known and the
        successor may be better than the best node."""
        bound, state, place, path = self._explorer.bound, self._lattice.state, self._lattice.place, [node]
        while True:
            open_ones = [
                (bound[place(above)], above)
                for above in self._lattice.successors(path[-1])
                if state[place(above)] == UNKNOWN and bound[place(above)] < self.best.loss
            ]
            if not open_ones:
                return path
            path.append(min(open_ones)[1])

    def _bisect(self, path: list[Node]) -> None:
        """Find the lowest anonymous node of a path; all below it are not, all above it are.

        The highest is asked first, and from there on ever larger steps down: most paths have no anonymous
        node, and coarse ones cost least.
        """
        high, step = len(path), 1
        while high and self._visit(path[max(high - step, 0)]):
            high, step = max(high - step, 0), 2 * step
        low = max(high - step, -1) + 1
        while low < high:
            middle = (low + high) // 2
            if self._visit(path[middle]):
                high = middle
            else:
                low = middle + 1

    def facts(self) -> dict[str, Any]:
        """Whether the best node is known to be the best; else how much better another might be at most."""
        if self.is_proven:
            return {"is_optimal": True}
        told = {"is_optimal": False, "cut_short": True, "nodes_open": int(self._are_open().sum())}
        return {**told, "at_most_above_optimum": self.best.loss - self.least}

    @property
    def least(self) -> float:
        """What no anonymous node loses less than, as far as is known."""
        open_bounds = self._explorer.bound[self._are_open()]
        return self.best.loss if self.is_proven else float(open_bounds.min(initial=self.best.loss))

    def _are_open(self) -> Bools:
        """Which nodes may be better than the best one, and were not counted."""
        lattice, bound = self._lattice, self._explorer.bound
        are_open: Bools = (lattice.state != NOT_ANONYMOUS) & ~lattice.is_checked & (bound < self.best.loss)
        return are_open


class PartsSearch:
    """Looks for a good node of a lattice that is too large to be searched as a whole.

    Columns are divided into parts. First each part is searched with all other columns suppressed. A node is
    not anonymous where it is not so with some columns suppressed: so the least losses of all parts together
    are what every anonymous node loses at least. Then the levels of one part after the other are chosen
    anew, those of other columns being as in the best node so far, in ever other parts, until that helps no
    more. Each part costs what a search of so many nodes does.
    """

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._n_columns = len(explorer.levels)
        self._top: Checked = explorer.check(explorer.lattice.top)
        self.best, self._least = self._top, 0.0

    def run(self, progress: Progress) -> None:
        """Bound the loss from below, then look for better nodes."""
        explorer, n_idle = self._explorer, 0
        explorer.look_at((0,) * self._n_columns, ())
        self._least = max(explorer.check((0,) * self._n_columns).bound, self._bounded_by_parts(progress))
        for number in range(1, _MOST_ROUNDS + 1):
            before = self.best
            for part in self._parts(number):
                if progress(number, _MOST_ROUNDS) or explorer.is_exhausted:
                    return
                self._searched(self.best, part, progress)
            n_idle = n_idle + 1 if self.best is before else 0
            if n_idle == _IDLE_ROUNDS or self.best.loss <= self._least:
                return

    def _bounded_by_parts(self, progress: Progress) -> float:
        """What every anonymous node loses at least, where losses add up over columns and a node is anonymous
        wherever a finer one is; else 0.

        With columns suppressed fewer rows break the promise, so that also what suppressed rows lose in the
        columns of a part is the least there.
        """
        parts, explorer, found = self._parts(0), self._explorer, []
        for place, part in enumerate(parts):
            most = _OF_BOUND * (place + 1) / len(parts)

            def stops(done: int, of: int, most: float = most) -> bool:
                return progress(done, of) or explorer.share_done > most

            found.append(self._searched(self._top, part, stops))
        if not (isinstance(self._explorer.loss, SeparableLoss) and self._explorer.promised.is_monotone):
            return 0.0
        return round(sum(found) - (len(parts) - 1) * self._top.loss, DIGITS)

    def _searched(self, start: Checked, part: list[int], progress: Progress) -> float:
        """Search the levels of some columns, others being as in a node; the least loss that these have."""
        self._explorer.look_at(start.node, part)
        search = Search(self._explorer, start)
        search.run(progress)
        if search.best.loss < self.best.loss:
            self.best = search.best
        return search.least

    def _parts(self, number: int) -> list[list[int]]:
        """The columns in parts of few enough nodes, in another order for every number."""
        order = sorted(range(self._n_columns), key=lambda c: (c + 1) * (number + 1) * _GOLDEN % 1)
        parts, n_nodes = [[order[0]]], self._explorer.levels[order[0]].height + 1
        for column in order[1:]:
            size = self._explorer.levels[column].height + 1
            if n_nodes * size > _PART_NODES:
                parts.append([])
                n_nodes = 1
            parts[-1].append(column)
            n_nodes *= size
        return parts

    def facts(self) -> dict[str, Any]:
        """As of a search that was cut short, unless the best node loses no more than every node does."""
        if self.best.loss <= self._least:
            return {"is_optimal": True}
        n_open = self._explorer.n_nodes - len(self._explorer.checked)
        told = {"is_optimal": False, "cut_short": True, "nodes_open": n_open}
        return {**told, "at_most_above_optimum": self.best.loss - self._least}
