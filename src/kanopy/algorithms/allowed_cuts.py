"""Which boundaries keep the promise on both sides; where counting all is too much, the best of them."""

from __future__ import annotations

import numpy as np

from kanopy.data.arrays import Floats, Ints
from kanopy.privacy import PrivacyModel
from kanopy.trees.frontier import Frontier
from kanopy.trees.slots import Slots

_COUNTERS_AT_ONCE, _COUNTERS_PER_ROW = 200_000, 64
"""Up to so many counters (slots times confidential values), in all or for each row, all boundaries are
counted together."""

_VISITS = 20_000_000
"""Rows that may be counted, over all columns, to find the best boundary that keeps the promise."""


def allowed_boundaries(
    slots: Slots, frontier: Frontier, boundaries: Ints, promise: PrivacyModel, n_columns: int
) -> tuple[Ints, Floats]:
    """The boundaries that keep the promise, and the summed class entropy of the two sides of each.

    Counting the confidential values beside every boundary takes as many counters as boundaries times values.
    Where these are many, boundaries are asked from the lowest entropy on, one per node at a time, until one
    keeps the promise or the rows that were counted reach a limit: O(rows) for every boundary that breaks it,
    and memory is O(rows). The best of the boundaries given back is the best of all that were asked.
    ``n_columns`` share the limit.
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
