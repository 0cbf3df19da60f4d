"""Where to cut the open nodes: at the median of a wide column, or where the class is told apart best."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kanopy.algorithms.chance import log_chance, log_cuts
from kanopy.data import GroupCounts
from kanopy.data.arrays import Bools, Floats, Groups, Ints
from kanopy.privacy import PrivacyModel
from kanopy.trees.class_counts import summed_entropy, sums_of_groups
from kanopy.trees.frontier import Frontier
from kanopy.trees.slots import SideLookup, Slots

_NO_GAIN = 1e-9
"""Bits per row below which a gain is rounding noise."""
_EQUAL_CHANCE = 1e-9
"""Chances whose logarithms differ by less are equal."""
_COUNTERS_AT_ONCE, _COUNTERS_PER_ROW = 200_000, 64
"""Up to so many counters (slots times confidential values), in all or for each row, all boundaries are
counted together."""
_VISITS = 20_000_000
"""Rows that may be counted, over all columns, to find the best boundary that keeps the promise."""


@dataclass(frozen=True, slots=True, eq=False)
class LevelCuts:
    """The decision for one level: which nodes are cut, and where each place of them goes."""

    is_cut: Bools
    side: Groups
    told_by: Ints  # of each node, the column that was cut because it tells about the class, or -1

    @classmethod
    def none(cls, frontier: Frontier) -> LevelCuts:
        n_nodes, n_rows = frontier.n_nodes, frontier.n_rows
        return cls(np.zeros(n_nodes, dtype=bool), np.zeros(n_rows, dtype=np.int32), np.full(n_nodes, -1))


def add_gain_cuts(
    cuts: LevelCuts, frontier: Frontier, promise: PrivacyModel, *, k: int, max_chance: float
) -> None:
    """Cut where, of all cuts that keep the promise, one tells most about the class (InfoGain Mondrian).

    Numeric columns are cut at thresholds where the class changes, categorical ones into two sets of values,
    columns with a hierarchy into the children of their common node. Ties: policy order of the columns, then
    the first boundary. Nodes where nothing is gained stay uncut, and those where shuffled classes would be
    told apart as well with more than ``max_chance``. O(rows * columns) for the whole level.
    """
    if frontier.n_classes < 2:
        return
    best = np.full(frontier.n_nodes, np.inf)
    tried, n_columns = np.zeros(frontier.n_nodes), np.zeros(frontier.n_nodes)
    lookups: list[SideLookup] = []
    parent = None
    for column in range(len(frontier.quasi)):
        slots = Slots(frontier, column)
        if parent is None:
            parent = _comparable(summed_entropy(slots.class_sums(slots.by_class)))
        entropy, side_of_slot, n_cuts = _best_cut(slots, frontier, promise, column, k)
        wins = entropy < best
        best[wins] = entropy[wins]
        cuts.told_by[wins] = column
        tried[wins] = n_cuts[wins]  # logarithms
        n_columns += n_cuts > -np.inf
        lookups.append(slots.lookup(side_of_slot))
    assert parent is not None
    cuts.is_cut[:] = (parent - best) / frontier.sizes() > _NO_GAIN
    cuts.told_by[~cuts.is_cut] = -1
    # Sides are looked up last, once per row: many columns lead for a while, only one wins a node.
    column_of_place = cuts.told_by.astype(np.int32)[frontier.node]
    for column, lookup in enumerate(lookups):
        places = np.flatnonzero(column_of_place == column)
        cuts.side[places] = lookup(places)
    if max_chance < 1:
        # Columns share the chance evenly: one of many values must not make the others' cuts look like chance.
        _undo_chance(cuts, frontier, tried + np.log(np.maximum(n_columns, 1)), max_chance)


def _undo_chance(cuts: LevelCuts, frontier: Frontier, tried: Floats, max_chance: float) -> None:
    """Leave nodes uncut whose cut may be due to chance, given the logarithm of how many were tried."""
    bound = math.log(max_chance) if max_chance > 0 else -math.inf
    by_chance = log_chance(frontier, cuts.side) + tried > bound + _EQUAL_CHANCE
    cuts.is_cut[by_chance], cuts.told_by[by_chance] = False, -1
    cuts.side[by_chance[frontier.node]] = 0


def _best_cut(
    slots: Slots, frontier: Frontier, promise: PrivacyModel, column: int, k: int
) -> tuple[Floats, Ints, Floats]:
    """For every node the least summed class entropy over the cuts of a column that keep the promise, the
    side of each slot, and the logarithm of how many cuts there are."""
    domain = frontier.domain(column)
    if domain.hierarchy is not None:
        return *_split_into_children(slots, frontier, promise, column), np.zeros(frontier.n_nodes)
    n_cuts = log_cuts(slots, is_ordered=domain.is_numeric, k=k)
    if not domain.is_numeric:
        slots.order_by_class_share()
    return *_best_boundary(slots, frontier, promise), n_cuts


def _comparable(entropy: Floats) -> Floats:
    """Rounded: equal cuts must tie, and a useless one gain nothing, in whatever order terms were added."""
    return np.round(entropy, 6)


def _best_boundary(slots: Slots, frontier: Frontier, promise: PrivacyModel) -> tuple[Floats, Ints]:
    """For every node the least summed class entropy over allowed boundaries, and the side of each slot."""
    is_pure = slots.by_class.max(axis=1) == slots.size
    leader = slots.by_class.argmax(axis=1)
    same_class = is_pure[:-1] & is_pure[1:] & (leader[:-1] == leader[1:])
    boundaries = np.flatnonzero((np.diff(slots.node) == 0) & ~same_class)
    boundaries, entropy = allowed_boundaries(slots, frontier, boundaries, promise, len(frontier.quasi))
    least, cut_after = least_of_nodes(slots.node[boundaries], boundaries, _comparable(entropy), slots.n_nodes)
    return least, (np.arange(len(slots.node)) > cut_after[slots.node]).astype(np.int64)


def least_of_nodes(
    node: Ints, boundary: Ints, entropy: Floats, n_nodes: int, tolerance: float = 0.0
) -> tuple[Floats, Ints]:
    """The least entropy of each node, infinite without any, and the first boundary that has it."""
    least, first = np.full(n_nodes, np.inf), np.full(n_nodes, np.iinfo(np.int64).max)
    np.minimum.at(least, node, entropy)
    is_least = entropy <= least[node] + tolerance
    np.minimum.at(first, node[is_least], boundary[is_least])
    return least, first


def allowed_boundaries(
    slots: Slots, frontier: Frontier, boundaries: Ints, promise: PrivacyModel, n_columns: int
) -> tuple[Ints, Floats]:
    """The boundaries that keep the promise, and the summed class entropy of the two sides of each.

    Where counting the confidential values beside every boundary would take too much memory, boundaries are
    asked from the lowest entropy on, one per node at a time, until one keeps the promise or the rows that
    were counted reach a limit, which ``n_columns`` share: O(rows) for every boundary that breaks it, and
    O(rows) in memory.
    """
    n_rows = frontier.total_weight
    at_once = max(_COUNTERS_AT_ONCE, _COUNTERS_PER_ROW * n_rows)
    if frontier.counts_rows_only or slots.n_counters() <= at_once:
        left, right = slots.boundary_counts(boundaries)
        boundaries = boundaries[promise.holds(left) & promise.holds(right)]
        return boundaries, slots.entropies_beside(slots.by_class, boundaries)
    entropy = slots.entropies_beside(slots.by_class, boundaries)
    n_visits = max(_VISITS // n_columns, n_rows)
    found = _first_allowed(slots, frontier, boundaries, np.round(entropy, 6), promise, n_visits)
    return boundaries[found], entropy[found]


def _first_allowed(
    slots: Slots, frontier: Frontier, boundaries: Ints, entropy: Floats, promise: PrivacyModel, n_visits: int
) -> Ints:
    """Of every node the place of the first boundary, in the order of entropy, that keeps the promise."""
    node = slots.node[boundaries]
    order = np.lexsort((boundaries, entropy, node))
    n_candidates = np.bincount(node, minlength=frontier.n_nodes)
    first = np.cumsum(n_candidates) - n_candidates
    asked = np.zeros(frontier.n_nodes, dtype=np.int64)
    is_open = n_candidates > 0
    slot = slots.of_rows()
    found: list[Ints] = []
    while is_open.any() and n_visits > 0:
        nodes = np.flatnonzero(is_open)
        candidate = order[first[nodes] + asked[nodes]]
        places = np.flatnonzero(is_open[frontier.node])
        number = np.cumsum(is_open) - 1
        mine = number[frontier.node[places]]
        goes_right = slot[places] > boundaries[candidate][mine]
        counts = frontier.counts(2 * mine + goes_right, 2 * len(nodes), places)
        holds = promise.holds(counts)
        keeps = holds[0::2] & holds[1::2]
        found.append(candidate[keeps])
        asked[nodes] += 1
        is_open[nodes[keeps]] = False
        is_open &= asked < n_candidates
        n_visits -= int(counts.rows.sum())
    return np.sort(np.concatenate([np.empty(0, dtype=np.int64), *found]))


def _split_into_children(
    slots: Slots, frontier: Frontier, promise: PrivacyModel, column: int
) -> tuple[Floats, Ints]:
    """Every node into the children of its common hierarchy node; missing is a child of its own."""
    domain = frontier.domain(column)
    assert domain.hierarchy is not None
    is_value = slots.code < domain.n_values
    low, high = slots.low_and_high()
    before_last = slots.code[np.maximum(slots.first[1:] - 2, slots.first[:-1])]
    high = np.where(high < domain.n_values, high, before_last)
    no_value = low == domain.missing_code
    common = np.zeros(frontier.n_nodes, dtype=np.int32)
    common[~no_value] = domain.hierarchy.common_node(low[~no_value], high[~no_value])
    side = np.full(len(slots.node), domain.n_values, dtype=np.int64)
    side[is_value] = domain.hierarchy.child_index(common[slots.node[is_value]], slots.code[is_value])

    keys = slots.node * domain.n_codes + side
    present, child = np.unique(keys, return_inverse=True)
    node_of_child = present // domain.n_codes
    by_class = sums_of_groups(slots.by_class, child, len(present))
    entropy = np.zeros(frontier.n_nodes)
    np.add.at(entropy, node_of_child, summed_entropy(by_class))
    holds = promise.holds(frontier.counts(child[slots.of_rows()], len(present)))
    n_children = np.bincount(node_of_child, minlength=frontier.n_nodes)
    n_holding = np.bincount(node_of_child, weights=holds, minlength=frontier.n_nodes)
    allowed = (n_children > 1) & (n_holding == n_children)
    return np.where(allowed, _comparable(entropy), np.inf), side


def add_median_cuts(
    cuts: LevelCuts,
    frontier: Frontier,
    promise: PrivacyModel,
    *,
    first: Bools,
    strict: bool,
    try_lower_cut: bool,
    width: str,
) -> None:
    """Cut every node that is still uncut at the median of its widest column that allows it (Mondrian).

    Strict cuts keep equal values together: the rows of the median value go to the left or, with
    ``try_lower_cut``, where that breaks the promise, to the right. Relaxed ones divide them, in row order.
    The columns that are ``first`` count as wider than all others.
    O(rows * columns), and a pass over a node's rows for each column it has to try.
    """
    columns = range(len(frontier.quasi))
    medians = [_Median(frontier, column, strict=strict, width=width) for column in columns]
    widths = np.stack([median.width for median in medians], axis=1)
    by_width = np.argsort(-widths, axis=1, kind="stable")
    by_width = np.take_along_axis(by_width, np.argsort(~first[by_width], axis=1, kind="stable"), axis=1)
    attempts = [False, True] if strict and try_lower_cut else [False]
    for turn in range(len(medians)):
        for lower in attempts:
            uncut = np.flatnonzero(~cuts.is_cut)
            choice = by_width[uncut, turn]
            for column in np.unique(choice).tolist():
                nodes = uncut[choice == column]
                medians[column].cut(cuts, nodes[widths[nodes, column] >= 0], promise, lower=lower)


class _Median:
    """The median of one column in every node, and how wide the column still is there."""

    def __init__(self, frontier: Frontier, column: int, *, strict: bool, width: str) -> None:
        self._frontier = frontier
        self._codes = frontier.quasi[column]
        slots = Slots(frontier, column)
        total = slots.node_sums(slots.size)
        up_to = slots.running(slots.size)
        is_median = (2 * up_to >= total[slots.node]) & (2 * (up_to - slots.size) < total[slots.node])
        self.code = slots.code[is_median]
        self._below = (up_to - slots.size)[is_median]
        self._at = slots.size[is_median]
        self._total = total
        self._strict = strict
        low, high = slots.low_and_high()
        n_distinct = np.diff(slots.first)
        widths = n_distinct if width == "distinct" else frontier.domain(column).widths(low, high)
        # A single value has no width at all; two values that lie together can still be told apart.
        self.width = np.where(low == high, -1.0, widths)

    def cut(self, cuts: LevelCuts, nodes: Ints, promise: PrivacyModel, *, lower: bool) -> None:
        """Cut those of the nodes where both sides keep the promise."""
        frontier = self._frontier
        at_left = self._at if self._strict else self._total // 2 - self._below
        if lower:
            at_left = np.zeros_like(self._at)
        left = self._below + at_left
        nodes = nodes[(left[nodes] > 0) & (left[nodes] < self._total[nodes])]
        if frontier.counts_rows_only:
            sizes = np.stack([left, self._total - left], axis=1)[nodes]
            children = promise.holds(GroupCounts(sizes.ravel()))
            nodes = nodes[children[0::2] & children[1::2]]
        if not len(nodes):
            return
        number = np.full(frontier.n_nodes, -1)
        number[nodes] = np.arange(len(nodes))
        places = np.flatnonzero(number[frontier.node] >= 0)
        goes_right = self._goes_right(places, at_left)
        if not frontier.counts_rows_only:
            child = 2 * number[frontier.node[places]] + goes_right
            children = promise.holds(frontier.counts(child, 2 * len(nodes), places))
            holds = children[0::2] & children[1::2]
            is_kept = holds[child // 2]
            nodes, places, goes_right = nodes[holds], places[is_kept], goes_right[is_kept]
        cuts.is_cut[nodes] = True
        cuts.side[places] = goes_right

    def _goes_right(self, places: Ints, at_left: Ints) -> Bools:
        """Whether each place lies beyond its node's median, of which ``at_left`` rows stay on the left."""
        node, codes = self._frontier.node[places], self._codes[places]
        median = self.code[node]
        goes_right: Bools = codes > median
        if not np.array_equal(at_left, self._at):
            at_median = codes == median
            seen = np.cumsum(at_median)
            first = np.searchsorted(node, np.arange(self._frontier.n_nodes))
            seen_before_node = np.concatenate([[0], seen])[first]
            goes_right |= at_median & (seen - seen_before_node[node] > at_left[node])
        return goes_right
