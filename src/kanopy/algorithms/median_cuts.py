"""Where to cut the open nodes: at the median of a wide column."""

from __future__ import annotations

import numpy as np

from kanopy.algorithms.cuts import LevelCuts
from kanopy.data import GroupCounts
from kanopy.data.arrays import Bools, Ints
from kanopy.data.keys import distinct_sorted
from kanopy.privacy import PrivacyModel
from kanopy.trees.frontier import Frontier
from kanopy.trees.slots import Slots


class MedianCuts:
    """Cut every node that is still uncut at the median of its widest column that allows it (Mondrian).

    Strict cuts keep equal values together: the rows of the median value go to the left or, with
    ``try_lower_cut``, where that breaks the promise, to the right. Relaxed ones divide them, in row order.
    The columns that are ``first`` count as wider than all others.
    Once the columns are counted, O(slots) for each, and O(rows) for the whole level; where a promise counts
    more than rows, a pass over a node's rows for each column it has to try.
    """

    def __init__(
        self,
        frontier: Frontier,
        promise: PrivacyModel,
        *,
        first: Bools,
        strict: bool,
        try_lower_cut: bool,
        width: str,
    ) -> None:
        self._frontier, self._promise, self._first = frontier, promise, first
        self._strict, self._width = strict, width
        self._attempts = [False, True] if strict and try_lower_cut else [False]
        self._medians: list[_Median] = []

    def offer(self, column: int, slots: Slots) -> None:
        """Find the medians of a column."""
        self._medians.append(_Median(column, slots, strict=self._strict, width=self._width))

    def add_to(self, cuts: LevelCuts) -> None:
        """Cut each node at the first of its medians, the widest column's first, that keeps the promise."""
        nodes = np.flatnonzero(~cuts.is_cut)
        column, is_open = self._candidates(nodes)
        while True:
            some = np.flatnonzero(is_open.any(axis=1) & ~cuts.is_cut[nodes])
            if not len(some):
                return
            candidate = is_open[some].argmax(axis=1)
            is_open[some, candidate] = False
            turn, lower = np.divmod(candidate, len(self._attempts))
            chosen = column[some, turn]
            for number in distinct_sorted(chosen).tolist():
                is_mine = chosen == number
                self._medians[number].cut(cuts, nodes[some[is_mine]], self._promise, lower[is_mine] > 0)

    def _candidates(self, nodes: Ints) -> tuple[Ints, Bools]:
        """The columns of each node in the order in which they are tried, and of these, attempt by attempt,
        which have rows on both sides; as many as is promised, where no more than rows are counted."""
        widths = np.stack([median.width[nodes] for median in self._medians], axis=1)
        by_width = np.argsort(-widths, axis=1, kind="stable")
        is_later = ~self._first[by_width]
        by_width = np.take_along_axis(by_width, np.argsort(is_later, axis=1, kind="stable"), axis=1)
        left = np.stack(
            [median.left(lower=lower)[nodes] for median in self._medians for lower in self._attempts], axis=1
        )
        right = self._medians[0].total[nodes][:, None] - left
        is_open = (left > 0) & (right > 0) & np.repeat(widths >= 0, len(self._attempts), axis=1)
        if self._frontier.counts_rows_only:
            some = np.nonzero(is_open)
            is_open[some] = self._keep(left[some]) & self._keep(right[some])
        of_columns = is_open.reshape(len(nodes), len(self._medians), len(self._attempts))
        in_turn = np.take_along_axis(of_columns, by_width[:, :, None], axis=1)
        return by_width, in_turn.reshape(is_open.shape)

    def _keep(self, n_rows: Ints) -> Bools:
        return self._promise.holds(GroupCounts(n_rows))


class _Median:
    """The median of one column in every node, and how wide the column still is there."""

    def __init__(self, column: int, slots: Slots, *, strict: bool, width: str) -> None:
        self._frontier, self._column, self._codes = slots.frontier, column, slots.codes
        self.total = slots.node_sums(slots.size)
        total, up_to = self.total[slots.node], slots.running(slots.size)
        is_median = np.flatnonzero((2 * up_to >= total) & (2 * (up_to - slots.size) < total))
        self._code = slots.code[is_median]
        self._below = (up_to - slots.size)[is_median]
        self._at = slots.size[is_median]
        self._strict = strict
        low, high = slots.low_and_high()
        n_distinct = np.diff(slots.first)
        widths = n_distinct if width == "distinct" else slots.domain.widths(low, high)
        # A single value has no width at all; two values that lie together can still be told apart.
        self.width = np.where(low == high, -1.0, widths)

    def left(self, *, lower: bool) -> Ints:
        """How many rows of each node go to the left."""
        if lower:
            return self._below
        return self._below + self._at if self._strict else self.total // 2

    def cut(self, cuts: LevelCuts, nodes: Ints, promise: PrivacyModel, lower: Bools) -> None:
        """Cut those of the nodes where both sides keep the promise, which is known where it counts rows."""
        frontier, places = self._frontier, self._frontier.places_of(nodes)
        goes_right = self._goes_right(nodes, lower)
        if not frontier.counts_rows_only:
            child = 2 * np.repeat(np.arange(len(nodes)), np.diff(frontier.starts)[nodes]) + goes_right
            children = promise.holds(frontier.counts(child, 2 * len(nodes), places))
            holds = children[0::2] & children[1::2]
            goes_right &= holds[child // 2]
            nodes = nodes[holds]
        cuts.column[nodes] = self._column
        cuts.sides[self._column][places] = goes_right

    def _goes_right(self, nodes: Ints, lower: Bools) -> Bools:
        """Whether each place lies beyond its node's median, or at it where that goes to the right too."""
        n_places = np.diff(self._frontier.starts)[nodes]
        codes = self._codes[self._frontier.places_of(nodes)]
        if self._strict:
            last = (self._code[nodes] - lower).astype(codes.dtype)
            return np.asarray(codes > np.repeat(last, n_places))
        median = np.repeat(self._code[nodes], n_places)
        at_median = codes == median
        seen = np.cumsum(at_median)
        seen_before_node = np.concatenate([[0], seen])[np.cumsum(n_places) - n_places]
        n_left = self.left(lower=False)[nodes] - self._below[nodes]  # of the rows at the median
        return np.asarray(
            (codes > median) | (at_median & (seen > np.repeat(seen_before_node + n_left, n_places)))
        )
