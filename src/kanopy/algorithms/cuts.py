"""Where to cut the open nodes so that the class is told apart best."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kanopy.algorithms.chance import log_chance, log_cuts
from kanopy.data.arrays import Bools, Floats, Groups, Ints
from kanopy.data.keys import begins_run
from kanopy.privacy import PrivacyModel
from kanopy.trees.class_counts import Counts, joined, summed_entropy, sums_of_groups, sums_of_runs
from kanopy.trees.frontier import Frontier
from kanopy.trees.slots import SideLookup, Slots

_NO_GAIN = 1e-9
"""Bits per row below which a gain is rounding noise."""
_EQUAL_CHANCE = 1e-9
"""Chances whose logarithms differ by less are equal."""
_COUNTERS_AT_ONCE, COUNTERS_PER_ROW = 200_000, 64
"""Up to so many counters (slots times confidential values), in all or for each row, all boundaries are
counted together."""
_VISITS = 20_000_000
"""Rows that may be counted, over all columns, to find the best boundary that keeps the promise."""


class LevelCuts(NamedTuple):
    """The decision for one level: which nodes are cut, by which column, and where each place of them goes."""

    column: Ints  # of each node, or -1 where it stays whole
    by_gain: Bools  # whether the node is cut because the column tells about the class
    sides: tuple[
        Groups, ...
    ]  # of each column, the side of each place; one array where all count one frontier

    @classmethod
    def none(cls, frontier: Frontier) -> LevelCuts:
        """Nothing is cut yet of nodes all of whose columns are counted on one frontier."""
        side = np.zeros(frontier.n_rows, dtype=np.int32)
        return cls.of_sides(frontier.n_nodes, (side,) * len(frontier.quasi))

    @classmethod
    def of_sides(cls, n_nodes: int, sides: tuple[Groups, ...]) -> LevelCuts:
        """Nothing is cut yet of nodes each of whose columns is counted on a frontier of its own."""
        return cls(np.full(n_nodes, -1), np.zeros(n_nodes, dtype=bool), sides)

    @property
    def is_cut(self) -> Bools:
        return self.column >= 0

    @property
    def told_by(self) -> Ints:
        """The column of each node that is cut because it tells about the class."""
        return self.column[self.by_gain]

    @property
    def any_by_median(self) -> bool:
        """Whether a node is cut for another reason."""
        return bool((self.is_cut & ~self.by_gain).any())


class GainCuts:
    """Cut where, of all cuts that keep the promise, one tells most about the class (InfoGain Mondrian).

    Numeric columns are cut at thresholds where the class changes, categorical ones into two sets of values,
    columns with a hierarchy into the children of their common node. Ties: policy order of the columns, then
    the first boundary. Nodes where nothing is gained stay uncut, and those where shuffled classes would be
    told apart as well with more than ``max_chance``. Once the columns are counted, O(slots) for each, and
    O(rows) for the whole level.
    """

    def __init__(self, frontier: Frontier, promise: PrivacyModel, *, k: int, max_chance: float) -> None:
        self._frontier, self._promise, self._k, self._max_chance = frontier, promise, k, max_chance
        self._best = np.full(frontier.n_nodes, np.inf)
        self._column = np.full(frontier.n_nodes, -1)
        self._tried, self._n_columns = np.zeros(frontier.n_nodes), np.zeros(frontier.n_nodes)
        self._parent: Floats | None = None
        self._lookups: list[SideLookup] = []
        self._sides: list[tuple[Ints, Counts]] = []  # of each column: the node and the classes of each side

    def offer(self, column: int, slots: Slots) -> None:
        """Take the best cut of a column where it tells more than those of the columns before."""
        if self._frontier.n_classes < 2:
            return
        if self._parent is None:
            self._parent = _comparable(summed_entropy(slots.class_sums(slots.by_class)))
        slots, entropy, side, n_cuts = _best_cut(slots, self._promise, self._k)
        wins = entropy < self._best
        self._best[wins] = entropy[wins]
        self._column[wins] = column
        self._tried[wins] = n_cuts[wins]  # logarithms
        self._n_columns += n_cuts > -np.inf
        self._lookups.append(slots.lookup(side))
        begins = np.flatnonzero(begins_run([slots.node, side], len(side)))
        self._sides.append((slots.node[begins], sums_of_runs(slots.by_class, begins)))

    def add_to(self, cuts: LevelCuts) -> None:
        """Cut the nodes where something is gained. Sides are looked up last, once per row: many columns lead
        for a while, only one wins a node."""
        if self._parent is None:
            return
        is_cut = (self._parent - self._best) / self._frontier.sizes > _NO_GAIN
        if self._max_chance < 1 and is_cut.any():
            is_cut[self._by_chance(is_cut)] = False
        cuts.column[is_cut], cuts.by_gain[is_cut] = self._column[is_cut], True
        for column, lookup in enumerate(self._lookups):
            nodes = np.flatnonzero(cuts.column == column)
            if len(nodes):
                cuts.sides[column][lookup.frontier.places_of(nodes)] = lookup(nodes)

    def _by_chance(self, is_cut: Bools) -> Bools:
        """Nodes whose cut may be due to chance. Columns share the chance evenly: one of many values must not
        make the others' cuts look like chance."""
        column = np.where(is_cut, self._column, -1)
        is_taken = [column[node] == number for number, (node, _) in enumerate(self._sides)]
        node = np.concatenate([node[taken] for (node, _), taken in zip(self._sides, is_taken, strict=True)])
        by_class = joined([counts[taken] for (_, counts), taken in zip(self._sides, is_taken, strict=True)])
        order = np.argsort(node, kind="stable")
        chance = log_chance(by_class[order], node[order], self._frontier.n_nodes)
        bound = math.log(self._max_chance) if self._max_chance > 0 else -math.inf
        tried = self._tried + np.log(np.maximum(self._n_columns, 1))
        return np.asarray(chance + tried > bound + _EQUAL_CHANCE)


def _best_cut(slots: Slots, promise: PrivacyModel, k: int) -> tuple[Slots, Floats, Ints, Floats]:
    """The slots in the order in which they are cut, for every node the least summed class entropy over the
    cuts of a column that keep the promise, the side of each slot, and the logarithm of how many cuts there
    are."""
    domain = slots.domain
    if domain.hierarchy is not None:
        return slots, *_split_into_children(slots, promise), np.zeros(slots.n_nodes)
    n_cuts = log_cuts(slots, is_ordered=domain.is_numeric, k=k)
    if not domain.is_numeric:
        slots = slots.ordered_by_class_share()
    return slots, *_best_boundary(slots, promise), n_cuts


def _comparable(entropy: Floats) -> Floats:
    """Rounded: equal cuts must tie, and a useless one gain nothing, in whatever order terms were added."""
    return np.round(entropy, 6)


def _best_boundary(slots: Slots, promise: PrivacyModel) -> tuple[Floats, Ints]:
    """For every node the least summed class entropy over allowed boundaries, and the side of each slot."""
    frontier = slots.frontier
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
    at_once = max(_COUNTERS_AT_ONCE, COUNTERS_PER_ROW * n_rows)
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


def _split_into_children(slots: Slots, promise: PrivacyModel) -> tuple[Floats, Ints]:
    """Every node into the children of its common hierarchy node; missing is a child of its own."""
    frontier, domain = slots.frontier, slots.domain
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
